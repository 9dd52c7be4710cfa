"""``python -m vgsynth``."""

from vgsynth.cli import main

if __name__ == "__main__":
    main()
