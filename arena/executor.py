"""Who plays the matches: this process, Ray, or first the one and then the other.

Whatever the executor, the records are the same; only their order and their times differ.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Literal, Protocol

from arena.loading import Entry
from arena.match import Record, Spec
from arena.players import Players

ExecutorName = Literal["auto", "inline", "ray"]

CHUNK = 0.5
"""Seconds of work between two visits to the store; the first ones come sooner."""
TRIAL = 2.0
"""Seconds of play after which `auto` knows how long the rest would take."""
START_UP = 6.0
"""Seconds that Ray takes to start, about."""


class Executor(Protocol):
    """Plays matches, and gives their records back in chunks, in any order."""

    def play(self, specs: Iterator[Spec]) -> Iterator[list[Record]]:
        """Take specifications only as fast as they can be played, and play all that were taken."""


@dataclass(frozen=True, slots=True)
class Work:
    """What every executor must know of a tournament."""

    entries: Mapping[str, Entry]
    isolation: str = "none"
    left: Callable[[], float] = lambda: float("inf")
    """How many matches are still to be taken, about."""

    def players(self) -> Players:
        """The bots, to be closed after use."""
        return Players(self.entries, self.isolation)


def resized(size: int, seconds: float, aim: float) -> int:
    """How many matches make up `aim` seconds, when so many took so long; no sudden jumps."""
    return max(1, min(4 * size, round(size * aim / max(seconds, 1e-9))))


class Inline:
    """Plays in this process."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.rate = 0.0
        """Matches per second in the last chunk."""
        self.leaving = False
        """Set to take no more matches; those that were taken are played."""

    def play(self, specs: Iterator[Spec]) -> Iterator[list[Record]]:
        with self.work.players() as players:
            chunk: list[Record] = []
            began, aim = monotonic(), CHUNK / 64
            for record in players.play(self._taken(specs)):
                chunk.append(record)
                if (seconds := monotonic() - began) > aim:
                    self.rate = len(chunk) / seconds
                    yield chunk
                    chunk, began, aim = [], monotonic(), min(4 * aim, CHUNK)
            if chunk:
                yield chunk

    def _taken(self, specs: Iterator[Spec]) -> Iterator[Spec]:
        while not self.leaving and (spec := next(specs, None)) is not None:
            yield spec


class Auto:
    """Plays in this process, and moves to Ray when the rest of the work is worth its start-up."""

    def __init__(self, work: Work, workers: int | None) -> None:
        self.work = work
        self.workers = workers if workers is not None else cores()

    def play(self, specs: Iterator[Spec]) -> Iterator[list[Record]]:
        inline = Inline(self.work)
        began = monotonic()
        for records in inline.play(specs):
            yield records
            if monotonic() - began > TRIAL and self.is_worth_moving(inline.rate):
                inline.leaving = True
        if inline.leaving:
            yield from make("ray", self.work, self.workers).play(specs)

    def is_worth_moving(self, rate: float) -> bool:
        """Whether Ray would save more than it costs, at so many matches per second here."""
        saved = self.work.left() / rate * (1 - 1 / self.workers)
        return saved > 2 * START_UP


def make(
    name: ExecutorName, work: Work, workers: int | None = None, address: str | None = None
) -> Executor:
    """The executor of that name; an address means a Ray cluster, whatever the work."""
    if name == "inline":
        return Inline(work)
    if name == "auto" and address is None:
        return Auto(work, workers)
    from arena.cluster import Cluster

    return Cluster(work, workers, address)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
