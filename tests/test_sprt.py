"""The sequential test, what it asks to be played, and the plan of a tournament."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.errors import ArenaError
from arena.plan import plan, variance_ratio
from arena.rating import rate
from arena.simulation import simulate
from arena.sprt import Sprt, block_scores, line_ups
from tests.coverage import Tournaments
from tests.tournaments import score_sheet


def test_the_ratio_is_that_of_two_normal_likelihoods() -> None:
    """Each hypothesis has its own variance: the mean squared distance from its expectation."""
    scores = [0.5, 0.75, 0.25, 1.0, 0.75, 0.5, 0.75]
    test = Sprt(0, 50)
    for score in scores:
        state = test.update(score)
    centre = sum(scores) / 7
    own = (sum((score - centre) ** 2 for score in scores) + 0.25) / 8
    expected = {0: 0.5, 50: 1 / (1 + 10 ** (-50 / 400))}

    def likelihood(elo: int) -> float:
        return -7 / 2 * math.log(own + (centre - expected[elo]) ** 2)

    assert state.llr == pytest.approx(likelihood(50) - likelihood(0))
    assert state.blocks == 7


def test_the_line_is_the_one_chess_testers_know() -> None:
    test = Sprt(0, 20)
    assert str(test.state) == "LLR: 0.00 (-2.94, 2.94) [0.00, 20.00]  Elo: 0.0 ± 681.0  blocks: 0"
    while (state := test.update(0.75)).decision is None:
        pass
    assert str(state).endswith("  H1 accepted")
    assert f"blocks: {state.blocks}" in str(state) and state.llr >= 2.94


def test_bounds_follow_the_risks() -> None:
    state = Sprt(0, 10, alpha=0.1, beta=0.02).state
    assert (state.lower, state.upper) == pytest.approx((math.log(0.02 / 0.9), math.log(0.98 / 0.1)))


def test_exchanging_everything_mirrors_the_test() -> None:
    there, back = Sprt(-5, 15), Sprt(-15, 5)
    for score in (0.75, 1.0, 0.5, 0.25, 0.75):
        one, other = there.update(score), back.update(1 - score)
    assert (one.llr, one.elo, one.error) == pytest.approx((-other.llr, -other.elo, other.error))


def test_twins_are_not_taken_for_stronger_nor_decided_at_once() -> None:
    test = Sprt(0, 20)
    states = [test.update(0.5) for _ in range(300)]
    assert states[10].decision is None
    assert states[-1].decision == "H0" and states[-1].elo == 0


def test_the_reported_interval_is_about_the_standard_one() -> None:
    scores = block_scores(simulate(np.array([40.0, 0.0]), 2, 3000, seed=1), "bot00", "bot01")
    test = Sprt(0, 20)
    for score in scores:
        state = test.update(float(score))
    mean = scores.mean()
    width = 1.96 * scores.std() / math.sqrt(len(scores)) / (mean * (1 - mean)) * 400 / math.log(10)
    assert state.error == pytest.approx(width, rel=0.01)
    assert state.elo == pytest.approx(400 * math.log10(mean / (1 - mean)), abs=0.1)


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "beta", "message"),
    [
        (20, 0, 0.05, 0.05, "elo0 must be less than elo1, not 20 and 0"),
        (0, 0, 0.05, 0.05, "elo0 must be less than elo1"),
        (0, 20, 0, 0.05, "alpha lies between 0 and 0.5, not at 0"),
        (0, 20, 0.05, 0.5, "beta lies between 0 and 0.5, not at 0.5"),
    ],
)
def test_a_test_that_cannot_be(
    elo0: float, elo1: float, alpha: float, beta: float, message: str
) -> None:
    with pytest.raises(ArenaError, match=message):
        Sprt(elo0, elo1, alpha, beta)


def test_line_ups_by_hand() -> None:
    assert line_ups("A", "B", (0, 1)) == [("A", "B"), ("B", "A")]
    assert {"".join(one) for one in line_ups("A", "B", range(4))} == {
        "AABB",
        "BBAA",
        "ABBA",
        "BAAB",
    }
    assert line_ups("A", "B", (0, 1, 0, 1)) == [("A", "B", "A", "B"), ("B", "A", "B", "A")]
    with_field = line_ups("A", "B", range(3), ["x", "y"], block=1)
    assert {"".join(one) for one in with_field} == {"ABy", "BAy", "AyB", "ByA", "yAB", "yBA"}
    with pytest.raises(ArenaError, match="a field has no place"):
        line_ups("A", "B", (0, 1), ["x"])


@pytest.mark.parametrize("field", [(), ("x", "y", "z")])
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_block_treats_both_alike(seats: int, field: tuple[str, ...]) -> None:
    matches = line_ups("A", "B", range(seats), field, block=2)
    assert len(set(matches)) == len(matches)
    swap = {"A": "B", "B": "A"}
    assert {tuple(swap.get(entry, entry) for entry in match) for match in matches} == set(matches)
    for seat in range(seats):
        held = Counter(match[seat] for match in matches)
        assert held["A"] == held["B"] > 0


def test_the_field_takes_turns() -> None:
    seen = [set(line_ups("A", "B", range(4), "vwxyz", block)[0]) - {"A", "B"} for block in range(5)]
    assert seen == [{"v", "w"}, {"x", "y"}, {"z", "v"}, {"w", "x"}, {"y", "z"}]


def test_block_scores_count_encounters_of_the_two_alone() -> None:
    lines = ["A > x > B", "B = A > x", "x > A > y", "y > x > A", "x > B > A", "x > y > A"]
    outcomes = score_sheet(*lines, per_block=2)
    assert block_scores(outcomes, "A", "B").tolist() == [0.75, 0.0]
    assert block_scores(outcomes, "B", "A").tolist() == [0.25, 1.0]
    copies = score_sheet("A > B > A > B", "B = A > B > A", per_block=2)
    assert block_scores(copies, "A", "B").tolist() == [(3 + 1.5) / 8]


def test_block_scores_come_in_the_order_played() -> None:
    outcomes = replace(score_sheet("A > B", "B > A", "A = B"), blocks=np.array([9, 2, 5]))
    assert block_scores(outcomes, "A", "B").tolist() == [1.0, 0.0, 0.5]


def draw_scores(elo: float, seats: int, runs: int, length: int) -> NDArray[np.float64]:
    """Block scores of A, `elo` above B, the seats filled with copies, one run per row."""
    half = seats // 2
    outcomes = simulate(
        np.repeat([elo, 0.0], half), seats, runs * length, 7, bot_luck=0.3, seat_luck=0.4, ties=0.3
    )
    pairs = replace(outcomes, names=("A", "B"), entries=outcomes.entries // half)
    return block_scores(pairs, "A", "B").reshape(runs, length)


def decide(test: Sprt, scores: NDArray[np.float64]) -> str | None:
    for score in scores:
        if decision := test.update(float(score)).decision:
            return decision
    return None


def wrong_share(
    elo0: float, elo1: float, truth: float, seats: int, runs: int, length: int
) -> float:
    """The share of runs that do not find the truth, the few unfinished ones among them."""
    right = "H0" if truth == elo0 else "H1"
    scores = draw_scores(truth, seats, runs, length)
    return sum(decide(Sprt(elo0, elo1), run) != right for run in scores) / runs


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize(
    ("elo0", "elo1", "runs", "length"),
    [(0, 40, 800, 1000), (-20, 20, 800, 1000), (0, 100, 2000, 250)],
)
@pytest.mark.parametrize("hypothesis", [0, 1])
def test_error_rates(
    elo0: float, elo1: float, runs: int, length: int, seats: int, hypothesis: int
) -> None:
    truth = (elo0, elo1)[hypothesis]
    assert wrong_share(elo0, elo1, truth, seats, runs, length // (seats // 2)) <= 1.3 * 0.05


@pytest.mark.parametrize("truth", [0, 60])
def test_error_rates_in_short(truth: float) -> None:
    assert wrong_share(0, 60, truth, seats=2, runs=300, length=400) <= 1.3 * 0.05


def test_the_plan_holds_what_it_promises() -> None:
    """A tournament of the planned length has the wanted widest interval, to a tenth."""
    kind = Tournaments(6, 4, 200, spread=300, bot_luck=0.4, seat_luck=0.2, ties=0.2)
    planned = plan([kind.draw(1)], elo=10)
    assert planned.typical < planned.every and planned.every % 4 == 0
    played = replace(kind, blocks=planned.every // 4).draw(2)
    assert rate([played]).half_widths(0.95).max() == pytest.approx(10, rel=0.1)
    twice_as_wide = plan([kind.draw(1)], elo=20)
    assert twice_as_wide.every == pytest.approx(planned.every / 4, abs=4)
    assert plan([kind.draw(1)], elo=10, confidence=0.68).every < planned.every / 3


def test_no_plan_without_variance() -> None:
    with pytest.raises(ArenaError, match="too few blocks"):
        plan([score_sheet("a > b", "b > a", per_block=2)], elo=10)
    with pytest.raises(ArenaError, match="cannot be had"):
        plan([score_sheet("a > b", "b > a")], elo=0)


def test_the_variance_ratio_tells_what_rotation_saves() -> None:
    def ratio(bot_luck: float, seat_luck: float) -> float:
        return variance_ratio([Tournaments(4, 4, 600, 200, bot_luck, seat_luck, 0).draw(3)])

    assert ratio(0, 0.9) < 0.5
    assert ratio(0, 0) == pytest.approx(1, abs=0.15)
    assert ratio(0.9, 0) > 2
