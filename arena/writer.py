"""Functions that write values as JSON, each made for one type.

They write what pydantic writes, in a third of the time: what can be looked up is written once, and
there is nothing left to find out about the rest.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from arena import protocol
from arena.game import Action

MOST_TEXTS = 10_000
"""Texts that are kept of one type."""


class Texts(dict[Any, bytes]):
    """The texts of values of one type; when there are too many, they are begun anew."""

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self._write = plain(kind)

    def __missing__(self, value: Any) -> bytes:
        if len(self) == MOST_TEXTS:
            self.clear()
        text = self[value] = self._write(value)
        return text


def plain(kind: Any) -> Callable[[Any], bytes]:
    """The function that pydantic has for a type."""
    write: Callable[[Any], bytes] = protocol.adapter(kind).serializer.to_json
    return write


def writer(
    kind: Any, actions: Sequence[bytes], apart: tuple[str, ...] = ()
) -> Callable[..., bytes]:
    """The function for a type of dataclass in a game with such texts of its actions.

    The texts of the fields `apart` are further arguments, and are written last.
    """
    names: dict[str, Any] = {"actions": actions}
    source = _dataclass(kind, "value", names, apart)
    # As the methods of a dataclass are: a loop over the fields would take longer than they do.
    made: Callable[..., bytes] = eval(f"lambda {', '.join(('value', *apart))}: {source}", names)
    return made


def _dataclass(kind: Any, value: str, names: dict[str, Any], apart: tuple[str, ...] = ()) -> str:
    hints = get_type_hints(kind)
    fields = [field.name for field in dataclasses.fields(kind) if field.name not in apart]
    form = ",".join(f'"{field}":%b' for field in (*fields, *apart))
    texts = [_source(hints[field], f"{value}.{field}", names) for field in fields]
    return f"{f'{{{form}}}'.encode()!r} % ({', '.join((*texts, *apart))},)"


def _source(kind: Any, value: str, names: dict[str, Any]) -> str:
    """The expression that writes the value of a type; adds to the names that it needs."""
    parts = get_args(kind)
    if NoneType in parts:
        rest = [part for part in parts if part is not NoneType]
        if len(rest) == 1 or _are_actions(rest):
            inner = _source(rest[0], value, names)
            return f'(b"null" if {value} is None else {inner})'
    if _are_actions(parts or [kind]):
        return f"actions[{value}.index]"
    name = f"name{len(names)}"
    if _is_hashable(kind):
        names[name] = Texts(kind)
        return f"{name}[{value}]"
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind, value, names)
    if get_origin(kind) is tuple and parts[1:] == (...,):
        names[name] = None
        inner = _source(parts[0], name, names)
        return f'b"[%b]" % b",".join([{inner} for {name} in {value}])'
    names[name] = plain(kind)
    return f"{name}({value})"


def _are_actions(kinds: Sequence[Any]) -> bool:
    return all(isinstance(kind, type) and issubclass(kind, Action) for kind in kinds)


def _is_hashable(kind: Any) -> bool:
    """Whether values of a type can be looked up; equal ones are the same JSON."""
    parts = get_args(kind)
    return (get_origin(kind) or kind).__hash__ is not None and all(map(_is_hashable, parts))
