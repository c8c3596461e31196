"""Helpers to play: every variant of every game, and random play with its text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from random import Random
from typing import Any

from arena import games
from arena.game import Chance, Game
from arena.variants import variants as of_game


@dataclass(frozen=True)
class Variant:
    """A game with its options and number of players."""

    game: str
    players: int
    options: tuple[tuple[str, Any], ...]

    def new(self, seed: int) -> Game[Any, Any]:
        return self.begin(Chance(seed))

    def begin(self, chance: Chance) -> Game[Any, Any]:
        game = games.load(self.game)
        return game(self.players, chance, game.read_options(dict(self.options)))

    def __str__(self) -> str:
        chosen = [f"{key}-{value}".lower() for key, value in self.options]
        return "-".join([self.game, str(self.players), *chosen])


def variants(*names: str) -> list[Variant]:
    """Every variant of these games, or of all."""
    return [
        Variant(name, players, options)
        for name in names or games.names()
        for players, options in of_game(name)
    ]


def play_randomly(game: Game[Any, Any], rng: Random, most: int = 100_000) -> Iterator[Any]:
    """Play random legal actions, yielding each after it was played, to the end or `most`."""
    for _ in range(most):
        if game.seat is None:
            return
        action = rng.choice(game.legal())
        game.play(action)
        yield action


def as_text(value: Any) -> str:
    """A compact one-line form of an action or event: `place(value=3)`."""
    shown = (field.name for field in fields(value) if field.name != "type")
    inner = ", ".join(f"{name}={_short(getattr(value, name))}" for name in shown)
    return f"{value.type}({inner})"


def _short(value: Any) -> str:
    if hasattr(value, "__dataclass_fields__"):
        inner = (
            _short(getattr(value, field.name)) for field in fields(value) if field.name != "type"
        )
        return ":".join(inner)
    if isinstance(value, tuple):
        return "[" + " ".join(_short(item) for item in value) + "]"
    return str(value)
