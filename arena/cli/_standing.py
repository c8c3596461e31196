"""The leaderboard of a tournament as text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.store import Store

FORMATS = ("table", "json", "csv", "markdown")


def formatted(store: Store, form: str) -> str:
    """The leaderboard in one of `FORMATS`; JSON says also what was played."""
    from arena.rating import rate
    from arena.report import leaderboard, standings

    outcomes = [store.outcomes()]
    digests = {entry.name: entry.digest for entry in store.specification.entries}
    report = leaderboard(standings(outcomes, rate(outcomes), digests))
    if form != "json":
        return report.render(form)
    document = {
        "game": store.specification.game,
        "matches": len(store),
        "tournament": str(store.folder),
        "leaderboard": report.records,
    }
    return json.dumps(document, indent=2, ensure_ascii=False)
