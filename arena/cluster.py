"""Playing on Ray: the only module that imports it, and only when it is used.

Matches travel in batches of about a second, a bounded number of them at a time. A batch whose
worker died is tried again; if that costs another worker it is halved, and so on down to the match.
A match that loses its worker all by itself is played with every bot in its own process, where the
death is the fault of the bot that died.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any

from arena.errors import ArenaError
from arena.executor import Work, cores, resized
from arena.match import Record, Spec
from arena.players import Players

BATCH = 1.0
"""Seconds of work in one batch."""
AHEAD = 2
"""Batches in flight for each worker."""
PATIENCE = 2
"""Workers that a batch may lose before it is divided."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Matches that travel together."""

    specs: tuple[Spec, ...]
    lost: int = 0
    """Workers that died of it, perhaps."""
    isolation: str | None = None
    """Instead of the tournament's."""

    def after_loss(self) -> list[Batch]:
        """What to try next."""
        if self.lost + 1 < PATIENCE:
            return [replace(self, lost=self.lost + 1)]
        if (half := len(self.specs) // 2) == 0:
            return [Batch(self.specs, isolation="process")]
        return [Batch(part, self.lost) for part in (self.specs[:half], self.specs[half:])]


class Cluster:
    """Plays on the cores of this machine, or on the Ray cluster at an address."""

    def __init__(self, work: Work, workers: int | None, address: str | None = None) -> None:
        self.work = work
        self.workers = workers
        self.address = address

    def play(self, specs: Iterator[Spec]) -> Iterator[list[Record]]:
        with session(self.workers, self.address) as (ray, workers):
            yield from self._play(ray, workers, specs)

    def _play(self, ray: Any, workers: int, specs: Iterator[Spec]) -> Iterator[list[Record]]:
        # Ray must not retry by itself: which batch loses its workers is ours to know.
        task = ray.remote(num_cpus=1, max_retries=0)(play_batch)
        entries = ray.put(dict(self.work.entries))
        room = AHEAD * workers
        size = 1
        again: list[Batch] = []
        flying: dict[Any, Batch] = {}
        while True:
            while len(flying) < room and (batch := _next(again, specs, self._share(size, room))):
                isolation = batch.isolation or self.work.isolation
                flying[task.remote(entries, isolation, batch.specs)] = batch
            if not flying:
                return
            (done,), _ = ray.wait(list(flying), num_returns=1)
            batch = flying.pop(done)
            try:
                records, seconds = ray.get(done)
            except ray.exceptions.RayTaskError as error:
                raise error.as_instanceof_cause() from None
            except ray.exceptions.NodeDiedError:
                again.append(batch)
            except ray.exceptions.RayError:
                again += batch.after_loss()
            else:
                size = resized(len(batch.specs), seconds, BATCH)
                yield records

    def _share(self, size: int, room: int) -> int:
        """The size of the next batch; towards the end they shrink, so that all end together."""
        return max(1, size // 8, int(min(size, self.work.left() / room)))


def _next(again: list[Batch], specs: Iterator[Spec], size: int) -> Batch | None:
    if again:
        return again.pop()
    taken = tuple(islice(specs, size))
    return Batch(taken) if taken else None


def play_batch(
    entries: dict[str, Any], isolation: str, specs: tuple[Spec, ...]
) -> tuple[list[Record], float]:
    """Play on a worker; also the seconds it took."""
    players = _players(tuple(entries.values()), isolation)
    began = monotonic()
    return list(players.play(specs)), monotonic() - began


@cache
def _players(entries: tuple[Any, ...], isolation: str) -> Players:
    return Players({entry.name: entry for entry in entries}, isolation)


@contextlib.contextmanager
def session(workers: int | None, address: str | None) -> Iterator[tuple[Any, int]]:
    """Ray, quiet, and how many workers it has for us; joined if it runs in this process already."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    ray: Any = importlib.import_module("ray")
    if ray.is_initialized():
        yield ray, workers or int(ray.cluster_resources().get("CPU", 1))
        return
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address is None:
        # Workers on this machine find the package where this process found it.
        home = str(Path(__file__).resolve().parent.parent)
        paths = os.environ.get("PYTHONPATH", "")
        ours = {"PYTHONPATH": f"{home}{os.pathsep}{paths}".rstrip(os.pathsep)}
        quiet |= {"num_cpus": workers or cores(), "include_dashboard": False}
        quiet |= {"runtime_env": {"env_vars": ours}}
    try:
        ray.init(address=address, **quiet)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ArenaError(f"cannot reach Ray at {address or 'this machine'}: {error}") from None
    try:
        yield ray, workers or int(ray.cluster_resources().get("CPU", 1))
    finally:
        ray.shutdown()
