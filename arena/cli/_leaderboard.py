"""Leaderboards of one or several tournaments as text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from arena.cli._common import F
from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.rating import Outcomes, Ratings
    from arena.store import Store

Anchor = tuple[str, float]
"""A bot, and the rating it is given."""
RATINGS = ("elo", "sequential", "openskill")


@dataclass(frozen=True)
class Reading:
    """How to read the records of tournaments."""

    rating: str = "elo"
    anchor: Anchor | None = None
    confidence: float = 0.95
    ties: bool = False
    cross: bool = False
    seats: bool = False
    likelihoods: bool = False


def anchor_option(command: F) -> F:
    """`--anchor`."""
    return click.option(
        "--anchor",
        metavar="BOT=ELO",
        callback=lambda ctx, parameter, text: _read_anchor(text),
        help="Fix one rating: intervals are then those of the difference to it.  "
        "[default: the mean is 1500]",
    )(command)


def _read_anchor(text: str | None) -> Anchor | None:
    if text is None:
        return None
    name, _, elo = text.rpartition("=")
    try:
        return name, float(elo)
    except ValueError:
        raise ArenaError(f"cannot read the anchor {text!r}; write BOT=ELO") from None


def formatted(stores: Sequence[Store], form: str, reading: Reading | None = None) -> str:
    """The leaderboard, and what else the reading asks for."""
    from arena import report

    reading = reading or Reading()
    outcomes, digests = gather(stores)
    ratings = _rate(outcomes, reading)
    rows = report.standings(outcomes, ratings, digests, reading.confidence, reading.ties)
    parts = {"leaderboard": report.leaderboard(rows, ratings.scale)}
    if reading.likelihoods:
        parts["likelihoods"] = report.likelihoods(ratings)
    if reading.cross:
        parts["cross"] = report.cross_table(outcomes, ratings)
    if reading.seats:
        parts["seats"] = report.seat_advantage(outcomes, reading.confidence)
    gap = report.gaps(ratings)
    if form == "json":
        document = {
            "game": stores[0].specification.game,
            "matches": sum(map(len, outcomes)),
            "tournament": [str(store.folder) for store in stores],
            "rating": reading.rating,
            "confidence": reading.confidence,
            "groups": gap,
        }
        if len(stores) == 1:
            document["tournament"] = str(stores[0].folder)
        document |= {name: part.records for name, part in parts.items()}
        return json.dumps(document, indent=2, ensure_ascii=False)
    texts = [part.render(form) for part in parts.values()]
    if gap and form != "csv":
        texts.append(gap)
    return "\n\n".join(texts)


def gather(stores: Sequence[Store]) -> tuple[list[Outcomes], dict[str, str]]:
    """The outcomes of tournaments that can be rated together, and the digest of each entry.

    Results belong to the digest: entries of one name but different sources are told apart.
    """
    from dataclasses import replace

    first = stores[0].specification
    for store in stores[1:]:
        other = store.specification
        if (other.game, other.rules) != (first.game, first.rules):
            raise ArenaError(
                f"{stores[0].folder} is {first.game} under rules {first.rules} and {store.folder} "
                f"is {other.game} under rules {other.rules}: they cannot be rated together"
            )
    digests: dict[str, str] = {}
    outcomes = []
    for store in stores:
        names = {}
        for entry in store.specification.entries:
            known = digests.get(entry.name, entry.digest)
            name = entry.name if known == entry.digest else f"{entry.name}@{entry.digest[:6]}"
            digests[name] = entry.digest
            names[entry.name] = name
        found = store.outcomes()
        outcomes.append(replace(found, names=tuple(names[name] for name in found.names)))
    return outcomes, digests


def _rate(outcomes: Sequence[Outcomes], reading: Reading) -> Ratings:
    if reading.rating == "elo":
        from arena.rating import rate

        return rate(outcomes, reading.anchor)
    from arena import readings

    if reading.rating == "sequential":
        return readings.sequential(outcomes, reading.anchor)
    if reading.anchor is not None:
        raise ArenaError("openskill has a scale of its own, and no anchor")
    return readings.openskill(outcomes)
