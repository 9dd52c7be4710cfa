"""From people who read scripts to recordings that the same spec takes.

``record-sheet`` prints what each of them reads, ``ingest`` brings their takes to where the spec looks for
them and keeps a table for two rounds of annotation, ``agreement`` says how far the two rounds agree.
"""
