"""WearVox (Lin et al., arXiv 2601.02391) from a user's copy: read, chosen from, made into a folder to be run.

The recordings are not ours to give. A copy is a folder with ``wearvox.jsonl``, one object a line, the
recordings that it names, and ``tools.json`` where tools are called; docs/evaluation.md says what a line
holds.
"""
