"""Whether a bot is right, found out step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

from arena import games, greeting, host
from arena.conversation import OPPONENT, Conversation, Task
from arena.loading import Entry
from arena.match import Record, Spec
from arena.process import OffenceError
from arena.protocol import BotError
from arena.sandbox import Level
from arena.seeds import derive
from arena.variants import variants

MATCHES = 4
"""Matches of each variant."""

Verdict = Literal["Passed", "Failed", "Skipped"]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the check, how it ended, and what was seen or why it failed."""

    number: int
    title: str
    verdict: Verdict
    reason: str


def plan(game: str, matches: int, move_time: float) -> Iterator[Task]:
    """Matches of every variant and number of players, the bot in one seat after the other."""
    for number, (players, options) in enumerate(variants(game)):
        for each in range(matches):
            seat = each % players
            entries = tuple("bot" if i == seat else OPPONENT for i in range(players))
            name = f"check-{number}-{each}"
            seed = derive("check", game, number, each)
            yield Task(Spec(name, game, options, entries, seed, move_time), seat)


def games_of(entry: Entry, level: Level) -> Sequence[str]:
    """The games that a bot says it plays."""
    if entry.source.manifest is not None:
        return entry.source.manifest.games or games.names()
    return greeting.greet(entry, level).games or games.names()


class Check:
    """A bot under test in one game; `output` is what it wrote to standard error when it failed."""

    def __init__(
        self, entry: Entry, game: str, level: Level, move_time: float, matches: int = MATCHES
    ) -> None:
        self.entry = entry
        self.game = game
        self.level = level
        self.move_time = move_time
        self.matches = matches
        self.output = ""
        self._tasks = list(plan(game, matches, move_time))
        self._records: list[Record] = []
        self._talks: list[Conversation] = []
        self._processes = ExitStack()
        self._hello: Any = None

    def run(self) -> Iterator[Step]:
        """Each step as it ends; after one that failed the others are skipped."""
        failed = reason = ""
        with self._processes:
            for number, (title, take) in enumerate(STEPS.items(), start=1):
                if not failed:
                    try:
                        seen = take(self)
                    except OffenceError as offence:
                        failed, reason = title, offence.reason
                        if offence.kind == "time-out" and title in (PLAYS, REPEATS):
                            failed = KEEPS_TIME
                        self._talks[-1].reproach(offence.reason)
                        self.output = self._talks[-1].output()
                    else:
                        yield Step(number, title, "Passed", seen)
                        continue
                if title == failed:
                    yield Step(number, title, "Failed", reason)
                else:
                    yield Step(number, title, "Skipped", "")

    def _open(self, unknown_fields: bool = False) -> Conversation:
        """A new process of the bot."""
        talk = Conversation(self.entry, self.level, self.move_time, unknown_fields)
        self._talks.append(self._processes.enter_context(talk))
        self._hello = talk.greet()
        return talk

    def _loads(self) -> str:
        self._open()
        if isinstance(self._hello, BotError):
            raise host.unwanted(self._hello)
        return {"none": "", "process": "in a process", "sandbox": "in the sandbox"}[self.level]

    def _says_hello(self) -> str:
        greeting.welcome(self._hello)
        if why := greeting.why_not(self.game, greeting.declared(self.entry, self._hello)):
            raise OffenceError("wrong answer", why)
        return f"as {self._hello.name}, playing {', '.join(self._hello.games) or 'any game'}"

    def _plays(self) -> str:
        for task in self._tasks:
            try:
                self._records += self._talks[0].play([task])
            except OffenceError as offence:
                raise self._located(offence.kind, offence.reason, task) from None
        return f"{len(self._tasks)} matches in {len(list(variants(self.game)))} variants"

    def _repeats(self) -> str:
        talk = self._open()
        for task, record in reversed(list(zip(self._tasks, self._records, strict=True))):
            (again,) = talk.play([task])
            self._compare(task, record, again)
        return "in another process and another order"

    def _keeps_time(self) -> str:
        slowest = max(talk.slowest for talk in self._talks)
        return f"slowest answer {1000 * slowest:.0f} ms, allowed {1000 * self.move_time:.0f} ms"

    def _plays_several(self) -> str:
        records = self._talks[-1].play(self._tasks)
        for task, record, again in zip(self._tasks, self._records, records, strict=True):
            self._compare(task, record, again)
        return f"{len(self._tasks)} matches at once, played like one by one"

    def _ignores_unknown(self) -> str:
        if self.entry.source.manifest is None:
            return "the arena reads the messages for a Python class"
        talk = self._open(unknown_fields=True)
        one_of_each = slice(None, None, self.matches)
        tasks, records = self._tasks[one_of_each], self._records[one_of_each]
        for task, record in zip(tasks, records, strict=True):
            (again,) = talk.play([task])
            self._compare(task, record, again)
        return "in messages, views and events"

    def _ends(self) -> str:
        for talk in self._talks:
            talk.end()
        return f"{len(self._talks)} processes ended after bye"

    def _compare(self, task: Task, record: Record, again: Record) -> None:
        """Two plays of one match must be the same."""
        pairs = zip_longest(record.actions, again.actions)
        for number, (one, two) in enumerate(pairs):
            if one != two:
                reason = f"plays the same match in another way from action {number} on"
                raise self._located("wrong answer", reason, task)

    def _located(self, kind: Any, reason: str, task: Task) -> OffenceError:
        return OffenceError(kind, f"{reason}\nin: {task.command(self.entry.source.path)}")


STEPS: Mapping[str, Callable[[Check], str]] = {
    "loads": Check._loads,
    "says hello": Check._says_hello,
    "plays legal actions": Check._plays,
    "repeats a match": Check._repeats,
    "keeps its time": Check._keeps_time,
    "plays several matches at once": Check._plays_several,
    "ignores unknown fields": Check._ignores_unknown,
    "ends and leaves no process behind": Check._ends,
}
PLAYS, REPEATS, KEEPS_TIME = list(STEPS)[2:5]
