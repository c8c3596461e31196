"""How often intervals hold the truth, over many simulated tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from arena.rating import MEAN, NATURAL, Outcomes, laplacian, rate, tally
from arena.simulation import simulate


@dataclass(frozen=True)
class Tournaments:
    """Many tournaments of one kind; only the seed differs."""

    bots: int
    seats: int
    blocks: int
    spread: float
    bot_luck: float
    seat_luck: float
    ties: float

    @property
    def truth(self) -> NDArray[np.float64]:
        return MEAN + np.linspace(-self.spread / 2, self.spread / 2, self.bots)

    def draw(self, seed: int) -> Outcomes:
        return simulate(
            self.truth, self.seats, self.blocks, seed, self.bot_luck, self.seat_luck, self.ties
        )


def coverage(kind: Tournaments, runs: int, confidence: float = 0.95) -> tuple[float, float]:
    """The share of intervals that hold the truth: over blocks as they are, and over pairs."""
    held = np.zeros((runs, 2))
    for seed in range(runs):
        outcomes = kind.draw(seed)
        ratings = rate([outcomes])
        errors = np.abs(ratings.elo - kind.truth)
        held[seed] = (
            (errors <= ratings.half_widths(confidence)).mean(),
            (errors <= pair_half_widths(outcomes, ratings.elo, confidence)).mean(),
        )
    return float(held[:, 0].mean()), float(held[:, 1].mean())


def pair_half_widths(
    outcomes: Outcomes, elo: NDArray[np.float64], confidence: float
) -> NDArray[np.float64]:
    """What the intervals would be, were all pairs independent: the inverse information."""
    _, pairs = tally([outcomes])
    chances = 1 / (1 + np.exp((elo - elo[:, None]) / NATURAL))
    variances = np.diag(np.linalg.pinv(laplacian(pairs * chances * (1 - chances))))
    return NATURAL * NormalDist().inv_cdf((1 + confidence) / 2) * np.sqrt(variances)
