"""The folder of a tournament: what was planned, the bots that play, and every match played.

`tournament.json` is written before the first match and never again; `bots/` holds the sources by
digest; `matches.sqlite` is the single source of truth about what was played. It has a rollback
journal, so a finished tournament is one plain file that can be read from a read-only disk, and
one process can read while another writes. Killed at any moment, a transaction is there or not.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from struct import Struct
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from arena import games
from arena.errors import ArenaError
from arena.loading import Entry
from arena.match import Fault, Record, Spec
from arena.rating import Outcomes
from arena.schedule import Schedule
from arena.specification import Entered, Specification

SPECIFICATION = "tournament.json"
MATCHES = "matches.sqlite"
BOTS = "bots"
LOCK = "lock"

APPLICATION = int.from_bytes(b"arna", "big")
"""How SQLite tells our files from other programs'."""
VERSION = 1
SCHEMA = """
CREATE TABLE matches (
    number INTEGER PRIMARY KEY,  -- in the schedule
    id TEXT NOT NULL UNIQUE,
    seed INTEGER NOT NULL,
    entries BLOB NOT NULL,       -- by seat: int16, index of the entry
    actions BLOB NOT NULL,       -- in order: uint8 (uint16 in games with more than 256 actions)
    scores BLOB NOT NULL,        -- by seat: int64
    ranks BLOB NOT NULL,         -- by seat: int8
    faults TEXT,                 -- a JSON list, or NULL
    times BLOB NOT NULL          -- by seat: float32, seconds
) STRICT;
CREATE TABLE ended (matches INTEGER NOT NULL) STRICT;
"""
COLUMNS = "number, id, seed, entries, actions, scores, ranks, faults, times"


class Store:
    """One tournament on disk."""

    def __init__(
        self, folder: Path, specification: Specification, schedule: Schedule, *, write: bool
    ) -> None:
        self.folder = folder
        self.specification = specification
        self.schedule = schedule
        self._lock = _locked(folder) if write else None
        self._database = _connect(folder / MATCHES, write)
        seats = specification.players
        self._index = {name: index for index, name in enumerate(self.schedule.names)}
        self._int16 = Struct(f"<{seats}h")
        self._int64 = Struct(f"<{seats}q")
        self._float32 = Struct(f"<{seats}f")
        small = len(games.load(specification.game).actions) <= 256
        self._action_code = "B" if small else "H"

    # The folder

    @classmethod
    def create(cls, folder: Path, specification: Specification, entries: Iterable[Entry]) -> Self:
        """A new tournament in an empty folder."""
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ArenaError(
                f"{folder} is not empty; choose another folder with --out, "
                f"or go on with the tournament in it: --resume {folder}"
            )
        schedule = specification.schedule()
        try:
            for entry in entries:
                for name, content in entry.source.files:
                    path = folder / BOTS / entry.source.digest / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
            draft = folder / f"{SPECIFICATION}.draft"
            draft.write_text(specification.model_dump_json(indent=2) + "\n", encoding="utf-8")
            draft.rename(folder / SPECIFICATION)
        except OSError as error:
            raise ArenaError(f"cannot write to {folder}: {error.strerror}") from None
        return cls(folder, specification, schedule, write=True)

    @classmethod
    def open(cls, folder: Path, *, write: bool = False) -> Self:
        """The tournament in a folder."""
        specification = _read_specification(folder)
        return cls(folder, specification, specification.schedule(), write=write)

    def entries(self) -> Mapping[str, Entry]:
        """The entries by name, with the sources they had when the tournament began."""
        return {entered.name: self._entry(entered) for entered in self.specification.entries}

    def _entry(self, entered: Entered) -> Entry:
        bot = self.folder / BOTS / entered.digest
        try:
            return entered.restore({name: (bot / name).read_bytes() for name in entered.files})
        except OSError:
            raise ArenaError(f"{bot}, the source of {entered.name}, is missing") from None

    def close(self) -> None:
        """Let go of the files."""
        self._database.close()
        if self._lock is not None:
            os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Writing

    def add(self, records: Iterable[Record]) -> None:
        """Keep records, all of them or none; one that is there already stays as it is."""
        rows = list(map(self._row, records))
        marks = ", ".join("?" * (COLUMNS.count(",") + 1))
        with self._writing() as database:
            database.executemany(f"INSERT OR IGNORE INTO matches VALUES ({marks})", rows)

    def end(self, matches: int) -> None:
        """Note that the tournament is over after so many matches of its schedule."""
        with self._writing() as database:
            database.execute("DELETE FROM ended")
            database.execute("INSERT INTO ended VALUES (?)", (matches,))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._database:
                yield self._database
        except sqlite3.OperationalError as error:
            raise ArenaError(
                f"cannot write to {self.folder}: {error}; the {len(self)} matches in it are safe, "
                f"go on when there is room: arena tournament --resume {self.folder}"
            ) from None

    def _row(self, record: Record) -> tuple[Any, ...]:
        spec = record.spec
        index = self._index
        faults = json.dumps([asdict(fault) for fault in record.faults]) if record.faults else None
        return (
            self.schedule.number(spec.id),
            spec.id,
            spec.seed,
            self._int16.pack(*[index[name] for name in spec.entries]),
            array(self._action_code, record.actions).tobytes(),
            self._int64.pack(*record.scores),
            bytes(record.ranks),
            faults,
            self._float32.pack(*record.times),
        )

    # Reading

    def __len__(self) -> int:
        ((count,),) = self._database.execute("SELECT count(*) FROM matches")
        return int(count)

    @property
    def ended(self) -> int | None:
        """After how many matches of its schedule the tournament is over; None when it is not."""
        row = self._database.execute("SELECT matches FROM ended").fetchone()
        return None if row is None else int(row[0])

    def missing(self) -> NDArray[np.int64]:
        """The numbers of the matches still to be played."""
        rows = self._database.execute("SELECT number FROM matches")
        stored = np.fromiter((number for (number,) in rows), dtype=np.int64)
        return np.setdiff1d(np.arange(len(self.schedule)), stored, assume_unique=True)

    def record(self, match: str) -> Record | None:
        """One match by its id."""
        row = self._database.execute(
            f"SELECT {COLUMNS} FROM matches WHERE id = ?", (match,)
        ).fetchone()
        return None if row is None else self._record(row)

    def records(self) -> Iterator[tuple[int, Record]]:
        """All matches with their numbers, in the order of the schedule."""
        for row in self._database.execute(f"SELECT {COLUMNS} FROM matches ORDER BY number"):
            yield row[0], self._record(row)

    def _record(self, row: tuple[Any, ...]) -> Record:
        _, match, seed, entries, actions, scores, ranks, faults, times = row
        told = self.specification
        names = self.schedule.names
        return Record(
            Spec(
                match,
                told.game,
                self.schedule.options,
                tuple(names[index] for index in self._int16.unpack(entries)),
                seed,
                told.move_time,
            ),
            told.rules,
            tuple(array(self._action_code, actions)),
            self._int64.unpack(scores),
            tuple(ranks),
            tuple(Fault(**fault) for fault in json.loads(faults or "[]")),
            self._float32.unpack(times),
        )

    def outcomes(self) -> Outcomes:
        """What ratings are made of: all matches at once, in the order of the schedule."""
        rows = self._database.execute(
            "SELECT number, entries, ranks, scores, faults FROM matches ORDER BY number"
        ).fetchall()
        numbers, entries, ranks, scores, faults = zip(*rows, strict=True) if rows else [()] * 5
        shape = (len(rows), self.specification.players)
        faulty = np.zeros(shape, dtype=np.bool_)
        for line, told in enumerate(faults):
            if told is not None:
                faulty[line, [fault["seat"] for fault in json.loads(told)]] = True
        return Outcomes(
            self.schedule.names,
            np.frombuffer(b"".join(entries), dtype="<i2").reshape(shape).astype(np.int32),
            np.frombuffer(b"".join(ranks), dtype=np.int8).reshape(shape),
            np.frombuffer(b"".join(scores), dtype="<i8").reshape(shape),
            faulty,
            np.array(numbers, dtype=np.int64) // self.schedule.rotations,
            self.schedule.sides,
        )


def _read_specification(folder: Path) -> Specification:
    path = folder / SPECIFICATION
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        raise ArenaError(f"{folder} is not a tournament: it has no {SPECIFICATION}") from None
    try:
        return Specification.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or SPECIFICATION
        raise ArenaError(f"cannot read {path}: {where}: {first['msg']}") from None


def _locked(folder: Path) -> int:
    """A lock that ends with this process, however it ends."""
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise ArenaError(f"another run is writing to {folder}; wait for it or end it") from None
    return lock


def _connect(path: Path, write: bool) -> sqlite3.Connection:
    """The database, its version checked, made if it is to be written and not there."""
    if not write and not path.exists():
        raise ArenaError(f"there is no {path}: nothing has been played yet")
    uri = f"{path.absolute().as_uri()}?mode={'rwc' if write else 'rw'}"
    database = sqlite3.connect(uri, uri=True, timeout=60)
    try:
        (application,) = database.execute("PRAGMA application_id").fetchone()
        (version,) = database.execute("PRAGMA user_version").fetchone()
        (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if write and (application, version, tables) == (0, 0, 0):
            database.executescript(
                f"BEGIN; {SCHEMA} PRAGMA application_id = {APPLICATION};"
                f"PRAGMA user_version = {VERSION}; COMMIT;"
            )
        elif application != APPLICATION:
            raise ArenaError(f"{path} was not written by the arena")
        elif version > VERSION:
            raise ArenaError(
                f"{path} has format {version} and this arena reads up to {VERSION}: it is too old"
            )
        database.execute(f"PRAGMA query_only = {0 if write else 1}")
    except sqlite3.DatabaseError as error:
        database.close()
        raise ArenaError(f"cannot read {path}: {error}") from None
    except ArenaError:
        database.close()
        raise
    return database
