"""The test vectors of the protocol: lines with whether they are valid, checked with the models."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from arena import games, protocol, wire
from arena.errors import ArenaError
from arena.game import Game
from arena.match import Unknown


class Vector(BaseModel):
    """A line that one side might send, and whether the other must take it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sender: Literal["arena", "bot"] = Field(alias="from")
    line: str
    valid: bool
    why: str = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the models make of a vector: why they refuse its line, None if they take it."""

    place: str
    vector: Vector
    refusal: str | None

    @property
    def agrees(self) -> bool:
        """Whether the models and the vector say the same."""
        return self.vector.valid == (self.refusal is None)


def verdicts(folder: Path) -> Iterator[Verdict]:
    """All vectors of a folder; the lines of a file named after a game are of its matches."""
    for path in sorted(folder.glob("*.jsonl")):
        game = games.load(path.stem) if path.stem in games.names() else None
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, start=1):
            vector = Vector.model_validate_json(line)
            yield Verdict(f"{path.name}:{number}", vector, _refusal(vector, game))


def _refusal(vector: Vector, game: type[Game[Any, Any]] | None) -> str | None:
    try:
        if vector.sender == "arena":
            message = protocol.adapter(protocol.ArenaMessage).validate_json(vector.line)
        else:
            message = wire.read(vector.line.encode())
        if message.type == "hello" and not protocol.speaks(message.protocol):
            return f"protocol {message.protocol} is another than {protocol.VERSION}"
        return None if game is None else _wrong_content(message, game)
    except (ValueError, ArenaError, wire.MalformedError) as error:
        return str(error)


def _wrong_content(message: Any, game: type[Game[Any, Any]]) -> str | None:
    """What the game has against the options, the view or the action of a message."""
    if message.type == "start":
        game.check(message.players, game.read_options(message.options))
    elif message.type == "decide":
        protocol.adapter(game.view_type).validate_json(json.dumps(message.view))
    elif message.type == "action":
        tail = json.dumps(message.action).encode() + b"}"
        if isinstance(wire.actions(game.name).look_up(tail, message.action), Unknown):
            return f"{game.name} has no such action"
    return None
