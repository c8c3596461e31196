"""One bot in its own process, behind protocol v1: started, spoken to, timed and ended."""

from __future__ import annotations

import json
import os
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
from arena.keeper import remove
from arena.loading import Entry, Manifest
from arena.match import FaultKind
from arena.sandbox import Level

ASLEEP = 3
"""How many times its time a bot may take when it sleeps through it."""
LOOK_EVERY = 0.02
REPORT_WITHIN = 2.0
"""Seconds in which the keeper says how a bot ended."""
GOOD_BYE = 0.2
"""Seconds that a bot has to end by itself."""
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
    read about fifty times a second, and what happened between two readings is counted in favour
    of the bot.
    """

    def __init__(self, tree: proc.Tree) -> None:
        self._tree = tree
        self._began: float | None = None
        self._read = 0.0
        self._asleep = 0.0
        self._last = 0.0

    def stop(self) -> None:
        """Nothing is asked, or something was answered."""
        self._began = None

    def is_over(self, limit: float) -> bool:
        """Whether the bot has taken more than it may since the clock was last stopped."""
        now = monotonic()
        if self._began is None:
            self._began = self._tree.cpu()
            self._last = self._read = now
            self._asleep = 0.0
            return False
        if now - self._last < LOOK_EVERY:
            return False
        passed, self._last = now - self._last, now
        used = self._tree.cpu() - self._began
        if not self._tree.is_runnable():
            self._asleep += min(passed, 2 * LOOK_EVERY)
        return used > limit or used + self._asleep > ASLEEP * limit


class BotProcess:
    """A bot's process. `asked` holds what it must answer, by the beginning of the answer's line."""

    def __init__(self, entry: Entry, level: Level, selector: selectors.BaseSelector) -> None:
        manifest = entry.source.manifest or HOSTED
        self.asked: dict[bytes, Any] = {}
        self.ready = False
        self.matches = 0
        """How many matches it has begun."""
        self.answered = monotonic()
        self.output = b""
        self.startup = manifest.startup
        self._selector = selector
        self._queue: list[bytes] = []
        self._unsent = wire.write(protocol.ArenaHello(arena=__version__))
        self._rest = b""
        self._closed_at: float | None = None
        self._folder = Path(tempfile.mkdtemp(prefix="arena-bot-"))
        self._mark = f"ARENA_BOT={self._folder.name}"
        self._control, theirs = socket.socketpair()
        with theirs:
            order = self._order(entry, level, manifest, theirs.fileno())
            self._keeper = subprocess.Popen(
                [*sandbox.python("arena.keeper", "-S"), json.dumps(order)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                bufsize=0,
            )
        assert self._keeper.stdin and self._keeper.stdout and self._keeper.stderr
        self._stdin = self._keeper.stdin.fileno()
        self._stdout = self._keeper.stdout.fileno()
        self._stderr = self._keeper.stderr.fileno()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        self.tree = proc.Tree(self._keeper.pid)
        self.clock = Clock(self.tree)
        selector.register(self._stdout, selectors.EVENT_READ, self)
        selector.register(self._stderr, selectors.EVENT_READ, self.drain)
        self._stderr_open = True
        self._blocked = False
        self.flush()

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
                "files": [name for name, _ in entry.source.files],
                "module": entry.source.module,
                "class_name": entry.class_name,
                "params": entry.params,
            }
            command = [*sandbox.python("arena.runner", "-u"), json.dumps(described)]
        else:
            command = [sandbox.program(manifest.command[0]), *manifest.command[1:]]
        inside = str(temporary)
        if level == "sandbox":
            command, inside = sandbox.sandboxed(command, files), "/tmp"
        return {
            "control": control,
            "folder": str(self._folder),
            "cwd": str(files),
            "command": command,
            "limits": sandbox.LIMITS,
            "tasks": sandbox.TASKS,
            "memory": manifest.memory * 2**20,
            "environment": sandbox.environment(inside, self._folder.name),
        }

    def ask(self, answer: bytes, line: bytes, what: Any) -> None:
        """Send a line, now or with the next ones, whose answer begins so."""
        if not self.asked:
            self.answered = monotonic()
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
            data = os.read(self._stdout, 2**18)
        except BlockingIOError:
            return []
        if not data:
            self._selector.unregister(self._stdout)
            self._closed_at = monotonic()
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
                self._stderr_open = False

    def check(self, move_time: float | None) -> None:
        """Notice that it has ended, closed its output or taken too long."""
        if self._closed_at is not None:
            self._control.settimeout(REPORT_WITHIN)
            raise OffenceError(
                "dead process", self._last_words() or "it closed its standard output"
            )
        limit = move_time if self.ready else self.startup
        if limit is None or not (self.asked or not self.ready):
            self.clock.stop()
        elif self.clock.is_over(limit):
            what = "for a decision" if self.ready else "to start"
            raise OffenceError("time-out", f"took more than {limit:g} s {what}")

    def _last_words(self) -> str:
        try:
            return self._control.recv(1000).decode() or "its keeper was killed"
        except TimeoutError:
            return ""
        except OSError:
            return "its keeper was killed"

    def say_bye(self, patience: float = GOOD_BYE) -> bool:
        """Ask the process to end by itself; whether it did, within some seconds."""
        self.tell(wire.write(protocol.ArenaBye()))
        self.flush()
        with suppress(subprocess.TimeoutExpired):
            self._keeper.wait(patience)
        return self._keeper.returncode is not None

    def close(self) -> None:
        """End the process and all that came from it."""
        for pipe in (self._stdin, self._stdout, self._stderr):
            with suppress(KeyError, ValueError):
                self._selector.unregister(pipe)
        self._control.close()
        try:
            self._keeper.wait(10)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait()
        if self._keeper.returncode:
            self._sweep()
            remove(self._folder)
        for stream in (self._keeper.stdin, self._keeper.stdout, self._keeper.stderr):
            assert stream is not None
            stream.close()

    def _sweep(self) -> None:
        """Kill what a bot that has killed its keeper has left, by its mark."""
        mark = self._mark.encode()
        for pid in proc.pids():
            with suppress(OSError):
                if mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                    os.kill(pid, signal.SIGKILL)
