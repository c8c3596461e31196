"""A bot alone in its own process, spoken to as in a tournament, and watched more closely."""

from __future__ import annotations

import json
import os
import selectors
import signal
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self

from arena import host, loading, match, proc, wire
from arena.bot import Bot
from arena.loading import Entry
from arena.match import Match, Record, Spec
from arena.process import LOOK_EVERY, BotProcess, OffenceError
from arena.protocol import BotAction, BotError, BotFinish
from arena.sandbox import Level

PATIENCE = 5.0
"""Seconds in which a bot must end after `bye`."""
WRAPPED = 1.0
"""Seconds for which it is seen whether a process ends though its child is stopped."""
LAST_WORDS = 0.5
"""Seconds for a bot that was told what it did wrong."""
READINGS = 100
"""How often standard error is read before the rest of it is left."""
OPPONENT = "random"
UNKNOWN = {"unknown": [{"to": "you"}, None, 1.5]}


@dataclass(frozen=True, slots=True)
class Task:
    """A match, and the seat that the bot has in it; the bundled bot `random` has all others."""

    spec: Spec
    seat: int

    def command(self, bot: str) -> str:
        """How a person plays this match."""
        names = " ".join(bot if i == self.seat else OPPONENT for i in range(len(self.spec.entries)))
        options = "".join(f" -o {key}={value}" for key, value in self.spec.options)
        return (
            f"arena match --game {self.spec.game} {names} --seed {self.spec.seed}{options.lower()}"
        )


@dataclass(slots=True)
class Table:
    """A match in progress."""

    task: Task
    match: Match
    bots: list[Bot | None]
    asked: float = 0.0


class Conversation:
    """A bot in its own process, and the matches it is playing."""

    def __init__(
        self, entry: Entry, level: Level, move_time: float | None, unknown_fields: bool = False
    ) -> None:
        self._selector = selectors.DefaultSelector()
        self.process = BotProcess(entry, level, self._selector)
        self._move_time = move_time
        self._unknown_fields = unknown_fields
        self._done: dict[str, Record] = {}
        self.slowest = 0.0

    def greet(self) -> Any:
        """The first message of the bot."""
        while not (lines := self._lines()):
            pass
        self.process.ready = True
        if lines[1:]:
            raise OffenceError("wrong answer", "said more than hello before it was asked")
        return _read(lines[0])

    def play(self, wanted: Sequence[Task]) -> list[Record]:
        """Play matches, all at once; anything that is not right is an OffenceError."""
        self._done.clear()
        for task in wanted:
            self._begin(task)
        while len(self._done) < len(wanted):
            for line in self._lines():
                self._hear(line)
        return [self._done[task.spec.id] for task in wanted]

    def _lines(self) -> list[bytes]:
        self.process.flush()
        lines: list[bytes] = []
        for key, _ in self._selector.select(LOOK_EVERY):
            if key.data is self.process:
                lines += self.process.read()
            else:
                key.data()
        if lines:
            self.process.clock.restart()
        else:
            self.process.check(self._move_time)
        return lines

    def _line(self, line: bytes) -> bytes:
        """A line for the bot, as it is or with fields that the protocol does not have."""
        if not self._unknown_fields:
            return line
        message = UNKNOWN | json.loads(line)
        if "view" in message:
            message["view"] |= UNKNOWN
            message["view"]["events"] = [event | UNKNOWN for event in message["view"]["events"]]
        return json.dumps(message).encode() + b"\n"

    def _begin(self, task: Task) -> None:
        spec = task.spec
        course = Match(spec)
        bots = [
            None if seat == task.seat else loading.make(loading.find(OPPONENT))
            for seat in range(len(spec.entries))
        ]
        for seat, bot in enumerate(bots):
            if bot is None:
                self.process.tell(self._line(host.start_line(course, seat)))
            else:
                match.begin(course, seat, bot)
        self._advance(Table(task, course, bots))

    def _advance(self, table: Table) -> None:
        course = table.match
        head = wire.match_part(course.spec.id)
        while (seat := course.ask()) is not None and not course.faults:
            bot = table.bots[seat]
            if bot is None:
                decision = wire.decision_part(head, course.number)
                line = wire.decide(decision, wire.ViewWriter(course.game)(seat))
                self._ask(wire.action_head(decision), line, table)
                return
            match.decide(course, seat, bot)
        for fault in course.faults:
            raise OffenceError(fault.kind, fault.reason)
        self._ask(wire.finished(head), host.finish_line(course, course.finish()), table)

    def _ask(self, answer: bytes, line: bytes, table: Table) -> None:
        table.asked = monotonic()
        self.process.ask(answer, self._line(line), table)

    def _hear(self, line: bytes) -> None:
        message = _read(line)
        if isinstance(message, BotAction):
            head = wire.action_head(
                wire.decision_part(wire.match_part(message.match), message.number)
            )
        elif isinstance(message, BotFinish):
            head = wire.finished(wire.match_part(message.match))
        elif isinstance(message, BotError) and message.match is not None:
            raise OffenceError("exception", message.message)
        else:
            raise host.unwanted(message)
        table = self.process.asked.pop(head, None)
        if table is None:
            raise OffenceError("wrong answer", f"answered what it was not asked: {line.decode()}")
        self.slowest = max(self.slowest, monotonic() - table.asked)
        if isinstance(message, BotFinish):
            self._done[message.match] = table.match.record()
        else:
            _, _, tail = line.partition(wire.ACTION)
            known = wire.actions(table.match.spec.game)
            table.match.answer(known.look_up(tail, message.action))
            self._advance(table)

    def end(self) -> None:
        """Say bye; the bot must end by itself, and leave nothing behind."""
        chain, others = _chain(self.process.tree)
        if others:
            raise _left_behind(others)
        self._move_time = None
        last = chain[-1] if chain[1:] else None
        if last is not None:
            # A wrapper waits for the bot, its child, and so for one that is stopped; a bot that
            # ends all the same would have left its child behind.
            name = _name(last)
            _signal(last, signal.SIGSTOP)
            self.process.say_bye()
            if self._ends_within(WRAPPED):
                raise _left_behind([name])
            _signal(last, signal.SIGCONT)
        else:
            self.process.say_bye()
        if not self._ends_within(PATIENCE):
            raise OffenceError("wrong answer", f"did not end within {PATIENCE:g} s after bye")

    def reproach(self, reason: str) -> None:
        """Tell the bot what it did wrong, and give it a moment to say something about it."""
        self.process.reproach(reason)
        self._move_time = None
        self._ends_within(LAST_WORDS)

    def _ends_within(self, seconds: float) -> bool:
        deadline = monotonic() + seconds
        while monotonic() < deadline:
            try:
                self._lines()
            except OffenceError as offence:
                if offence.kind == "dead process":
                    return True
        return False

    def output(self) -> str:
        """The end of what the bot has written to standard error, as far as it has arrived."""
        for _ in range(READINGS):
            waiting = [key for key, _ in self._selector.select(LOOK_EVERY)]
            if not any(key.data == self.process.drain for key in waiting):
                break
            self.process.drain()
        return self.process.output.decode(errors="replace")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.close()
        self._selector.close()


def _read(line: bytes) -> Any:
    try:
        return wire.read(line)
    except wire.MalformedError as error:
        raise OffenceError("wrong answer", f"sent {error}") from None


def _chain(tree: proc.Tree) -> tuple[list[int], list[str]]:
    """The bot's first process, its only child and so on; and the names of all other processes."""
    children: dict[int, list[int]] = {}
    for pid in tree.look():
        if (seen := proc.stat(pid)) and not proc.is_zombie(pid):
            children.setdefault(seen.parent, []).append(pid)
    level = sorted(children.get(tree.root, []))
    while [_name(pid) for pid in level] == ["bwrap"]:
        level = sorted(children.get(level[0], []))
    chain: list[int] = []
    while len(level) == 1:
        chain += level
        level = sorted(children.get(level[0], []))
    return chain, [_name(pid) for pid in (level if chain else level[1:])]


def _left_behind(names: Sequence[str]) -> OffenceError:
    return OffenceError("wrong answer", f"left processes behind: {', '.join(names)}")


def _signal(pid: int, number: int) -> None:
    with suppress(OSError):
        os.kill(pid, number)


def _name(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""
