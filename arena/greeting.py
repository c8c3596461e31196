"""The first words of a bot: whether it starts, and what it says it plays."""

from __future__ import annotations

import selectors
from collections.abc import Iterable, Sequence
from typing import Any

from arena import protocol, wire
from arena.errors import ArenaError
from arena.loading import Entry
from arena.process import LOOK_EVERY, BotProcess, OffenceError
from arena.protocol import BotError, BotHello
from arena.sandbox import Level


def welcome(message: Any) -> None:
    """Check a bot's hello."""
    if isinstance(message, BotError):
        raise OffenceError("exception", f"did not start: {message.message}"[:500])
    if not isinstance(message, BotHello):
        raise OffenceError("wrong answer", f"sent {message.type!r} before it said hello")
    if message.protocol.partition(".")[0] != protocol.VERSION.partition(".")[0]:
        raise OffenceError(
            "wrong answer", f"speaks protocol {message.protocol}, not {protocol.VERSION}"
        )


def greet(entry: Entry, level: Level) -> BotHello:
    """Start a bot by itself and end it again; what it says when it starts, or why it does not."""
    with selectors.DefaultSelector() as selector:
        process = BotProcess(entry, level, selector)
        try:
            while True:
                lines: list[bytes] = []
                for key, _ in selector.select(LOOK_EVERY):
                    if key.data is process:
                        lines = process.read()
                    else:
                        key.data()
                if lines:
                    message = wire.read(lines[0])
                    if isinstance(message, BotError):
                        process.drain()
                        raise ArenaError(
                            process.output.decode(errors="replace").strip() or message.message
                        )
                    welcome(message)
                    assert isinstance(message, BotHello)
                    return message
                process.check(None)
        except (OffenceError, wire.MalformedError) as error:
            output = process.output.decode(errors="replace").strip()
            own = f"; it wrote:\n{output}" if output else ""
            raise ArenaError(f"{entry.source.path} does not start: {error}{own}") from None
        finally:
            process.close()


def declared(entry: Entry, hello: BotHello) -> list[Sequence[str]]:
    """The games that a bot says it plays, where it is found and when it starts; none means any."""
    manifest = entry.source.manifest
    return [manifest.games if manifest else (), hello.games]


def why_not(game: str, said: Iterable[Sequence[str]]) -> str | None:
    """Why a bot that says it plays these games does not play this one, None if it does."""
    for known in said:
        if known and game not in known:
            return f"does not play {game}; it plays {', '.join(known)}"
    return None
