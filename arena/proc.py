"""What Linux says about a tree of processes: who is in it, and what it uses."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from time import monotonic, thread_time

TICK = 1 / os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
BLOCK = 512
"""What `st_blocks` counts."""


@dataclass(frozen=True, slots=True)
class Stat:
    """One process, as `/proc/PID/stat` shows it."""

    parent: int
    cpu: float
    """Seconds of processor time, its own."""
    reaped: float
    """Seconds of processor time of the children that it has waited for."""
    tasks: int
    """Its threads."""
    resident: int
    """Bytes of memory in use, shared ones included."""
    born: float
    """Seconds from the start of the machine to its own."""

    @property
    def used(self) -> float:
        """Seconds of processor time, its own and those of the children it has waited for."""
        return self.cpu + self.reaped


def _read(path: str) -> bytes:
    """A short file, read as cheaply as can be: this is done often."""
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 4096)
    finally:
        os.close(file)


def stat(pid: int) -> Stat | None:
    """The state of a process, None when it is gone or Linux does not say."""
    try:
        text = _read(f"/proc/{pid}/stat")
    except OSError:
        return None
    # The name, in parentheses, may hold anything; the third field follows its last parenthesis.
    field = text[text.rindex(b")") + 2 :].split()
    return Stat(
        parent=int(field[1]),
        cpu=(int(field[11]) + int(field[12])) * TICK,
        reaped=(int(field[13]) + int(field[14])) * TICK,
        tasks=int(field[17]),
        resident=int(field[21]) * PAGE,
        born=int(field[19]) * TICK,
    )


def uptime() -> float:
    """Seconds from the start of the machine to now, 0 if Linux does not say."""
    with suppress(OSError):
        return float(_read("/proc/uptime").split()[0])
    return 0.0


def pids() -> list[int]:
    """All processes that can be seen."""
    with suppress(OSError):
        return [int(entry.name) for entry in os.scandir("/proc") if entry.name.isdigit()]
    return []


def is_runnable(pid: int) -> bool:
    """Whether a thread of the process runs or waits for a processor."""
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            text = (task / "stat").read_bytes()
            if text[text.rindex(b")") + 2 :].startswith(b"R"):
                return True
    return False


def is_zombie(pid: int) -> bool:
    """Whether the process has ended and only waits to be noticed."""
    with suppress(OSError):
        text = _read(f"/proc/{pid}/stat")
        return text[text.rindex(b")") + 2 :].startswith(b"Z")
    return True


def proportional(pid: int) -> int:
    """Bytes of memory in use, shared ones divided among those who share them."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except PermissionError:
        # A process may hide its pages, but not how many they are.
        return seen.resident if (seen := stat(pid)) else 0
    except OSError:
        pass
    return 0


def unnamed(pids: Iterable[int]) -> int:
    """Bytes of the files that processes hold open without a name, as in memory alone."""
    sizes: dict[tuple[int, int], int] = {}
    for pid in pids:
        with suppress(OSError):
            for file in os.scandir(f"/proc/{pid}/fd"):
                with suppress(OSError):
                    seen = file.stat()
                    if S_ISREG(seen.st_mode) and not seen.st_nlink:
                        sizes[seen.st_dev, seen.st_ino] = seen.st_blocks * BLOCK
    return sum(sizes.values())


NOBODY = -1
"""The number of no process."""
REST = 20
"""How many times the processor time of a look at all processes no other is taken."""


class Tree:
    """The descendants of a process, which is also the reaper of their orphans."""

    def __init__(self, root: int) -> None:
        self.root = root
        self._newest = b""
        self._rest_until = 0.0
        self._members: list[int] = []
        self._strangers: set[int] = set()
        self._marked = 0.0
        self._before: dict[int, float] = {}
        """What each process had used that is not to be counted."""

    def members(self) -> list[int]:
        """The descendants.

        They are looked for when a process was born since the last time, wherever, but never for
        more than a small part of the time.
        """
        with suppress(OSError):
            newest = _read("/proc/loadavg").split()[-1]
            if newest != self._newest and monotonic() >= self._rest_until:
                began = thread_time()
                self._newest = newest
                self._renew()
                self._rest_until = monotonic() + REST * (thread_time() - began)
        return self._members

    def _renew(self) -> None:
        """Look for the descendants among all but strangers, who stay strangers to their end.

        Who has a parent that has just ended is neither yet. A number is not used again within the
        time from one look to the next.
        """
        if self.root == NOBODY:
            return
        present = pids()
        self._strangers.intersection_update(present)
        children = _children(pid for pid in present if pid not in self._strangers)
        self._members = _below([self.root], children)
        self._strangers.update(_below([0, *self._strangers], children))
        self._strangers.difference_update(self._members)

    def look(self) -> list[int]:
        """The descendants at this moment."""
        return _below([self.root], _children(pids()))

    def mark(self) -> None:
        """Begin to count processor time: nothing that was used until now will be.

        When a process ends, what it has used goes over to its parent. So parents are looked at
        last here and first in `cpu`: who ends in between counts twice before the mark, and not
        at all after it.
        """
        self._marked = uptime() + TICK
        self._renew()
        self._before = {}
        for pid in reversed(self._members):
            if seen := stat(pid):
                self._before[pid] = seen.used
        if root := stat(self.root):
            self._before[self.root] = root.reaped

    def cpu(self) -> float:
        """Seconds of processor time since the mark, of living and dead descendants.

        What one that was born before the mark had used when it was found is not counted.
        """
        root = stat(self.root)
        if root is None:
            return 0.0
        used = root.reaped
        self._before.setdefault(self.root, root.reaped)
        for pid in self.members():
            if seen := stat(pid):
                used += seen.used
                if seen.born <= self._marked:
                    self._before.setdefault(pid, seen.used)
        return used - sum(self._before.values())

    def is_runnable(self) -> bool:
        """Whether any descendant runs or waits for a processor."""
        return any(map(is_runnable, self.members()))

    def kill(self, signal: int) -> bool:
        """Send a signal to every descendant; whether there was any."""
        members = self.look()
        for pid in members:
            with suppress(OSError):
                os.kill(pid, signal)
        return bool(members)


def _children(pids: Iterable[int]) -> dict[int, list[int]]:
    """Those of the processes that are alive, by their parents."""
    children: dict[int, list[int]] = {}
    for pid in pids:
        if seen := stat(pid):
            children.setdefault(seen.parent, []).append(pid)
    return children


def _below(parents: Iterable[int], children: dict[int, list[int]]) -> list[int]:
    """The descendants of some processes, those of a generation after their parents."""
    found: list[int] = []
    while fresh := [child for parent in parents for child in children.get(parent, ())]:
        found += fresh
        parents = fresh
    return found
