"""Luck that repeats, rollouts that stop in time, and what a match is worth to a seat."""

from __future__ import annotations

from copy import copy
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from arena import games
from arena.bot import Start
from arena.game import Chance, Result, competition_ranks
from arena.games.cash import CHOOSE, STOP, TAKE
from arena.games.lasvegas import LasVegasOptions
from arena.games.trio import REVEALS
from arena.loading import find, load_module, make
from arena.search import LOOKS, Judge, Luck, Rollouts, lucky_lead, retrace


def standing(scores: tuple[int, ...], ranks: tuple[int, ...], *, over: bool) -> Any:
    seat = None if over else 0
    return SimpleNamespace(result=lambda: Result(scores, ranks), seat=seat)


def test_copies_of_luck_bring_the_same() -> None:
    luck = Luck.of(Random(1))
    early, late = copy(luck), copy(luck)
    cards = early.shuffled("cards", range(20))
    assert late.shuffled("cards", range(20)) == cards
    throws = list(early.draws("throws", 100))
    assert list(late.draws("throws", 100)) == throws
    assert copy(luck).shuffled("cards", range(20)) == cards


def test_luck_is_new_each_time() -> None:
    rng = Random(1)
    assert list(Luck.of(rng).draws("", 3)) != list(Luck.of(rng).draws("", 3))


def test_a_position_and_its_copied_luck_give_the_same_match() -> None:
    game = games.load("lasvegas")(3, Chance(1))
    luck = Luck.of(Random(1))
    one, two = game.clone(copy(luck)), game.clone(copy(luck))
    while one.seat is not None:
        two.play(one.legal()[-1])
        one.play(one.legal()[-1])
        assert one.view(0) == two.view(0)


def test_points_are_the_share_of_opponents_beaten() -> None:
    judge = Judge((0, 1, 2, 3))
    match = standing((70, 50, 50, 10), (1, 2, 2, 4), over=True)
    assert judge.points(match) == [1, 0.5, 0.5, 0]


def test_points_follow_ranks_at_the_end() -> None:
    """A trio of sevens wins with fewer trios than another seat has."""
    assert Judge((0, 1)).points(standing((1, 2), (1, 2), over=True)) == [1, 0]


def test_partners_are_not_opponents() -> None:
    judge = Judge((0, 1, 0, 1))
    assert judge.points(standing((2, 1, 2, 1), (1, 3, 1, 3), over=True)) == [1, 0, 1, 0]


def test_a_lead_before_the_end_counts_by_its_size() -> None:
    judge = Judge((0, 1, 2))
    judge.learn((0, 0, 0), (40, 20, 0))
    first, second, third = judge.points(standing((60, 50, 0), (1, 2, 3), over=False))
    assert 1 > first > second > 0.5 > third > 0
    assert first + second + third == pytest.approx(1.5)


def test_a_lead_counts_more_where_less_is_to_come() -> None:
    """Where leads change by 100 one that large lasts in five of six matches, by a normal law."""
    ahead = standing((200, 100), (1, 2), over=False)
    calm, wild = Judge((0, 1)), Judge((0, 1))
    for change in (10, -10):
        calm.learn((200, 100), (200 + change, 100))
        wild.learn((200, 100), (200, 100 + 10 * change))
    assert calm.points(ahead)[0] > wild.points(ahead)[0] == pytest.approx(0.84, abs=0.01)


def test_what_was_learnt_long_ago_is_forgotten() -> None:
    ahead = standing((200, 100), (1, 2), over=False)
    new, old = Judge((0, 1)), Judge((0, 1))
    old.learn((0, 0), (5000, 0))
    for judge in (old, *[new, old] * LOOKS):
        judge.learn((0, 0), (100, 0))
    assert old.points(ahead) == new.points(ahead)


def test_a_position_where_nothing_ever_happens_is_even() -> None:
    judge = Judge((0, 1))
    judge.learn((0, 0), (0, 0))
    assert judge.points(standing((0, 0), (1, 1), over=False)) == [0.5, 0.5]


def test_looking_ahead_learns_from_the_horizon_to_the_end() -> None:
    """A lead of 4 at the second gain that is 3 at the end has changed by 1."""
    start = Start("test", "lasvegas", LasVegasOptions(), 0, 2, 1, None)
    rollouts = Rollouts(start, Random(1), "random", 2)
    scores = (5, 3), (4, 3), (4, 3), (8, 3), (8, 2), (8, 4), (9, 4), (8, 5)
    rollouts.imagine = lambda view: Scoring(*scores)  # type: ignore[method-assign, assignment]
    rollouts.look_ahead(None)
    expected = Judge((0, 1))
    expected.learn((1, 0), (0, 0))
    ahead = standing((2, 0), (1, 2), over=False)
    assert rollouts.judge.points(ahead) == expected.points(ahead)


@pytest.mark.parametrize(("horizon", "last"), [(1, 2), (2, 3), (0, None)])
def test_a_rollout_stops_when_somebody_has_gained(horizon: int, last: int | None) -> None:
    """In Las Vegas that is at the payout of a round."""
    game: Any = games.load("lasvegas")(4, Chance(1))
    match = Start("test", "lasvegas", game.options, 0, 4, 1, None)
    rollouts = Rollouts(match, Random(1), "random", horizon)
    rollouts.look_ahead(game.view(0))
    position: Any = rollouts.imagine(game.view(0))
    points = rollouts.play_on(position)
    assert sum(points) == pytest.approx(2)
    if last is None:
        assert position.seat is None
    else:
        assert position.round == last and sum(map(sum, position.dice)) == 0


class Scoring:
    """A match of so many turns, in which only one action is ever legal and the scores are these."""

    def __init__(self, *scores: tuple[int, ...]) -> None:
        self._scores = list(scores)

    @property
    def seat(self) -> int | None:
        return 0 if self._scores[1:] else None

    def legal(self) -> tuple[str]:
        return ("go on",)

    def play(self, action: str) -> None:
        del self._scores[0]

    def result(self) -> Result:
        return Result(self._scores[0], competition_ranks(self._scores[0]))


@pytest.mark.parametrize(("horizon", "last"), [(1, (8, 3)), (2, (8, 4)), (3, (9, 4)), (4, (8, 4))])
def test_paying_is_not_gaining(horizon: int, last: tuple[int, int]) -> None:
    match = Scoring((5, 3), (4, 3), (4, 3), (8, 3), (8, 2), (8, 4), (9, 4), (8, 4))
    start = Start("test", "lasvegas", LasVegasOptions(), 0, 2, 1, None)
    rollouts = Rollouts(start, Random(1), "random", horizon)
    rollouts.judge.learn((0, 0), (1, 0))
    rollouts.play_on(match)  # type: ignore[arg-type]
    assert match.result().scores == last


@pytest.mark.parametrize(("game", "policy"), [("lasvegas", "greedy"), ("cash", "safecracker")])
def test_the_favourite_is_what_the_policy_does(game: str, policy: str) -> None:
    match: Any = games.load(game)(3, Chance(1))
    start = Start("test", game, match.options, 0, 3, 1, None)
    rollouts = Rollouts(start, Random(1), policy, 0)
    for _ in range(20):
        if len(match.legal()) > 1:
            actions, favourite = rollouts.begin(match.view(match.seat))
            assert actions == match.legal() and favourite == rollouts.policies[0](match)
        match.play(match.legal()[0])


def test_chance_has_no_favourite() -> None:
    match: Any = games.load("lasvegas")(3, Chance(1))
    start = Start("test", "lasvegas", match.options, 0, 3, 1, None)
    assert Rollouts(start, Random(1), "random", 0).begin(match.view(0)) == (match.legal(), None)


def test_of_actions_that_are_alike_a_search_tries_one() -> None:
    """Whichever of the unseen cards its policy would turn up."""
    match: Any = games.load("trio")(3, Chance(1))
    start = Start("test", "trio", match.options, 0, 3, 1, None)
    rollouts = Rollouts(start, Random(1), "elephant", 0)
    match.play(REVEALS[0])
    match.play(REVEALS[1])
    begun = [rollouts.begin(match.view(match.seat)) for _ in range(20)]
    centre = {action.slot for actions, _ in begun for action in actions if action.type == "reveal"}
    assert centre == {0, 1, 2}
    assert all(favourite in actions for actions, favourite in begun)


def test_who_the_others_are_is_imagined_too() -> None:
    """Seat 1 plays by the first policy, each of the others by either, from match to match."""
    match: Any = games.load("lasvegas")(3, Chance(1))
    start = Start("test", "lasvegas", match.options, 1, 3, 1, None)
    rollouts = Rollouts(start, Random(1), "bookmaker+random", 0)
    tables = set()
    for _ in range(60):
        rollouts.imagine(match.view(1))
        tables.add(tuple(map(rollouts.policies.index, rollouts.table)))
    assert tables == {(one, 0, two) for one in (0, 1) for two in (0, 1)}


def searching(game: str, policy: str, **options: Any) -> tuple[Any, Rollouts]:
    """A match of four, and the rollouts of seat 0."""
    match: Any = games.load(game)(4, Chance(1), games.load(game).read_options(options))
    start = Start("test", game, match.options, 0, 4, 1, None)
    return match, Rollouts(start, Random(1), policy, 0)


def test_who_the_others_are_is_told_by_what_they_do() -> None:
    """Seat 0 knows after a few turns who plays by its own policy, by another, and by none."""
    match, rollouts = searching("cash", "safecracker+burglar+random")
    table = [0, 1, 2, 0]
    for _ in range(80):
        if match.seat == 0 and len(match.legal()) > 1:
            rollouts.begin(match.view(0))
            match.hear(0)
        match.play(rollouts.policies[table[match.seat]](match))
    for odds, policy in zip(rollouts.odds[1:], table[1:], strict=True):
        assert odds[policy] > 0.99 and sum(odds) == pytest.approx(1)


def test_what_chance_decides_tells_nothing_of_the_others() -> None:
    match, rollouts = searching("lasvegas", "bookmaker+random")
    for _ in range(40):
        if match.seat == 0:
            rollouts.begin(match.view(0))
            match.hear(0)
        match.play(rollouts.policies[1](match))
    assert rollouts.odds[1:] == [[pytest.approx(0.5, abs=0.1)] * 2] * 3


def test_partners_play_by_the_same_policy() -> None:
    _, rollouts = searching("trio", "sleuth+random", teams=True)
    assert [len(odds) for odds in rollouts.odds] == [1, 2, 1, 2]


def test_what_was_decided_is_traced_by_its_events() -> None:
    """Stopping is not told, but it is the only action that nobody would see."""
    match, _ = searching("cash", "random")
    for action in CHOOSE[:4]:
        match.play(action)
    past, rng, decided = match.clone(Chance(2)), Random(8), []
    began = len(match.events)
    while STOP not in decided:
        legal = match.legal()
        match.play(action := rng.choice(legal))
        decided += [action] if len(legal) > 1 else []
    match.play(TAKE[0])
    traced = list(retrace(past, tuple(match.events[began:]), Luck.of(Random(1))))
    assert [action for _, _, action in traced] == [*decided, TAKE[0]]
    assert past.events is None and past.seat == 0


def test_a_trace_ends_where_chance_has_dealt_otherwise() -> None:
    """The first throw of the others is seen when seat 0 has placed its dice."""
    match, _ = searching("lasvegas", "random")
    past = match.clone(Chance(2))
    match.play(match.legal()[0])
    match.play(match.legal()[0])
    traced = list(retrace(past, tuple(match.events[2:]), Luck.of(Random(1))))
    assert [(at, action) for at, _, action in traced] == [(0, past.legal()[0])]


def flat_race(
    values: list[float], favourite: int, rollouts: int, caution: float = 1
) -> tuple[int, list[int]]:
    """The action that `flat` chooses of so many with these points, and how often each was tried."""
    flat: Any = make(find(f"flat:rollouts={rollouts},caution={caution}"))
    tried = [0] * len(values)

    def trial(view: Any, race: list[int], points: dict[int, list[float]]) -> None:
        for action in race:
            # Good and bad luck in turn, for every second action the other way round.
            points[action].append(values[action] + (-1) ** (tried[action] + action))
            tried[action] += 1

    flat.trial = trial
    flat.search = SimpleNamespace(begin=lambda view: (tuple(range(len(values))), favourite))
    return flat.act(None), tried


def test_each_heat_has_as_many_rollouts_and_the_better_half_goes_on() -> None:
    """Of 8 actions 4 and then 2 go on: 6, 12 and 24 trials of 144 rollouts."""
    values = [0.1, 0.8, 0.2, 0.7, 0.6, 0.3, 0.4, 0.5]
    assert flat_race(values, 1, 144, caution=99) == (1, [6, 42, 6, 42, 18, 6, 6, 18])


def test_the_favourite_is_in_every_heat() -> None:
    """It takes the place of the last that would have gone on."""
    values = [0.1, 0.8, 0.2, 0.7, 0.6, 0.3, 0.4, 0.5]
    assert flat_race(values, 0, 144, caution=99) == (0, [42, 42, 6, 18, 18, 6, 6, 6])


@pytest.mark.parametrize(("rollouts", "chosen"), [(20, 0), (2000, 1)])
def test_the_favourite_wins_unless_it_is_far_behind(rollouts: int, chosen: int) -> None:
    assert flat_race([0.5, 0.8], 0, rollouts)[0] == chosen


def test_what_is_far_behind_is_left_and_its_rollouts_go_to_the_others() -> None:
    """Of 4 actions two are hopeless: after 10 trials of each the other two have 20 more."""
    assert flat_race([0.5, -9, -8, 0.5], 3, 80) == (3, [30, 10, 10, 30])


@pytest.mark.parametrize("favourite", [0, 3])
def test_who_is_far_ahead_wins_at_once(favourite: int) -> None:
    assert flat_race([0.5, -9, -7, -8], favourite, 80) == (0, [10] * 4)


def test_few_rollouts_are_one_for_each_action_and_heat() -> None:
    assert flat_race([0.5, 0.1, 0.9], 0, 1, caution=99) == (0, [2, 1, 2])


def test_of_equals_the_favourite_is_chosen() -> None:
    assert flat_race([0.5] * 5, 3, 60)[0] == 3


def test_the_best_of_many_equals_is_ahead_by_luck() -> None:
    """Nothing for one alone; for many, a little more than the largest normal number on average."""
    rng = Random(1)
    assert lucky_lead(1) == 0
    for actions in (4, 14, 32):
        largest = [max(rng.gauss(0, 1) for _ in range(actions)) for _ in range(4000)]
        assert 1 < lucky_lead(actions) / (sum(largest) / len(largest)) < 1.7


def test_a_lead_is_counted_in_standard_errors_of_the_differences() -> None:
    """Differences 1, 0, 1, and the added 0, have a mean of 1/2 and a standard error of 1/sqrt(12).

    However small the sample, those that agree are no certainty: n that do make n standard errors.
    """
    lead = load_module(find("flat").source).lead
    assert lead([1, 0.5, 1], [0, 0.5, 0]) == pytest.approx(3**0.5)
    assert lead([0, 0.5, 0], [1, 0.5, 1]) == pytest.approx(-(3**0.5))
    assert lead([1, 1, 0.5], [0.5, 0.5, 0]) == pytest.approx(3)
    assert lead([1, 0], [1, 0]) == 0
