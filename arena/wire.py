"""Protocol v1 as bytes: one JSON document per line.

Views are written straight from the rules' values, and the lines that come most often are put
together and taken apart by hand; everything else goes through the models of the protocol.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Hashable, Mapping
from copy import copy
from functools import cache
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel, ValidationError
from pydantic_core import SchemaSerializer, SchemaValidator

from arena import games, protocol
from arena.game import Game
from arena.match import Unknown
from arena.writer import writer

LONGEST_LINE = 2**16
"""A longer line from a bot is a fault."""
AT_ONCE = 2**16
"""Bytes that are read at once: what a pipe holds; room for more would have to be mapped anew."""
DECIDE = b'{"type":"decide"'
ACTION = b',"action":'
VIEW = b',"view":'
LEGAL = b',"legal":['
EVENTS = b',"events":['
APART = ("legal", "events")
"""The fields of a view that are written and read by themselves, as its last."""
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
    return b"%b%b%b%b}\n" % (DECIDE, decision, VIEW, view)


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
    """The actions of a game, and their JSON: by index, and as the line of an answer ends."""

    def __init__(self, game: str) -> None:
        kind = games.load(game)
        dump = protocol.adapter(kind.action_type).dump_json
        self.texts = [dump(action) for action in kind.actions]
        self.spellings = {
            text + b"}": action for text, action in zip(self.texts, kind.actions, strict=True)
        }
        self._known = {
            _sorted(json.loads(text)): action
            for text, action in zip(self.texts, kind.actions, strict=True)
        }

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
    """Writes the views of one match, their legal actions and events last.

    An event, which every seat is shown, is written once, and an action never again.
    """

    __slots__ = ("_begins", "_game", "_history", "_writers")

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game
        self._writers = _writers(game.name)
        self._history = bytearray()
        """The events of the match, as far as they have been written: in one piece, because many
        small ones, from many matches, would have to be fetched from everywhere in memory."""
        self._begins = [0]
        """Where each event begins in it, and the next one will."""

    def __call__(self, seat: int) -> bytes:
        view = self._game.view(seat)
        happened, begins, writers = self._game.events or (), self._begins, self._writers
        if len(happened) >= len(begins):
            history = self._history
            for event in happened[len(begins) - 1 :]:
                history += writers.events[type(event)](event)
                history += b","
                begins.append(len(history))
        news = self._history[begins[-1 - len(view.events)] : -1]
        legal = writers.legal(view.legal)
        return b"".join((writers.view(view)[:-1], LEGAL, legal, EVENTS, news, b"]}"))


class Writers:
    """How the views and events of a game are written."""

    def __init__(self, game: type[Game[Any, Any]]) -> None:
        self._actions = actions(game.name).texts
        self._legal: dict[int, tuple[tuple[Any, ...], bytes]] = {}
        self.view = _view_writer(game.view_type)
        self.events = {kind: writer(kind, self._actions) for kind in get_args(game.event_type)}

    def legal(self, legal: tuple[Any, ...]) -> bytes:
        """The text of legal actions, which is kept with them: the rules show the same again."""
        kept, text = self._legal.get(id(legal), (None, b""))
        if kept is not legal:
            text = b",".join([self._actions[action.index] for action in legal]) + b"]"
            if len(self._legal) == MOST_SPELLINGS:
                self._legal.clear()
            self._legal[id(legal)] = legal, text
        return text


@cache
def _writers(game: str) -> Writers:
    return Writers(games.load(game))


def _view_writer(kind: Hashable) -> Callable[[Any], bytes]:
    """The writer of all fields of a view but those that are written apart."""
    schema: Any = protocol.adapter(kind).core_schema
    view = schema["schema"] if schema["type"] == "definitions" else schema
    fields = [field for field in view["schema"]["fields"] if field["name"] not in APART]
    names = [field["name"] for field in fields]
    view = view | {"fields": names, "schema": view["schema"] | {"fields": fields}}
    return SchemaSerializer(
        schema | {"schema": view} if schema["type"] == "definitions" else view
    ).to_json


class ViewReader:
    """Reads the views of a game as `ViewWriter` writes them, a field when it is looked at.

    A bot pays for what it uses of a view; its legal actions, which every bot uses, are those of
    the game's table.
    """

    def __init__(self, game: type[Game[Any, Any]]) -> None:
        self._kind = _when_looked_at(game.view_type)
        self._legal: dict[bytes, tuple[Any, ...]] = {}
        self._read = _reader(get_type_hints(game.view_type)["legal"])
        self._shared = {action: action for action in game.actions}

    def __call__(self, text: bytes) -> Any:
        rest, _, events = text.rpartition(EVENTS)
        fields, _, legal = rest.rpartition(LEGAL)
        view = self._kind.__new__(self._kind)
        view.legal = self._legal.get(legal) or self._read_legal(legal)
        view.unread = fields, b"[" + events[:-1]
        return view

    def _read_legal(self, text: bytes) -> tuple[Any, ...]:
        legal = tuple(map(self._shared.__getitem__, self._read(b"[" + text)))
        if len(self._legal) < MOST_SPELLINGS:
            self._legal[text] = legal
        return legal


def _when_looked_at(kind: Any) -> Any:
    """The type of view with fields that are read from their texts when they are missed."""
    names = [field.name for field in dataclasses.fields(kind)]
    plain = [name for name in names if name not in APART]
    marks = [b',"%b":' % name.encode() for name in plain]
    readers = {name: _reader(hint) for name, hint in get_type_hints(kind).items()}

    def split(fields: bytes, events: bytes) -> dict[str, bytes]:
        texts = {"events": events}
        rest = fields[len(marks[0]) :]
        for name, mark in zip(plain, marks[1:], strict=False):
            texts[name], _, rest = rest.partition(mark)
        return texts | {plain[-1]: rest}

    class Unread(kind):  # type: ignore[misc]
        __slots__ = ("unread",)
        unread: Any

        def __getattr__(self, name: str) -> Any:
            if name not in readers:
                raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
            if isinstance(self.unread, tuple):
                self.unread = split(*self.unread)
            # A text that was cut at a mark inside an object is not JSON: it cannot mislead.
            value = readers[name](self.unread[name])
            setattr(self, name, value)
            return value

        def __reduce__(self) -> tuple[Any, ...]:
            """A copy is an ordinary view."""
            return kind, tuple(getattr(self, name) for name in names)

        def __eq__(self, other: object) -> bool:
            return bool(copy(self) == (copy(other) if isinstance(other, Unread) else other))

        __hash__ = None  # type: ignore[assignment]

    Unread.__name__ = Unread.__qualname__ = kind.__name__
    return Unread


def _reader(kind: Hashable) -> Callable[[bytes], Any]:
    return SchemaValidator(_tagged(protocol.adapter(kind).core_schema)).validate_json


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
