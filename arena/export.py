"""The matches of a tournament for other programs."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from arena.errors import ArenaError
from arena.match import Record
from arena.protocol import adapter
from arena.store import Store

CHUNK = 10_000
"""Rows of a parquet file that are written at once."""


def seats(store: Store) -> Iterator[dict[str, Any]]:
    """A row for each seat of each match."""
    digests = {entry.name: entry.digest for entry in store.specification.entries}
    for _, record in store.records():
        faults = {fault.seat: f"{fault.kind}: {fault.reason}" for fault in record.faults}
        for seat, name in enumerate(record.spec.entries):
            yield {
                "match": record.spec.id,
                "block": int(record.spec.id.partition("-")[0][1:]),
                "seed": record.spec.seed,
                "seat": seat,
                "bot": name,
                "digest": digests[name],
                "score": record.scores[seat],
                "rank": record.ranks[seat],
                "fault": faults.get(seat),
                "seconds": record.times[seat],
            }


def to_text(store: Store, form: str, file: IO[str]) -> None:
    """Write CSV, or JSON Lines with a whole record in each."""
    if form == "jsonl":
        records = adapter(Record)
        for _, record in store.records():
            file.write(json.dumps(records.dump_python(record, mode="json")) + "\n")
        return
    rows = seats(store)
    first = next(rows, None)
    if first is not None:
        writer = csv.DictWriter(file, first.keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(itertools.chain([first], rows))


def to_parquet(store: Store, path: Path) -> None:
    """Write the seats as a parquet file."""
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise ArenaError(
            "parquet needs the package pyarrow: pip install 'tabletop-arena[parquet]'"
        ) from None
    text, number = arrow.string(), arrow.int64()
    schema = arrow.schema(
        {
            "match": text,
            "block": number,
            "seed": number,
            "seat": arrow.int8(),
            "bot": text,
            "digest": text,
            "score": number,
            "rank": arrow.int8(),
            "fault": text,
            "seconds": arrow.float32(),
        }
    )
    rows = seats(store)
    with parquet.ParquetWriter(path, schema) as writer:
        while chunk := list(itertools.islice(rows, CHUNK)):
            writer.write_table(arrow.Table.from_pylist(chunk, schema))
