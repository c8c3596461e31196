"""Elo ratings by maximum likelihood over all matches at once, with intervals taken over blocks.

The model. A match counts as its pairs of sides, a tie as half a point for each, and the chance
that one side finishes ahead of another is the logistic of their Elo difference. Every pair has
the same weight: another weight per match size would change how tournaments with different
numbers of seats are mixed, but nothing inside one tournament.

The prior. Every bot also has one virtual draw against its field, shared evenly among the other
bots of its group. So two bots with w wins, d draws and l losses differ by
400 log10((w + d/2 + 1/2) / (l + d/2 + 1/2)), and an undefeated bot stays finite.

The interval. The pairs of a match and the matches of a block depend on each other, so the
product over pairs is a composite likelihood: it gives the estimate, but its curvature does not
give the variance. Blocks are independent, and the variance is the sandwich clustered over them.
The residuals of a fit are smaller than the errors they stand for; each block is corrected by
its leverage (CR2), and Student's t takes Satterthwaite's degrees of freedom. The virtual draw
enters as half a win and half a loss, so that a bot without a defeat has a wide interval, not
none. With few blocks of a few matches the interval errs on the wide side, because results that
are only won or lost vary less than Student's t allows for.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.errors import ArenaError, unknown
from arena.student import probability, quantile, quantiles

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

NATURAL = 400 / math.log(10)
"""Elo points in one natural unit of the logistic curve."""
MEAN = 1500.0
SAME = 1e-6
"""Ratings closer than this are equal: the estimate is exact to here."""
CHUNK = 1 << 15
"""Matches whose blocks are worked on at once, which bounds the memory."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The matches of one tournament, a row each in the order of the schedule, a column per seat."""

    names: tuple[str, ...]
    entries: NDArray[np.int32]
    """(matches, seats): index into names."""
    ranks: NDArray[np.int8]
    """(matches, seats): competition ranks, 1 best; faulty seats are already ranked last."""
    scores: NDArray[np.int64]
    """(matches, seats)."""
    faults: NDArray[np.bool_]
    """(matches, seats)."""
    blocks: NDArray[np.int64]
    """(matches,): matches of one block share one seed, bots rotated through the seats."""
    sides: tuple[int, ...]
    """By seat; partners share a side and are played by one entry."""

    def __len__(self) -> int:
        return len(self.entries)

    def seats_by_side(self) -> list[list[int]]:
        """The seats of each side."""
        return [
            [seat for seat, side in enumerate(self.sides) if side == one]
            for one in dict.fromkeys(self.sides)
        ]


@dataclass(frozen=True, slots=True)
class Ratings:
    """Estimates with the covariance of their errors, by name."""

    names: tuple[str, ...]
    elo: Floats
    covariance: Floats
    freedom: Floats
    """Degrees of freedom behind each variance; not a number where there is no interval."""
    groups: Indices
    """Bots that no chain of matches connects are in different groups, each rated for itself."""
    scale: str = "Elo"

    def half_widths(self, confidence: float) -> Floats:
        """Half the width of each interval."""
        errors: Floats = np.sqrt(np.diag(self.covariance))
        return quantiles(confidence, self.freedom) * errors

    def gap(self, one: int, other: int) -> tuple[float, float, float]:
        """The difference of two ratings, its standard error and the latter's freedom.

        The difference of two groups is not a number.
        """
        if self.groups[one] != self.groups[other]:
            return math.nan, math.nan, math.nan
        variance = (
            self.covariance[one, one]
            + self.covariance[other, other]
            - 2 * self.covariance[one, other]
        )
        freedom = np.minimum(self.freedom[one], self.freedom[other])
        return float(self.elo[one] - self.elo[other]), math.sqrt(variance), float(freedom)

    def superiority(self, one: int, other: int) -> float:
        """The likelihood that `one` is the stronger of the two."""
        difference, error, freedom = self.gap(one, other)
        return probability(difference / error, freedom) if error else math.nan

    def apart(self, one: int, other: int, confidence: float) -> bool:
        """Whether the interval of the difference leaves out zero."""
        difference, error, freedom = self.gap(one, other)
        return abs(difference) > quantile(confidence, freedom) * error


def rate(outcomes: Sequence[Outcomes], anchor: tuple[str, float] | None = None) -> Ratings:
    """The ratings of all bots, with mean 1500 or with the anchor's rating fixed.

    Variances are those of the difference to the mean, or to the anchor. A group that does not
    hold the anchor keeps its mean at 1500.
    """
    pooled = pool(outcomes)
    names = pooled[0].names
    points, pairs = tally(pooled)
    groups = connect(pairs)
    together = groups[:, None] == groups
    average = together / together.sum(axis=0)
    virtual = (together & ~np.eye(len(names), dtype=bool)) / np.maximum(together.sum(axis=0) - 1, 1)

    strengths, chances, information = maximise(points + virtual / 2, pairs + virtual, average)
    reference, base = average, np.full(len(names), MEAN)
    if anchor is not None:
        if anchor[0] not in names:
            raise unknown("anchor", anchor[0], names)
        fixed = names.index(anchor[0])
        reference = np.where(together[fixed], np.eye(len(names))[:, [fixed]], average)
        base[together[fixed]] = anchor[1]
    contrasts = np.eye(len(names)) - reference

    covariance, freedom = sandwich(pooled, chances, information, contrasts, virtual)
    freedom[~pairs.any(axis=0)] = math.nan
    return Ratings(
        names=names,
        elo=base + NATURAL * (strengths @ contrasts),
        covariance=NATURAL**2 * covariance,
        freedom=freedom,
        groups=groups,
    )


def pool(outcomes: Sequence[Outcomes]) -> list[Outcomes]:
    """The tournaments that have matches, their entries numbered by the union of the names."""
    pooled = [part for part in outcomes if len(part)]
    if not pooled:
        raise ArenaError("there are no finished matches to rate")
    index: dict[str, int] = {}
    for name in itertools.chain.from_iterable(part.names for part in outcomes):
        index.setdefault(name, len(index))
    return [
        replace(
            part,
            names=tuple(index),
            entries=np.array([index[name] for name in part.names], dtype=np.int32)[part.entries],
        )
        for part in pooled
    ]


def by_side(part: Outcomes) -> tuple[Indices, NDArray[np.int8]]:
    """Entries and ranks with one column per side; a side is ranked with the worst of its seats."""
    members = part.seats_by_side()
    entries = part.entries[:, [seats[0] for seats in members]].astype(np.int64)
    return entries, np.stack([part.ranks[:, seats].max(axis=1) for seats in members], axis=1)


def encounters(ranks: NDArray[np.int8]) -> Iterator[tuple[int, int, Floats]]:
    """Each pair of sides, with the points of the first in every match."""
    for one, other in itertools.combinations(range(ranks.shape[1]), 2):
        yield one, other, (1 + np.sign(ranks[:, other] - ranks[:, one])) / 2


def tally(pooled: Sequence[Outcomes]) -> tuple[Floats, Floats]:
    """Points of the row's bot against the column's, and how many pairs they are out of."""
    bots = len(pooled[0].names)
    points: Floats = np.zeros((bots, bots))
    pairs: Floats = np.zeros((bots, bots))
    for part in pooled:
        entries, ranks = by_side(part)
        for one, other, gained in encounters(ranks):
            cells = entries[:, one] * bots + entries[:, other]
            pairs += np.bincount(cells, minlength=bots * bots).reshape(bots, bots)
            points += np.bincount(cells, gained, minlength=bots * bots).reshape(bots, bots)
    points, pairs = points + (pairs - points).T, pairs + pairs.T
    np.fill_diagonal(points, 0)
    np.fill_diagonal(pairs, 0)
    return points, pairs


def connect(pairs: Floats) -> Indices:
    """The group of each bot, named by its first member."""
    groups = np.full(len(pairs), -1)
    for first in range(len(pairs)):
        found = (groups < 0) & (np.arange(len(pairs)) == first)
        while found.any():
            groups[found] = first
            found = (groups < 0) & (pairs[found] > 0).any(axis=0)
    return groups


def maximise(points: Floats, pairs: Floats, average: Floats) -> tuple[Floats, Floats, Floats]:
    """The strengths of highest likelihood, the chances between them, and the information.

    `average` pins the mean of each group, which the likelihood leaves open. The step of
    Newton's method is shortened by the factor that makes it safe on logistic likelihoods.
    """
    strengths = np.zeros(len(points))
    while True:
        chances = 1 / (1 + np.exp(strengths - strengths[:, None]))
        information = laplacian(pairs * chances * (1 - chances)) + average
        step = np.linalg.solve(information, (points - pairs * chances).sum(axis=1))
        reach = float(np.ptp(step))
        if reach < SAME / NATURAL:
            return strengths + step, chances, information
        strengths += step * math.log1p(reach) / reach


def laplacian(weights: Floats) -> Floats:
    """The quadratic form sum of w[i, j] (x[i] - x[j])² over pairs, for one or a stack of graphs."""
    degrees: Floats = weights.sum(axis=-1, keepdims=True) * np.eye(weights.shape[-1])
    return degrees - weights


def sandwich(
    pooled: Sequence[Outcomes],
    chances: Floats,
    information: Floats,
    contrasts: Floats,
    virtual: Floats,
) -> tuple[Floats, Floats]:
    """The covariance of the contrasts (in columns), and the degrees of freedom of each.

    Were the pairs independent, a block would add `shares` to the variance of each contrast;
    n blocks of equal share leave n - 1 degrees of freedom.
    """
    bread = np.asarray(np.linalg.inv(information), dtype=np.float64)
    influence = bread @ contrasts
    halves = virtual * (chances**2 + (1 - chances) ** 2) / 2
    covariance = influence.T @ laplacian(halves) @ influence
    total, squares = np.zeros(len(bread)), np.zeros(len(bread))
    for block in itertools.chain.from_iterable(blocks_of(part, chances) for part in pooled):
        local = block.select(influence)
        effects = (corrected(block, bread)[:, :, None] * local).sum(axis=1)
        covariance += effects.T @ effects
        shares = (local * (block.information @ local)).sum(axis=1)
        total += shares.sum(axis=0)
        squares += (shares**2).sum(axis=0)
    fixed = total < 1e-12
    freedom = np.where(fixed, math.inf, total**2 / np.where(fixed, 1, squares) - 1)
    return covariance, np.where(freedom < 0.5, math.nan, np.maximum(freedom, 1))


class Blocks(NamedTuple):
    """Some blocks of a tournament, seen by the bots that play in each."""

    members: Indices
    """(blocks, bots): who plays; places left over hold numbers that no bot has."""
    residuals: Floats
    """(blocks, bots): points gained beyond the expected."""
    information: Floats
    """(blocks, bots, bots): what the block adds to the information."""

    def select(self, matrix: Floats) -> Floats:
        """The rows of the matrix that belong to the members."""
        spare = np.zeros((self.members.shape[1], matrix.shape[1]))
        rows: Floats = np.concatenate([matrix, spare])[self.members]
        return rows

    def select_square(self, matrix: Floats) -> Floats:
        """The rows and columns of the matrix that belong to the members."""
        bots = len(matrix)
        padded = np.eye(bots + self.members.shape[1])
        padded[:bots, :bots] = matrix
        squares: Floats = padded[self.members[:, :, None], self.members[:, None, :]]
        return squares


def blocks_of(part: Outcomes, chances: Floats) -> Iterator[Blocks]:
    """All blocks of a tournament, some thousands at a time."""
    entries, ranks = by_side(part)
    order = np.argsort(part.blocks, kind="stable")
    entries, ranks, blocks = entries[order], ranks[order], part.blocks[order]
    starts = np.flatnonzero(np.diff(blocks, prepend=blocks[0] - 1, append=blocks[-1] + 1))
    targets = np.arange(0, len(blocks) + CHUNK, CHUNK).clip(max=len(blocks))
    for begin, end in itertools.pairwise(np.unique(starts[np.searchsorted(starts, targets)])):
        numbers = np.searchsorted(starts, np.arange(begin, end), side="right")
        yield gather(numbers - numbers[0], entries[begin:end], ranks[begin:end], chances)


def gather(numbers: Indices, entries: Indices, ranks: NDArray[np.int8], chances: Floats) -> Blocks:
    """The blocks of these matches, numbered from 0 in the order of the matches."""
    bots = len(chances)
    keys, places = np.unique(numbers[:, None] * bots + entries, return_inverse=True)
    owners = keys // bots
    columns = np.arange(len(keys)) - np.searchsorted(owners, owners)
    count, width = int(numbers[-1]) + 1, int(columns.max()) + 1
    members = np.tile(bots + np.arange(width), (count, 1))
    members[owners, columns] = keys % bots

    cells = numbers[:, None] * width + columns[places.reshape(entries.shape)]
    residuals = np.zeros(count * width)
    weights = np.zeros(count * width * width)
    for one, other, gained in encounters(ranks):
        expected = chances[entries[:, one], entries[:, other]]
        for side, surplus in ((one, gained - expected), (other, expected - gained)):
            residuals += np.bincount(cells[:, side], surplus, minlength=len(residuals))
        pairs = cells[:, one] * width + cells[:, other] % width
        weights += np.bincount(pairs, expected * (1 - expected), minlength=len(weights))
    square = weights.reshape(count, width, width)
    return Blocks(
        members, residuals.reshape(count, width), laplacian(square + square.transpose(0, 2, 1))
    )


def corrected(block: Blocks, bread: Floats) -> Floats:
    """The residuals, multiplied by the inverse root of one minus the leverage of the block.

    With the block's part of the bread as L L', the root is taken of the symmetric
    1 - L' information L.
    """
    lower = np.linalg.cholesky(block.select_square(bread))
    upper = lower.transpose(0, 2, 1)
    free, axes = np.linalg.eigh(np.eye(lower.shape[1]) - upper @ block.information @ lower)
    turned = axes.transpose(0, 2, 1) @ upper @ block.residuals[:, :, None]
    scaled = turned / np.sqrt(np.maximum(free, 1e-9))[:, :, None]
    result: Floats = np.linalg.solve(upper, axes @ scaled)[:, :, 0]
    return result
