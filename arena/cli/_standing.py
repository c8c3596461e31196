"""The standing of a tournament, until the ratings take its place."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.store import Store

FORMATS = ("table", "json", "csv", "markdown")


def standing(store: Store) -> list[dict[str, Any]]:
    """The entries, the best mean rank first."""
    import numpy as np

    columns = store.outcomes()
    names = store.schedule.names
    seats = columns.entries.ravel()
    matches = np.bincount(seats, minlength=len(names))

    def total(weights: Any) -> Any:
        return np.bincount(seats, weights=weights.ravel(), minlength=len(names))

    ranks, wins = total(columns.ranks), total(columns.ranks == 1)
    faults = total(columns.faults)
    digests = {entry.name: entry.digest for entry in store.specification.entries}
    rows = [
        {
            "bot": name,
            "digest": digests[name],
            "matches": int(matches[index]),
            "wins": int(wins[index]),
            "mean_rank": float(ranks[index] / matches[index]) if matches[index] else None,
            "faults": int(faults[index]),
        }
        for index, name in enumerate(names)
    ]
    rows.sort(key=lambda row: (row["mean_rank"] is None, row["mean_rank"], row["bot"]))
    return [{"rank": place} | row for place, row in enumerate(rows, start=1)]


def formatted(store: Store, form: str) -> str:
    """The standing as text."""
    from tabulate import tabulate

    rows = standing(store)
    if form == "json":
        document = {
            "game": store.specification.game,
            "matches": len(store),
            "tournament": str(store.folder),
            "leaderboard": rows,
        }
        return json.dumps(document, indent=2, ensure_ascii=False)
    if form == "csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue().rstrip("\n")
    shown = [{key: row[key] for key in row if key != "digest"} for row in rows]
    style = "github" if form == "markdown" else "simple"
    return tabulate(shown, headers="keys", tablefmt=style, floatfmt=".3f")
