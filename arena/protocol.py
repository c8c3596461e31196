"""The messages of protocol v1: the only source of `protocol/`.

What the arena sends may gain fields in later versions, which bots must ignore; what a bot sends
must be exactly as described here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from arena import games

VERSION = "1.0"
"""Another first number is another protocol; a higher second number only adds fields."""


class FromArena(BaseModel):
    """A message that the arena sends."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class FromBot(BaseModel):
    """A message that a bot sends."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ArenaHello(FromArena):
    """The first message: which protocol the arena speaks."""

    type: Literal["hello"] = "hello"
    protocol: str = VERSION
    arena: str = Field(description="version of the arena")


class Start(FromArena):
    """A match begins."""

    type: Literal["start"] = "start"
    match: str = Field(description="names the match in every later message")
    game: str
    options: dict[str, Any] = Field(description="all options of the game")
    seat: int = Field(ge=0, description="the bot's seat; seats count clockwise from 0")
    players: int = Field(ge=2)
    seed: int = Field(ge=0, lt=2**63, description="for the bot's own randomness in this match")
    move_time: float | None = Field(description="seconds for a decision, null when unlimited")


class Decide(FromArena):
    """The bot must answer with an action."""

    type: Literal["decide"] = "decide"
    match: str
    number: int = Field(ge=0, description="number of this decision in the match")
    view: dict[str, Any] = Field(description="what the seat may know: see the game's view schema")


class ArenaFinish(FromArena):
    """The match is over; the bot answers with `finish`."""

    type: Literal["finish"] = "finish"
    match: str
    scores: list[int]
    ranks: list[int]
    faults: list[str | None] = Field(description="by seat: the reason of its fault, or null")


class ArenaError(FromArena):
    """The bot did something wrong; `match` is null when it concerns no match."""

    type: Literal["error"] = "error"
    match: str | None = None
    message: str


class ArenaBye(FromArena):
    """Nothing more will come: the bot ends."""

    type: Literal["bye"] = "bye"


class BotHello(FromBot):
    """The answer to the arena's hello."""

    type: Literal["hello"] = "hello"
    protocol: str = Field(pattern=r"^\d+(\.\d+)?$", description="the version the bot speaks")
    name: str = Field(min_length=1, max_length=100)
    games: list[str] = Field(description="the games it plays; empty means any")


class BotAction(FromBot):
    """The answer to `decide`."""

    type: Literal["action"] = "action"
    match: str
    number: int = Field(ge=0, description="the number of the decision that is answered")
    action: dict[str, Any] = Field(description="one of the view's legal actions")


class BotFinish(FromBot):
    """The answer to `finish`."""

    type: Literal["finish"] = "finish"
    match: str


class BotError(FromBot):
    """The bot cannot go on with a match, or, without `match`, at all."""

    type: Literal["error"] = "error"
    match: str | None = None
    message: str = Field(max_length=10_000)


ArenaMessage = Annotated[
    ArenaHello | Start | Decide | ArenaFinish | ArenaError | ArenaBye, Field(discriminator="type")
]
BotMessage = Annotated[BotHello | BotAction | BotFinish | BotError, Field(discriminator="type")]


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """The reader and writer of a view, an action, an event or a message."""
    return TypeAdapter(kind)


def schemas() -> Iterator[tuple[str, str]]:
    """The JSON Schemas as file names and contents."""
    kinds: dict[str, Any] = {"messages-from-arena": ArenaMessage, "messages-from-bot": BotMessage}
    for name in games.names():
        game = games.load(name)
        kinds |= {
            f"{name}-options": game.options_type,
            f"{name}-view": game.view_type,
            f"{name}-action": game.action_type,
            f"{name}-event": game.event_type,
        }
    for name, kind in kinds.items():
        maker = _Typed if name == "messages-from-bot" else _Complete
        schema = adapter(kind).json_schema(schema_generator=maker) | {"title": name}
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema
        yield f"{name}.json", json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


class _Complete(GenerateJsonSchema):
    """Schemas of what the arena writes, where no field is ever missing."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        return True


class _Typed(GenerateJsonSchema):
    """Schemas of what bots write, where only `type` may not be left to its default."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        return field["schema"].get("schema", {}).get("type") == "literal" or (
            super().field_is_required(field, total)
        )


def stale_schemas(folder: Path) -> list[str]:
    """The names of the schema files that differ from the models."""
    current = dict(schemas())
    found = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.json")}
    return sorted(
        name for name in current.keys() | found.keys() if current.get(name) != found.get(name)
    )


def speaks(version: str) -> bool:
    """Whether this is a version of the protocol that can be spoken with."""
    return version.split(".")[0] == VERSION.split(".")[0]
