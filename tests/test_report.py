"""The leaderboard and the other tables, by hand from short score sheets."""

from __future__ import annotations

import builtins
import json
import math
import time
import tracemalloc
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from openskill.models import PlackettLuce

from arena.errors import ArenaError
from arena.rating import MEAN, Outcomes, Ratings, rate
from arena.readings import openskill, sequential
from arena.report import (
    Row,
    cross_table,
    gaps,
    leaderboard,
    likelihoods,
    rank_by_rating,
    seat_advantage,
    sort_by_rating,
    standings,
)
from arena.simulation import simulate
from tests.tournaments import score_sheet

KEYS = "rank,bot,digest,elo,low,high,matches,points,wins,mean_rank,mean_score,faults"


def rows_of(*outcomes: Outcomes, **options: Any) -> dict[str, Row]:
    ratings = rate(outcomes)
    digests = {name: f"digest of {name}" for name in ratings.names}
    return {row.bot: row for row in standings(outcomes, ratings, digests, **options)}


def fixed(elo: list[float], errors: list[float], groups: list[int] | None = None) -> Ratings:
    """Ratings made up for a test, with independent errors."""
    return Ratings(
        names=tuple("abcdefgh"[: len(elo)]),
        elo=np.array(elo),
        covariance=np.diag(np.square(errors)),
        freedom=np.full(len(elo), math.inf),
        groups=np.array(groups or [0] * len(elo)),
    )


def test_a_row_by_hand() -> None:
    """Of three matches with three seats a wins one, shares one and loses one: 1 + 1/2 wins."""
    outcomes = score_sheet("a > b > c", "a = c > b", "c > b > a")
    outcomes = replace(outcomes, faults=np.array([[0, 1, 0], [0, 1, 0], [0, 1, 0]], dtype=bool))
    row = rows_of(outcomes)["a"]
    assert row.digest == "digest of a"
    assert row.matches == 3
    assert row.points == pytest.approx((2 + 1.5 + 0) / 6)
    assert row.wins == pytest.approx(1.5 / 3)
    assert row.mean_rank == pytest.approx((1 + 1 + 3) / 3)
    assert row.mean_score == pytest.approx((20 + 20 + 0) / 3)
    assert [rows_of(outcomes)[bot].faults for bot in "abc"] == [0, 2, 1]


def test_shares_add_up() -> None:
    outcomes = simulate(np.linspace(-200, 200, 4), 4, 50, seed=3, ties=0.5)
    rows = rows_of(outcomes).values()
    assert sum(row.wins or 0 for row in rows) == pytest.approx(1)
    assert np.mean([row.points for row in rows]) == pytest.approx(0.5)


def test_a_team_plays_one_match_and_ranks_among_sides() -> None:
    teams = replace(
        score_sheet("a = a > b = b", "a = a > b = b"),
        sides=(0, 0, 1, 1),
        scores=np.array([[5, 7, 1, 1], [5, 7, 1, 3]]),
        faults=np.array([[0, 0, 1, 1], [0, 0, 0, 1]], dtype=bool),
    )
    rows = rows_of(teams)
    assert (rows["a"].matches, rows["a"].wins, rows["a"].mean_rank) == (2, 1.0, 1.0)
    assert (rows["b"].matches, rows["b"].wins, rows["b"].mean_rank) == (2, 0.0, 2.0)
    assert (rows["a"].mean_score, rows["b"].mean_score) == (6.0, 1.5)
    assert (rows["a"].faults, rows["b"].faults) == (0, 2)


def test_a_bot_that_has_not_played_has_nothing_to_show() -> None:
    outcomes = replace(score_sheet("a > b", "b > a"), names=("a", "b", "idle"))
    row = rows_of(outcomes)["idle"]
    assert (row.rank, row.elo, row.matches, row.faults) == (1, MEAN, 0, 0)
    nothing = (row.low, row.high, row.points, row.wins, row.mean_rank, row.mean_score)
    assert nothing == (None,) * 6
    assert leaderboard([row]).cells == [["1", "idle", "1500.0", "–", "0", *["–"] * 4]]


def test_intervals_follow_the_confidence() -> None:
    outcomes = simulate(np.linspace(-200, 200, 4), 2, 100, seed=3)
    ratings = rate([outcomes])
    for confidence in (0.5, 0.99):
        for row in rows_of(outcomes, confidence=confidence).values():
            width = ratings.half_widths(confidence)[ratings.names.index(row.bot)]
            assert (row.low, row.high) == pytest.approx((row.elo - width, row.elo + width))


def test_equal_ratings_share_a_rank() -> None:
    ratings = fixed([1400, 1600, 1600 + 1e-9, 1500], [1] * 4)
    order = sort_by_rating(ratings)
    assert [ratings.names[bot] for bot in order] == ["b", "c", "d", "a"]
    assert rank_by_rating(ratings, order) == [1, 1, 3, 4]


def test_ties_go_by_the_best_of_the_rank_and_do_not_chain() -> None:
    """Two errors of 10 make one of 14.1, so 27.7 Elo are needed to be told apart at 95 %."""
    ratings = fixed([1500, 1480, 1471, 1450, 1400], [10] * 5)
    order = sort_by_rating(ratings)
    assert rank_by_rating(ratings, order, 0.95) == [1, 1, 3, 3, 5]
    assert rank_by_rating(ratings, order) == [1, 2, 3, 4, 5]


def test_ties_use_the_covariance_and_not_the_two_intervals() -> None:
    ratings = fixed([1520, 1500], [10, 10])
    assert rank_by_rating(ratings, [0, 1], 0.95) == [1, 1]
    shared = replace(ratings, covariance=np.array([[100.0, 90.0], [90.0, 100.0]]))
    assert rank_by_rating(shared, [0, 1], 0.95) == [1, 2]


def test_ties_reach_the_rows() -> None:
    outcomes = simulate(np.array([0.0, 1.0, 2.0]), 3, 20, seed=1)
    assert sorted(row.rank for row in rows_of(outcomes).values()) == [1, 2, 3]
    assert {row.rank for row in rows_of(outcomes, ties=True).values()} == {1}


def test_groups_are_ranked_for_themselves_and_named() -> None:
    ratings = fixed([1500, 1600, 1400, 1700, 1550], [1] * 5, groups=[0, 1, 1, 1, 0])
    order = sort_by_rating(ratings)
    assert [ratings.names[bot] for bot in order] == ["d", "b", "c", "e", "a"]
    assert rank_by_rating(ratings, order) == rank_by_rating(ratings, order, 0.95) == [1, 2, 3, 1, 2]
    sentence = gaps(ratings)
    assert sentence is not None and sentence.endswith("rated for itself: d, b, c | e, a")
    assert gaps(fixed([1, 2], [1, 1])) is None
    pairs = [(one["bot"], one["opponent"]) for one in likelihoods(ratings).records]
    assert pairs == [("d", "b"), ("b", "c"), ("e", "a")]


def test_likelihoods_of_neighbours() -> None:
    report = likelihoods(fixed([1500, 1520, 1520], [3, 4, 0]))
    first, second = report.records
    assert first == {"bot": "b", "opponent": "c", "difference": 0.0, "superiority": 0.5}
    assert (second["bot"], second["opponent"]) == ("c", "a")
    assert second["superiority"] == pytest.approx(0.5 * (1 + math.erf(20 / 3 / math.sqrt(2))))
    assert report.cells[0] == ["1", "b", "c", "0.0", "50.0"]


def test_cross_table_by_hand() -> None:
    outcomes = [score_sheet("a > b > c", "b = a > c"), score_sheet("b > a")]
    report = cross_table(outcomes, fixed([1400, 1600, 1500], [1] * 3))
    assert report.headers == ["", "bot", "1", "2", "3"]
    assert report.cells == [
        ["1", "b", "", "100.0 (2)", "50.0 (3)"],
        ["2", "c", "0.0 (2)", "", "0.0 (2)"],
        ["3", "a", "50.0 (3)", "100.0 (2)", ""],
    ]
    assert report.records[1] == {"bot": "b", "opponent": "a", "points": 0.5, "pairs": 3}
    assert len(report.records) == 6


def test_seats_by_hand() -> None:
    """Blocks of 2, 2 and 1 matches, in which the first seat gains 2, 1.5 and 0.5 points."""
    report = seat_advantage([score_sheet("a > b", "b > a", "a > b", "a = b", "b = a", per_block=2)])
    first = report.records[0]
    assert [one["seat"] for one in report.records] == [0, 1]
    assert first["points"] == pytest.approx(4 / 5)
    # At 0.8 a match they would be 1.6, 1.6 and 0.8.
    error = math.sqrt((0.16 + 0.01 + 0.09) * 3 / 2) / 5
    assert first["high"] - first["points"] == pytest.approx(4.302653 * error)
    assert first["points"] - first["low"] == pytest.approx(4.302653 * error)


def test_seats_of_partners_and_of_tables_of_another_size() -> None:
    teams = replace(score_sheet("a = a > b = b", "b = b > a = a"), sides=(0, 1, 0, 1))
    teams = replace(
        teams, entries=teams.entries[:, [0, 2, 1, 3]], ranks=teams.ranks[:, [0, 2, 1, 3]]
    )
    report = seat_advantage([teams, score_sheet("a > b > c", "a > c > b"), teams])
    assert [one["seats"] for one in report.records] == [4] * 4 + [3] * 3
    assert [one["points"] for one in report.records] == [1, 0, 1, 0, 1, 0.5, 0]
    assert [one["matches"] for one in report.records] == [4] * 4 + [2] * 3


def test_the_interval_of_a_seat_covers() -> None:
    """Equal bots: every seat is worth one half, and nine of ten 90 % intervals hold it."""
    held = []
    for seed in range(200):
        outcomes = simulate(np.zeros(4), 4, 25, seed, bot_luck=0.2, seat_luck=0.6)
        held += [
            one["low"] <= 0.5 <= one["high"] for one in seat_advantage([outcomes], 0.9).records
        ]
    assert 0.87 <= np.mean(held) <= 0.93


def test_one_block_has_no_interval_of_seats() -> None:
    report = seat_advantage([score_sheet("a > b", "b > a", per_block=2)])
    assert (report.records[0]["low"], report.records[0]["high"]) == (None, None)
    assert report.cells[0] == ["2", "0", "100.0", "–", "2"]


ROWS = [
    Row(1, "x|y", "d1", 1532.25, 1500.0, 1564.5, 40, 0.6125, 0.55, 1.45, 7.125, 0),
    Row(2, "2e3", "d2", 1467.75, None, None, 40, 0.3875, 0.45, 1.55, -3.0, 0),
]


def test_json_has_exactly_the_keys_of_the_contract() -> None:
    records = json.loads(leaderboard(ROWS).render("json"))
    assert [",".join(record) for record in records] == [KEYS, KEYS]
    assert records[0]["elo"] == 1532.25 and records[1]["low"] is None


def test_csv_is_the_records() -> None:
    assert leaderboard(ROWS).render("csv").splitlines() == [
        KEYS,
        "1,x|y,d1,1532.25,1500.0,1564.5,40,0.6125,0.55,1.45,7.125,0",
        "2,2e3,d2,1467.75,,,40,0.3875,0.45,1.55,-3.0,0",
    ]


def test_table_as_printed() -> None:
    assert leaderboard(ROWS).render("table").splitlines() == [
        "  rank  bot       Elo     ±    matches    points %    wins %    mean rank    mean score",
        "------  -----  ------  ----  ---------  ----------  --------  -----------  ------------",
        "     1  x|y    1532.2  32.2         40        61.3      55.0         1.45          7.12",
        "     2  2e3    1467.8     –         40        38.8      45.0         1.55         -3.00",
    ]


def test_markdown_keeps_its_columns() -> None:
    lines = leaderboard(ROWS).render("markdown").splitlines()
    assert lines[1].startswith("|-------:|:-")
    assert r"x\|y" in lines[2]
    assert {line.replace(r"\|", "").count("|") for line in lines} == {10}


def test_faults_are_shown_when_there_are_any() -> None:
    faulty = [ROWS[0], replace(ROWS[1], faults=3)]
    assert "faults" not in leaderboard(ROWS).headers
    assert leaderboard(faulty).headers[-1] == "faults"
    assert [cells[-1] for cells in leaderboard(faulty).cells] == ["0", "3"]


def test_an_unknown_format() -> None:
    with pytest.raises(ArenaError, match="unknown format 'yaml'"):
        leaderboard(ROWS).render("yaml")


def test_sequential_elo_by_hand() -> None:
    """Even bots exchange half of K; then a, 20 points up, expects 0.5288 and loses."""
    ratings = sequential([score_sheet("a > b", "b > a")])
    expected = 1 / (1 + 10 ** (-20 / 400))
    assert ratings.elo == pytest.approx([1510 - 20 * expected, 1490 + 20 * expected])
    assert np.isnan(ratings.half_widths(0.95)).all()


def test_sequential_elo_takes_all_pairs_of_a_match_at_once() -> None:
    ratings = sequential([score_sheet("a > b = c")], anchor=("c", 1000.0), k_factor=10)
    assert ratings.elo == pytest.approx([1007.5, 1000, 1000])
    with pytest.raises(ArenaError, match="unknown anchor"):
        sequential([score_sheet("a > b")], anchor=("z", 0.0))


def test_sequential_elo_depends_on_the_order_and_maximum_likelihood_does_not() -> None:
    lines = ["a > b"] * 5 + ["b > a"] * 5
    there, back = score_sheet(*lines), score_sheet(*reversed(lines))
    there = replace(there, names=("a", "b"))
    assert rate([there]).elo == pytest.approx(rate([back]).elo)
    assert sequential([there]).elo[0] < sequential([back]).elo[1]
    assert sequential([there]).elo[0] < MEAN


def test_openskill_is_the_package_fed_match_by_match() -> None:
    model = PlackettLuce()
    a, b, c = (model.rating() for _ in range(3))
    ((a,), (b,), (c,)) = model.rate([[a], [b], [c]], ranks=[1, 2, 2])
    ((c,), (a,)) = model.rate([[c], [a]], ranks=[1, 2])
    ratings = openskill([score_sheet("a > b = c"), score_sheet("c > a", "a > a")])
    assert ratings.elo == pytest.approx([a.mu, b.mu, c.mu])
    assert ratings.half_widths(0.95) == pytest.approx(
        1.959964 * np.array([a.sigma, b.sigma, c.sigma]), rel=1e-5
    )
    digests = dict.fromkeys(ratings.names, "")
    rows = standings([score_sheet("a > b > c")], ratings, digests)
    assert leaderboard(rows, ratings.scale).headers[2] == "OpenSkill"


def test_without_openskill_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    importer = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.startswith("openskill"):
            raise ImportError(name)
        return importer(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ArenaError, match=r"tabletop-arena\[openskill\]"):
        openskill([score_sheet("a > b")])


@pytest.mark.slow
def test_a_million_matches_on_the_leaderboard() -> None:
    outcomes = simulate(np.linspace(-300, 300, 50), 4, 250_000, 1, bot_luck=0.3, ties=0.2)
    tracemalloc.start()
    begin = time.perf_counter()
    text = leaderboard(list(rows_of(outcomes).values())).render("table")
    taken, (_, peak) = time.perf_counter() - begin, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken < 10 and peak < 1e9
    assert len(text.splitlines()) == 52
