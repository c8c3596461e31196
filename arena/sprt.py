"""Is A stronger than B? A sequential test on the results of blocks.

What to play. A and B sit in the same match and are compared by their encounters alone: the
points of A in a pair with B have the expectation that Elo speaks of, whatever the other seats
do. A block is all rotations of one line-up and the same with A and B exchanged, on one seed,
so that both hold every seat and every place before or behind the other equally often; equal
bots then score 1/2 on average, and twins exactly 1/2. Without a field the seats are filled
with copies of A and B, half and half: with four seats that gives four encounters in a match,
and half the variance of one. Comparing A and B in separate matches against a common field
would need more matches than this, unless shared luck explained most of a result.

What is tested. Block scores are independent, so their mean is close to normal, and the test is
Wald's on its likelihood ratio, the unknown variance estimated under either hypothesis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np

from arena.errors import ArenaError
from arena.rating import NATURAL, Floats, Outcomes, by_side, encounters

LARGEST_VARIANCE = 0.25
"""Of scores between 0 and 1; one virtual block has it, lest a few equal results look certain."""


@dataclass(frozen=True, slots=True)
class State:
    """Where the test stands."""

    elo0: float
    elo1: float
    lower: float
    upper: float
    blocks: int
    llr: float
    elo: float
    error: float
    """Half the width of the 95 % interval of the Elo difference, as if the test had not chosen
    when to stop."""

    @property
    def decision(self) -> Literal["H0", "H1"] | None:
        """The hypothesis that is accepted, if the ratio has left its bounds."""
        if self.llr >= self.upper:
            return "H1"
        return "H0" if self.llr <= self.lower else None

    def __str__(self) -> str:
        line = (
            f"LLR: {self.llr:.2f} ({self.lower:.2f}, {self.upper:.2f}) "
            f"[{self.elo0:.2f}, {self.elo1:.2f}]  "
            f"Elo: {self.elo:.1f} ± {self.error:.1f}  blocks: {self.blocks}"
        )
        return f"{line}  {self.decision} accepted" if self.decision else line


class Sprt:
    """The test of H0, A is `elo0` above B, against H1, A is `elo1` above B.

    It keeps only sums: to resume, give it the stored block scores again.
    """

    def __init__(self, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> None:
        if not elo0 < elo1:
            raise ArenaError(f"elo0 must be less than elo1, not {elo0:g} and {elo1:g}")
        for name, risk in (("alpha", alpha), ("beta", beta)):
            if not 0 < risk < 0.5:
                raise ArenaError(f"{name} lies between 0 and 0.5, not at {risk:g}")
        self.elo0, self.elo1 = elo0, elo1
        self.lower, self.upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
        self.blocks, self.total, self.squares = 0, 0.0, 0.0

    def update(self, block_score: float) -> State:
        """Count one more block, by the mean points of A in its encounters with B."""
        self.blocks += 1
        self.total += block_score
        self.squares += block_score**2
        return self.state

    @property
    def state(self) -> State:
        """Where the test stands; the virtual block is a draw, which keeps the Elo finite."""
        mean = self.total / max(self.blocks, 1)
        deviations = self.squares - self.blocks * mean**2
        variance = (deviations + LARGEST_VARIANCE) / (self.blocks + 1)
        off0, off1 = mean - expected_score(self.elo0), mean - expected_score(self.elo1)
        score = (self.total + 0.5) / (self.blocks + 1)
        error = math.sqrt(variance / (self.blocks + 1)) / (score * (1 - score))
        return State(
            elo0=self.elo0,
            elo1=self.elo1,
            lower=self.lower,
            upper=self.upper,
            blocks=self.blocks,
            llr=0.0 + self.blocks / 2 * math.log((variance + off0**2) / (variance + off1**2)),
            elo=NATURAL * math.log(score / (1 - score)),
            error=NATURAL * NormalDist().inv_cdf(0.975) * error,
        )


def expected_score(elo: float) -> float:
    """The expected points of the side that is `elo` stronger."""
    return 1 / (1 + math.exp(-elo / NATURAL))


def line_ups(
    a: str, b: str, sides: Sequence[int], field: Sequence[str] = (), block: int = 0
) -> list[tuple[str, ...]]:
    """The matches of one block, each as the entries by seat; the field takes turns."""
    places = {side: place for place, side in enumerate(dict.fromkeys(sides))}
    spare = len(places) - 2
    if field and not spare:
        raise ArenaError("with two sides A and B play each other, and a field has no place")
    if field:
        base = [a, b, *(field[(block * spare + turn) % len(field)] for turn in range(spare))]
    else:
        base = [a] * ((len(places) + 1) // 2) + [b] * (len(places) // 2)
    exchanged = {a: b, b: a}
    matches: dict[tuple[str, ...], None] = {}
    for shift in range(len(base)):
        turned = base[shift:] + base[:shift]
        for line_up in (turned, [exchanged.get(entry, entry) for entry in turned]):
            matches[tuple(line_up[places[side]] for side in sides)] = None
    return list(matches)


def block_scores(outcomes: Outcomes, a: str, b: str) -> Floats:
    """The mean points of A in its encounters with B, by block in the order played.

    Blocks in which the two do not meet are left out.
    """
    first, second = outcomes.names.index(a), outcomes.names.index(b)
    entries, ranks = by_side(outcomes)
    order, begun, blocks = np.unique(outcomes.blocks, return_index=True, return_inverse=True)
    points, pairs = np.zeros(len(order)), np.zeros(len(order))
    for one, other, gained in encounters(ranks):
        forward = (entries[:, one] == first) & (entries[:, other] == second)
        backward = (entries[:, one] == second) & (entries[:, other] == first)
        pairs += np.bincount(blocks, forward | backward, minlength=len(order))
        points += np.bincount(blocks, np.where(forward, gained, backward * (1 - gained)))
    met = np.argsort(begun)
    met = met[pairs[met] > 0]
    return points[met] / pairs[met]
