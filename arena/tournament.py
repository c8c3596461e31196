"""The run of a tournament: from its folder to its folder, whatever happens on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic

from arena.errors import ArenaError
from arena.executor import ExecutorName, Work, make
from arena.match import Spec
from arena.store import Store


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come."""

    done: int
    """Matches stored."""
    total: int
    seconds: float
    """Since this run began."""
    played: int
    """Matches of this run."""

    @property
    def rate(self) -> float:
        """Matches per second."""
        return self.played / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float:
        """Seconds to the end of the schedule."""
        return (self.total - self.done) / self.rate if self.rate else float("inf")


def check_resumable(store: Store) -> None:
    """Refuse to go on when the records to come would not fit those that are there."""
    from arena import games

    told = store.specification
    rules = games.load(told.game).rules
    if rules != told.rules:
        raise ArenaError(
            f"the tournament was played under version {told.rules} of the rules of {told.game}, "
            f"and this is version {rules}: begin a new one"
        )
    if changed := [entry.name for entry in told.entries if entry.has_changed()]:
        raise ArenaError(
            f"the source of {' and '.join(changed)} has changed since the tournament began; "
            "bring it back, or begin a new tournament"
        )


def run(
    store: Store,
    executor: ExecutorName = "auto",
    *,
    workers: int | None = None,
    address: str | None = None,
    watch: Callable[[Progress], bool] = lambda progress: False,
) -> None:
    """Play what is missing.

    `watch` is called after every batch is stored; when it says so, or the time of the
    specification is over, the run stops at the end of a block.
    """
    if store.ended is not None:
        return
    schedule = store.schedule
    missing = store.missing()
    stored = len(schedule) - len(missing)
    limit = store.specification.time
    began = monotonic()
    taken = 0
    stop = False
    end = len(schedule)

    def specs() -> Iterator[Spec]:
        nonlocal taken, end
        block = -1
        for number in missing.tolist():
            if block != (block := number // schedule.rotations) and stop:
                end = number
                return
            taken += 1
            yield schedule[number]

    def left() -> float:
        matches = len(missing) - taken
        spent = monotonic() - began
        if limit is None or not taken:
            return matches
        return min(matches, taken / spent * max(0.0, limit - spent))

    work = Work(store.entries(), store.specification.isolation, left)
    played = 0
    for records in make(executor, work, workers, address).play(specs()):
        store.add(records)
        played += len(records)
        seconds = monotonic() - began
        asked = watch(Progress(stored + played, len(schedule), seconds, played))
        stop = stop or asked or (limit is not None and seconds >= limit)
    store.end(end)
