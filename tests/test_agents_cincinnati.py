"""The bots of Cincinnati: obvious moves are found, and each rung is above the one below."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from arena.games.cincinnati import Cincinnati, CincinnatiView
from arena.loading import find, make
from arena.match import Spec
from arena.match import play as play_match
from tests.cincinnati import DULL, choose, deal_out, duels, play, stand, stand_once

LADDER = ("random", "tourist", "sharp")


def move(name: str, view: CincinnatiView) -> str:
    """What the bot does: "A", "keep 66", "buy", "pass", "challenge 2"."""
    action = make(find(name)).act(view)
    assert action in view.legal
    if action.type == "table":
        return str(action.table)
    if action.type == "keep":
        return " ".join(["keep", "".join(map(str, action.dice))])
    return f"challenge {action.seat}" if action.type == "challenge" else str(action.type)


def sight(game: Cincinnati) -> CincinnatiView:
    """What the seat to decide sees."""
    assert game.seat is not None
    return game.view(game.seat)


def first_sight(throw: str, *cards: Any, players: int = 4) -> CincinnatiView:
    """What seat 0 sees when it chooses a table in round 1."""
    return sight(deal_out(throw, *[DULL] * (players - 1), cards=cards))


def with_cards(view: CincinnatiView, a: Any = (), b: Any = (), c: Any = ()) -> CincinnatiView:
    """The same, with these cards on the tables."""
    return replace(view, cards=(a, b, c))


def asked(stage: str, tables: str, *throws: str, card: int = 25000) -> CincinnatiView:
    """What seat 0 sees when it is first asked to keep or to buy; all keep what they threw.

    Seats for which no throw is given have a dull one; the card lies on every table.
    """
    dull = [DULL] * (len(tables) - len(throws))
    game = deal_out(*throws, *dull, cards=(card,) * 3)
    choose(game, tables)
    while (game.stage, game.seat) != (stage, 0):
        stand_once(game)
    return sight(game)


# The tourist


def test_the_tourist_goes_where_the_money_is() -> None:
    assert move("tourist", first_sight("66661", "tokens", 20000, 15000)) == "B"


@pytest.mark.parametrize(
    ("throw", "table", "kept"),
    [("66643", "A", "666"), ("66443", "A", "6644"), ("65533", "B", "653"), ("65321", "C", "21")],
)
def test_the_tourist_keeps_what_fits(throw: str, table: str, kept: str) -> None:
    assert move("tourist", asked("keep", f"{table}AAA", throw)) == f"keep {kept}"


def test_the_tourist_buys_nothing() -> None:
    assert move("tourist", asked("buy", "AAAA", "66543")) == "pass"


# The sharp: tables


@pytest.mark.parametrize(("throw", "table"), [("66651", "A"), ("65432", "B"), ("32211", "C")])
def test_equal_cards_leave_it_to_the_throw(throw: str, table: str) -> None:
    assert move("sharp", first_sight(throw, 25000, 25000, 25000)) == table


def test_much_more_money_is_worth_a_worse_chance() -> None:
    view = first_sight("66651", 20000, 20000, players=3)
    assert move("sharp", view) == "A"
    assert move("sharp", with_cards(view, a=(20000,), c=(35000,) * 4)) == "C"


@pytest.mark.parametrize(("players", "table"), [(4, "A"), (6, "C")])
def test_the_more_others_the_less_a_rich_table_is_worth(players: int, table: str) -> None:
    """With 52211, C is certain and A has a chance of 0.69."""
    view = first_sight("52211", 30000, 15000, 25000, players=players)
    assert move("sharp", with_cards(view, (30000, 30000), (15000,), (25000,))) == table


def test_a_duel_card_is_worth_what_the_others_can_lose() -> None:
    """With 22111, A and C are certain."""
    view = with_cards(first_sight("22111", 15000, 15000, players=3), a=(15000,), c=("duel",))
    assert move("sharp", replace(view, money=((35000,), (25000,), ()))) == "A"
    assert move("sharp", replace(view, money=((), (35000,), ()))) == "C"


def test_tokens_are_worth_more_than_5000_early_but_only_those_there_are() -> None:
    view = first_sight("22111", 15000, "tokens", players=3)
    assert move("sharp", view) == "C"
    assert move("sharp", replace(view, round=12)) == "A"
    assert move("sharp", replace(view, supply=0)) == "A"


def test_nothing_to_win_is_no_trouble() -> None:
    view = first_sight("44441", 15000, 15000, 15000)
    duel = ("duel",)
    assert move("sharp", with_cards(view, duel, duel, duel)) in ("A", "B", "C")


# The sharp: holds


def test_alone_with_eleven_points_it_stands() -> None:
    """Any other hold can end above 11."""
    assert move("sharp", asked("keep", "CAAA", "52211")) == "keep 52211"


def test_a_better_hand_at_the_table_must_be_beaten() -> None:
    """Four 4s beat a full house; three 6s can still become four."""
    assert move("sharp", asked("keep", "AABB", "66611", "44441")) == "keep 666"
    assert move("sharp", asked("keep", "AABB", "66611", "43221")) != "keep 666"


def test_what_a_rival_will_come_to_counts_not_what_he_shows() -> None:
    """11 points would do now, but a rival with 2211 and two more throws will come to fewer."""
    view = asked("keep", "CCBB", "44111", "62211")
    assert move("sharp", view) == "keep 111"
    finished = replace(view, throws=(2, 3, 3, 3), queue=(0,), kept=(None,) * 4)
    assert move("sharp", finished) == "keep 44111"


@pytest.mark.parametrize(("buyers", "kept"), [({0}, "3211"), ({0, 1}, "211")])
def test_a_rival_who_has_bought_a_throw_too_will_come_further(buyers: set[int], kept: str) -> None:
    """Both have 12 points. Alone, the 5 is thrown for at most 4; a rival's 2211 comes to less."""
    game = deal_out("53211", "62211", DULL, DULL)
    choose(game, "CCBB")
    while game.stage == "keep":
        stand_once(game)
    while game.stage == "buy":
        play(game, f"{game.seat} {'buy' if game.seat in buyers else 'pass'}")
    if game.seat == 1:
        play(game, "1 keep 2211")
    assert move("sharp", sight(game)) == f"keep {kept}"


# The sharp: tokens


@pytest.mark.parametrize(("card", "decision"), [(25000, "pass"), (30000, "buy")])
def test_a_token_is_spent_for_what_it_can_bring(card: int, decision: str) -> None:
    """With 44211 at C, two dice of at most 7 are 21 of 36: 17500 of 30000, 14583 of 25000.

    In round 1 a token is worth 5000, and 1000 for each of the eleven rounds to come.
    """
    assert move("sharp", asked("buy", "CAAA", "44211", card=card)) == decision


def test_a_token_is_cheap_at_the_end() -> None:
    view = asked("buy", "CAAA", "44211", card=15000)
    assert move("sharp", view) == "pass"
    assert move("sharp", replace(view, round=12)) == "buy"


def test_only_who_is_losing_the_table_buys() -> None:
    losing = replace(asked("buy", "AABB", "33311", "44411", card=35000), round=12)
    assert move("sharp", losing) == "buy"
    assert move("sharp", replace(losing, seat=1)) == "pass"


# The sharp: duels


def card_duel(holder: str = DULL, challenged: str = DULL) -> Cincinnati:
    """Seat 0 holds a duel card in round 2 and seat 1 owns 35000; these hands they will throw."""
    script = duels((0, f"{holder} " * 3), (1, f"{challenged} " * 3), number=2)
    game = deal_out(
        *[DULL, "66611", DULL, DULL],
        cards=(35000, 15000, 15000, "duel"),
        more={"round 2 seat 0": ["66611"] * 3, **script},
    )
    for tables in ("AABB", "ABBB"):
        choose(game, tables)
        stand(game)
    assert game.stage == "challenge"
    return game


def in_duel(holder: str, challenged: str, holds: int) -> CincinnatiView:
    """What is seen in the duel after this many holds of the four."""
    game = card_duel(holder, challenged)
    play(game, "0 challenge 1")
    for _ in range(holds):
        stand_once(game)
    return sight(game)


def test_the_duel_card_is_played_against_the_highest_card_then_the_most_money() -> None:
    view = sight(card_duel())
    assert move("sharp", view) == "challenge 1"
    assert move("sharp", replace(view, money=((), (20000,) * 4, (), (25000,)))) == "challenge 3"
    assert move("sharp", replace(view, money=((), (25000,), (25000,) * 2, ()))) == "challenge 2"


def test_a_duellist_aims_at_the_hand_he_must_beat() -> None:
    """Of 55332 against three 4s, three dice thrown to the 5s win 96 times of 216.

    91 times a 5 is among them, 5 times they are another triple; the 2 alone wins 2 times of 6.
    """
    assert move("sharp", in_duel("44421", "55332", holds=3)) == "keep 55"
    assert move("sharp", in_duel("55331", "55332", holds=3)) in ("keep 5533", "keep 55332")


def test_the_challenged_wins_a_tie_and_the_holder_does_not() -> None:
    view = replace(in_duel("55332", "55332", holds=4), round=12)
    assert move("sharp", replace(view, seat=0)) == "buy"
    assert move("sharp", replace(view, seat=1)) == "pass"


# The ladder


@pytest.mark.parametrize("players", [3, 5, 6])
@pytest.mark.parametrize(("lower", "upper"), list(pairwise(LADDER)))
def test_each_rung_is_above_the_one_below(lower: str, upper: str, players: int) -> None:
    """Alone among the lower ones, in each seat in turn, the upper one wins most matches."""
    won = []
    for seed in range(8):
        for seat in range(players):
            entries = [find(upper if other == seat else lower) for other in range(players)]
            names = tuple(entry.name for entry in entries)
            record = play_match(
                Spec("test", "cincinnati", (), names, seed), [make(entry) for entry in entries]
            )
            assert record.faults == ()
            won.append(record.ranks[seat] == 1)
    assert sum(won) > 0.6 * len(won)
