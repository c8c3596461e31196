"""What a tree of processes has used since a mark: never what one of them used before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena import proc, process
from arena.proc import Stat, Tree

KEEPER, BOT, CHILD = 10, 11, 12


class Machine:
    """Processes as a test wants them, with the keeper of a bot among them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.born = 0
        self.processes: dict[int, Stat] = {}
        self.start(KEEPER, 1)
        for name in ("stat", "pids", "uptime", "_read", "monotonic", "thread_time"):
            monkeypatch.setattr(proc, name, getattr(self, name))

    def start(self, pid: int, parent: int) -> None:
        self.born += 1
        self.processes[pid] = Stat(parent, 0.0, 0.0, 1, 2**20, self.now)

    def run(self, pid: int, seconds: float) -> None:
        self.now += seconds
        self.processes[pid] = replace(seen := self.processes[pid], cpu=seen.cpu + seconds)

    def end(self, pid: int) -> None:
        """It ends, and its parent is told what it has used."""
        gone = self.processes.pop(pid)
        parent = self.processes[gone.parent]
        self.processes[gone.parent] = replace(parent, reaped=parent.reaped + gone.used)

    def stat(self, pid: int) -> Stat | None:
        return self.processes.get(pid)

    def pids(self) -> list[int]:
        """All processes; a look at them takes a while."""
        self.now += 0.1
        return list(self.processes)

    def uptime(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.now

    def thread_time(self) -> float:
        return self.now

    def _read(self, path: str) -> bytes:
        assert path == "/proc/loadavg"
        return b"%d" % self.born


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_living_and_dead_count_once(machine: Machine) -> None:
    tree = Tree(KEEPER)
    machine.start(BOT, KEEPER)
    machine.start(CHILD, BOT)
    machine.run(CHILD, 5.0)
    tree.mark()
    machine.run(BOT, 1.0)
    machine.run(CHILD, 2.0)
    assert tree.cpu() == pytest.approx(3.0)
    machine.end(CHILD)
    assert tree.cpu() == pytest.approx(3.0)
    machine.end(BOT)
    assert tree.cpu() == pytest.approx(3.0)
    tree.mark()
    assert tree.cpu() == 0


def test_a_process_born_after_the_mark_counts_from_its_birth(machine: Machine) -> None:
    tree = Tree(KEEPER)
    machine.start(BOT, KEEPER)
    tree.mark()
    machine.run(BOT, 1.0)
    machine.start(CHILD, BOT)
    machine.run(CHILD, 2.0)
    assert tree.cpu() == pytest.approx(3.0)


@pytest.mark.parametrize("ends", [False, True])
def test_a_process_found_late_costs_no_decision(
    machine: Machine, ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine it may be long from one look at all processes to the next."""
    monkeypatch.setattr(process, "monotonic", machine.monotonic)
    tree = Tree(KEEPER)
    monkeypatch.setattr(tree, "is_runnable", lambda: True)
    machine.start(BOT, KEEPER)
    tree.members()
    machine.start(CHILD, BOT)
    machine.run(CHILD, 0.5)
    clock = process.Clock(tree)
    machine.now += 2 * process.FIRST_LOOK
    assert not clock.is_over(0.2)
    if ends:
        machine.end(CHILD)
    machine.now += 100
    assert not clock.is_over(0.2)
    machine.run(BOT, 0.3)
    assert clock.is_over(0.2)


def test_a_process_that_was_overlooked_has_used_nothing(machine: Machine) -> None:
    """Its parent, which has just ended, was not there any more to say whose child it is."""
    tree = Tree(KEEPER)
    machine.start(BOT, KEEPER)
    machine.start(CHILD, 99)
    machine.run(CHILD, 5.0)
    tree.mark()
    machine.processes[CHILD] = replace(machine.processes[CHILD], parent=KEEPER)
    machine.born += 1
    machine.now += 100
    assert tree.cpu() == 0
    machine.run(CHILD, 1.0)
    assert tree.cpu() == pytest.approx(1.0)


def test_a_process_that_ends_while_it_is_looked_at_costs_nothing(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = Tree(KEEPER)
    machine.start(BOT, KEEPER)
    machine.start(CHILD, BOT)
    machine.run(CHILD, 5.0)
    tree.members()

    def ending(pid: int) -> Stat | None:
        seen = machine.stat(pid)
        if pid == CHILD and seen:
            machine.end(CHILD)
        return seen

    monkeypatch.setattr(tree, "_renew", lambda: None)
    monkeypatch.setattr(proc, "stat", ending)
    tree.mark()
    assert tree.cpu() <= 0


def test_strangers_are_looked_at_once(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """But a process whose number a stranger had is found."""
    looked: list[int] = []

    def looking(pid: int) -> Stat | None:
        looked.append(pid)
        return machine.stat(pid)

    monkeypatch.setattr(proc, "stat", looking)
    tree = Tree(KEEPER)
    machine.start(1, 0)
    machine.start(BOT, KEEPER)
    machine.start(CHILD, 1)
    assert tree.members() == [BOT] and sorted(looked) == [1, KEEPER, BOT, CHILD]
    looked.clear()
    for seconds, members in ((100, [BOT]), (200, [BOT]), (300, [BOT, CHILD])):
        if seconds == 200:
            machine.end(CHILD)
        if seconds == 300:
            machine.start(CHILD, BOT)
        machine.born += 1
        machine.now = seconds
        assert tree.members() == members
    assert sorted(looked) == [BOT] * 3 + [CHILD]
