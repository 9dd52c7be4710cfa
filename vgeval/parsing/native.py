"""Native syntaxes of actions, each read by one small function: text to an action, or None for another's text.

A reader takes the whole text or nothing: words around a call are not skipped. Each is linear in its input.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from vgeval.parsing.lenient_json import parse_lenient_json
from vgsynth.contract.action import Mute, ToolCall
from vgsynth.contract.tools import ToolInventory

Reader = Callable[[str, ToolInventory], "Mute | ToolCall | None"]
Unwrapper = Callable[[str], "str | None"]

_MOST_WRAPPERS = 4
_LONGEST_MUTE = 40
_LONGEST_EXPRESSION = 10_000


def mute(text: str, tools: ToolInventory) -> Mute | None:
    """``[mute]``, ``[MUTE].``, ``"[Mute]"``, ``**[Mute]**``, ``［Mute］``: the token, oddly written."""
    if len(text) > _LONGEST_MUTE:
        return None
    bare = text.translate(_ASCII_BRACKETS).strip(" \t\r\n\"'`*_.!,;“”‘’。！").casefold()
    return Mute() if re.fullmatch(r"\[ ?mute ?\]", bare) else None


_ASCII_BRACKETS = str.maketrans("［］【】", "[][]")


def json_call(text: str, tools: ToolInventory) -> ToolCall | None:
    """A JSON object as function calling writes it: other names of the two keys, arguments as a JSON string,
    ``function`` and ``tool_calls`` around it, a list of one."""
    if text[:1] + text[-1:] not in ("{}", "[]"):
        return None
    try:
        return _call_of(parse_lenient_json(text))
    except ValueError:
        return None


_WRAPPERS = (
    {"tool_calls"},
    {"tool_call"},
    {"function_call"},
    {"functionCall"},
    {"function"},
    {"type", "function"},
    {"id", "type", "function"},
)
_NAMES = ("name", "function")
_PARAMS = ("params", "arguments", "parameters", "args")


def _call_of(value: Any, wrappers: int = _MOST_WRAPPERS) -> ToolCall | None:
    if isinstance(value, list):
        return _call_of(value[0], wrappers - 1) if len(value) == 1 and wrappers else None
    if not isinstance(value, dict):
        return None
    if value.get("type", "function") != "function":
        return None
    inner = next((value[key] for key in value if key not in ("id", "type")), None)
    if set(value) in _WRAPPERS and isinstance(inner, dict | list):
        return _call_of(inner, wrappers - 1) if wrappers else None
    keys = set(value) - {"type"}
    name = next((value[key] for key in _NAMES if key in keys), None)
    params = next((value[key] for key in _PARAMS if key in keys), None)
    if isinstance(params, str):
        params = parse_lenient_json(params)
    if len(keys) != 2 or not isinstance(name, str) or not isinstance(params, dict):
        return None
    return ToolCall(name=name, params=params)


def xml_call(text: str, tools: ToolInventory) -> ToolCall | None:
    """``<function=NAME><parameter=KEY>VALUE</parameter></function>`` (Qwen3-Coder, Nemotron 3)."""
    if not (text.startswith("<function=") and text.endswith("</function>")):
        return None
    name, _, rest = text.removeprefix("<function=").removesuffix("</function>").partition(">")
    params: dict[str, Any] = {}
    for part in rest.split("</parameter>")[:-1]:
        key, closed, value = part.strip().removeprefix("<parameter=").partition(">")
        if not closed or not part.strip().startswith("<parameter=") or key in params or "<" in key:
            return None
        params[key] = _typed(value.strip("\n"), _schema(tools, name, key))
    if rest.rpartition("</parameter>")[2].strip():
        return None
    return ToolCall(name=name.strip(), params=params)


def _schema(tools: ToolInventory, name: str, key: str) -> Mapping[str, Any]:
    tool = tools.get(name.strip())
    schema = tool.parameters.get("properties", {}).get(key) if tool else None
    return schema if isinstance(schema, Mapping) else {}


def _typed(value: str, schema: Mapping[str, Any]) -> Any:
    """A parameter's text as its schema wants it; the text itself where that is a string or unclear."""
    if schema.get("type") == "string":
        return value
    try:
        return parse_lenient_json(value)
    except ValueError:
        return value


def python_call(text: str, tools: ToolInventory) -> ToolCall | None:
    """``NAME(key="value")``, perhaps within ``print()`` or behind ``default_api.`` (Gemini's ``tool_code``),
    of a tool that there is. Arguments are keywords with literals."""
    if len(text) > _LONGEST_EXPRESSION or not text.endswith(")"):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            node = ast.parse(text, mode="eval").body
        while (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "print"
            and len(node.args) == 1
            and not node.keywords
        ):
            node = node.args[0]
        if not isinstance(node, ast.Call) or node.args:
            return None
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        params = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords}
        if name not in tools or any(keyword.arg is None for keyword in node.keywords):
            return None
        return ToolCall(name=name, params=parse_lenient_json(json.dumps(params)))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None


def bracketed_call(text: str, tools: ToolInventory) -> ToolCall | None:
    """``[NAME]``, ``[NAME(key="value")]``, ``[NAME: anything]``, ``[Tool: NAME, anything]``, of a known tool.

    The name's case, blanks and hyphens do not count. Parameters are read where they are keywords with
    literals; what follows the name in free form is left in the raw output.
    """
    if not (text.startswith("[") and text.endswith("]")) or len(text) > _LONGEST_EXPRESSION:
        return None
    inner = re.sub(r"(?i)^(?:action|tool(?:[ _]call)?|call|function) ?[:=] ?", "", text[1:-1].strip())
    if "[" in inner.split("(")[0] or "]" in inner.split("(")[0]:
        return None
    called = python_call(inner, tools)
    if called is not None:
        return called
    written = re.match(r"[\w -]*", inner)
    name = _folded(written[0] if written else "")
    rest = inner[written.end() if written else 0 :]
    if rest and rest[0] not in "(:,|=;{":
        return None
    known = next((tool for tool in tools.names if _folded(tool) == name), None)
    return None if known is None else ToolCall(name=known, params={})


def _folded(name: str) -> str:
    return re.sub(r"[ -]", "_", name.strip()).casefold()


def step_call(text: str, tools: ToolInventory) -> ToolCall | None:
    """``function``, the name, and a JSON object, on lines of their own (Step-Audio)."""
    kind, _, rest = text.partition("\n")
    name, _, arguments = rest.partition("\n")
    if kind.strip() != "function" or not name.strip():
        return None
    try:
        params = parse_lenient_json(arguments.strip())
    except ValueError:
        return None
    return ToolCall(name=name.strip(), params=params) if isinstance(params, dict) else None


def fence(text: str) -> str | None:
    """What a code fence (or one pair of back-ticks) encloses, where it encloses everything."""
    if text.startswith("```") and text.endswith("```") and len(text) >= 6:
        inner = text[3:-3]
        first, newline, rest = inner.partition("\n")
        inner = rest if newline and re.fullmatch(r"[\w+-]*[ \t\r]*", first) else inner.removeprefix("json")
    elif len(text) >= 2 and text[0] == text[-1] == "`":
        inner = text[1:-1]
    else:
        return None
    return None if "`" in inner else inner.strip()


def tag(text: str) -> str | None:
    """What one ``<tool_call>`` element encloses, where it encloses everything."""
    for name in ("tool_call", "tool_calls", "function_call"):
        if text.startswith(f"<{name}>") and text.endswith(f"</{name}>"):
            inner = text.removeprefix(f"<{name}>").removesuffix(f"</{name}>")
            return None if f"<{name}>" in inner else inner.strip()
    return None


UNWRAPPERS: tuple[Unwrapper, ...] = (fence, tag)


def read_native(text: str, readers: tuple[Reader, ...], tools: ToolInventory) -> Mute | ToolCall | None:
    """The action of the first reader that knows the text, wrappers taken off one by one; None for none."""
    for _ in range(_MOST_WRAPPERS):
        for reader in readers:
            action = reader(text, tools)
            if action is not None:
                return action
        inner = next((found for unwrap in UNWRAPPERS if (found := unwrap(text)) is not None), None)
        if inner is None:
            return None
        text = inner
    return None
