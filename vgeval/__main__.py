"""``python -m vgeval``."""

from vgeval.cli import main

if __name__ == "__main__":
    main()
