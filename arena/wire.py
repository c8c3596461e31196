"""Protocol v1 as bytes: one JSON document per line.

Views are written straight from the rules' values, and the lines that come most often are put
together and taken apart by hand; everything else goes through the models of the protocol.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from types import GenericAlias
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import SchemaValidator

from arena import games, protocol
from arena.game import Game
from arena.match import Unknown

LONGEST_LINE = 2**16
"""A longer line from a bot is a fault."""
ACTION = b',"action":'
VIEW = b',"view":'
EVENTS = b',"events":['
WITHOUT_EVENTS = {"events"}
MOST_SPELLINGS = 10_000


class MalformedError(Exception):
    """A line that the protocol does not allow: one sentence says why."""


def write(message: BaseModel) -> bytes:
    """A message as a line."""
    return message.model_dump_json().encode() + b"\n"


def match_part(match: str) -> bytes:
    """The part of a line that names the match."""
    return b',"match":' + json.dumps(match).encode()


def decision_part(match: bytes, number: int) -> bytes:
    """The part of a line that names the decision, after `match_part`."""
    return b'%b,"number":%d' % (match, number)


def decide(decision: bytes, view: bytes) -> bytes:
    """A whole `decide`."""
    return b'{"type":"decide"' + decision + VIEW + view + b"}\n"


def action_head(decision: bytes) -> bytes:
    """The line of an `action`, as far as `ACTION`."""
    return b'{"type":"action"' + decision


def finished(match: bytes) -> bytes:
    """A bot's `finish`, without the end of the line."""
    return b'{"type":"finish"' + match + b"}"


def read(line: bytes) -> Any:
    """A message from a bot."""
    if len(line) > LONGEST_LINE:
        raise MalformedError(f"a line of more than {LONGEST_LINE} bytes")
    try:
        return protocol.adapter(protocol.BotMessage).validate_json(line, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        told = f"{where}: {first['msg']}" if where else first["msg"]
        shown = line[:80].decode(errors="replace") + ("…" if len(line) > 80 else "")
        raise MalformedError(f"{told}, in the line {shown!r}") from None


class Actions:
    """The actions of a game, and the JSON with which the line of an answer ends."""

    def __init__(self, game: str) -> None:
        kind = games.load(game)
        dump = protocol.adapter(kind.action_type).dump_json
        self.tails = {action: dump(action) + b"}" for action in kind.actions}
        self.spellings = {tail: action for action, tail in self.tails.items()}
        self._known = {_sorted(json.loads(dump(action))): action for action in kind.actions}

    def look_up(self, tail: bytes, action: Mapping[str, Any]) -> Any:
        """The action that was sent, in whatever spelling, or what it is instead."""
        known = self._known.get(_sorted(action))
        if known is None:
            return Unknown(action)
        if len(self.spellings) < MOST_SPELLINGS:
            self.spellings[tail] = known
        return known


def _sorted(action: Mapping[str, Any]) -> str:
    return json.dumps(action, sort_keys=True)


@cache
def actions(game: str) -> Actions:
    """The actions of a game."""
    return Actions(game)


class ViewWriter:
    """Writes the views of one match, their events last.

    An event, which every seat is shown, is written once.
    """

    __slots__ = ("_game", "_texts", "_view")

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game
        self._view = _writer(game.view_type)
        self._texts: list[bytes] = []
        """The history of the match, as far as it has been written."""

    def __call__(self, seat: int) -> bytes:
        view = self._game.view(seat)
        history = self._game.events or []
        first = len(history) - len(view.events)
        if view.events == tuple(history[first:]):
            texts = self._texts
            texts += map(_write_event, history[len(texts) :])
            texts = texts[first:]
        else:
            texts = list(map(_write_event, view.events))
        return self._view(view, exclude=WITHOUT_EVENTS)[:-1] + EVENTS + b",".join(texts) + b"]}"


@cache
def _writer(kind: Hashable) -> Callable[..., bytes]:
    return protocol.adapter(kind).serializer.to_json


def _write_event(event: Any) -> bytes:
    kind: Any = type(event)
    return _writer(kind)(event)


class ViewReader:
    """Reads the views of a game as `ViewWriter` writes them; events when they are looked at.

    Events are half of a view, and many bots never look at them.
    """

    def __init__(self, game: type[Game[Any, Any]]) -> None:
        kind = game.view_type
        self._view = SchemaValidator(_tagged(protocol.adapter(kind).core_schema)).validate_json
        events = protocol.adapter(GenericAlias(tuple, (game.event_type, ...))).core_schema
        kind.events = _EventsWhenRead(kind.events, SchemaValidator(_tagged(events)).validate_json)

    def __call__(self, text: bytes) -> Any:
        head, _, events = text.rpartition(EVENTS)
        view = self._view(head + EVENTS + b"]}")
        view.events = b"[" + events[:-1]
        return view


class _EventsWhenRead:
    """The attribute `events` of a view, in the process of a bot: text until it is read."""

    def __init__(self, slot: Any, read: Callable[[bytes], Any]) -> None:
        self._slot = slot
        self._read = read

    def __get__(self, view: Any, owner: Any = None) -> Any:
        events = self._slot.__get__(view, owner)
        if type(events) is bytes:
            events = self._read(events)
            self._slot.__set__(view, events)
        return events

    def __set__(self, view: Any, events: Any) -> None:
        self._slot.__set__(view, events)


@cache
def view_reader(game: str) -> ViewReader:
    """The reader of the views of a game."""
    return ViewReader(games.load(game))


def _tagged(schema: Any) -> Any:
    """The schema with events told apart by their type at once, not by trying each."""
    if isinstance(schema, dict):
        schema = {key: _tagged(value) for key, value in schema.items()}
        if schema.get("type") == "union":
            tags = [_tag(choice) for choice in schema["choices"]]
            if all(tags) and len(set(tags)) == len(tags):
                choices = dict(zip(tags, schema["choices"], strict=True))
                return {"type": "tagged-union", "discriminator": "type", "choices": choices}
        return schema
    return type(schema)(map(_tagged, schema)) if isinstance(schema, list | tuple) else schema


def _tag(choice: Any) -> str | None:
    """The one value of the field `type`, if the choice is a dataclass that has one."""
    if not isinstance(choice, dict) or choice.get("type") != "dataclass":
        return None
    for field in choice["schema"]["fields"]:
        if field["name"] == "type":
            inner = field["schema"]
            inner = inner.get("schema", inner)
            values = inner.get("expected", ())
            return values[0] if len(values) == 1 else None
    return None
