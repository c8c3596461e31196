"""Functions that write events as JSON, each made for one type of event.

They write what pydantic writes; numbers and actions, of which most events consist, in a fraction
of the time.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args, get_origin, get_type_hints

from arena import protocol
from arena.game import Action


def writer(kind: Any, actions: Sequence[bytes]) -> Callable[[Any], bytes]:
    """The function for a type of event in a game with such texts of its actions."""
    names: dict[str, Any] = {"actions": actions}
    hints = get_type_hints(kind)
    forms, values = [], []
    for field in dataclasses.fields(kind):
        form, value = _part(hints[field.name], f"event.{field.name}", names)
        forms.append(f'"{field.name}":{form}')
        values += value
    text = "{" + ",".join(forms) + "}"
    # Like the methods of a dataclass: a loop over the fields would take longer than they do.
    made: Callable[[Any], bytes] = eval(
        f"lambda event: {text.encode()!r} % ({''.join(f'{value}, ' for value in values)})", names
    )
    return made


def _part(kind: Any, value: str, names: dict[str, Any]) -> tuple[str, list[str]]:
    """How a field is written: its form, and the expression that fills it, if it is to be filled."""
    dump: Callable[[Any], bytes] = protocol.adapter(kind).serializer.to_json
    parts = get_args(kind) or (kind,)
    if kind is int:
        return "%d", [value]
    if get_origin(kind) is Literal and len(parts) == 1:
        return dump(parts[0]).decode(), []
    if all(isinstance(part, type) and issubclass(part, Action) for part in parts):
        return "%b", [f"actions[{value}.index]"]
    name = f"dump{len(names)}"
    names[name] = dump
    return "%b", [f"{name}({value})"]
