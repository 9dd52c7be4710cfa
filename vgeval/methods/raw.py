"""The plain way: instruction and item in, action out."""

from __future__ import annotations

from vgeval.methods.method import Method, Procedure, Question


def ask(question: Question) -> Procedure:
    """One turn."""
    return (yield (question.instruction, question.request))


RAW = Method(name="raw", about="one turn: the instruction and the clip", ask=ask)
