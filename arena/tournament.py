"""A tournament from its specification to its last record."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from arena import __version__, executor, games
from arena.errors import ArenaError
from arena.executor import Batch, Work
from arena.loading import Entry
from arena.match import ReplayError, read_options, replay
from arena.protocol import VERSION
from arena.schedule import Schedule, lay_out
from arena.store import EntryLine, Specification, Store


@dataclass(frozen=True)
class Plan:
    """How to play: who does it, and when to stop before the schedule ends."""

    executor: str = "auto"
    workers: int | None = None
    address: str | None = None
    seconds: float | None = None
    enough: Callable[[Store], bool] | None = None


def specify(
    game: str,
    options: tuple[tuple[str, Any], ...],
    entries: dict[str, tuple[str, Entry]],
    players: int,
    matches: int,
    seed: int,
    move_time: float | None,
    isolation: str,
    gauntlet: str | None,
) -> Specification:
    """The specification of a new tournament; `entries` have what the user named beside them."""
    return Specification(
        arena=__version__,
        protocol=VERSION,
        game=game,
        rules=games.load(game).rules,
        options=dict(options),
        players=players,
        matches=matches,
        seed=seed,
        move_time=move_time,
        isolation=isolation,
        gauntlet=gauntlet,
        entries=tuple(
            EntryLine(name=name, bot=text, digest=entry.source.digest)
            for name, (text, entry) in entries.items()
        ),
    )


def sides_of(given: Specification) -> tuple[int, ...]:
    """The side of each seat in the matches of a tournament."""
    options = read_options(given.game, tuple(given.options.items()))
    return games.load(given.game).sides(given.players, options)


def schedule_of(given: Specification) -> Schedule:
    """The schedule that a specification stands for."""
    return lay_out(
        given.game,
        tuple(given.options.items()),
        [entry.name for entry in given.entries],
        sides_of(given),
        given.matches,
        given.seed,
        given.move_time,
        given.gauntlet,
    )


def run(
    store: Store, schedule: Schedule, entries: dict[str, Entry], plan: Plan, note: executor.Note
) -> Iterator[int]:
    """Play what is missing, keeping it batch by batch; yields the number of matches after each."""
    given = store.specification
    work = Work(schedule, entries, given.isolation)
    done = store.blocks()
    left = len(schedule) - len(done)
    end = None if plan.seconds is None else monotonic() + plan.seconds
    stopped = False

    def to_play() -> Iterator[int]:
        for block in range(len(schedule)):
            if stopped or (end is not None and monotonic() > end):
                return
            if block not in done:
                yield block

    for batch in _batches(work, to_play(), left, plan, note):
        store.add(batch)
        yield len(batch)
        if plan.enough is not None and not stopped:
            stopped = plan.enough(store)


def _batches(
    work: Work, blocks: Iterator[int], left: int, plan: Plan, note: executor.Note
) -> Iterator[Batch]:
    if plan.executor == "inline":
        return executor.inline(work, blocks, note)
    if plan.executor == "ray" or plan.address is not None:
        return executor.on_ray(work, blocks, plan.workers, plan.address, note)
    return executor.auto(work, blocks, left, plan.workers or os.cpu_count() or 1, note)


def verify(folder: Path) -> Iterator[str | None]:
    """Check every stored match; yields None for one that is right, a sentence for one that is not.

    A match is right when it is the one that the schedule has at that place, and its record replays.
    """
    with Store.open(folder) as store:
        given = store.specification
        rules = games.load(given.game).rules
        if given.rules != rules:
            raise ArenaError(
                f"{folder} was played under rules {given.rules} of {given.game}, "
                f"but these are rules {rules}"
            )
        schedule = schedule_of(given)
        size = schedule.matches_per_block
        for number, record in store.records():
            block, rotation = divmod(number, size)
            if block >= len(schedule) or record.spec != schedule.block(block)[rotation]:
                yield f"match {record.spec.id} is not the one that the schedule has there"
                continue
            try:
                replay(record)
            except (ReplayError, ArenaError) as error:
                yield f"match {record.spec.id}: {error}"
            else:
                yield None
