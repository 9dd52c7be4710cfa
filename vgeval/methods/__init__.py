"""How a system is asked: once, or in the manner of a training-free adaptation.

A method is a generator: it yields conversations, is sent the system's answers, and returns the output. It
knows no server and does no waiting, so that every method works with every system.
"""
