"""The bots that play Cash: what each is to see, and their order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.game import Chance
from arena.games.cash import COLOURS, PREMIUM, SAFES, Cash, CashView, Open, Stop, Take
from arena.loading import find, make
from arena.match import Spec
from arena.match import play as play_match
from tests.test_cash import SevenSafes, begin, counts, play, safe, shown, with_two_safes_left

both = pytest.mark.parametrize("name", ["burglar", "safecracker"])


def decision(name: str, view: CashView) -> str:
    """What the bot does, as `tests.test_cash` writes it: a key, a place or a stop."""
    action = make(find(name)).act(view)
    assert action in view.legal
    if isinstance(action, Take):
        return action.colour[0].upper()
    return str(action.safe) if isinstance(action, Open) else "." if isinstance(action, Stop) else ""


def turn(name: str, game: Cash) -> str:
    """All that the bot does in the turn of the seat to move."""
    seat, line = game.seat, ""
    while game.seat == seat:
        step = decision(name, game.view(seat))
        play(game, step)
        line += step
    return line


class OneByOne(Cash):
    """Cash with a single safe shown at a time."""

    shown_at_once = 1


def must_open() -> Cash:
    """Seat 0 holds RRGGGBBB, and the blue pile is empty: GBBB (14), or RRBB and GGGB (10 each)."""
    game = begin("RRBB BBBB BBBB BBBB", "GBBB RRBB GGGB RRRR RRRG RYYY GGYY")
    play(game, "G YYY  G YYY  G YYY  B YYY")
    assert game.view(0).piles == (13, 12, 3, 0)
    return game


# Both


@both
def test_the_first_keys_are_one_of_each_colour(name: str) -> None:
    assert make(find(name)).act(Cash(3, Chance(0)).view(0)).keys == COLOURS


@both
def test_one_safe_alone_is_not_opened(name: str) -> None:
    game = begin("BBBB RRGG RRGG", "BBBB GBBB RRRR RRRG GGGG GGYY YYYY")
    assert turn(name, game) in "RGYB"


@both
def test_safes_that_can_be_opened_together_are(name: str) -> None:
    game = with_two_safes_left(SevenSafes)
    assert sorted(turn(name, game)) == ["0", "1"]


# Burglar


def test_burglar_takes_what_the_nearest_pair_lacks() -> None:
    """RRGG and RRGB together lack two red keys, one green and one blue; every other pair more."""
    game = begin("RRGG YYBB YYBB", "RRGG RRGB BBBB YBBB YYYY YYYB GBBB")
    assert decision("burglar", game.view(0)) == "R"
    play(game, "R BB  R BB  B BY")
    assert decision("burglar", game.view(0)) == "G"


def test_burglar_begins_with_the_fullest_safe() -> None:
    assert turn("burglar", must_open()) == "0."


# Safecracker


def test_safecracker_begins_with_the_safe_that_leaves_keys_for_another() -> None:
    game = must_open()
    assert sorted(turn("safecracker", game)) == [".", "1", "2"]
    assert game.result().scores[0] == 10 + 10 + PREMIUM


def test_safecracker_obeys_an_empty_pile() -> None:
    """YBBB has more in it, but the red pile is empty and RBBB can be opened."""
    game = begin("RYBB RRRR RRRR RRRR", "YBBB RBBB GGGG GGGY GGYY GYYY YYYY")
    play(game, "B RRG")
    assert game.view(0).piles[0] == 0
    assert decision("safecracker", game.view(0)) == "1"


def test_safecracker_does_not_wait_for_keys_that_are_gone() -> None:
    """YBBB lacks a yellow key and a blue one, of which there are none; red keys are fewest."""
    game = begin("GGBB BBBB BBBB BBBB RRRB", "YBBB", OneByOne)
    assert game.view(0).piles == (12, 13, 15, 0)
    assert decision("safecracker", game.view(0)) == "R"


def lacking_a_yellow_key(taken_by_next: str) -> Cash:
    """Only YBBB is shown; seat 0 has BBB and no red key, and red keys are fewer than yellow."""
    game = begin("GGGG RRRR RRRR", "YBBB", OneByOne)
    for key in taken_by_next:
        play(game, f"B {key} R")
    assert shown(game) == ["YBBB"] and game.view(0).piles[0] < game.view(0).piles[2]
    return game


def test_safecracker_takes_the_key_that_the_last_safe_lacks() -> None:
    assert decision("safecracker", lacking_a_yellow_key("RRG").view(0)) == "Y"


def test_safecracker_leaves_a_race_that_it_will_lose() -> None:
    """Who took three blue keys opens YBBB next, if he began with a yellow one."""
    assert decision("safecracker", lacking_a_yellow_key("BBB").view(0)) == "R"


def test_safecracker_stays_in_the_race_with_somebody_who_cannot_have_begun_with_the_key() -> None:
    view = lacking_a_yellow_key("BBB").view(0)
    red = 1 << SAFES.index(safe("RRRR"))
    view = replace(view, possible=(view.possible[0], red, view.possible[2]))
    assert decision("safecracker", view) == "Y"


def test_safecracker_first_takes_the_key_that_may_soon_be_gone() -> None:
    game = begin("RRBB BBBB BBBB", "GBBB", OneByOne)
    assert game.view(0).piles == (13, 15, 15, 5)
    assert decision("safecracker", game.view(0)) == "B"


def test_safecracker_evens_out_its_hand_when_no_safe_is_worth_its_keys() -> None:
    game = begin("RRGY YYBB YYBB", "RRRR", OneByOne)
    assert decision("safecracker", game.view(0)) == "B"


class LastThree(Cash):
    """Cash with nothing but three safes."""

    safes = tuple(map(safe, ("RRRR", "GGGG", "YYBB")))
    shown_at_once = 3


def with_two_of_three() -> CashView:
    """Seat 0 can open RRRR and GGGG, and lacks YBB for the third safe."""
    game = begin("RRRR YYYY YYYY BBBB", "RRRR GGGG YYBB", LastThree)
    play(game, "GBRG GBRG GBRG GBRG YBRG")
    return game.view(0)


def test_safecracker_collects_for_a_third_safe_while_the_others_are_far() -> None:
    far = (0, 0, 0, 0)
    view = replace(with_two_of_three(), gained=(counts("GGGGY"), far, far, far))
    assert decision("safecracker", view) == "B"


def test_safecracker_opens_what_it_can_when_the_others_are_near() -> None:
    near = counts("RRRGGGYB")
    view = replace(with_two_of_three(), gained=(counts("GGGGY"), near, near, near))
    assert decision("safecracker", view) in "01"


# The ladder


@pytest.mark.parametrize("players", Cash.player_counts)
@pytest.mark.parametrize(("lower", "upper"), [("random", "burglar"), ("burglar", "safecracker")])
def test_each_rung_is_above_the_one_below(lower: str, upper: str, players: int) -> None:
    """Alone among the lower ones, the upper one beats clearly more than half of them."""
    beaten = []
    for seed in range(8):
        for seat in range(players):
            names = [lower] * players
            names[seat] = upper
            record = play_match(
                Spec("test", "cash", (), tuple(names), seed), [make(find(name)) for name in names]
            )
            assert record.faults == ()
            mine, others = record.ranks[seat], record.ranks[:seat] + record.ranks[seat + 1 :]
            beaten += [(rank > mine) + (rank == mine) / 2 for rank in others]
    assert sum(beaten) / len(beaten) > 0.6
