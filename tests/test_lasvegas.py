"""Las Vegas: the examples of the rulebook and every ruling, with stacked dice and bills."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import ArenaError
from arena.game import Chance, Scripted
from arena.games.lasvegas import (
    BILLS,
    CASINO_MINIMUM,
    PLACE,
    ROUNDS,
    Award,
    LasVegas,
    LasVegasOptions,
    Payout,
    Placed,
    RoundBegins,
    Throw,
)
from tests.play import Variant, play_randomly, variants

NEUTRAL = LasVegasOptions(neutral=True)
ONE_EACH = [60000, 70000, 80000, 90000, 50000, 50000]

Turn = tuple[int, int] | tuple[int, int, int]
"""What a seat places in one turn: the value, how many own dice, how many white ones."""


def stacked(seats: list[list[Turn]], bills: list[int], left_over: str = "") -> LasVegas:
    """A match whose first round lets each seat place what its turns say, played to its payout."""
    white = any(len(turn) == 3 for turns in seats for turn in turns)
    script: dict[str, list[object]] = {"bills": [*bills]}
    for seat, turns in enumerate(seats):
        own = "".join(str(turn[0]) * turn[1] for turn in turns)
        script[f"round 1 seat {seat}"] = list(remaining(own, [turn[1] for turn in turns]))
        script[f"round 2 seat {seat}"] = ["1" * 8]
        if white:
            neutral = [turn[2] if len(turn) == 3 else 0 for turn in turns]
            whites = "".join(str(turn[0]) * n for turn, n in zip(turns, neutral, strict=True))
            script[f"round 1 seat {seat} white"] = list(remaining(whites, neutral))
            script[f"round 2 seat {seat} white"] = ["1" * 4]
    if left_over:
        script["round 1 white"] = [left_over]
        script["round 2 white"] = ["11"]
    game = LasVegas(len(seats), Scripted(script), NEUTRAL if white else None)
    waiting = [list(turns) for turns in seats]
    while game.round == 1:
        assert game.seat is not None
        game.play(PLACE[waiting[game.seat].pop(0)[0] - 1])
    return game


def remaining(dice: str, placed: list[int]) -> list[str]:
    """The dice still in hand before each turn."""
    throws = []
    for count in placed:
        throws.append(dice)
        dice = dice[count:]
    assert not dice
    return throws


def payout(game: LasVegas, casino: int) -> Payout:
    """The first payout of a casino."""
    assert game.events is not None
    return next(e for e in game.events if isinstance(e, Payout) and e.casino == casino)


def legal_values(game: LasVegas) -> set[int]:
    return {action.value for action in game.legal()}


# The examples of the rulebook


def test_benno_places_all_four_threes_and_keeps_one_die() -> None:
    script = {
        "bills": ONE_EACH,
        "round 1 seat 0": ["11111111"],
        "round 1 seat 1": ["22244556", "33335", "6"],
    }
    game = LasVegas(2, Scripted(script))
    game.play(PLACE[0])
    game.play(PLACE[1])
    assert game.seat == 1 and game.left[1] == 5
    assert legal_values(game) == {3, 5}
    game.play(PLACE[2])
    assert game.dice[2] == (0, 4)
    assert game.left[1] == 1 and legal_values(game) == {6}


def test_anna_and_denny_are_paid_when_benno_and_carla_tie() -> None:
    five_three_three_one = [[(1, 5), (6, 3)], [(1, 3), (6, 5)], [(1, 3), (6, 5)], [(1, 1), (6, 7)]]
    game = stacked(five_three_three_one, [10000, 30000, 80000, *ONE_EACH])
    assert payout(game, 1) == Payout(1, (Award(0, 80000), Award(3, 30000)), (10000,))


def test_nobody_is_paid_when_everybody_ties() -> None:
    two_one_two_one = [[(2, 2), (6, 6)], [(2, 1), (5, 7)], [(2, 2), (6, 6)], [(2, 1), (5, 7)]]
    game = stacked(two_one_two_one, ONE_EACH)
    assert payout(game, 2) == Payout(2, (), (70000,))


def test_carla_chooses_among_own_and_white_values() -> None:
    script = {
        "bills": ONE_EACH,
        "round 1 seat 0": ["44444115", "115", "5"],
        "round 1 seat 0 white": ["16", "16", "6"],
        "round 1 seat 1": ["33333333", ""],
        "round 1 seat 1 white": ["44", "44"],
        "round 1 seat 2": ["33333333", ""],
        "round 1 seat 2 white": ["44", "44"],
        "round 1 white": ["12"],
    }
    game = LasVegas(3, Scripted(script), NEUTRAL)
    for value in (4, 3, 3):
        game.play(PLACE[value - 1])
    assert game.seat == 0 and legal_values(game) == {1, 5, 6}
    game.play(PLACE[0])
    assert game.events is not None and Placed(0, 1, own=2, white=1) in game.events


def test_white_wins_a_bill_that_returns_under_the_pile() -> None:
    turns: list[list[Turn]] = [
        [(1, 0, 4), (6, 8, 0)],
        [(1, 1, 0), (5, 7, 4)],
    ]
    game = stacked(turns, [30000, 80000, *ONE_EACH])
    assert payout(game, 1) == Payout(1, (Award("white", 80000), Award(1, 30000)), (80000,))
    assert game.won[1][0] == 30000


def test_white_stands_between_carla_and_anna() -> None:
    turns: list[list[Turn]] = [
        [(1, 1, 1), (5, 7, 1)],
        [(6, 8, 2)],
        [(1, 3, 1), (4, 5, 1)],
    ]
    game = stacked(turns, [40000, 70000, *ONE_EACH], left_over="35")
    assert payout(game, 1) == Payout(1, (Award(2, 70000), Award("white", 40000)), (40000,))


# The rulings


def test_l1_the_first_seat_moves_left_for_four_rounds() -> None:
    game = Variant("lasvegas", 3, ()).new(5)
    for _ in play_randomly(game, Random(5)):
        pass
    rounds = [event for event in game.events or () if isinstance(event, RoundBegins)]
    assert [(event.number, event.first) for event in rounds] == [(1, 0), (2, 1), (3, 2), (4, 0)]


def test_l2_casinos_are_filled_in_order_until_they_hold_50000() -> None:
    pile = [40000, 10000, 20000, 20000, 30000, 50000, 90000, 10000, 60000, 80000]
    script = {"bills": pile, "round 1 seat 0": ["12345612"], "round 1 seat 1": []}
    game = LasVegas(2, Scripted(script))
    assert game.bills == (
        (40000, 10000),
        (30000, 20000, 20000),
        (50000,),
        (90000,),
        (60000, 10000),
        (80000,),
    )


def test_l3_the_pile_cannot_run_out() -> None:
    """Each bill of 50000 or more completes a casino, and there are more of them than casinos."""
    large = [bill for bill in BILLS if bill >= CASINO_MINIMUM]
    assert len(BILLS) == 54 and len(large) == 26 > ROUNDS * 6
    for seed in range(200):
        filled, on_casino = 0, 0
        for bill in Chance(seed).shuffled("bills", BILLS):
            on_casino += bill
            if on_casino >= CASINO_MINIMUM:
                filled, on_casino = filled + 1, 0
        assert filled >= len(large)


def test_l4_equal_counts_leave_before_the_others_are_paid() -> None:
    turns: list[list[Turn]] = [
        [(1, 4), (6, 4)],
        [(1, 4), (5, 4)],
        [(1, 2), (4, 6)],
        [(1, 2), (3, 6)],
        [(1, 1), (2, 7)],
    ]
    game = stacked(turns, [20000, 30000, *ONE_EACH])
    assert payout(game, 1) == Payout(1, (Award(4, 30000),), (20000,))


def test_l5_no_dice_is_no_part() -> None:
    game = stacked([[(1, 8)], [(2, 8)], [(3, 8)]], ONE_EACH)
    assert payout(game, 1).awards == (Award(0, 60000),)
    assert payout(game, 6) == Payout(6, (), (50000,))


def test_l6_white_dice_cancel_a_player() -> None:
    turns: list[list[Turn]] = [[(1, 2, 2), (6, 6, 2)], [(5, 8, 4)]]
    game = stacked(turns, ONE_EACH)
    assert payout(game, 1) == Payout(1, (), (60000,))


def test_l7_a_value_that_only_white_dice_show_may_be_chosen() -> None:
    turns: list[list[Turn]] = [[(6, 0, 4), (1, 8, 0)], [(5, 8, 4)]]
    game = stacked(turns, ONE_EACH)
    assert game.events is not None and Placed(0, 6, own=0, white=4) in game.events


def test_l8_at_three_the_two_white_dice_left_over_are_thrown_first() -> None:
    turns: list[list[Turn]] = [[(1, 8, 2)], [(2, 8, 2)], [(3, 8, 2)]]
    game = stacked(turns, ONE_EACH, left_over="46")
    nothing = (0,) * 6
    assert game.events is not None and game.events[1] == Throw(None, nothing, (0, 0, 0, 1, 0, 1))
    assert payout(game, 4).awards == (Award("white", 90000),)


@pytest.mark.parametrize(("players", "white"), [(2, 4), (3, 2), (4, 2)])
def test_l9_white_dice_for_each_player(players: int, white: int) -> None:
    assert LasVegas(players, Chance(1), NEUTRAL).white_left == [white] * players


def test_l9_no_white_dice_are_left_for_five_players() -> None:
    with pytest.raises(ArenaError, match="neutral=true is for 2, 3 or 4 players, not 5"):
        LasVegas(5, Chance(1), NEUTRAL)


def test_l10_unclaimed_bills_never_come_back() -> None:
    game = stacked([[(1, 8)], [(2, 8)]], ONE_EACH)
    assert Counter(game.returned) == Counter([80000, 90000, 50000, 50000])
    assert len(game.pile) == 54 - 6 - sum(map(len, game.bills))


@pytest.mark.parametrize(
    ("won", "ranks"),
    [
        (((90000,), (60000,), (80000,)), (1, 3, 2)),
        (((80000,), (50000, 30000), (90000,)), (3, 2, 1)),
        (((50000, 30000), (60000, 20000), ()), (1, 1, 3)),
    ],
)
def test_l11_most_money_then_most_bills_then_shared(
    won: tuple[tuple[int, ...], ...], ranks: tuple[int, ...]
) -> None:
    view = replace(LasVegas(3, Chance(1)).view(0), won=won)
    assert LasVegas.imagine(view, Chance(1)).result().ranks == ranks


# What always holds


@pytest.mark.parametrize("variant", variants("lasvegas"), ids=str)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**63))
def test_bills_and_dice_are_conserved(variant: Variant, seed: int) -> None:
    game = variant.new(seed)
    assert isinstance(game, LasVegas)
    white_dice = sum(game.white) + sum(game.white_left)
    for _ in play_randomly(game, Random(seed)):
        bills = [*game.pile, *game.returned, *sum(game.won, ()), *sum(game.bills, ())]
        assert Counter(bills) == Counter(BILLS)
        if game.seat is not None:
            assert all(
                game.left[seat] + sum(row[seat] for row in game.dice) == 8
                for seat in range(game.players)
            )
            assert sum(game.white) + sum(game.white_left) == white_dice


def test_luck_does_not_depend_on_decisions() -> None:
    """Whatever was placed before, the n-th throw of a seat in a round begins with the same dice."""

    def first_throws(choice: int) -> list[object]:
        game = LasVegas(4, Chance(11))
        rng = Random(choice)
        for _ in play_randomly(game, rng):
            pass
        first = [
            event
            for begun, event in zip(game.events or (), (game.events or ())[1:], strict=False)
            if isinstance(begun, RoundBegins)
        ]
        return [*(e for e in game.events or () if isinstance(e, RoundBegins)), *first]

    assert first_throws(1) == first_throws(2)


def test_every_value_is_thrown_equally_often() -> None:
    counts = Counter[int]()
    for seed in range(2000):
        counts.update(dict(enumerate(LasVegas(2, Chance(seed)).throw, start=1)))
    expected = 2000 * 8 / 6
    assert sum((counts[face] - expected) ** 2 / expected for face in range(1, 7)) < 20.5
