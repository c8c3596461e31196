"""Whoever plays, the records are the same; and whoever dies, nothing is lost or doubled."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

import psutil
import pytest

from arena import games
from arena.cluster import Batch
from arena.executor import Auto, Work, resized
from arena.loading import Entry, find
from arena.match import Record
from arena.schedule import lay_out
from arena.specification import specify
from arena.store import Store
from arena.tournament import Progress, run
from arena.verification import verify
from tests.test_starters import LANGUAGES, STARTERS, needed

STRANGER = """
from arena import Bot
class Stranger(Bot):
    def act(self, view):
        return view.legal[-1]
"""
KILLER = """
import os
from arena import Bot
class Killer(Bot):
    def start(self, match):
        self.doomed = match.match.startswith("b00003")
    def act(self, view):
        if self.doomed and view.seat == 1:
            os.kill(os.getpid(), 9)
        return view.legal[0]
"""


def entries_for(game: str) -> list[Entry]:
    return [replace(find("random"), name=f"r{number}") for number in range(6)]


def new(folder: Path, entries: list[Entry], game: str = "lasvegas", matches: int = 300) -> Store:
    told = specify(game, entries, matches=matches, seed=5, isolation="none")
    return Store.create(folder, told, entries)


def content(store: Store) -> list[tuple[int, Record]]:
    """All that does not depend on the clock."""
    return [(number, replace(record, times=())) for number, record in store.records()]


def played(folder: Path, *args: Any, **how: Any) -> list[tuple[int, Record]]:
    with new(folder, *args) as store:
        run(store, **how)
        assert len(store) == len(store.schedule) == store.ended
        assert list(verify(store)) == []
        return content(store)


# Without Ray


def test_batches_follow_the_clock() -> None:
    assert resized(10, 0.1, 1.0) == 40, "never more than four times as many"
    assert resized(10, 0.5, 1.0) == 20
    assert resized(10, 20.0, 1.0) == 1


def test_a_lost_batch_is_tried_again_then_halved_down_to_the_match() -> None:
    specs = tuple(lay_out("lasvegas", (), ["a", "b"], 2, 4, 1)[n] for n in range(3))
    (again,) = Batch(specs).after_loss()
    assert again.specs == specs
    one, rest = again.after_loss()
    assert (one.specs, rest.specs) == (specs[:1], specs[1:])
    assert one.after_loss() == [Batch(specs[:1], isolation="process")]
    assert [batch.specs for batch in rest.after_loss()] == [specs[1:2], specs[2:]]


def test_auto_stays_when_little_is_left() -> None:
    few, many = Work({}, left=lambda: 100), Work({}, left=lambda: 100_000)
    assert not Auto(few, 2).is_worth_moving(rate=100)
    assert Auto(many, 2).is_worth_moving(rate=100)
    assert not Auto(many, 1).is_worth_moving(rate=100)


# With Ray


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """One Ray session for all tests that do not break it."""
    from arena.cluster import session

    with session(2, None) as (module, _):
        yield module


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
def test_all_executors_give_the_same_records(ray: Any, tmp_path: Path, game: str) -> None:
    entries = entries_for(game)
    inline = played(tmp_path / "inline", entries, game, 200, executor="inline")
    for workers in (1, 2):
        folder = tmp_path / f"ray{workers}"
        assert played(folder, entries, game, 200, executor="ray", workers=workers) == inline


@pytest.mark.slow
def test_a_bot_that_exists_only_on_the_drivers_disk(ray: Any, tmp_path: Path) -> None:
    source = tmp_path / "stranger.py"
    source.write_text(STRANGER)
    entries = [*entries_for("lasvegas"), find(str(source))]
    inline = played(tmp_path / "inline", entries, executor="inline")
    source.rename(tmp_path / "gone.py")
    assert played(tmp_path / "ray", entries, executor="ray", workers=2) == inline


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
def test_starters_in_every_language_play_on_ray(ray: Any, tmp_path: Path, game: str) -> None:
    for program in LANGUAGES.values():
        needed(program)
    entries = [find(str(STARTERS / language)) for language in LANGUAGES]
    entries += [find("random"), find("flat:rollouts=2,horizon=1")]
    told = specify(game, entries, players=3, matches=20, seed=5, move_time=5.0)
    with Store.create(tmp_path / "played", told, entries) as store:
        run(store, "ray", workers=2)
        assert len(store) >= 20 and list(verify(store)) == []
        assert all(record.faults == () for _, record in store.records())


def workers_of(ray: Any) -> list[psutil.Process]:
    """The processes that play for us now."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "ray::play_batch" in " ".join(process.cmdline()):
                found.append(process)
    return found


@pytest.mark.slow
def test_a_worker_killed_in_the_middle(ray: Any, tmp_path: Path) -> None:
    entries = [*entries_for("lasvegas"), find("greedy")]
    inline = played(tmp_path / "inline", entries, "lasvegas", 6000, executor="inline")
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        """Three times in the run; a worker may be between two batches, so look again."""
        for _ in range(40 if progress.done > 200 * (len(killed) + 1) and len(killed) < 3 else 0):
            for worker in workers_of(ray)[:1]:
                worker.kill()
                killed.append(worker.pid)
                return
            sleep(0.02)

    folder = tmp_path / "ray"
    assert (
        played(folder, entries, "lasvegas", 6000, executor="ray", workers=2, watch=kill) == inline
    )
    assert killed


@pytest.mark.slow
def test_a_bot_that_kills_its_worker_is_found_out(ray: Any, tmp_path: Path) -> None:
    source = tmp_path / "killer.py"
    source.write_text(KILLER)
    entries = [*entries_for("lasvegas")[:3], find(str(source))]
    records = dict(played(tmp_path / "ray", entries, "lasvegas", 24, executor="ray", workers=2))
    assert len(records) == 24
    for number, record in records.items():
        doomed = record.spec.entries[1] == "killer" and number // 4 == 3
        assert [(fault.seat, fault.kind) for fault in record.faults] == (
            [(1, "dead process")] if doomed else []
        )
        assert not doomed or record.ranks[1] == 4


@pytest.mark.slow
def test_a_node_removed_in_the_middle(tmp_path: Path) -> None:
    """In a process of its own: it needs a cluster of its own."""
    script = Path(__file__).with_name("lost_node.py")
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)], capture_output=True, text=True, timeout=150
    )
    assert done.stdout.endswith("the same records\n"), done.stdout + done.stderr
