"""From what a model says to what it does.

Chat wrapping is taken off, then two readings are made of the same text: strict (canonical text alone) and
lenient (the model's native syntax too). The difference tells a wrong format from a wrong action.
"""
