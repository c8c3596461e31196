"""Helpers to play: every variant of every game, and random play with its text."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, fields
from random import Random
from typing import Any, Literal, get_args, get_origin

from arena import games
from arena.game import Chance, Game


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
    """Every player count of every combination of the options that have finitely many values."""
    return list(itertools.chain.from_iterable(_variants(name) for name in names or games.names()))


def _variants(name: str) -> Iterator[Variant]:
    game = games.load(name)
    choices = []
    for key, field in game.options_type.model_fields.items():
        values: tuple[Any, ...] = ()
        if field.annotation is bool:
            values = (False, True)
        elif get_origin(field.annotation) is Literal:
            values = get_args(field.annotation)
        if values:
            choices.append([(key, value) for value in values])
    for chosen in itertools.product(*choices):
        options = game.read_options(dict(chosen))
        for players in game.allowed(options):
            differing = tuple(
                (key, value)
                for key, value in chosen
                if value != game.options_type.model_fields[key].default
            )
            yield Variant(name, players, differing)


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
