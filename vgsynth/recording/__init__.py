"""From people who read scripts to recordings that the same spec takes.

``record-sheet`` prints what each of them reads, ``ingest`` brings their takes into the spec's folder and keeps a
table for two rounds of annotation, ``agreement`` says how far the two rounds agree.
"""
