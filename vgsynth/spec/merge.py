"""Deep merge of documents for ``extends``: mappings are merged, all else replaced, and null removes a key."""

from __future__ import annotations

from vgsynth.spec.dynamic import DISTRIBUTIONS
from vgsynth.spec.nodes import Node


def merge(base: Node | None, own: Node) -> Node:
    """``own`` laid over ``base``.

    A distribution, and a room or noise of another ``kind``, replaces what was there: its keys would not go
    with the others.
    """
    if not isinstance(own.value, dict):
        return own
    if base is None or not isinstance(base.value, dict) or _is_another_thing(base, own):
        base = Node(place=own.place, value={})
    value, keys = dict(base.value), dict(base.keys)
    for key, node in own.value.items():
        if node.value is None:
            value.pop(key, None)
            keys.pop(key, None)
        else:
            value[key] = merge(value.get(key), node)
            keys[key] = own.keys[key]
    return Node(place=own.place, value=value, keys=keys)


def _is_another_thing(base: Node, own: Node) -> bool:
    if any(kind in base.value or kind in own.value for kind in DISTRIBUTIONS):
        return True
    kinds = [node.value["kind"].value for node in (base, own) if "kind" in node.value]
    return len(kinds) == 2 and kinds[0] != kinds[1]
