"""Student's t distribution, for any real number of degrees of freedom from 1 up."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from arena.errors import ArenaError

NODES = np.linspace(0, 1, 513)
SIMPSON = np.array([1, *[4, 2] * 255, 4, 1]) / (3 * 512)
NORMAL_FROM = 1e6
"""Degrees of freedom from which the normal distribution serves: they differ by less than 1e-6."""

LARGEST_CONFIDENCE = 0.9999


def probability(t: float, freedom: float) -> float:
    """The probability that a t variable is at most `t`."""
    if math.isnan(t) or math.isnan(freedom):
        return math.nan
    if freedom >= NORMAL_FROM:
        return NormalDist().cdf(t)
    # With t = sqrt(freedom) tan(angle) the density is a power of the cosine, which is nothing
    # beyond 12 standard deviations.
    angle = min(math.atan(abs(t) / math.sqrt(freedom)), 12 / math.sqrt(freedom))
    heights = np.cos(angle * NODES) ** (freedom - 1)
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    half = min(0.5, scale * angle * float(SIMPSON @ heights))
    return 0.5 + math.copysign(half, t)


def quantile(confidence: float, freedom: float) -> float:
    """The t that bounds the central share `confidence` of the distribution."""
    if not 0 < confidence <= LARGEST_CONFIDENCE:
        raise ArenaError(
            f"the confidence lies between 0 and {LARGEST_CONFIDENCE}, not at {confidence:g}"
        )
    if math.isnan(freedom):
        return math.nan
    low, high = 0.0, 1.0
    while probability(high, freedom) < (1 + confidence) / 2:
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        if probability(middle, freedom) < (1 + confidence) / 2:
            low = middle
        else:
            high = middle
    return high


def quantiles(confidence: float, freedoms: NDArray[np.float64]) -> NDArray[np.float64]:
    """`quantile` of each number of degrees of freedom."""
    return np.array([quantile(confidence, float(freedom)) for freedom in freedoms])
