"""Who plays the matches: this process, or Ray's workers on this machine or a cluster.

The unit of work is the block. Executors take the numbers of blocks and bring back their matches as
rows for the store, in batches of whole blocks, in any order; the records are the same whoever
played them.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any
from uuid import uuid4

from arena.errors import ArenaError
from arena.loading import Entry
from arena.players import Players
from arena.schedule import Schedule
from arena.store import Row, pack

INLINE_SECONDS = 0.5
RAY_SECONDS = 1.0
"""How long a batch should take: long enough that what it costs to hand out does not show."""
WARM_UP = 2.0
"""Seconds that `auto` plays inline before it judges."""
WORTH_RAY = 15.0
"""Seconds of work left that make up for the start of Ray."""
MOST_BLOCKS = 4096
TRIES = 3
"""How often a batch may lose its worker before it is narrowed down."""

Batch = list[Row]
Note = Callable[[str], None]


@dataclass(frozen=True)
class Work:
    """What a worker needs to play any block: the schedule, and the bots with their sources."""

    schedule: Schedule
    entries: dict[str, Entry]
    isolation: str = "auto"
    key: str = field(default_factory=lambda: uuid4().hex)


def play_blocks(work: Work, players: Players, blocks: Iterable[int]) -> Batch:
    """Play some blocks to their end."""
    schedule = work.schedule
    size = schedule.matches_per_block
    places = [(block, rotation) for block in blocks for rotation in range(size)]
    specs = itertools.chain.from_iterable(
        schedule.block(block) for block, rotation in places if rotation == 0
    )
    return [
        pack(record, block * size + rotation, block, schedule.entries(block, rotation))
        for (block, rotation), record in zip(places, players.play(list(specs)), strict=True)
    ]


class Pace:
    """How many blocks make a batch of the right length, from what batches took so far."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.blocks = 1

    def learn(self, blocks: int, took: float) -> None:
        """Aim at the right length, growing at most fourfold at a time."""
        aim = blocks * self.seconds / max(took, 1e-6)
        self.blocks = max(1, min(int(aim), 4 * self.blocks, MOST_BLOCKS))


def inline(work: Work, blocks: Iterator[int], note: Note) -> Iterator[Batch]:
    """Play in this process."""
    pace = Pace(INLINE_SECONDS)
    with Players(work.entries, work.isolation, note) as players:
        while batch := list(itertools.islice(blocks, pace.blocks)):
            began = perf_counter()
            yield play_blocks(work, players, batch)
            pace.learn(len(batch), perf_counter() - began)


def auto(work: Work, blocks: Iterator[int], left: int, workers: int, note: Note) -> Iterator[Batch]:
    """Play inline, and move to Ray when the work left is worth its start."""
    began, played = perf_counter(), 0
    for batch in inline(work, blocks, note):
        yield batch
        played += len(batch) // work.schedule.matches_per_block
        spent = perf_counter() - began
        if workers > 1 and spent > WARM_UP and (left - played) * spent / played > WORTH_RAY:
            break
    else:
        return
    note(f"moving to Ray, {workers} workers")
    yield from on_ray(work, blocks, workers, None, note)


# Ray


@dataclass
class Task:
    """A batch in flight."""

    blocks: list[int]
    tries: int = 0


def on_ray(
    work: Work, blocks: Iterator[int], workers: int | None, address: str | None, note: Note
) -> Iterator[Batch]:
    """Play on Ray's workers; a batch whose worker or node dies is played again."""
    with _session(workers, address) as ray:
        count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        shared = [ray.put(work)]
        play = ray.remote(num_cpus=1, max_retries=0)(_play_remote)
        pace = Pace(RAY_SECONDS)
        again: deque[Task] = deque()
        flying: dict[Any, Task] = {}
        while True:
            while len(flying) < 2 * count:
                task = (
                    again.popleft() if again else Task(list(itertools.islice(blocks, pace.blocks)))
                )
                if not task.blocks:
                    break
                flying[play.remote(shared, work.key, task.blocks)] = task
            if not flying:
                return
            ready, _ = ray.wait(list(flying))
            task = flying.pop(ready[0])
            try:
                batch, took = ray.get(ready[0])
            except ray.exceptions.RayTaskError as error:
                raise (error.cause if isinstance(error.cause, ArenaError) else error) from None
            except ray.exceptions.RayError as error:
                yield from _try_again(work, task, again, error, note)
                continue
            if not task.tries:
                pace.learn(len(task.blocks), took)
            yield batch


def _try_again(
    work: Work, task: Task, again: deque[Task], error: Exception, note: Note
) -> Iterator[Batch]:
    """Repeat a batch that lost its worker; one that goes on losing it is narrowed down.

    A single block that no worker survives is played with every bot in a process of its own: there
    the fault is that of the bot that did it.
    """
    task.tries += 1
    half = len(task.blocks) // 2
    if task.tries < TRIES:
        note(
            f"a worker was lost ({type(error).__name__}); its {len(task.blocks)} blocks start again"
        )
        again.append(task)
    elif half:
        again.extend([Task(task.blocks[:half], TRIES - 1), Task(task.blocks[half:], TRIES - 1)])
    else:
        note(f"block {task.blocks[0]} ends every worker; its bots now play in their own processes")
        with Players(work.entries, "process") as players:
            yield play_blocks(work, players, task.blocks)


_players: dict[str, tuple[Work, Players]] = {}
"""In a worker: what it has started for the tournament it plays."""


def _play_remote(shared: list[Any], key: str, blocks: list[int]) -> tuple[Batch, float]:
    import ray

    if key not in _players:
        for _, old in _players.values():
            old.close()
        _players.clear()
        work: Work = ray.get(shared[0])
        _players[key] = work, Players(work.entries, work.isolation)
    work, players = _players[key]
    began = perf_counter()
    return play_blocks(work, players, blocks), perf_counter() - began


@contextlib.contextmanager
def _session(workers: int | None, address: str | None) -> Iterator[Any]:
    """Ray, started quietly for this tournament unless it is running already."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray

    running = ray.is_initialized()
    if not running:
        quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
        try:
            if address is not None:
                ray.init(address=address, **quiet)
            else:
                ray.init(num_cpus=workers, include_dashboard=False, **quiet)
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            where = f"at {address}" if address else "on this machine"
            raise ArenaError(f"cannot reach Ray {where}: {error}") from None
    try:
        yield ray
    finally:
        if not running:
            ray.shutdown()
