"""Makes cases/speaker_switch.jsonl from the seeds and templates in vgbench/speaker_switch.

Run from the root of the repository::

    python -m scenes.vgbench.generate.speaker_switch            # writes the file
    python -m scenes.vgbench.generate.speaker_switch --check    # says whether the file is what it would write
"""
