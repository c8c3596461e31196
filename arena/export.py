"""Matches in the formats of other programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain, islice
from pathlib import Path
from typing import Any

from arena.errors import ArenaError
from arena.match import Record
from arena.store import Store

CHUNK = 10_000
"""Matches in memory at once."""


def json_lines(store: Store) -> Iterator[str]:
    """Each record whole, as one JSON document per line."""
    for _, record in store.records():
        yield json.dumps(document(record), ensure_ascii=False)


def document(record: Record) -> dict[str, Any]:
    """A record as JSON values."""
    told = asdict(record)
    spec: dict[str, Any] = told.pop("spec")
    return spec | {"options": dict(spec["options"])} | told


def csv_lines(store: Store) -> Iterator[str]:
    """One line per match and seat, after a header."""
    for number, row in enumerate(_rows(store)):
        if number == 0:
            yield _line(list(row))
        yield _line(list(row.values()))


def _line(values: list[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(values)
    return text.getvalue()


def _rows(store: Store) -> Iterator[dict[str, Any]]:
    rotations = store.schedule.rotations
    for number, record in store.records():
        faults = {fault.seat: fault for fault in record.faults}
        for seat, name in enumerate(record.spec.entries):
            fault = faults.get(seat)
            yield {
                "match": record.spec.id,
                "block": number // rotations,
                "seed": record.spec.seed,
                "seat": seat,
                "bot": name,
                "score": record.scores[seat],
                "rank": record.ranks[seat],
                "fault": fault.kind if fault else None,
                "reason": fault.reason if fault else None,
                "seconds": round(record.times[seat], 6),
                "actions": len(record.actions),
            }


def write_parquet(store: Store, path: Path) -> None:
    """The rows of the CSV as a Parquet file, some at a time."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ArenaError(
            f"parquet needs a working pyarrow ({error}): pip install 'tabletop-arena[parquet]'"
        ) from None
    whole, text = pa.int64(), pa.string()
    kinds = [text, whole, whole, whole, text, whole, whole, text, text, pa.float64(), whole]
    rows = _rows(store)
    if (first := next(rows, None)) is None:
        raise ArenaError(f"{store.folder} has no matches to export")
    schema = pa.schema(list(zip(first, kinds, strict=True)))
    rows = chain([first], rows)
    with pq.ParquetWriter(path, schema) as writer:
        while part := list(islice(rows, CHUNK)):
            writer.write_table(pa.Table.from_pylist(part, schema=schema))
