"""The run of a tournament: from its folder to its folder, whatever happens on the way."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic

from arena import games
from arena.errors import ArenaError
from arena.executor import ExecutorName, Work, make
from arena.match import Spec
from arena.rating import rate
from arena.sprt import State, block_scores
from arena.store import Store

CONFIDENCE = 0.95
WINDOW = 15.0
"""Seconds over which the speed is measured; the start-up of Ray is soon forgotten."""
LOOK = 2.0
"""Seconds between two looks at the intervals, at least."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come."""

    done: int
    """Matches stored."""
    total: int
    rate: float
    """Matches per second, of late; 0 when nothing is known yet."""
    seconds: float
    """Since this run began."""

    @property
    def left(self) -> float:
        """Seconds to the end of the schedule."""
        return (self.total - self.done) / self.rate if self.rate else float("inf")


class Run:
    """One run over what a store misses."""

    def __init__(self, store: Store, watch: Callable[[Progress], None]) -> None:
        self.store = store
        self.watch = watch
        self.end = len(store.schedule)
        """How many matches of the schedule are to be played."""
        self._missing = store.missing()
        self._taken = 0
        self._played = 0
        self._stop = False
        self._began = monotonic()
        self._next_look = self._began + LOOK
        self._marks: deque[tuple[float, int]] = deque()
        """When how many matches had been played, in the last seconds."""

    def play(self, executor: ExecutorName, workers: int | None, address: str | None) -> None:
        """Play and store, to the end of the schedule or of the block in which a rule says stop."""
        told = self.store.specification
        work = Work(self.store.entries(), told.isolation, self._left)
        for records in make(executor, work, workers, address).play(self._specs()):
            self.store.add(records)
            self._played += len(records)
            self._mark()
            progress = self._progress()
            self.watch(progress)
            over = told.time is not None and progress.seconds >= told.time
            self._stop = self._stop or over or self._is_precise() or self._is_decided()
        self.store.end(self.end)

    def _specs(self) -> Iterator[Spec]:
        schedule = self.store.schedule
        block = -1
        for number in self._missing.tolist():
            if block != (block := number // schedule.rotations) and self._stop:
                self.end = number
                return
            self._taken += 1
            yield schedule[number]

    def _left(self) -> float:
        """Matches still to be taken, so far as the time lasts."""
        matches = len(self._missing) - self._taken
        limit = self.store.specification.time
        if limit is None or not self._played:
            return matches
        progress = self._progress()
        return min(matches, progress.rate * max(0.0, limit - progress.seconds))

    def _mark(self) -> None:
        now = monotonic()
        self._marks.append((now, self._played))
        while self._marks[0][0] < now - WINDOW and len(self._marks) > 2:
            self._marks.popleft()

    def _progress(self) -> Progress:
        total = len(self.store.schedule)
        done = total - len(self._missing) + self._played
        (since, before), (now, played) = self._marks[0], self._marks[-1]
        rate = (played - before) / (now - since) if now > since else 0.0
        return Progress(done, total, rate, monotonic() - self._began)

    def _is_precise(self) -> bool:
        wanted = self.store.specification.until_ci
        began = monotonic()
        if wanted is None or began < self._next_look:
            return False
        widths = rate([self.store.outcomes()]).half_widths(CONFIDENCE)
        # Looking must not cost more than a twentieth of the time.
        self._next_look = began + max(LOOK, 20 * (monotonic() - began))
        return bool((widths <= wanted).all())

    def _is_decided(self) -> bool:
        test = self.store.specification.test
        return test is not None and sprt_state(self.store).decision is not None


def sprt_state(store: Store) -> State:
    """Where the sequential test of a tournament stands.

    Only the blocks before the first one missing count, in their order and up to the decision, so
    that the answer does not depend on who played them.
    """
    told = store.specification
    assert told.test is not None
    missing = store.missing()
    whole = int(missing[0]) // store.schedule.rotations if len(missing) else None
    first, second = store.schedule.names[:2]
    test = told.test.sprt()
    for score in block_scores(store.outcomes(), first, second)[:whole]:
        if test.update(float(score)).decision is not None:
            break
    return test.state


def run(
    store: Store,
    executor: ExecutorName = "auto",
    *,
    workers: int | None = None,
    address: str | None = None,
    watch: Callable[[Progress], None] = lambda progress: None,
) -> None:
    """Play what is missing of a tournament that is not over; `watch` sees every step."""
    if store.ended is None:
        Run(store, watch).play(executor, workers, address)


def check_resumable(store: Store) -> None:
    """Refuse to go on when the records to come would not fit those that are there."""
    told = store.specification
    rules = games.load(told.game).rules
    if rules != told.rules:
        raise ArenaError(
            f"{store.folder} was played under version {told.rules} of the rules of {told.game}, "
            f"and this is version {rules}; begin a new tournament"
        )
    if changed := [entry.name for entry in told.entries if entry.has_changed()]:
        raise ArenaError(
            f"the source of {' and '.join(changed)} has changed since {store.folder} began; "
            "bring it back, or begin a new tournament"
        )
