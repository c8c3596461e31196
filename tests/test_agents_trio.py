"""The bots of Trio: moves that leave no doubt, and their ladder."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from arena.bot import Bot
from arena.game import Chance
from arena.games.trio import Trio
from arena.loading import find, make
from arena.match import Spec
from arena.match import play as play_match
from tests.play import Variant, play_randomly, variants
from tests.test_trio import HADRIEN, MARTINE, YANIS, play, stacked, written

LADDER = ("random", "elephant", "sleuth")


def bot(name: str) -> Bot:
    return make(find(name))


def decides(name: str, game: Trio) -> str:
    assert game.seat is not None
    return written(bot(name).act(game.view(game.seat)))


def takes_turn(name: str, game: Trio) -> list[str]:
    """What a bot turns up until its turn is over."""
    seat, turned_up = game.seat, []
    while game.seat == seat:
        turned_up.append(decides(name, game))
        play(game, turned_up[-1])
    return turned_up


def after(*actions: str, centre: str, **options: Any) -> Trio:
    """Three hands; 2 7 10 11 11 11 12 12 12 are in the centre, these first."""
    game = stacked(HADRIEN, YANIS, MARTINE, centre=centre, **options)
    play(game, *actions)
    return game


# Elephant


def test_elephant_begins_with_something_new() -> None:
    game = after("c0", "1low", "c1", "2low", centre="2 7 10")
    assert decides("elephant", game) not in {"c0", "c1", "1low", "2low", "2high"}


def test_elephant_goes_where_the_number_is_known_to_lie() -> None:
    game = after("2low", "1low", "c2", "c0", centre="2 7 10")
    play(game, "c0")
    assert decides("elephant", game) == "2low"
    play(game, "2low")
    assert decides("elephant", game) == "2low"


def test_elephant_never_exchanges() -> None:
    game = stacked("1 3 3 3 5 5 6 6 8", "1 1 2 2 2 4 4 4 5", *("",) * 2, teams=True)
    assert decides("elephant", game) == "pass"


# Sleuth


def test_sleuth_takes_a_trio_of_its_own() -> None:
    game = after(centre="2 7 10")
    assert takes_turn("sleuth", game) == ["0low"] * 3 and game.trios[0] == (1,)


def test_sleuth_takes_a_trio_out_of_two_hands_and_the_centre() -> None:
    """Seat 2 has shown its second 2 on the way; nothing else is known three times."""
    game = after("c0", "1low", "2low", "2low", "2low", "0high", "1low", centre="2 7 10")
    assert sorted(takes_turn("sleuth", game)) == ["2low", "2low", "c0"]


def test_sleuth_takes_the_trio_that_wins() -> None:
    """Seat 0 knows the 6s and the 7s in the centre, and has three 1s and 12s of its own."""
    hands = "1 1 1 5 5 5 12 12 12", "2 2 2 3 3 3 4 4 4", "8 8 8 9 9 9 10 10 10"
    game = stacked(*hands, centre="6 6 6 7 7 7")
    play(game, "c0", "c3", "c1", "c4", "c2", "c5")
    assert sorted(takes_turn("sleuth", game)) == ["c3", "c4", "c5"] and game.seat is None


LINKED = "6 6 6 8 9 11 12 12 12", "1 1 1 2 2 2 3 3 3", "8 8 9 9 10 10 10 11 11"
"""Seat 0 is sure of the 6s and the 12s; the centre has the 5s, which win with the 12s."""


def test_sleuth_takes_the_linked_trio() -> None:
    game = stacked(*LINKED, centre="5 5 5", mode="picante")
    play(game, "c0", "c1", "c2", "1low", "2low", "1low", "2low")
    assert takes_turn("sleuth", game) == ["0high"] * 3
    assert game.trios[0] == (5, 12) and game.seat is None


def test_sleuth_denies_the_linked_trio() -> None:
    """To seat 0 itself the 6s are worth more: they win with the 1s, the 12s with nothing left."""
    game = stacked(*LINKED, centre="5 5 5", mode="picante")
    play(game, "1low", "2low", "c0", "c1", "c2", "1low", "2low")
    assert takes_turn("sleuth", game) == ["0high"] * 3 and game.trios == ((12,), (5,), ())


def test_sleuth_prefers_the_trio_with_more_links() -> None:
    """The 6s in the centre win with the 1s alone, its own 1s with the 6s and with the 8s."""
    hands = "1 1 1 2 3 4 5 9 10", "2 2 3 3 4 4 5 5 8", "7 8 8 9 9 10 10 11 11"
    game = stacked(*hands, centre="6 6 6 7 7 11 12 12 12", mode="picante")
    play(game, "c0", "1low", "c1", "1low", "c2", "1low")
    assert takes_turn("sleuth", game) == ["0low"] * 3


def test_sleuth_looks_at_the_unknown_card_before_it_shows_a_pair() -> None:
    """Of 1 and 12 seat 0 holds two each; the other ends of hands may be either, or neither."""
    hands = "1 1 4 5 6 7 8 12 12", "1 2 2 3 3 4 5 6 7", "8 9 9 10 10 11 11 11 12"
    assert decides("sleuth", stacked(*hands)) in {"1low", "1high", "2low", "2high"}


def test_sleuth_finds_the_card_by_elimination() -> None:
    """The third 12 is above all that the hands of the others can hold, and not in slots 2 and 4."""
    hands = "1 2 3 4 5 6 7 12 12", "1 2 3 4 5 6 7 8 9", "1 2 3 4 5 6 7 8 10"
    game = stacked(*hands, centre="8 12 9 9 10")
    play(game, "1high", "2high", "c2", "2high", "c4", "1high", "0high", "0high")
    assert decides("sleuth", game) in {"c0", "c1", "c3", "c5", "c6", "c7", "c8"}


def test_sleuth_doubts_that_a_hand_has_the_same_card_again() -> None:
    """Seats 1 and 2 have room for eight more each, but one 12 of seat 1 has been seen."""
    hands = "2 3 4 5 6 7 8 9 12", "2 3 4 5 6 7 8 9 12", "1 3 4 5 6 7 8 9 12"
    game = stacked(*hands)
    play(game, *("2low", "0high") * 3, "1high", "0high")
    assert decides("sleuth", game) == "2high"


def test_sleuth_offers_the_card_that_hides_its_trio() -> None:
    """Without the 1, the three 3s are at the end of the hand."""
    game = stacked("1 3 3 3 5 6 8 9 9", *("",) * 3, teams=True)
    assert decides("sleuth", game) == "o1"


def test_sleuth_offers_a_card_that_stays_in_reach() -> None:
    """At the end of the partner's hand the 1 can be asked for as before, and now the 2s too."""
    game = stacked("1 2 2 5 6 8 8 11 11", *("",) * 3, teams=True)
    assert decides("sleuth", game) == "o1"


def test_sleuth_knows_what_it_gave() -> None:
    """The partner got the third 1, and nobody else knows."""
    hands = "1 1 1 4 5 6 7 8 9", "2 2 2 3 3 3 4 4 5", "5 6 6 7 7 8 8 9 9", ""
    game = stacked(*hands, teams=True)
    play(game, "o1", "pass", "o5", "pass")
    assert sorted(takes_turn("sleuth", game)) == ["0low", "0low", "2low"]


def test_sleuth_remembers_which_team_has_the_card() -> None:
    """Seat 2 has shown the third 12 before it exchanged with seat 5."""
    low, high = "2 3 4 5 6 7", "7 8 8 8 9 9"
    game = stacked("1 1 1 11 12 12", low, "2 3 4 5 6 12", low, high, "9 10 10 10 11 11", teams=True)
    play(game, *("pass",) * 6, "2high", "1low", "0low", "0low", "0low")
    play(game, "pass", "o2", "pass", "o9", *("2low", "4low") * 4, "0high", "0high")
    assert decides("sleuth", game) in {"2high", "5high"}


# All of them


@pytest.mark.parametrize("variant", variants("trio"), ids=str)
@pytest.mark.parametrize("name", LADDER[1:])
def test_they_can_go_on_from_anywhere(name: str, variant: Variant) -> None:
    """From a position of random play, and from one that a seat imagines in the midst of a turn."""
    for seed in range(10):
        rng = Random(seed)
        game: Any = variant.new(seed)
        list(play_randomly(game, rng, most=rng.randrange(60)))
        if game.seat is None:
            continue
        imagined = Trio.imagine(game.view(game.seat), Chance(seed))
        for match in (game, imagined):
            bots = [bot(name) for _ in range(variant.players)]
            while match.seat is not None:
                action = bots[match.seat].act(match.view(match.seat))
                assert action in match.legal()
                match.play(action)
            assert match.turns < match.options.turn_limit


@pytest.mark.parametrize(("lower", "upper"), list(pairwise(LADDER)))
@pytest.mark.parametrize(
    ("players", "options"),
    [(3, ()), (4, ()), (6, (("mode", "picante"),)), (4, (("teams", True),))],
)
def test_each_rung_is_above_the_one_below(
    lower: str, upper: str, players: int, options: tuple[tuple[str, Any], ...]
) -> None:
    """Alone among the lower ones, the upper one beats three quarters of them."""
    sides = 2 if options == (("teams", True),) else players
    beaten = []
    for match in range(24):
        names = tuple(upper if seat % sides == match % sides else lower for seat in range(players))
        spec = Spec("test", "trio", options, names, seed=match // sides)
        record = play_match(spec, [bot(name) for name in names])
        assert record.faults == ()
        mine = record.ranks[match % sides]
        others = [rank for rank, name in zip(record.ranks, names, strict=True) if name == lower]
        beaten += [(rank > mine) + (rank == mine) / 2 for rank in others]
    assert sum(beaten) / len(beaten) > 0.75
