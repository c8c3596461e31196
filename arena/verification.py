"""Checking a stored tournament against its schedule and the rules, without its bots."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterator
from dataclasses import replace

from arena.match import ReplayError, replay
from arena.store import Store


def verify(store: Store) -> Iterator[str]:
    """A sentence for everything that is wrong; none when all is as it was planned and played."""
    schedule = store.schedule
    ended = store.ended
    expected = 0
    try:
        for number, record in store.records():
            if number >= (len(schedule) if ended is None else ended):
                yield f"match {record.spec.id}: it is not in the schedule"
                continue
            yield from _missing(store, expected, number)
            expected = number + 1
            planned = schedule[number]
            if record.spec != planned:
                fields = ("id", "entries", "seed", "game", "options", "move_time")
                wrong = [
                    key for key in fields if getattr(record.spec, key) != getattr(planned, key)
                ]
                yield f"match {planned.id}: {' and '.join(wrong)} differ from the schedule"
                record = replace(record, spec=planned)
            try:
                replay(record)
            except ReplayError as error:
                yield f"match {planned.id}: {error}"
    except (sqlite3.DatabaseError, struct.error, ValueError, LookupError, TypeError) as error:
        yield f"the matches after number {expected - 1} cannot be read: {error}"
        return
    yield from _missing(store, expected, len(schedule) if ended is None else ended)


def _missing(store: Store, begin: int, end: int) -> Iterator[str]:
    for number in range(begin, end):
        yield f"match {store.schedule[number].id}: it is missing"
