"""How fast each layer is, and the ratios between layers, all taken in one run.

The layers take turns in short slices, so that whatever else the machine does falls on all of
them alike; only the ratios mean anything on a shared machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Any

from arena import games, loading
from arena.game import Chance
from arena.match import Spec, new_game
from arena.players import Players

SLICE = 0.25


@dataclass
class Layer:
    """One thing measured: plays a match (or does one unit of work) and says how many decisions."""

    name: str
    unit: Callable[[int], int]
    decisions: int = 0
    units: int = 0
    seconds: float = 0.0

    def run(self, seconds: float) -> None:
        """Work for about so long."""
        end = (began := perf_counter()) + seconds
        while (now := perf_counter()) < end:
            self.decisions += self.unit(self.units)
            self.units += 1
        self.seconds += now - began

    @property
    def per_second(self) -> float:
        """Units per second."""
        return self.units / self.seconds

    @property
    def decisions_per_second(self) -> float:
        """Decisions per second."""
        return self.decisions / self.seconds


def measure(layers: list[Layer], seconds: float) -> None:
    """Run the layers in turn, about `seconds` each, after a short warm-up."""
    for layer in layers:
        layer.run(SLICE / 2)
        layer.decisions, layer.units, layer.seconds = 0, 0, 0.0
    while layers[-1].seconds < seconds:
        for layer in layers:
            layer.run(SLICE)


def layers(game: str, players: int) -> Iterator[Layer]:
    """The layers of a game, from the bare rules upwards."""
    spec = Spec("bench", game, (), tuple(f"random#{seat}" for seat in range(players)), 0)
    entry = loading.find("random")
    room = Players(dict.fromkeys(spec.entries, entry))
    kind = games.load(game)
    choice = Random(1).choice

    def rules(seed: int) -> int:
        state = kind(players, Chance(seed), None)
        decisions = 0
        while state.seat is not None:
            state.play(choice(state.legal()))
            decisions += 1
        return decisions

    def match(seed: int) -> int:
        (record,) = room.play([_with_seed(spec, seed)])
        return len(record.actions)

    middle = _middle(spec)
    chance = Chance(Random(1))

    def clone(_: int) -> int:
        middle.clone(chance)
        return 0

    def imagine(_: int) -> int:
        kind.imagine(view, chance)
        return 0

    view = middle.view(middle.seat or 0)
    yield Layer("rules", rules)
    yield Layer("match", match)
    yield Layer("clone", clone)
    yield Layer("imagine", imagine)
    if game == "lasvegas" and (peer := _peer(players)):
        yield Layer("PyPI lasvegas", peer)


def _with_seed(spec: Spec, seed: int) -> Spec:
    return Spec(spec.id, spec.game, spec.options, spec.entries, seed, spec.move_time)


def _middle(spec: Spec) -> Any:
    """A state some way into a match."""
    state = new_game(spec)
    choice = Random(1).choice
    for _ in range(20):
        state.play(choice(state.legal()))
    return state


def _peer(players: int) -> Callable[[int], int] | None:
    """The PyPI package `lasvegas` with its own random policy, where it is installed."""
    try:
        from lasvegas import Game
    except ImportError:
        return None

    def play(_: int) -> int:
        Game(num_players=players).run()
        return 0

    return play
