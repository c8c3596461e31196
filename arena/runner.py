"""Plays protocol v1 for a bot that is a Python class: the main program of an isolated bot.

The bot's own input is empty, and what it prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena import games, loading, protocol, wire
from arena.bot import Bot, Finish, Start
from arena.errors import ArenaError
from arena.loading import Entry, Source
from arena.match import describe, foreign
from arena.protocol import ArenaFinish, ArenaHello, BotError, BotHello

ANSWERS_AT_ONCE = 32
LONGEST_WAIT = 0.005
"""Seconds for which an answer may wait for others, to be sent with them."""


def main() -> None:
    """Host the bot that the first argument describes until the arena says bye."""
    source, target = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    Runner(json.loads(sys.argv[1]), source, target).run()


class Runner:
    """One bot, in as many matches at once as the arena likes."""

    def __init__(self, order: dict[str, Any], source: int, target: int) -> None:
        files = tuple((name, Path(name).read_bytes()) for name in order["files"])
        params = tuple((key, value) for key, value in order["params"])
        self._entry = Entry(
            order["name"],
            Source(order["name"], order["path"], files, module=order["module"]),
            order["class_name"],
            params,
        )
        self._source, self._target = source, target
        self._seats: dict[bytes, Seat] = {}
        self._answers: list[bytes] = []
        self._sent = time.monotonic()

    def run(self) -> None:
        rest = b""
        while data := os.read(self._source, wire.AT_ONCE):
            lines = (rest + data).split(b"\n")
            rest = lines.pop()
            for line in lines:
                answer = self._hear(line)
                if answer is not None:
                    self._answers.append(answer)
                    if (
                        len(self._answers) == ANSWERS_AT_ONCE
                        or time.monotonic() - self._sent > LONGEST_WAIT
                    ):
                        self._send()
            self._send()

    def _send(self) -> None:
        left = b"".join(self._answers)
        self._answers.clear()
        while left:
            left = left[os.write(self._target, left) :]
        self._sent = time.monotonic()

    def _hear(self, line: bytes) -> bytes | None:
        """The answer to a line, None when there is none."""
        head, separator, tail = line.partition(wire.VIEW)
        if separator and head.startswith(wire.DECIDE):
            match, _, _ = head[len(wire.DECIDE) :].rpartition(b',"number":')
            seat = self._seats.get(match)
            return None if seat is None else self._guarded(match, "act", seat.act, head, tail[:-1])
        message = protocol.adapter(protocol.ArenaMessage).validate_json(line)
        if isinstance(message, ArenaHello):
            return self._greet(message)
        if isinstance(message, protocol.Start):
            match = wire.match_part(message.match)
            return self._guarded(match, "__init__", self._make, match, message) or self._guarded(
                match, "start", self._seats[match].begin
            )
        if isinstance(message, ArenaFinish):
            match = wire.match_part(message.match)
            seat = self._seats.pop(match, None)
            return None if seat is None else self._guarded(match, "finish", seat.finish, message)
        if isinstance(message, protocol.ArenaBye):
            self._send()
            sys.exit(0)
        return None

    def _guarded(self, match: bytes, where: str, call: Any, *given: Any) -> bytes | None:
        try:
            answer: bytes | None = call(*given)
        except BaseException as error:
            self._seats.pop(match, None)
            with suppress(Exception):
                # The bot may have closed it, or the error may be one that cannot be shown.
                text = loading.traced(error, self._entry.source) + "\n"
                os.write(2, text.encode(errors="backslashreplace"))
            name = json.loads(match.removeprefix(b',"match":'))
            return wire.write(BotError(match=name, message=describe(where, error)))
        return answer

    def _greet(self, hello: ArenaHello) -> bytes:
        if hello.protocol.partition(".")[0] != protocol.VERSION.partition(".")[0]:
            text = f"this bot speaks protocol {protocol.VERSION}, not {hello.protocol}"
            return wire.write(BotError(message=text))
        if self._entry.source.module:
            sys.path.insert(0, str(Path.cwd()))
        try:
            bot_type, _ = loading.recipe(self._entry)
        except ArenaError as error:
            print(error, file=sys.stderr)
            cause = error.__cause__
            return wire.write(BotError(message=describe("loading", cause) if cause else str(error)))
        name = self._entry.name
        return wire.write(
            BotHello(protocol=protocol.VERSION, name=name, games=list(bot_type.games))
        )

    def _make(self, match: bytes, told: protocol.Start) -> None:
        self._seats[match] = Seat(loading.make(self._entry), match, told)


class Seat:
    """A bot in one match."""

    def __init__(self, bot: Bot, match: bytes, told: protocol.Start) -> None:
        self._bot = bot
        self._match = match
        self._game = games.load(told.game)
        self._read = wire.view_reader(told.game)
        self._texts = wire.actions(told.game).texts
        options = self._game.options_type.model_validate(told.options)
        self._start = Start(
            told.match, told.game, options, told.seat, told.players, told.seed, told.move_time
        )

    def begin(self) -> None:
        """Tell the bot that the match begins."""
        self._bot.seed = self._start.seed
        self._bot.start(self._start)

    def act(self, head: bytes, text: bytes) -> bytes:
        """The bot's answer to a decision."""
        view = self._read(text)
        legal = view.legal
        action = self._bot.act(view)
        begin = wire.action_head(head[len(wire.DECIDE) :]) + wire.ACTION
        for shown in legal:
            if shown is action:
                return b"%b%b}\n" % (begin, self._texts[shown.index])
        table = self._game.actions
        if action in table:
            return b"%b%b}\n" % (begin, self._texts[table.index(action)])
        return b"%b%b}\n" % (begin, repr(foreign(self._game, action)).encode())

    def finish(self, told: ArenaFinish) -> bytes:
        """The bot's acknowledgement of the end."""
        self._bot.finish(Finish(tuple(told.scores), tuple(told.ranks), tuple(told.faults)))
        return wire.finished(self._match) + b"\n"
