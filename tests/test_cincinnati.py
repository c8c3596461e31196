"""Cincinnati against its rulebook and the rulings on play, N3 to N18."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any

import pytest
from pydantic import TypeAdapter

from arena.game import Chance, End
from arena.games._cincinnati.words import (
    KEEP,
    Bought,
    Cleared,
    DuelBegins,
    DuelEnds,
    RoundBegins,
    TablesShown,
    Throw,
)
from arena.games.cincinnati import Cincinnati
from arena.show import draw
from tests.cincinnati import (
    DULL,
    choose,
    deal_out,
    duels,
    hand,
    play,
    stand,
    stand_duel,
    stand_once,
    told,
)

# The examples of the rulebook


def test_the_first_example_of_clearing_tables() -> None:
    """Paolo 0, Susanna 1, Franco 2, Giulia 3, Caterina 4: four of a kind, 3-6, and 12 points."""
    game = deal_out("66661", "11244", "55521", "12346", "34563")
    choose(game, "ACABB")
    stand(game)
    assert told(game, Cleared) == [Cleared("A", 0, (25000,), 0), Cleared("B", 4, (30000,), 0)]
    assert game.cards[2][0] == 35000


def test_the_second_example_of_clearing_tables() -> None:
    """At C 11, 8 and 9 points: the 8 wins; at B only Giulia has a straight; nobody is at A."""
    game = deal_out("11225", "11123", DULL, "23456", "11124")
    choose(game, "CCBBC")
    stand(game)
    assert told(game, Cleared) == [Cleared("B", 3, (30000,), 0), Cleared("C", 1, (35000,), 0)]
    assert game.cards[0][0] == 25000


def test_the_example_of_a_bought_throw() -> None:
    """6, 6, 4, 4, 2 after the third throw; for a token the 2 becomes a 4: full house."""
    game = deal_out("66442", DULL, DULL, DULL, more={"round 1 seat 0 bought": ["4"]})
    choose(game, "ABBC")
    while game.stage == "keep":
        stand_once(game)
    play(game, "0 buy", "1 pass", "2 pass", "3 pass", "0 keep 6644")
    assert game.hands[0] == hand("66444")
    stand(game)
    assert told(game, Cleared) == [Cleared("A", 0, (25000,), 0)]


def test_cards_go_to_A_B_C_and_stay_until_a_table_is_cleared() -> None:
    game = deal_out(
        "66661", DULL, DULL, DULL, cards=[25000, "tokens", 15000, "duel", 20000, "tokens"]
    )
    choose(game, "ABBC")
    stand(game)
    assert told(game, RoundBegins) == [
        RoundBegins(1, ((25000,), ("tokens",), (15000,))),
        RoundBegins(2, (("duel",), ("tokens", 20000), (15000, "tokens"))),
    ]


def test_first_throws_and_choices_are_secret_until_all_are_made() -> None:
    game = deal_out("66661", "55521", "12346", "11111")
    play(game, "0 A", "1 B", "2 C")
    assert told(game, TablesShown) == []
    assert game.view(1).choices == (None, "B", None, None)
    assert game.view(1).hands == ((), hand("55521"), (), ())
    play(game, "3 A")
    shown = TablesShown(
        ("A", "B", "C", "A"), tuple(map(hand, ("66661", "55521", "12346", "11111")))
    )
    assert told(game, TablesShown) == [shown]
    assert game.view(1).choices == shown.tables and game.view(1).hands == shown.throws


# Order


def test_N3_most_money_counts_money_cards_alone() -> None:
    game = deal_out(DULL, DULL, DULL, DULL)
    game.money = ((), (15000,), (), ())
    game.tokens = (10, 3, 3, 3)
    choose(game, "AAAA")
    assert game.queue == (1, 2, 3, 0)


def test_N4_equally_rich_the_better_dice_then_the_nearest_seat_go_first() -> None:
    game = deal_out(DULL, DULL, "66631", DULL)
    choose(game, "AAAA")
    assert game.queue == (2, 3, 0, 1)
    stand(game)
    assert game.round == 2
    game.money = ((),) * 4
    choose(game, "BBBB")
    assert game.queue == (1, 2, 3, 0)


def test_N5_holds_are_declared_table_by_table_from_the_richest_then_all_throw() -> None:
    game = deal_out("66431 21", DULL, "11234 66", DULL, "44321 5", "66543")
    game.money = ((), (), (), (15000,), (), (20000,))
    choose(game, "CACACA")
    assert game.queue == (5, 1, 3, 4, 0, 2)
    play(game, "5 keep 66543", "1 keep 66432", "3 keep 66432", "4 keep 4432", "0 keep 664")
    declared = (hand("664"), hand(DULL), None, hand(DULL), hand("4432"), hand("66543"))
    assert game.view(2).kept == declared
    assert told(game, Throw) == []
    play(game, "2 keep 112")
    assert told(game, Throw) == [
        Throw(0, hand("66421"), 2),
        Throw(2, hand("11266"), 2),
        Throw(4, hand("44325"), 2),
    ]
    assert game.view(0).kept == (None,) * 6


def test_N6_passing_the_second_throw_loses_that_throw_only() -> None:
    game = deal_out("66631 11111 55555", DULL, DULL, DULL)
    choose(game, "ABBC")
    play(game, "0 keep 66631", "1 keep 66432", "2 keep 66432", "3 keep 66432")
    assert game.queue == (0, 1, 2, 3)
    play(game, "0 keep 666", "1 keep 66432", "2 keep 66432", "3 keep 66432")
    assert game.hands[0] == hand("66655")
    assert told(game, Throw) == [Throw(0, hand("66655"), 3)]
    assert game.stage == "buy"


def test_N7_all_with_tokens_are_asked_until_a_full_asking_finds_no_buyer() -> None:
    bought = {"round 1 seat 0 bought": ["1", "2"], "round 1 seat 2 bought": ["3"]}
    game = deal_out("66431", DULL, "66421", DULL, more=bought)
    game.money = ((), (20000,), (15000,), ())
    game.tokens = (3, 0, 1, 3)
    choose(game, "AABA")
    while game.stage == "keep":
        stand_once(game)
    assert game.queue == (2, 3, 0)
    play(game, "2 pass", "3 pass", "0 buy")
    assert (game.tokens[0], game.supply) == (2, 9)
    assert KEEP[hand("66431")] not in game.legal()
    play(game, "0 keep 6643", "2 buy", "3 pass", "0 buy")
    assert game.view(1).buyers == () and game.queue == (0, 2)
    play(game, "0 keep 6643", "2 keep 6642")
    assert [event.dice for event in told(game, Throw)] == [
        hand("66431"),
        hand("66432"),
        hand("66423"),
    ]
    assert [event.number for event in told(game, Throw)] == [4, 5, 4]
    assert game.queue == (0, 3)
    play(game, "0 pass", "3 pass")
    assert game.round == 2
    assert told(game, Bought) == [Bought(0), Bought(2), Bought(0)]


# Duels for a table


def tied_at_A(more: Mapping[str, Sequence[Any]]) -> Cincinnati:
    """Five seats, of which 1, 3 and 4 have the same hand at A; seat 3 is the richest."""
    game = deal_out(DULL, "66621", DULL, "66621", "66621", more=more)
    game.money = ((), (), (35000,), (20000,), (15000,))
    choose(game, "BABAA")
    stand(game)
    return game


def test_N8_tied_seats_duel_in_rotation_from_the_richest_three_throws_each() -> None:
    game = tied_at_A(more=duels((1, "66531 6 6"), (3, "66532 12 1"), (4, "66431 3 3")))
    assert told(game, DuelBegins) == [DuelBegins("A", (3, 4, 1))]
    assert [event.seat for event in told(game, Throw)] == [3, 4, 1]
    assert game.queue == (3, 4, 1, 3, 4, 1)
    play(game, "3 keep 665", "4 keep 6643", "1 keep 6653", "3 keep 6652", "4 keep 66433")
    assert game.hands[1] == hand("66621")
    play(game, "1 keep 66653", "3 pass", "4 pass", "1 pass")
    assert told(game, DuelEnds) == [DuelEnds(1, None)]
    assert told(game, Cleared) == [Cleared("A", 1, (25000,), 0)]


def test_N9_those_who_tie_in_a_table_duel_duel_again() -> None:
    game = tied_at_A(
        more=duels((1, "66661 1 1 65432 1 1"), (3, "66611 1 1"), (4, "66661 1 1 66432 1 1"))
    )
    stand_duel(game)
    assert told(game, DuelEnds) == [DuelEnds(None, None)]
    assert told(game, DuelBegins)[1:] == [DuelBegins("A", (4, 1))]
    stand_duel(game)
    assert told(game, DuelEnds)[1:] == [DuelEnds(1, None)]
    assert told(game, Cleared) == [Cleared("A", 1, (25000,), 0)]


def test_N9_after_twenty_repeats_the_cards_stay() -> None:
    always = " ".join([DULL] * 3 * 21)
    game = tied_at_A(more=duels((1, always), (3, always), (4, always)))
    for _ in range(21):
        assert game.duel is not None and game.duel.seats == (3, 4, 1)
        stand_duel(game)
    assert told(game, DuelEnds) == [DuelEnds(None, None)] * 21
    assert told(game, Cleared) == [] and game.round == 2 and game.cards[0][0] == 25000


def test_N8_a_table_duel_at_C_is_won_by_the_better_hand_and_B_is_cleared_before() -> None:
    game = deal_out("11234", "11234", "12346", DULL, more=duels((0, "66661 1 1"), (1, "11112 1 1")))
    choose(game, "CCBA")
    stand(game)
    assert told(game, Cleared) == [Cleared("B", 2, (30000,), 0)]
    stand_duel(game)
    assert told(game, Cleared)[1:] == [Cleared("C", 0, (35000,), 0)]


def test_a_table_duel_at_A_goes_before_table_B() -> None:
    game = deal_out("66621", "66621", "12346", DULL, more=duels((0, "66661 1 1"), (1, "11112 1 1")))
    choose(game, "AABC")
    stand(game)
    assert told(game, Cleared) == []
    stand_duel(game)
    assert told(game, Cleared) == [Cleared("A", 0, (25000,), 0), Cleared("B", 2, (30000,), 0)]


# Duel cards


def with_duel_card(
    *money: tuple[int, ...], throws: tuple[tuple[int, str], ...] = (), cards: int = 1
) -> Cincinnati:
    """Round 2 of four players, where seat 0 has just cleared A with duel cards alone."""
    more = {"round 2 seat 0": ["66621", DULL, DULL], **duels(*throws, number=2)}
    game = deal_out(DULL, DULL, DULL, DULL, more=more)
    choose(game, "ABBC")
    stand(game)
    game.cards = (("duel",) * cards, *game.cards[1:])
    game.money = money
    choose(game, "ABBC")
    stand(game)
    return game


def test_the_winner_of_a_card_duel_takes_the_highest_money_card() -> None:
    game = with_duel_card(
        (), (), (15000, 35000, 20000), (), throws=((0, "66661 1 1"), (2, "55551 1 1"))
    )
    assert [action.seat for action in game.legal()] == [1, 2, 3]
    play(game, "0 challenge 2")
    assert told(game, DuelBegins) == [DuelBegins("card", (0, 2))]
    stand_duel(game)
    assert told(game, DuelEnds) == [DuelEnds(0, 35000)]
    assert game.money == ((35000,), (), (15000, 20000), ())
    assert game.discarded == ("duel",) and game.challengers == () and game.round == 3


def test_the_holder_who_loses_a_card_duel_loses_nothing() -> None:
    game = with_duel_card((30000,), (), (15000,), (), throws=((0, "55551 1 1"), (2, "66661 1 1")))
    play(game, "0 challenge 2")
    stand_duel(game)
    assert told(game, DuelEnds) == [DuelEnds(2, None)]
    assert game.money == ((30000,), (), (15000,), ())


def test_N10_the_holder_of_the_card_loses_a_tie() -> None:
    game = with_duel_card((), (), (15000,), (), throws=((0, "66661 1 1"), (2, "66661 1 1")))
    play(game, "0 challenge 2")
    stand_duel(game)
    assert told(game, DuelEnds) == [DuelEnds(2, None)]
    assert game.money == ((), (), (15000,), ()) and game.round == 3


def test_N11_a_seat_without_money_may_be_challenged() -> None:
    game = with_duel_card((), (), (15000,), (), throws=((0, "66661 1 1"), (1, "55551 1 1")))
    play(game, "0 challenge 1")
    stand_duel(game)
    assert told(game, DuelEnds) == [DuelEnds(0, None)]
    assert game.money == ((), (), (15000,), ())


def test_N12_duel_cards_in_a_row_each_against_anybody() -> None:
    throws = ((0, "66661 1 1 11111 1 1"), (2, "55551 1 1"), (3, "55551 1 1"))
    game = with_duel_card((), (), (15000,), (20000,), throws=throws, cards=2)
    assert game.challengers == (0, 0)
    play(game, "0 challenge 2")
    stand_duel(game)
    play(game, "0 challenge 3")
    stand_duel(game)
    assert told(game, DuelEnds) == [DuelEnds(0, 15000), DuelEnds(0, 20000)]


def test_N12_card_duels_go_by_money_with_this_rounds_and_the_order_stays() -> None:
    """Seat 1 has 45000 now, seat 0 and seat 2 40000, and seat 0 the better hand of the two."""
    more = {
        "round 2 seat 0": ["66621"] * 3,
        "round 2 seat 1": ["12346"] * 3,
        "round 2 seat 2": ["11234"] * 3,
        **duels((0, "66661 1 1 66661 1 1"), (1, "11234 1 1 11234 1 1"), (2, "11114 1 1"), number=2),
    }
    game = deal_out(DULL, DULL, DULL, DULL, more=more)
    choose(game, "ABBC")
    stand(game)
    game.cards = (("duel", 15000), ("duel", 30000), ("duel", "duel"))
    game.money = ((25000,), (15000,), (25000, 15000), ())
    choose(game, "ABCA")
    stand(game)
    assert game.challengers == (1, 0, 2, 2)
    play(game, "1 challenge 0")
    stand_duel(game)
    play(game, "0 challenge 1")
    stand_duel(game)
    assert told(game, DuelEnds) == [DuelEnds(0, None), DuelEnds(0, 30000)]
    assert game.seat == 2 and game.challengers == (2, 2)


def test_N14_bought_throws_of_a_duel_alternate_until_all_pass() -> None:
    throws = ((0, "66531 1 1 2 6"), (2, "66532 1 1 4"))
    game = with_duel_card((), (), (15000,), (), throws=throws)
    supply = game.supply
    play(game, "0 challenge 2", "0 keep 66531", "2 keep 66532", "0 keep 66531", "2 keep 66532")
    assert game.duel is not None and game.stage == "buy" and game.queue == (0, 2)
    play(game, "0 buy")
    assert KEEP[hand("66531")] not in game.legal()
    play(game, "0 keep 6653")
    assert told(game, Throw)[-1] == Throw(0, hand("66532"), 4) and game.queue == (2, 0)
    play(game, "2 buy", "2 keep 6653")
    assert told(game, Throw)[-1] == Throw(2, hand("66543"), 4) and game.queue == (0, 2)
    play(game, "0 buy", "0 keep 6653")
    assert told(game, Throw)[-1] == Throw(0, hand("66653"), 5) and game.queue == (2, 0)
    play(game, "2 pass", "0 pass")
    assert told(game, DuelEnds) == [DuelEnds(0, 15000)]
    assert (game.tokens, game.supply) == ((1, 3, 2, 3), supply + 3)


def test_N14_who_has_no_token_is_not_asked_in_a_duel() -> None:
    game = with_duel_card((), (), (15000,), (), throws=((0, "66531 1 1"), (2, "66532 1 1")))
    game.tokens = (0, 3, 0, 3)
    play(game, "0 challenge 2", "0 keep 66531", "2 keep 66532", "0 keep 66531", "2 keep 66532")
    assert told(game, DuelEnds) == [DuelEnds(2, None)]


# Cards, tokens and the end


def test_N13_a_token_card_pays_what_the_supply_holds_in_the_order_of_the_tables() -> None:
    game = deal_out(
        "66621",
        "12346",
        "11111",
        *[DULL] * 3,
        cards=["tokens", "tokens", "tokens"],
    )
    game.supply, game.tokens = 3, (3, 3, 3, 3, 3, 2)
    choose(game, "ABCABC")
    stand(game)
    assert told(game, Cleared) == [
        Cleared("A", 0, ("tokens",), 2),
        Cleared("B", 1, ("tokens",), 1),
        Cleared("C", 2, ("tokens",), 0),
    ]
    assert game.tokens == (5, 4, 3, 3, 3, 2) and game.supply == 0
    assert game.discarded == ("tokens",) * 3


@pytest.mark.parametrize(("players", "supply"), [(3, 11), (4, 8), (5, 5), (6, 2)])
def test_everybody_begins_with_three_of_twenty_tokens(players: int, supply: int) -> None:
    game = Cincinnati(players, Chance(0))
    assert game.tokens == (3,) * players and game.supply == supply


def test_N15_a_duel_card_in_round_1_is_replaced_for_its_table_and_shuffled_back() -> None:
    game = deal_out(
        *[DULL] * 4,
        cards=[25000, "duel", "duel", 30000, "tokens", 35000, 20000],
        more={"cards again": [15000, "duel", "tokens"]},
    )
    assert game.cards == ((25000,), (30000,), ("tokens",))
    assert game.pile[:3] == (15000, "duel", "tokens") and len(game.pile) == 33
    assert Counter(game.pile)["duel"] == 6
    assert game.view(0).shuffled_back == 2


def test_N15_a_duel_card_may_turn_up_from_round_2_on() -> None:
    game = deal_out(*[DULL] * 4, cards=[25000, 30000, 35000, "duel", "duel", "duel"])
    assert game.view(0).shuffled_back == 0
    choose(game, "ABBC")
    stand(game)
    assert [cards[-1] for cards in game.cards] == ["duel"] * 3


def test_three_players_use_A_and_C_and_leave_twelve_cards_out() -> None:
    game = deal_out("66621", "11111", DULL, cards=[25000, 30000, 20000, 35000])
    assert [action.table for action in game.legal()] == ["A", "C"]
    assert game.cards == ((25000,), (), (30000,))
    assert len(game.pile) == 22 and len(game.left_out) == 12
    choose(game, "ACA")
    stand(game)
    assert told(game, Cleared) == [Cleared("A", 0, (25000,), 0), Cleared("C", 1, (30000,), 0)]
    assert game.cards == ((20000,), (), (35000,))


def test_N17_cards_on_the_tables_after_round_12_are_lost() -> None:
    game = deal_out(*[DULL] * 4)
    while game.seat is not None:
        if game.stage == "table":
            choose(game, "AABC")
        else:
            stand(game)
    assert [event.number for event in told(game, RoundBegins)] == list(range(1, 13))
    assert sum(map(len, game.cards)) == 36 and game.pile == ()
    assert told(game, End) == [End((15000,) * 4, (1,) * 4)]


@pytest.mark.parametrize(
    ("money", "tokens", "scores", "ranks"),
    [
        ([(20000,), (15000,), (), ()], (0, 2, 3, 1), (20000, 25000, 15000, 5000), (2, 1, 3, 4)),
        ([(35000, 15000), (30000, 20000)], (0, 0), (50000, 50000), (1, 2)),
        ([(30000, 15000), (25000, 20000)], (0, 0), (45000, 45000), (1, 2)),
        ([(25000, 15000), (20000, 20000)], (0, 0), (40000, 40000), (1, 2)),
        ([(15000,), (20000,)], (1, 0), (20000, 20000), (2, 1)),
        ([(), (15000,)], (3, 0), (15000, 15000), (2, 1)),
        ([(20000, 15000)] * 2 + [()], (1, 1, 0), (40000, 40000, 0), (1, 1, 3)),
    ],
)
def test_N18_most_money_then_more_35000_cards_and_so_on_down(
    money: list[tuple[int, ...]], tokens: tuple[int, ...], scores: Any, ranks: Any
) -> None:
    game = Cincinnati(4, Chance(0))
    game.money, game.tokens = tuple(money), tokens
    assert (game.result().scores, game.result().ranks) == (scores, ranks)


# Actions


def test_the_action_table_is_complete_and_in_order() -> None:
    kinds = Counter(action.type for action in Cincinnati.actions)
    assert kinds == {"table": 3, "keep": 462, "buy": 1, "pass": 1, "challenge": 6}
    assert [action.type for action in Cincinnati.actions] == list(kinds.elements())


def test_dice_may_be_kept_in_any_order() -> None:
    (action,) = (a for a in Cincinnati.actions if a.type == "keep" and a.dice == (6, 4, 4))
    given = TypeAdapter(Cincinnati.action_type).validate_json('{"type":"keep","dice":[4,6,4]}')
    assert given == action


def test_a_hold_is_legal_for_every_different_part_of_the_hand_once() -> None:
    game = deal_out("66442", DULL, DULL)
    choose(game, "AAA")
    while game.seat != 0:
        stand_once(game)
    parts = {
        part
        for size in range(6)
        for part in combinations_with_replacement((6, 5, 4, 3, 2, 1), size)
        if not Counter(part) - Counter((6, 6, 4, 4, 2))
    }
    legal = [action.dice for action in game.legal()]
    assert set(legal) == parts and len(legal) == len(parts) == 3 * 3 * 2


def test_the_drawing_shows_a_duel() -> None:
    game = tied_at_A(more=duels((1, "66531"), (3, "66532"), (4, "66431")))
    assert draw(game).splitlines()[-1] == (
        "  duel for table A:  seat 3 ⚅ ⚅ ⚄ ⚂ ⚁   seat 4 ⚅ ⚅ ⚃ ⚂ ⚀   seat 1 ⚅ ⚅ ⚄ ⚂ ⚀"
    )
