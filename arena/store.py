"""Where a tournament is kept: one folder, whose matches are the single source of truth.

`tournament.json` is the specification, enough to run the tournament again; `bots/` holds the
sources of the bots that did not come with the arena; `matches.sqlite` has one row per match. Rows
are written in batches of whole blocks, a batch in one transaction, so a killed run leaves whole
blocks; a repeated insert changes nothing.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from arena.errors import ArenaError
from arena.loading import Entry, Source, find
from arena.match import Fault, Record, Spec
from arena.rating import Outcomes

FORMAT = 1
"""Version of the folder's layout; a newer one is refused."""

SCHEMA = """
CREATE TABLE matches (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    block INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    entries BLOB NOT NULL,
    actions BLOB NOT NULL,
    scores BLOB NOT NULL,
    ranks BLOB NOT NULL,
    faulty BLOB NOT NULL,
    faults TEXT,
    times BLOB NOT NULL
);
"""
APPLICATION = 0x41524E41
"""Marks the file as ours: "ARNA"."""


Row = tuple[int, str, int, int, bytes, bytes, bytes, bytes, bytes, str | None, bytes]


def pack(record: Record, number: int, block: int, entries: Sequence[int]) -> Row:
    """A record as it is stored; `entries` are the numbers of the entries by seat."""
    faulty = bytearray(len(record.ranks))
    for fault in record.faults:
        faulty[fault.seat] = 1
    return (
        number,
        record.spec.id,
        block,
        record.spec.seed,
        array("h", entries).tobytes(),
        array("H", record.actions).tobytes(),
        array("q", record.scores).tobytes(),
        bytes(record.ranks),
        bytes(faulty),
        json.dumps([asdict(fault) for fault in record.faults]) if record.faults else None,
        array("f", record.times).tobytes(),
    )


class EntryLine(BaseModel):
    """An entry as the specification names it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    bot: str
    """What the user named, without the entry's name."""
    digest: str


class Specification(BaseModel):
    """All that a tournament follows from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: int = FORMAT
    arena: str
    protocol: str
    game: str
    rules: int
    options: dict[str, Any]
    players: int
    matches: int
    """How many matches were wished for; the schedule has at least as many."""
    seed: int
    move_time: float | None = None
    isolation: str = "auto"
    gauntlet: str | None = None
    entries: tuple[EntryLine, ...]


class Store:
    """The folder of one tournament, open for reading, or for writing by one run at a time."""

    def __init__(self, folder: Path, specification: Specification, writing: bool) -> None:
        self.folder = folder
        self.specification = specification
        self._lock = _lock(folder) if writing else None
        self._db = _open_database(folder / "matches.sqlite", writing, specification)

    @classmethod
    def create(
        cls, folder: Path, specification: Specification, sources: Iterable[Source] = ()
    ) -> Self:
        """A new tournament; its folder must not exist or be empty."""
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ArenaError(f"{folder} exists already; name another --out, or --resume {folder}")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for source in sources:
                _keep_source(folder / "bots" / source.digest, source)
            text = specification.model_dump_json(indent=2) + "\n"
            temporary = folder / "tournament.json.part"
            temporary.write_text(text, encoding="utf-8")
            temporary.rename(folder / "tournament.json")
        except OSError as error:
            raise ArenaError(f"cannot write to {folder}: {error.strerror}") from None
        return cls(folder, specification, writing=True)

    @classmethod
    def open(cls, folder: Path, writing: bool = False) -> Self:
        """A tournament that exists."""
        return cls(folder, read_specification(folder), writing)

    # Writing

    def add(self, rows: Iterable[Row]) -> None:
        """Keep matches of whole blocks, all or none; known ones change nothing."""
        try:
            with self._db:
                self._db.executemany(
                    "INSERT OR IGNORE INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows
                )
        except sqlite3.OperationalError as error:
            raise ArenaError(
                f"cannot write to {self.folder}: {error}; what is stored there is whole, "
                f"and the tournament goes on with --resume {self.folder}"
            ) from None

    # Reading

    def blocks(self) -> set[int]:
        """The numbers of the blocks that are stored."""
        return {block for (block,) in self._db.execute("SELECT DISTINCT block FROM matches")}

    def __len__(self) -> int:
        """How many matches are stored."""
        (count,) = self._db.execute("SELECT count(*) FROM matches").fetchone()
        return int(count)

    def records(self) -> Iterator[tuple[int, Record]]:
        """Every record with its place in the schedule, in that order."""
        for row in self._db.execute("SELECT * FROM matches ORDER BY number"):
            yield row[0], self._record(row)

    def record(self, match: str) -> Record:
        """The record of one match."""
        row = self._db.execute("SELECT * FROM matches WHERE id = ?", (match,)).fetchone()
        if row is None:
            first = self._db.execute("SELECT id FROM matches ORDER BY number").fetchone()
            example = f"; its first match is {first[0]}" if first else "; it has no matches yet"
            raise ArenaError(f"there is no match {match!r} in {self.folder}{example}")
        return self._record(row)

    def _record(self, row: tuple[Any, ...]) -> Record:
        _, match, _, seed, entries, actions, scores, ranks, _, faults, times = row
        given = self.specification
        names = [entry.name for entry in given.entries]
        spec = Spec(
            match,
            given.game,
            tuple(given.options.items()),
            tuple(names[entry] for entry in _numbers("h", entries)),
            seed,
            given.move_time,
        )
        return Record(
            spec,
            given.rules,
            _numbers("H", actions),
            _numbers("q", scores),
            tuple(ranks),
            tuple(Fault(**fault) for fault in json.loads(faults)) if faults else (),
            _numbers("f", times),
        )

    def outcomes(self, sides: tuple[int, ...]) -> Outcomes:
        """Who met whom and how it ended, as arrays."""
        query = "SELECT block, entries, ranks, scores, faulty FROM matches ORDER BY number"
        blocks, *columns = zip(*self._db.execute(query), strict=True) if len(self) else ((),) * 5
        kinds = (np.int16, np.int8, np.int64, np.bool_)
        entries, ranks, scores, faulty = (
            _matrix(column, kind, len(sides)) for column, kind in zip(columns, kinds, strict=True)
        )
        return Outcomes(
            names=tuple(entry.name for entry in self.specification.entries),
            entries=entries.astype(np.int32),
            ranks=ranks,
            scores=scores,
            faults=faulty,
            blocks=np.array(blocks, dtype=np.int64),
            sides=sides,
        )

    def entries(self) -> dict[str, Entry]:
        """The entries, found again where they were named, else among the kept sources.

        A bot whose source is no longer the one that played is an error that names it.
        """
        found = {}
        for line in self.specification.entries:
            kept = self.folder / "bots" / line.digest
            where, *rest = line.bot.split(":")
            if kept.is_dir():
                where = str(next(kept.iterdir()))
            entry = find(":".join([f"{line.name}={where}", *rest]))
            if entry.source.digest != line.digest:
                raise ArenaError(
                    f"the bot of {line.name} has changed since {self.folder} was begun "
                    f"(digest {line.digest}, now {entry.source.digest}); start a new tournament"
                )
            found[line.name] = entry
        return found

    # Closing

    def close(self) -> None:
        """Leave one plain database file behind, and let others write."""
        if self._lock is not None:
            # Where somebody is reading or the disk is full the journal stays, and is as good.
            with contextlib.suppress(sqlite3.OperationalError):
                self._db.execute("PRAGMA journal_mode=DELETE")
        self._db.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_specification(folder: Path) -> Specification:
    """The specification in a tournament's folder."""
    path = folder / "tournament.json"
    if not folder.is_dir():
        raise ArenaError(f"there is no folder {folder}")
    if not path.is_file():
        raise ArenaError(f"{folder} is not a tournament: it has no tournament.json")
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        version = document.get("format") if isinstance(document, dict) else None
        if isinstance(version, int) and version > FORMAT:
            raise ArenaError(f"{folder} was written by a newer arena (format {version})")
        return Specification.model_validate(document)
    except (ValueError, ValidationError) as error:
        reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise ArenaError(f"{path} is not the specification of a tournament: {reason}") from None


def _keep_source(folder: Path, source: Source) -> None:
    inner = folder / Path(source.path).name
    single = source.path.endswith(".py")
    for name, content in source.files:
        path = (folder if single else inner) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _lock(folder: Path) -> IO[str]:
    """Held by the one run that writes; the system lets go of it when that run ends, however."""
    file = (folder / "tournament.json").open("r+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise ArenaError(f"another run is writing to {folder}") from None
    return file


def _open_database(path: Path, writing: bool, given: Specification) -> sqlite3.Connection:
    if not writing and not path.is_file():
        raise ArenaError(f"{path.parent} has no matches yet: there is no {path.name}")
    try:
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={'rwc' if writing else 'ro'}", uri=True
        )
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not tables and writing:
            with db:
                db.execute(f"PRAGMA application_id={APPLICATION}")
                db.execute(f"PRAGMA user_version={FORMAT}")
                db.execute(SCHEMA)
        elif application != APPLICATION:
            raise ArenaError(f"{path} is not a store of matches")
        elif version > FORMAT:
            raise ArenaError(f"{path} was written by a newer arena (format {version})")
        if writing:
            # Safe against a kill at any moment, and readers never wait.
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=NORMAL")
    except sqlite3.DatabaseError as error:
        raise ArenaError(f"cannot open {path}: {error}") from None
    return db


def _numbers(kind: str, blob: bytes) -> tuple[Any, ...]:
    numbers = array(kind)
    numbers.frombytes(blob)
    return tuple(numbers)


def _matrix(column: Sequence[bytes], kind: type, seats: int) -> NDArray[Any]:
    return np.frombuffer(b"".join(column), dtype=kind).reshape(-1, seats)
