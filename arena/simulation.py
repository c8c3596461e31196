"""Tournaments drawn from known strengths, to test ratings against the truth and to time them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.rating import NATURAL, Outcomes


def simulate(
    elo: NDArray[np.float64],
    seats: int,
    blocks: int,
    seed: int,
    bot_luck: float = 0.0,
    seat_luck: float = 0.0,
    ties: float = 0.0,
) -> Outcomes:
    """A tournament in which every pair's expected points are exactly the logistic of its Elo gap.

    A performance is a strength plus Gumbel noise, which makes a match a Plackett-Luce ranking.
    The matches of a block depend on each other: with probability `bot_luck` a seat's noise is
    that of its bot in the whole block (a deal that suits it), with probability `seat_luck`
    that of the seat (a lucky chair), otherwise its own. Inside one match the noises stay
    independent, so the margins keep their form. `ties` is how readily neighbours in a ranking
    are declared equal.
    """
    rng = np.random.default_rng(seed)
    lineups = draw_lineups(rng, len(elo), seats, blocks)
    rotation = (np.arange(seats)[:, None] + np.arange(seats)) % seats
    entries = lineups[:, rotation]
    shape = entries.shape
    of_bots = rng.gumbel(size=(blocks, seats))[:, rotation]
    of_seats = np.broadcast_to(rng.gumbel(size=(blocks, 1, seats)), shape)
    luck = rng.random(shape)
    noise = np.select(
        [luck < bot_luck, luck < bot_luck + seat_luck], [of_bots, of_seats], rng.gumbel(size=shape)
    )
    strengths = elo[entries] / NATURAL
    order = np.argsort(-(strengths + noise), axis=2).reshape(-1, seats)
    ranks = tie_neighbours(rng, order, np.exp(strengths).reshape(-1, seats), ties)
    matches = blocks * seats
    return Outcomes(
        names=tuple(f"bot{index:02}" for index in range(len(elo))),
        entries=entries.reshape(matches, seats).astype(np.int32),
        ranks=ranks,
        scores=100 * (seats - ranks.astype(np.int64)),
        faults=np.zeros((matches, seats), dtype=np.bool_),
        blocks=np.repeat(np.arange(blocks), seats),
        sides=tuple(range(seats)),
    )


def draw_lineups(rng: np.random.Generator, bots: int, seats: int, blocks: int) -> NDArray[np.int64]:
    """Line-ups dealt from shuffled fields, so that everybody plays about equally often."""
    tables = bots // seats
    fields = np.tile(np.arange(bots), (-(-blocks // tables), 1))
    return rng.permuted(fields, axis=1)[:, : tables * seats].reshape(-1, seats)[:blocks]


def tie_neighbours(
    rng: np.random.Generator,
    order: NDArray[np.int64],
    weights: NDArray[np.float64],
    ties: float,
) -> NDArray[np.int8]:
    """Ranks by seat, one pair of neighbours per match perhaps tied, expected points unchanged.

    A ranking and the same with two neighbours swapped give up the same probability to the tie
    between the two, as in detailed balance.
    """
    matches, seats = order.shape
    rows = np.arange(matches)
    upper = rng.integers(seats - 1, size=matches)
    placed = np.take_along_axis(weights, order, axis=1)
    rest = np.cumsum(placed[:, ::-1], axis=1)[:, ::-1]
    swapped = rest[rows, upper + 1] + placed[rows, upper] - placed[rows, upper + 1]
    odds = rest[rows, upper + 1] / swapped
    tied = rng.random(matches) < ties * np.minimum(1, odds)
    places = np.tile(np.arange(1, seats + 1, dtype=np.int8), (matches, 1))
    places[rows, upper + 1] -= tied
    ranks = np.empty_like(places)
    np.put_along_axis(ranks, order, places, axis=1)
    return ranks
