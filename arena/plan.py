"""How long to play: the matches that an interval of a wanted width needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from arena.errors import ArenaError
from arena.rating import Floats, Outcomes, rate


@dataclass(frozen=True, slots=True)
class Plan:
    """The matches after which an interval is as narrow as wanted, in whole blocks."""

    typical: int
    """For half of the bots."""
    every: int
    """For all of them."""


def plan(pilot: Sequence[Outcomes], elo: float, confidence: float = 0.95) -> Plan:
    """The matches needed for intervals of ± `elo`, in a tournament like the pilot.

    The variance over blocks falls as their number grows; a long tournament has no need of
    Student's t, so the normal quantile takes its place.
    """
    if not elo > 0:
        raise ArenaError(f"an interval of ±{elo:g} Elo cannot be had")
    variances = block_variances(pilot)
    matches = sum(len(part) for part in pilot)
    blocks = sum(len(np.unique(part.blocks)) for part in pilot)
    wanted = (elo / NormalDist().inv_cdf((1 + confidence) / 2)) ** 2

    def whole(variance: float) -> int:
        return math.ceil(math.ceil(blocks * variance / wanted) * matches / blocks)

    return Plan(typical=whole(float(np.median(variances))), every=whole(float(variances.max())))


def variance_ratio(outcomes: Sequence[Outcomes]) -> float:
    """The variance of ratings over that of as many matches on seeds of their own.

    Below 1, rotating the bots over a shared seed cancels luck. A match is drawn alike in both,
    so that the independent variance can be had from the same matches.
    """
    apart = [replace(part, blocks=np.arange(len(part))) for part in outcomes]
    return float(block_variances(outcomes).mean() / block_variances(apart).mean())


def block_variances(outcomes: Sequence[Outcomes]) -> Floats:
    """The variance of each rating."""
    ratings = rate(outcomes)
    if np.isnan(ratings.freedom).any():
        raise ArenaError("too few blocks to measure a variance: every bot must play in several")
    return np.diag(ratings.covariance)
