"""One bot in its own process, behind protocol v1: started, spoken to, timed and ended."""

from __future__ import annotations

import json
import os
import select
import selectors
import signal
import socket
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

from arena import __version__, proc, protocol, sandbox, wire
from arena.errors import ArenaError
from arena.keeper import remove
from arena.loading import Entry, Manifest
from arena.match import FaultKind
from arena.sandbox import Level

PREFIX = "arena-bot-"
"""How the names of bots' private folders begin."""
ASLEEP = 3
"""How many times its time a bot may take when it sleeps through it."""
LOOK_EVERY = 0.02
FIRST_LOOK = 0.1
"""Seconds for which nobody looks at what a bot does."""
REPORT_WITHIN = 1.0
"""Seconds from the end of a bot's output, or from its end, to know of the other."""
LONGEST_END = 20.0
"""Seconds in which the keeper has killed every process of a bot."""
OUTPUT_KEPT = 10_000
"""Bytes of a bot's standard error that are kept."""
HOSTED = Manifest(name="hosted", command=("python",), games=())
"""The limits of a bot that is a Python class."""


class OffenceError(Exception):
    """Something a bot's process did that is not the answer to one question."""

    def __init__(self, kind: FaultKind, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class Clock:
    """The time a bot has taken for what it was asked: its processor time, and its sleep.

    Waiting for a processor is not counted, so that a busy machine costs nobody a match. It is
    read about fifty times a second, but not in the first tenth, and what it cannot see is counted
    in favour of the bot.
    """

    def __init__(self, tree: proc.Tree) -> None:
        self.tree = tree
        self.restart()

    def restart(self) -> None:
        """The bot begins to think: it was asked, or has answered and goes on with the next."""
        self._looked = monotonic()
        self._asleep = 0.0
        self._marked = False
        """Whether the processor time is counted."""

    def is_due(self) -> bool:
        """Whether it is time to read the clock."""
        return monotonic() - self._looked >= (LOOK_EVERY if self._marked else FIRST_LOOK)

    def is_over(self, limit: float) -> bool:
        """Whether the bot has taken more than it may."""
        if not self.is_due():
            return False
        now = monotonic()
        passed = now - self._looked
        self._looked = now
        if not self._marked:
            self._marked = True
            self.tree.mark()
            return False
        used = self.tree.cpu()
        if not self.tree.is_runnable():
            self._asleep += min(passed, 2 * LOOK_EVERY)
        return used > limit or used + self._asleep > ASLEEP * limit


class BotProcess:
    """A bot's process. `asked` holds what it must answer, by the beginning of the answer's line."""

    def __init__(self, entry: Entry, level: Level, selector: selectors.BaseSelector) -> None:
        manifest = entry.source.manifest or HOSTED
        self.asked: dict[bytes, Any] = {}
        self.ready = False
        self.seeds: set[int] = set()
        """The luck of each match it has begun."""
        self.answered = monotonic()
        self.output = b""
        self.startup = manifest.startup
        self._selector = selector
        self._queue: list[bytes] = []
        self._unsent = wire.write(protocol.ArenaHello(arena=__version__))
        self._rest = b""
        self._closed = False
        """Whether its output has ended."""
        self._told = b""
        """What the keeper has said: its number, and at the end why."""
        self._last_words = ""
        self._ending_since: float | None = None
        self._folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._mark = f"ARENA_BOT={self._folder.name}"
        self._control, theirs = socket.socketpair()
        try:
            with theirs:
                self._starter = self._start(self._order(entry, level, manifest, theirs.fileno()))
        except OSError as error:
            # The disk is full, or there is no process more: nothing of the attempt stays.
            self._control.close()
            remove(self._folder)
            raise ArenaError(f"cannot start {entry.name}: {error.strerror}") from None
        assert self._starter.stdin and self._starter.stdout and self._starter.stderr
        self._stdin = self._starter.stdin.fileno()
        self._stdout = self._starter.stdout.fileno()
        self._stderr = self._starter.stderr.fileno()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        self.tree = proc.Tree(proc.NOBODY)
        self.clock = Clock(self.tree)
        selector.register(self._stdout, selectors.EVENT_READ, self)
        selector.register(self._stderr, selectors.EVENT_READ, self.drain)
        selector.register(self._control, selectors.EVENT_READ, self.hear_keeper)
        self._blocked = False
        self.flush()

    @staticmethod
    def _start(order: dict[str, Any]) -> subprocess.Popen[bytes]:
        """The process that becomes the keeper of the bot."""
        return subprocess.Popen(
            [*sandbox.python("arena.keeper", "-S"), json.dumps(order)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[order["control"]],
            start_new_session=True,
            bufsize=0,
        )

    def _order(
        self, entry: Entry, level: Level, manifest: Manifest, control: int
    ) -> dict[str, Any]:
        files, temporary = self._folder / "bot", self._folder / "tmp"
        temporary.mkdir()
        for name, content in entry.source.files:
            path = files / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o755)
        if entry.source.manifest is None:
            described = {
                "name": entry.source.name,
                "path": entry.source.path,
                "files": [name for name, _ in entry.source.files],
                "module": entry.source.module,
                "class_name": entry.class_name,
                "params": entry.params,
            }
            command = [*sandbox.python("arena.runner", "-u"), json.dumps(described)]
        else:
            command = [sandbox.program(manifest.command[0]), *manifest.command[1:]]
        boxed = level == "sandbox"
        return {
            "control": control,
            "folder": str(self._folder),
            "cwd": str(files),
            "command": command,
            "walls": sandbox.walls(command[0], files) if boxed else [],
            "limits": sandbox.LIMITS,
            "tasks": sandbox.TASKS,
            "memory": manifest.memory * 2**20,
            "environment": sandbox.environment(
                "/tmp" if boxed else str(temporary), self._folder.name
            ),
        }

    def ask(self, answer: bytes, line: bytes, what: Any) -> None:
        """Send a line, now or with the next ones, whose answer begins so."""
        if not self.asked:
            self.answered = monotonic()
            self.clock.restart()
        self.asked[answer] = what
        self._queue.append(line)

    def tell(self, line: bytes) -> None:
        """Send a line that has no answer, now or with the next ones."""
        self._queue.append(line)

    def flush(self) -> None:
        """Write all that is to be sent, as far as the bot takes it."""
        if self._queue and self.ready:
            self._unsent += b"".join(self._queue)
            self._queue.clear()
        if not self._unsent:
            return
        try:
            self._unsent = self._unsent[os.write(self._stdin, self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            # It no longer reads; how it ended is told by its output and its keeper.
            self._unsent = b""
        if bool(self._unsent) != self._blocked:
            self._blocked = not self._blocked
            if self._blocked:
                self._selector.register(self._stdin, selectors.EVENT_WRITE, self.flush)
            else:
                self._selector.unregister(self._stdin)

    def read(self) -> list[bytes]:
        """The lines that have arrived."""
        try:
            data = os.read(self._stdout, wire.AT_ONCE)
        except BlockingIOError:
            return []
        if not data:
            self._selector.unregister(self._stdout)
            self._closed = True
            self._ending_since = self._ending_since or monotonic()
            return []
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()
        if len(self._rest) > wire.LONGEST_LINE:
            raise OffenceError(
                "wrong answer", f"sent a line of more than {wire.LONGEST_LINE} bytes"
            )
        return lines

    def drain(self) -> None:
        """Take what the bot has written to standard error; the end of it is kept."""
        with suppress(BlockingIOError):
            data = os.read(self._stderr, 2**16)
            self.output = (self.output + data)[-OUTPUT_KEPT:]
            if not data:
                self._selector.unregister(self._stderr)

    def is_due(self) -> bool:
        """Whether it is time to check it."""
        return self._ending_since is not None or self.clock.is_due()

    def check(self, move_time: float | None) -> None:
        """Notice that it has ended, closed its output or taken too long."""
        if self._ending_since is not None:
            late = monotonic() - self._ending_since > REPORT_WITHIN
            if late or (self._last_words and self._closed):
                reason = self._last_words or "it closed its standard output"
                raise OffenceError("dead process", reason)
            return
        limit = move_time if self.ready else self.startup
        if limit is not None and self.clock.is_over(limit):
            what = "for a decision" if self.ready else "to start"
            raise OffenceError("time-out", f"took more than {limit:g} s {what}")

    def hear_keeper(self) -> None:
        """Learn who the keeper is, and at its end how the bot ended."""
        try:
            news = self._control.recv(1000)
        except ConnectionError:
            news = b""
        self._told += news
        if not news:
            self._selector.unregister(self._control)
            self._last_words = self._told.partition(b"\n")[2].decode() or "its keeper was killed"
            self._ending_since = self._ending_since or monotonic()
            if not self._was_kept():
                self._sweep()
        elif self._told.count(b"\n"):
            self.tree.root = int(self._told.partition(b"\n")[0])

    def _was_kept(self) -> bool:
        """Whether the keeper has done its work to the end."""
        return bool(self._told.partition(b"\n")[2])

    def say_bye(self) -> None:
        """Ask the process to end by itself."""
        self.tell(wire.write(protocol.ArenaBye()))
        self.flush()

    def reproach(self, reason: str, match: str | None = None) -> None:
        """Tell a process that is about to be ended why, if it takes the line at once."""
        self._queue.clear()
        self._unsent += wire.write(protocol.ArenaError(match=match, message=reason))
        self.flush()

    def close(self, patience: float = 0) -> None:
        """End the process and all that came from it, if need be when patience has run out."""
        if patience:
            self._await_keeper(patience)
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
        self._await_keeper(LONGEST_END)
        for pipe in (self._stdin, self._stdout, self._stderr, self._control):
            with suppress(KeyError, ValueError):
                self._selector.unregister(pipe)
        if not self._was_kept():
            self._sweep()
            remove(self._folder)
        self._control.close()
        self._starter.wait()
        for stream in (self._starter.stdin, self._starter.stdout, self._starter.stderr):
            assert stream is not None
            stream.close()

    def _await_keeper(self, seconds: float) -> None:
        """Wait for the keeper's last word, as long as it may take."""
        deadline = monotonic() + seconds
        while not self._last_words and (left := deadline - monotonic()) > 0:
            if select.select([self._control], [], [], left)[0]:
                self.hear_keeper()

    def _sweep(self) -> None:
        """Kill what is left of a bot whose keeper was killed, by its mark."""
        mark = self._mark.encode()
        for pid in proc.pids():
            with suppress(OSError):
                if mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                    os.kill(pid, signal.SIGKILL)
