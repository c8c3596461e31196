"""Many matches in flight between bots in this process and bots in their own.

Whatever a bot's process does that is not an answer to one question (it dies, it is silent for too
long, it sends what the protocol does not allow) could be the work of any match it is playing. So
nobody is blamed yet: the processes are ended, and every match that was in flight is played again
from its start, one at a time. What a process does wrong in the only match it has ever played is
that match's fault. A record therefore says what the bot does in that match alone, and does not
depend on which matches were played beside it.
"""

from __future__ import annotations

import gc
import selectors
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, islice
from time import monotonic
from typing import Any

from arena import loading, match, protocol, wire
from arena.bot import Bot, Finish
from arena.greeting import welcome
from arena.loading import Entry
from arena.match import FaultKind, Match, Record, Spec
from arena.process import LOOK_EVERY, BotProcess, OffenceError
from arena.protocol import BotAction, BotError, BotFinish
from arena.sandbox import Level

IN_FLIGHT = 96
"""Matches that are played at once: enough for long lines of questions, few enough that those to one
of four bots fit into its pipe, and the matches into the processor's cache."""
MOST_DONE = 4096
"""Matches that may be over while an earlier one is not."""
GARBAGE = 50_000
"""New objects between two searches for cycles, which matches do not make: many in flight are many
objects to look through, a fifth of the host's time at Python's own 700."""

GOOD_BYE = 0.2
"""Seconds that a bot has to end by itself."""

Place = tuple[str, int]
"""An entry, and which of its processes.

A process is never dealt the same luck twice: it would know in one match what another seat holds.
So it has one seat in a match, and one match in a block.
"""


class SuspicionError(Exception):
    """A process did something wrong while more than one match could be the cause."""


class Table:
    """A match in flight: who sits where."""

    __slots__ = (
        "actions",
        "awaited",
        "bots",
        "head",
        "index",
        "match",
        "processes",
        "view",
    )

    def __init__(self, index: int, spec: Spec) -> None:
        self.index = index
        self.match = Match(spec)
        self.head = wire.match_part(spec.id)
        self.view = wire.ViewWriter(self.match.game)
        self.actions = wire.actions(spec.game)
        self.bots: list[Bot | None] = []
        self.processes: list[BotProcess | None] = []
        self.awaited = 0
        """How many bots have still to say that they know of the end."""


class Host:
    """Plays matches; keeps the bots' processes from one match to the next."""

    def __init__(self, entries: Mapping[str, Entry], levels: Mapping[str, Level]) -> None:
        self._entries = entries
        self._levels = levels
        self._selector = selectors.DefaultSelector()
        self._processes: dict[Place, BotProcess] = {}
        self._broken: dict[str, tuple[FaultKind, str]] = {}
        """Why an entry's bot cannot be started."""
        self._tables: dict[int, Table] = {}
        self._done: dict[int, Record] = {}

    def play(self, specs: Iterable[Spec]) -> Iterator[Record]:
        """The record of each match, in the order given; takes matches as it can begin them."""
        waiting = enumerate(specs)
        usual = gc.get_threshold()
        gc.set_threshold(GARBAGE, *usual[1:])
        try:
            for index in count():
                while index not in self._done:
                    self._play_some(waiting)
                    if not self._tables and index not in self._done:
                        return
                yield self._done.pop(index)
        finally:
            gc.set_threshold(*usual)
            # Somebody may want no more records.
            self._done.clear()
            if self._tables:
                self._clear()

    def _play_some(self, waiting: Iterator[tuple[int, Spec]]) -> None:
        try:
            room = min(IN_FLIGHT - len(self._tables), MOST_DONE - len(self._done))
            for index, spec in islice(waiting, max(room, 0)):
                self._begin(index, spec)
            self._step()
        except SuspicionError:
            suspects = [(index, table.match.spec) for index, table in self._tables.items()]
            self._clear()
            for index, spec in suspects:
                self._play_alone(index, spec)

    def _play_alone(self, index: int, spec: Spec) -> None:
        try:
            self._play_one(index, spec)
        except SuspicionError:
            self._clear()
            self._play_one(index, spec)

    def _play_one(self, index: int, spec: Spec) -> None:
        self._begin(index, spec)
        while self._tables:
            self._step()

    def close(self) -> None:
        """End all processes."""
        for process in self._processes.values():
            process.say_bye()
        self._clear(GOOD_BYE)

    def _clear(self, patience: float = 0) -> None:
        for process in self._processes.values():
            process.close(patience)
        self._processes.clear()
        self._tables.clear()

    def _begin(self, index: int, spec: Spec) -> None:
        table = self._tables[index] = Table(index, spec)
        for name in spec.entries:
            local = self._levels[name] == "none"
            table.bots.append(loading.make(self._entries[name]) if local else None)
            table.processes.append(None if local else self._process(name, spec.seed))
        for seat, (bot, process) in enumerate(zip(table.bots, table.processes, strict=True)):
            if bot is not None:
                match.begin(table.match, seat, bot)
            elif process is None:
                table.match.fault(seat, *self._broken[spec.entries[seat]])
            else:
                process.tell(start_line(table.match, seat))
        self._advance(table)

    def _process(self, name: str, seed: int) -> BotProcess | None:
        """The first process of an entry to which this luck is new; None if it cannot be started."""
        if name in self._broken:
            return None
        started = (self._started((name, number)) for number in count())
        process = next(process for process in started if seed not in process.seeds)
        process.seeds.add(seed)
        return process

    def _started(self, place: Place) -> BotProcess:
        if place not in self._processes:
            name, _ = place
            entry = self._entries[name]
            self._processes[place] = BotProcess(entry, self._levels[name], self._selector)
        return self._processes[place]

    def _advance(self, table: Table) -> None:
        """Go on with a match until a process must be asked."""
        course = table.match
        while (seat := course.ask()) is not None:
            process = table.processes[seat]
            if process is None:
                bot = table.bots[seat]
                assert bot is not None
                match.decide(course, seat, bot)
            else:
                decision = wire.decision_part(table.head, course.number)
                line = wire.decide(decision, table.view(seat))
                process.ask(wire.action_head(decision), line, (table, seat))
                return
        self._conclude(table)

    def _conclude(self, table: Table) -> None:
        course = table.match
        told = course.finish()
        line = None
        for seat, (bot, process) in enumerate(zip(table.bots, table.processes, strict=True)):
            if bot is not None:
                match.conclude(course, seat, bot, told)
            elif process is not None and not course.is_faulty(seat):
                line = line or finish_line(course, told)
                process.ask(wire.finished(table.head), line, (table, seat))
                table.awaited += 1
        self._end_if_over(table)

    def _end_if_over(self, table: Table) -> None:
        if not table.awaited:
            self._done[table.index] = table.match.record()
            del self._tables[table.index]

    def _step(self) -> None:
        """Send all that is to be sent, wait for answers, and go on with their matches."""
        if not self._tables:
            return
        for process in self._processes.values():
            process.flush()
        for key, _ in self._selector.select(LOOK_EVERY):
            if self._selector.get_map().get(key.fd) is not key:
                continue  # it was closed a moment ago
            if isinstance(key.data, BotProcess):
                self._listen(key.data)
            else:
                key.data()
        for process in [one for one in self._processes.values() if one.is_due()]:
            try:
                process.check(self._move_time(process))
            except OffenceError as offence:
                self._blame(process, offence)

    def _move_time(self, process: BotProcess) -> float | None:
        """What the process has for its next answer, None when that is no matter."""
        limits = {table.match.spec.move_time for table, _ in process.asked.values()}
        return max((limit for limit in limits if limit is not None), default=None)

    def _listen(self, process: BotProcess) -> None:
        try:
            lines = process.read()
            if lines:
                process.clock.restart()
                now = monotonic()
                share = (now - process.answered) / len(lines)
                process.answered = now
                for line in lines:
                    self._hear(process, line, share)
        except OffenceError as offence:
            self._blame(process, offence)

    def _hear(self, process: BotProcess, line: bytes, time: float) -> None:
        head, separator, tail = line.partition(wire.ACTION)
        if separator and (asked := process.asked.get(head)):
            table, seat = asked
            action = table.actions.spellings.get(tail)
            if action is not None:
                del process.asked[head]
                table.match.times[seat] += time
                table.match.answer(action)
                self._advance(table)
                return
        try:
            message = wire.read(line)
        except wire.MalformedError as error:
            raise OffenceError("wrong answer", f"sent {error}") from None
        if not process.ready:
            welcome(message)
            process.ready = True
        elif isinstance(message, BotAction):
            self._take(process, message, tail, time)
        elif isinstance(message, BotFinish):
            end = wire.finished(wire.match_part(message.match))
            table, seat = self._expected(process, end, f"the end of match {message.match[:100]}")
            table.match.times[seat] += time
            table.awaited -= 1
            self._end_if_over(table)
        elif isinstance(message, BotError) and message.match is not None:
            self._give_up(process, message.match, message.message)
        else:
            raise unwanted(message)

    def _expected(self, process: BotProcess, head: bytes, what: str) -> tuple[Table, int]:
        asked = process.asked.pop(head, None)
        if asked is None:
            raise OffenceError("wrong answer", f"answered {what}, which was not asked")
        table, seat = asked
        return table, seat

    def _take(self, process: BotProcess, message: BotAction, tail: bytes, time: float) -> None:
        decision = wire.decision_part(wire.match_part(message.match), message.number)
        what = f"decision {message.number} of match {message.match[:100]}"
        table, seat = self._expected(process, wire.action_head(decision), what)
        table.match.times[seat] += time
        table.match.answer(table.actions.look_up(tail, message.action))
        self._advance(table)

    def _give_up(self, process: BotProcess, name: str, reason: str) -> None:
        """The bot says that it cannot go on with a match."""
        for table in self._tables.values():
            if table.match.spec.id == name and process in table.processes:
                break
        else:
            raise OffenceError("wrong answer", "spoke of a match that it does not play")
        seat = table.processes.index(process)
        table.match.fault(seat, "exception", reason[:500])
        self._withdraw(process, table)

    def _withdraw(self, process: BotProcess, table: Table) -> None:
        """Go on with a match without waiting for the process."""
        for head, (asked, _) in list(process.asked.items()):
            if asked is table:
                del process.asked[head]
                if table.awaited:
                    table.awaited -= 1
                    self._end_if_over(table)
                else:
                    self._advance(table)

    def _blame(self, process: BotProcess, offence: OffenceError) -> None:
        """Give the only match of a process its fault, or find out which match it was.

        Between matches a process may do what it likes; it is then not used any more.
        """
        tables = [table for table in self._tables.values() if process in table.processes]
        only = tables[0].match.spec.id if len(tables) == 1 else None
        process.reproach(offence.reason, only)
        if tables and len(process.seeds) > 1:
            raise SuspicionError
        ((name, number),) = (place for place, one in self._processes.items() if one is process)
        del self._processes[name, number]
        process.close()
        if not process.ready:
            self._broken[name] = offence.kind, offence.reason
        for table in tables:
            table.match.fault(table.processes.index(process), offence.kind, offence.reason)
            self._withdraw(process, table)


def start_line(course: Match, seat: int) -> bytes:
    """What the bot in a seat is told before the match."""
    start = course.start(seat)
    return wire.write(
        protocol.Start(
            match=start.match,
            game=start.game,
            options=start.options.model_dump(mode="json"),
            seat=start.seat,
            players=start.players,
            seed=start.seed,
            move_time=start.move_time,
        )
    )


def finish_line(course: Match, told: Finish) -> bytes:
    """What the bots are told at the end."""
    return wire.write(
        protocol.ArenaFinish(
            match=course.spec.id,
            scores=list(told.scores),
            ranks=list(told.ranks),
            faults=list(told.faults),
        )
    )


def unwanted(message: Any) -> OffenceError:
    """The offence of a message that answers nothing."""
    if isinstance(message, BotError):
        return OffenceError("exception", f"gave up: {message.message}"[:500])
    return OffenceError("wrong answer", "said hello twice")
