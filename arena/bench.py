"""How fast each layer is, and the ratios between layers, all taken in one run.

The layers take turns in short slices, so that whatever else the machine does falls on all of
them alike; only the ratios mean anything on a shared machine.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from arena import games, loading
from arena.bot import Start
from arena.errors import ArenaError
from arena.executor import Inline, Work, make
from arena.game import Chance
from arena.match import Spec, new_game
from arena.players import Players
from arena.specification import specify
from arena.store import Store

SLICE = 0.25
AT_ONCE = 2_000
"""Decisions, about, between two looks at the clock where matches overlap."""

Done = tuple[int, int]
"""Units of work and decisions."""


@dataclass
class Layer:
    """One thing measured, a match in most layers."""

    name: str
    work: Callable[[], Done]
    units: int = 0
    decisions: int = 0
    seconds: float = 0.0

    def run(self, seconds: float) -> None:
        """Work for about so long."""
        end = (began := perf_counter()) + seconds
        while (now := perf_counter()) < end:
            units, decisions = self.work()
            self.units += units
            self.decisions += decisions
        self.seconds += now - began

    @property
    def per_second(self) -> float:
        """Units per second."""
        return self.units / self.seconds


def measure(layers: list[Layer], seconds: float) -> None:
    """Run the layers in turn, about `seconds` each, after a short warm-up."""
    for layer in layers:
        layer.run(SLICE / 2)
        layer.units, layer.decisions, layer.seconds = 0, 0, 0.0
    while layers[0].seconds < seconds:
        for layer in layers:
            layer.run(SLICE)


def layers(game: str, players: int, policies: Iterable[str], stack: ExitStack) -> Iterator[Layer]:
    """The layers of a game from the bare rules upwards; `stack` closes what they open.

    Rollouts are measured with each of the policies.
    """
    spec = Spec("bench", game, (), tuple(f"random{seat}" for seat in range(players)), 0)
    random = loading.find("random")
    entries = {name: replace(random, name=name) for name in spec.entries}
    yield Layer("rules", rules := _rules(game, players))
    yield Layer("match", _matches(spec, Players(entries), 1))
    yield Layer("tournament", _tournament(game, players, entries, stack))
    for level in ("process", "sandbox"):
        try:
            room = stack.enter_context(Players(entries, level))
        except ArenaError:
            continue
        _, decisions = rules()
        yield Layer(f"isolated: {level}", _matches(spec, room, max(1, AT_ONCE // decisions)))
    yield from _search(spec, policies)
    if game == "lasvegas" and (peer := _peer(players)):
        yield Layer("PyPI lasvegas", peer)


def _rules(game: str, players: int) -> Callable[[], Done]:
    """Legal actions, a random choice, play."""
    kind = games.load(game)
    choice = Random(1).choice
    seeds = count()

    def play() -> Done:
        state = kind(players, Chance(next(seeds)))
        decisions = 0
        while state.seat is not None:
            state.play(choice(state.legal()))
            decisions += 1
        return 1, decisions

    return play


def _matches(spec: Spec, room: Players, at_once: int) -> Callable[[], Done]:
    """Whole matches between random bots, views and records included."""
    records = room.play(replace(spec, id=str(seed), seed=seed) for seed in count())

    def play() -> Done:
        return at_once, sum(len(record.actions) for record in islice(records, at_once))

    return play


def _tournament(
    game: str, players: int, entries: dict[str, loading.Entry], stack: ExitStack
) -> Callable[[], Done]:
    """A serial tournament, its store included."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-bench-")))
    told = specify(
        game, list(entries.values()), players=players, matches=10**6, seed=1, isolation="none"
    )
    store = stack.enter_context(Store.create(folder / "t", told, entries.values()))
    specs = (store.schedule[number] for number in count())
    batches = Inline(Work(entries)).play(specs)

    def play() -> Done:
        records = next(batches)
        store.add(records)
        return len(records), sum(len(record.actions) for record in records)

    return play


def _search(spec: Spec, policies: Iterable[str]) -> Iterator[Layer]:
    """Cloning and imagining a position in the middle of a match, and rollouts from there."""
    game = new_game(spec)
    choice = Random(1).choice
    for _ in range(20):
        game.play(choice(game.legal()))
    chance = Chance(Random(1))
    view = game.view(game.seat or 0)
    yield Layer("clone", lambda: (len([game.clone(chance)]), 0))
    yield Layer("imagine", lambda: (len([type(game).imagine(view, chance)]), 0))
    for policy in policies:
        yield Layer(f"rollout: {policy}", _rollout(spec, game, view, policy))


def _rollout(spec: Spec, game: Any, view: Any, policy: str) -> Callable[[], Done]:
    """An imagined match that the policy plays on to its end."""
    from arena.search import Rollouts

    start = Start(spec.id, spec.game, game.options, 0, game.players, 1, None)
    search = Rollouts(start, Random(1), policy, 0)

    def play() -> Done:
        search.play_on(search.imagine(view))
        return 1, 0

    return play


def search_shares(game: str, players: int, rollouts: int = 40) -> dict[str, float]:
    """Where the time of a `flat` decision goes: the rules, imagining, or bookkeeping."""
    state = new_game(Spec("bench", game, (), ("flat",) * players, 1))
    bot = loading.make(loading.find(f"flat:rollouts={rollouts}"))
    bot.start(Start("bench", game, state.options, 0, players, 1, None))
    spent = {"imagine": 0.0, "play_on": 0.0}
    search: Any = bot.search  # type: ignore[attr-defined]
    for name in spent:
        setattr(search, name, _timed(getattr(search, name), spent, name))
    choice = Random(1).choice
    total, decisions = 0.0, 0
    while state.seat is not None and decisions < 5:
        if state.seat == 0 and len(state.legal()) > 1:
            view = state.view(0)
            began = perf_counter()
            bot.act(view)
            total += perf_counter() - began
            decisions += 1
        state.play(choice(state.legal()))
    rules, imagining = spent["play_on"] / total, spent["imagine"] / total
    return {"rules": rules, "imagining": imagining, "bookkeeping": 1 - rules - imagining}


def _timed(call: Callable[..., Any], spent: dict[str, float], name: str) -> Callable[..., Any]:
    def timed(*args: Any) -> Any:
        began = perf_counter()
        result = call(*args)
        spent[name] += perf_counter() - began
        return result

    return timed


def _peer(players: int) -> Callable[[], Done] | None:
    """The PyPI package `lasvegas` with its own random policy, where it is installed."""
    try:
        from lasvegas import Game
    except ImportError:
        return None

    def play() -> Done:
        Game(num_players=players).run()
        return 1, 0

    return play


def ray_against_inline(game: str, players: int, seconds: float, workers: int) -> dict[str, float]:
    """Matches per second inline and on Ray, Ray's start-up left out."""
    spec = Spec("bench", game, (), tuple(f"random{seat}" for seat in range(players)), 0)
    random = loading.find("random")
    entries = {name: replace(random, name=name) for name in spec.entries}
    rates = {}
    for name in ("inline", "ray"):
        specs = (replace(spec, id=str(seed), seed=seed) for seed in count())
        chunks = make(name, Work(entries), workers).play(specs)
        for _ in range(4 * workers):
            next(chunks)
        began, played = perf_counter(), 0
        while perf_counter() - began < seconds:
            played += len(next(chunks))
        rates[name] = played / (perf_counter() - began)
        chunks.close()  # type: ignore[attr-defined]
    return rates


def rating_time(matches: int, bots: int, seats: int = 4) -> tuple[float, float]:
    """Seconds for a leaderboard of so many matches, and the memory in MB at its peak."""
    import resource

    import numpy as np

    from arena.rating import rate
    from arena.report import leaderboard, standings
    from arena.simulation import simulate

    elo = np.linspace(1300, 1700, bots)
    outcomes = [simulate(elo, seats, matches // seats, seed=1, bot_luck=0.2)]
    began = perf_counter()
    digests = dict.fromkeys(outcomes[0].names, "")
    leaderboard(standings(outcomes, rate(outcomes), digests)).render("table")
    took = perf_counter() - began
    return took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
