"""Other ratings from the same matches, to compare with what people know."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from arena.errors import ArenaError, unknown
from arena.rating import MEAN, Outcomes, Ratings, by_side, connect, pool, tally


def sequential(
    outcomes: Sequence[Outcomes], anchor: tuple[str, float] | None = None, k_factor: float = 20.0
) -> Ratings:
    """Classical Elo in the order played, everybody beginning at 1500.

    A match is all its pairs at once, each with the K-factor divided by the number of opponents.
    There is no interval; the anchor only shifts.
    """
    pooled = pool(outcomes)
    names = pooled[0].names
    elo = [MEAN] * len(names)
    for entries, ranks in matches(pooled):
        step = k_factor / (len(entries) - 1)
        changes = [0.0] * len(entries)
        for one, bot in enumerate(entries):
            for other in range(one):
                gained = (1 + (ranks[one] < ranks[other]) - (ranks[one] > ranks[other])) / 2
                change = step * (gained - 1 / (1 + 10 ** ((elo[entries[other]] - elo[bot]) / 400)))
                changes[one] += change
                changes[other] -= change
        for bot, change in zip(entries, changes, strict=True):
            elo[bot] += change
    shift = 0.0
    if anchor is not None:
        if anchor[0] not in names:
            raise unknown("anchor", anchor[0], names)
        shift = anchor[1] - elo[names.index(anchor[0])]
    nothing = np.full(len(names), math.nan)
    return Ratings(
        names=names,
        elo=np.array(elo) + shift,
        covariance=np.diag(nothing),
        freedom=nothing,
        groups=connect(tally(pooled)[1]),
    )


def openskill(outcomes: Sequence[Outcomes]) -> Ratings:
    """The Plackett-Luce rating of the package `openskill` in the order played, on its own scale.

    Matches in which a bot meets itself are left out.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise ArenaError(
            "the openskill rating needs a package: pip install 'tabletop-arena[openskill]'"
        ) from None
    pooled = pool(outcomes)
    names = pooled[0].names
    model = PlackettLuce()
    ratings = [model.rating() for _ in names]
    for entries, ranks in matches(pooled):
        if len(set(entries)) == len(entries):
            rated = model.rate([[ratings[bot]] for bot in entries], ranks=[float(r) for r in ranks])
            for bot, (rating,) in zip(entries, rated, strict=True):
                ratings[bot] = rating
    return Ratings(
        names=names,
        elo=np.array([rating.mu for rating in ratings]),
        covariance=np.diag([rating.sigma**2 for rating in ratings]),
        freedom=np.full(len(names), math.inf),
        groups=connect(tally(pooled)[1]),
        scale="OpenSkill",
    )


def matches(pooled: Sequence[Outcomes]) -> Iterator[tuple[list[int], list[int]]]:
    """Entries and ranks by side, match by match."""
    for part in pooled:
        entries, ranks = by_side(part)
        yield from zip(entries.tolist(), ranks.tolist(), strict=True)
