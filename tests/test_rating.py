"""Ratings against closed forms, and against simulated tournaments with known strengths."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.errors import ArenaError
from arena.rating import MEAN, NATURAL, Outcomes, Ratings, connect, rate, tally
from arena.simulation import simulate
from arena.student import probability, quantile
from tests.coverage import Tournaments, coverage
from tests.tournaments import score_sheet


def elo_of(ratings: Ratings) -> dict[str, float]:
    return dict(zip(ratings.names, ratings.elo, strict=True))


@pytest.mark.parametrize(("wins", "draws", "losses"), [(7, 2, 3), (0, 4, 0), (20, 0, 0), (0, 0, 1)])
def test_two_bots_have_a_closed_form(wins: int, draws: int, losses: int) -> None:
    lines = ["a > b"] * wins + ["a = b"] * draws + ["b > a"] * losses
    elo = elo_of(rate([score_sheet(*lines)]))
    odds = (wins + draws / 2 + 0.5) / (losses + draws / 2 + 0.5)
    assert elo["a"] - elo["b"] == pytest.approx(400 * math.log10(odds), abs=1e-6)
    assert elo["a"] + elo["b"] == pytest.approx(2 * MEAN, abs=1e-6)


def test_two_bots_interval_is_the_t_interval_of_block_results() -> None:
    """Far from the prior, the interval is that of the mean of independent block scores."""
    outcomes = simulate(np.array([30.0, -30.0]), 2, 4000, seed=5, bot_luck=0.5)
    ratings = rate([outcomes])
    points = np.where(outcomes.entries[:, 0] == 0, outcomes.ranks[:, 1], outcomes.ranks[:, 0]) - 1
    blocks = points.reshape(-1, 2).mean(axis=1)
    mean = blocks.mean()
    error = blocks.std(ddof=1) / math.sqrt(len(blocks)) / (mean * (1 - mean)) * NATURAL
    expected = quantile(0.95, len(blocks) - 1) * error
    assert 2 * ratings.half_widths(0.95)[0] == pytest.approx(expected, rel=1e-3)
    assert ratings.freedom[0] == pytest.approx(len(blocks) - 1)


def plain_sandwich(outcomes: Outcomes, ratings: Ratings) -> NDArray[np.float64]:
    """The covariance by the book: full matrices, block by block, pair by pair."""
    bots = len(outcomes.names)
    strengths = ratings.elo / NATURAL
    scores: dict[int, NDArray[np.float64]] = {}
    curvatures: dict[int, NDArray[np.float64]] = {}
    meat, information = np.zeros((bots, bots)), np.zeros((bots, bots))

    def pair(one: int, other: int) -> tuple[NDArray[np.float64], float]:
        direction = np.eye(bots)[one] - np.eye(bots)[other]
        return direction, 1 / (1 + math.exp(strengths[other] - strengths[one]))

    for entries, ranks, block in zip(
        outcomes.entries, outcomes.ranks, outcomes.blocks, strict=True
    ):
        for a, b in itertools.combinations(range(len(entries)), 2):
            direction, chance = pair(entries[a], entries[b])
            gained = 0.5 if ranks[a] == ranks[b] else float(ranks[a] < ranks[b])
            scores.setdefault(block, np.zeros(bots))
            curvatures.setdefault(block, np.zeros((bots, bots)))
            scores[block] += (gained - chance) * direction
            curvatures[block] += chance * (1 - chance) * np.outer(direction, direction)
    for one, other in itertools.combinations(range(bots), 2):
        direction, chance = pair(one, other)
        square = np.outer(direction, direction) / (bots - 1)
        information += chance * (1 - chance) * square
        meat += (chance**2 + (1 - chance) ** 2) / 2 * square
    information += sum(curvatures.values())
    bread = np.linalg.pinv(information)
    for block, score in scores.items():
        values, vectors = np.linalg.eig(np.eye(bots) - curvatures[block] @ bread)
        corrected = vectors @ ((np.linalg.inv(vectors) @ score) / np.sqrt(values))
        meat += np.outer(corrected, corrected).real
    return NATURAL**2 * bread @ meat @ bread


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_the_covariance_is_the_corrected_sandwich(
    chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when blocks have different line-ups, or a block more bots than seats."""
    outcomes = simulate(np.linspace(-200, 200, 6), 3, 12, seed=7, bot_luck=0.3, ties=0.3)
    uneven = replace(outcomes, blocks=np.where(outcomes.blocks == 4, 9, outcomes.blocks))
    monkeypatch.setattr("arena.rating.CHUNK", chunk)
    for one in (outcomes, uneven):
        ratings = rate([one])
        assert ratings.covariance == pytest.approx(plain_sandwich(one, ratings), rel=1e-6)


def test_a_match_counts_as_its_pairs() -> None:
    one_match = score_sheet("a > b = c > d")
    points, pairs = tally([one_match])
    assert points.tolist() == [[0, 1, 1, 1], [0, 0, 0.5, 1], [0, 0.5, 0, 1], [0, 0, 0, 0]]
    assert pairs.tolist() == (1 - np.eye(4)).tolist()
    six_matches = score_sheet("a > b", "a > c", "a > d", "b = c", "b > d", "c > d")
    assert rate([one_match]).elo == pytest.approx(rate([six_matches]).elo)


def test_partners_are_one_side_and_no_pair() -> None:
    teams = score_sheet("a = a > b = b", "b = b > a = a", "a = a > b = b")
    teams = replace(teams, sides=(0, 0, 1, 1))
    assert rate([teams]).elo == pytest.approx(rate([score_sheet("a > b", "b > a", "a > b")]).elo)


def test_a_side_is_ranked_with_its_worst_seat() -> None:
    teams = replace(score_sheet("a > b = b > a"), sides=(0, 1, 1, 0))
    assert elo_of(rate([teams]))["a"] < elo_of(rate([teams]))["b"]


def test_a_bot_against_itself_says_nothing() -> None:
    alone = score_sheet("a > a > b", "b > a = a")
    assert tally([alone])[1].tolist() == [[0, 4], [4, 0]]
    assert rate([alone]).elo == pytest.approx([MEAN, MEAN])


def test_the_ratings_solve_the_likelihood_equations() -> None:
    """Expected points, the virtual draw included, equal the points gained, to 1e-6 Elo."""
    outcomes = simulate(np.linspace(-300, 300, 6), 3, 40, seed=2, ties=0.4)
    elo = rate([outcomes]).elo
    points, pairs = tally([outcomes])
    virtual = (1 - np.eye(6)) / 5
    chances = 1 / (1 + 10 ** ((elo - elo[:, None]) / 400))
    surplus = (points + virtual / 2 - (pairs + virtual) * chances).sum(axis=1)
    slope = ((pairs + virtual) * chances * (1 - chances)).sum(axis=1).min() / NATURAL
    assert np.abs(surplus).max() < 1e-6 * slope


def test_equal_results_give_equal_ratings() -> None:
    elo = rate([score_sheet("a > b > c", "b > a > c")]).elo
    assert elo[0] == pytest.approx(elo[1], abs=1e-6)
    assert elo[2] < elo[0]


def test_neither_order_of_matches_nor_of_seats_nor_of_names_matters() -> None:
    outcomes = simulate(np.linspace(-200, 200, 6), 3, 30, seed=4, bot_luck=0.4, ties=0.3)
    rng = np.random.default_rng(1)
    rows, seats, names = rng.permutation(len(outcomes)), rng.permutation(3), rng.permutation(6)
    shuffled = replace(
        outcomes,
        names=tuple(outcomes.names[index] for index in names),
        entries=np.argsort(names)[outcomes.entries][rows][:, seats],
        ranks=outcomes.ranks[rows][:, seats],
        blocks=outcomes.blocks[rows] * -7,
    )
    before, after = rate([outcomes]), rate([shuffled])
    assert after.elo == pytest.approx(before.elo[names], abs=1e-9)
    assert after.half_widths(0.9) == pytest.approx(before.half_widths(0.9)[names], abs=1e-9)


def test_tournaments_are_combined_by_name_and_their_blocks_kept_apart() -> None:
    whole = simulate(np.linspace(-200, 200, 5), 2, 40, seed=6, bot_luck=0.4)
    first, second = slice(0, 30), slice(30, None)
    halves = [
        replace(
            whole,
            **{
                name: getattr(whole, name)[rows]
                for name in ("entries", "ranks", "scores", "faults")
            },
            blocks=whole.blocks[rows] - whole.blocks[rows][0],
        )
        for rows in (first, second)
    ]
    backwards = replace(halves[1], names=halves[1].names[::-1], entries=4 - halves[1].entries)
    together = rate([halves[0], backwards])
    assert together.elo == pytest.approx(rate([whole]).elo)
    assert together.covariance == pytest.approx(rate([whole]).covariance)


def test_different_numbers_of_seats_are_combined() -> None:
    mixed = rate([score_sheet("a > b > c"), score_sheet("a > b", "a > c", "b > c")])
    assert mixed.elo == pytest.approx(rate([score_sheet(*["a > b > c"] * 2)]).elo)


def test_the_undefeated_and_the_winless_are_finite_with_wide_intervals() -> None:
    """Twenty wins of twenty: the error is that of log odds with half a win and half a loss added.

    The interval reaches down to the exact binomial limit of 277 Elo, and stays above zero.
    """
    ratings = rate([score_sheet(*["a > b"] * 20, per_block=2)])
    difference, error, freedom = ratings.gap(0, 1)
    assert freedom == pytest.approx(9)
    assert error == pytest.approx(NATURAL * math.sqrt(1 / 20.5 + 1 / 0.5), rel=0.02)
    limit = 0.025 ** (1 / 20)
    assert 0 < difference - quantile(0.95, freedom) * error < 400 * math.log10(limit / (1 - limit))


def test_the_anchor_is_fixed_and_the_others_are_measured_from_it() -> None:
    outcomes = simulate(np.linspace(-200, 200, 5), 2, 200, seed=8)
    free, anchored = rate([outcomes]), rate([outcomes], anchor=("bot01", 2000.0))
    assert anchored.elo == pytest.approx(free.elo - free.elo[1] + 2000)
    widths = anchored.half_widths(0.95)
    assert widths[1] == 0 and (np.delete(widths, 1) > 0).all()
    for ratings in (free, anchored):
        difference, error, _ = ratings.gap(3, 1)
        assert difference == pytest.approx(free.elo[3] - free.elo[1])
        assert error == pytest.approx(math.sqrt(anchored.covariance[3, 3]))


def test_superiority_and_apart_read_the_same_difference() -> None:
    ratings = rate([simulate(np.array([0.0, 0.0, 40.0]), 2, 300, seed=3)])
    for one, other in ((2, 0), (0, 1), (1, 2)):
        difference, error, freedom = ratings.gap(one, other)
        likelihood = ratings.superiority(one, other)
        assert likelihood == pytest.approx(probability(difference / error, freedom))
        assert likelihood + ratings.superiority(other, one) == pytest.approx(1)
        certain = abs(2 * likelihood - 1)
        assert ratings.apart(one, other, certain - 1e-6)
        assert not ratings.apart(one, other, certain + 1e-6)


def test_what_no_match_connects_is_rated_for_itself() -> None:
    lines = ["a > b", "b > a", "a > b", "c > d", "c > d", "d = c"]
    ratings = rate([replace(score_sheet(*lines), names=("a", "b", "c", "d", "idle"))])
    assert ratings.groups.tolist() == [0, 0, 2, 2, 4]
    left, right = rate([score_sheet(*lines[:3])]), rate([score_sheet(*lines[3:])])
    assert ratings.elo == pytest.approx([*left.elo, *right.elo, MEAN])
    widths = ratings.half_widths(0.95)
    assert widths[:4] == pytest.approx([*left.half_widths(0.95), *right.half_widths(0.95)])
    assert math.isnan(widths[4])
    assert math.isnan(ratings.superiority(0, 2)) and not ratings.apart(0, 2, 0.5)
    anchored = rate([score_sheet(*lines)], anchor=("a", 1000.0)).elo
    assert anchored[0] == 1000 and anchored[2:].mean() == pytest.approx(MEAN)


def test_groups_follow_chains_of_matches() -> None:
    chain = np.zeros((5, 5))
    for one, other in ((0, 4), (4, 2), (1, 3)):
        chain[one, other] = chain[other, one] = 1
    assert connect(chain).tolist() == [0, 1, 0, 1, 0]


def test_one_block_gives_no_interval() -> None:
    ratings = rate([score_sheet("a > b", "a > b", "b > a", per_block=3)])
    assert np.isnan(ratings.half_widths(0.95)).all()


def test_no_matches() -> None:
    nothing = replace(score_sheet("a > b"), entries=np.zeros((0, 2), dtype=np.int32))
    for outcomes in ([], [nothing]):
        with pytest.raises(ArenaError, match="no finished matches"):
            rate(outcomes)


def test_an_unknown_anchor() -> None:
    with pytest.raises(ArenaError, match=r"unknown anchor 'c'.*known: a, b"):
        rate([score_sheet("a > b")], anchor=("c", 1500.0))


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95.0, math.nan])
def test_a_confidence_that_is_no_share(confidence: float) -> None:
    with pytest.raises(ArenaError, match=r"between 0 and 0\.9999, not at"):
        rate([score_sheet("a > b", "b > a")]).half_widths(confidence)


@pytest.mark.parametrize(
    ("freedom", "t"),
    [(1, 12.7062), (2, 4.3027), (7, 2.3646), (30, 2.0423), (1000, 1.9623), (math.inf, 1.9600)],
)
def test_students_t_as_printed_in_tables(freedom: float, t: float) -> None:
    assert quantile(0.95, freedom) == pytest.approx(t, abs=5e-5)
    assert probability(t, freedom) == pytest.approx(0.975, abs=1e-5)
    assert probability(-t, freedom) == pytest.approx(0.025, abs=1e-5)


@pytest.mark.parametrize("ties", [0.0, 0.5])
@pytest.mark.parametrize("seats", [2, 4])
def test_the_simulation_keeps_every_pair_logistic(seats: int, ties: float) -> None:
    elo = np.array([-250.0, -50.0, 0.0, 120.0, 300.0])
    outcomes = simulate(elo, seats, 60_000, 9, bot_luck=0.4, seat_luck=0.3, ties=ties)
    points, pairs = tally([outcomes])
    expected = 1 / (1 + 10 ** ((elo - elo[:, None]) / 400))
    off = ~np.eye(5, dtype=bool)
    errors = (points[off] / pairs[off] - expected[off]) * np.sqrt(pairs[off] / seats)
    assert np.abs(errors).max() < 2
    assert (np.sort(outcomes.ranks, axis=1)[:, 1:] == np.arange(2, seats + 1)).all() == (ties == 0)


def blocks_correlate(outcomes: Outcomes) -> float:
    """The variance of a bot's block result over that of as many independent matches."""
    points = np.zeros((len(outcomes), 2))
    for seat in range(2):
        np.put_along_axis(
            points, outcomes.entries[:, [seat]], outcomes.ranks[:, [1 - seat]] - 1.0, axis=1
        )
    first: NDArray[np.float64] = points[:, 0]
    return float(first.reshape(-1, 2).mean(axis=1).var() / (first.var() / 2))


def test_the_simulation_correlates_the_matches_of_a_block() -> None:
    equals = np.zeros(2)
    assert blocks_correlate(simulate(equals, 2, 20_000, 1)) == pytest.approx(1, abs=0.05)
    assert blocks_correlate(simulate(equals, 2, 20_000, 1, bot_luck=0.9)) > 1.5
    assert blocks_correlate(simulate(equals, 2, 20_000, 1, seat_luck=0.9)) < 0.5


KINDS = [
    Tournaments(5, 2, 100, spread=300, bot_luck=0.9, seat_luck=0.0, ties=0.1),
    Tournaments(30, 2, 300, spread=500, bot_luck=0.85, seat_luck=0.05, ties=0.1),
    Tournaments(5, 4, 15, spread=300, bot_luck=0.3, seat_luck=0.3, ties=0.4),
    Tournaments(12, 4, 60, spread=400, bot_luck=0.2, seat_luck=0.4, ties=0.2),
    Tournaments(30, 4, 75, spread=600, bot_luck=0.5, seat_luck=0.2, ties=0.3),
]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_intervals_over_blocks_cover_the_truth_and_over_pairs_do_not(kind: Tournaments) -> None:
    blocks, pairs = coverage(kind, runs=500)
    assert 0.93 <= blocks <= 0.97
    assert pairs < 0.92


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[2]], ids=str)
def test_coverage_in_short(kind: Tournaments) -> None:
    """A hundred runs: the bounds are as wide as so few runs ask for."""
    blocks, pairs = coverage(kind, runs=100)
    assert 0.915 <= blocks <= 0.985
    assert pairs < 0.92
