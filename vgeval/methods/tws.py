"""In the manner of Thinking with Sound (Xiong et al., arXiv 2509.21749): acoustic tools before the action.

The system may call operators on the clip, one a turn. Their results, words or a changed clip, come back as
the next turn; the original clip stays in the conversation. Items of words alone are asked once.
"""

from __future__ import annotations

from typing import Any

from vgeval.methods.method import Method, Procedure, Question
from vgeval.methods.operators.clip import read_clip, write_clip
from vgeval.methods.operators.registry import OPERATORS, Result, run_operator
from vgeval.parsing.lenient_json import parse_lenient_json
from vgeval.parsing.native import fence
from vgeval.systems.conversation import Audio, Conversation, Message, Part, Text

MOST_CALLS = 3
_TOOLS = """\
Before you act, you may examine the recording, at most {calls} times, with these acoustic operators. Each \
takes start_s and end_s, in seconds, to look at a part.

{operators}

To use one, output a JSON object in place of an action, with nothing before it and nothing after it, such as
{{"operator": "activity", "args": {{}}}}
Its result comes back to you. These operators are no tools of the wearer. When you know enough, output \
exactly one action."""
_RESULT = "{result}\n\nUse another operator, or output exactly one action."
_LAST = "{result}\n\nThat was the last operator. Output exactly one action."


def ask(question: Question) -> Procedure:
    """Up to ``MOST_CALLS`` calls of operators, then the action."""
    if question.wav is None:
        return (yield (question.instruction, question.request))
    clip = read_clip(question.wav)
    system = Text(text=f"{question.prompt.system}\n\n{_instruction()}")
    conversation: Conversation = (Message(role="system", parts=(system,)), question.request)
    for call in range(MOST_CALLS):
        output = yield conversation
        said = question.plain(output)
        asked = operator_call(said)
        if asked is None:
            return output
        told = _turn(run_operator(clip, *asked), last=call == MOST_CALLS - 1)
        conversation = (*conversation, Message(role="assistant", parts=(Text(text=said),)), told)
    return (yield conversation)


def operator_call(text: str) -> tuple[str, dict[str, Any]] | None:
    """The operator and arguments of a turn that is a call of one; None for any other text."""
    inner = fence(text) or text
    if not (inner.startswith("{") and inner.endswith("}")):
        return None
    try:
        call = parse_lenient_json(inner)
    except ValueError:
        return None
    if not isinstance(call, dict) or not isinstance(call.get("operator"), str):
        return None
    args = call.get("args", {})
    return call["operator"], args if isinstance(args, dict) else {}


def _turn(result: Result, *, last: bool) -> Message:
    words = Text(text=(_LAST if last else _RESULT).replace("{result}", result.text))
    parts: tuple[Part, ...] = (words,)
    if result.clip is not None:
        parts = (Audio(wav=write_clip(result.clip)), words)
    return Message(role="user", parts=parts)


def _instruction() -> str:
    listed = [
        f"{name}: {operator.about}"
        + (f" (also takes {', '.join(operator.arguments)})" if operator.arguments else "")
        for name, operator in OPERATORS.items()
    ]
    return _TOOLS.format(calls=MOST_CALLS, operators="\n".join(listed))


TWS = Method(
    name="tws",
    about=f"in the manner of Thinking with Sound: up to {MOST_CALLS} acoustic operators, then the action",
    ask=ask,
    texts={"tools": _instruction(), "result": _RESULT, "last": _LAST, "calls": MOST_CALLS, "operators": 1},
)
"""``operators`` in its texts is the version of what the operators compute: raise it when that changes."""
