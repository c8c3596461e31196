"""The hands and the luck of Cincinnati, counted in full or checked over random play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game import Chance
from arena.games._cincinnati.cards import CARDS, deal, imagine_deal
from arena.games._cincinnati.hands import HANDS, LOW, STRENGTH, Hand
from arena.games._cincinnati.words import Choose, TablesShown
from arena.games.cincinnati import CLEARING, Cincinnati
from arena.show import draw
from tests.cincinnati import DULL, choose, deal_out, hand, play, told
from tests.play import Variant, play_randomly, variants

every_variant = pytest.mark.parametrize("variant", variants("cincinnati"), ids=str)
seeds = st.integers(0, 2**63)


# The order of results


def results_from_the_text() -> Iterator[str]:
    """Every hand from the best to the worst, built up the way the rulebook lists them."""
    down = "654321"
    for five in down:
        yield five * 5
    for four in down:
        yield from (four * 4 + die for die in down if die != four)
    yield from ("65432", "54321")
    for three in down:
        yield from (three * 3 + pair * 2 for pair in down if pair != three)
    for three in down:
        others = [die for die in down if die != three]
        yield from (three * 3 + high + low for high, low in combinations(others, 2))
    yield from ("6543" + fifth for fifth in "65431")
    yield from ("5432" + fifth for fifth in "5432")
    yield from ("4321" + fifth for fifth in "64321")
    for high, low in combinations(down, 2):
        yield from (high * 2 + low * 2 + die for die in down if die not in high + low)
    for pair in down:
        for others in combinations([die for die in down if die != pair], 3):
            yield from [] if holds_straight({pair, *others}) else [pair * 2 + "".join(others)]
    for dice in combinations(down, 5):
        yield from [] if holds_straight(set(dice)) else ["".join(dice)]


def holds_straight(faces: set[str]) -> bool:
    return any(set(run) <= faces for run in ("1234", "2345", "3456"))


def test_N1_all_252_hands_stand_in_the_order_of_the_text() -> None:
    expected = [hand(dice) for dice in results_from_the_text()]
    assert len(expected) == len(set(expected)) == 252
    assert sorted(HANDS, key=STRENGTH.__getitem__, reverse=True) == expected


def test_N2_only_identical_dice_are_equal() -> None:
    assert sorted(STRENGTH.values()) == list(range(252))
    assert len(set(LOW.values())) == len(LOW)


@pytest.mark.parametrize(
    "descending",
    [
        ("66331", "66115", "55443"),
        ("66541", "66532"),
        ("12344", "12342"),
        ("34561", "12346"),
        ("65421", "65321"),
        ("11123", "34561"),
    ],
    ids=" > ".join,
)
def test_the_examples_of_better_hands(descending: tuple[str, ...]) -> None:
    strengths = [STRENGTH[hand(dice)] for dice in descending]
    assert strengths == sorted(strengths, reverse=True)


@pytest.mark.parametrize(
    ("table", "clears", "fails"),
    [
        ("A", ["66621", "66633", "66661", "66666"], ["66554", "65432"]),
        ("B", ["12346", "23455", "34561", "12345", "23456"], ["12356", "66666"]),
        ("C", ["11111", "11144", "11225", "12224"], ["11334", "12333"]),
    ],
)
def test_N16_the_condition_of_each_table(table: Any, clears: list[str], fails: list[str]) -> None:
    assert all(hand(dice) in CLEARING[table] for dice in clears)
    assert not any(hand(dice) in CLEARING[table] for dice in fails)


def test_N16_table_C_the_lowest_sum_then_more_ones_then_more_twos() -> None:
    assert LOW[hand("11114")] > LOW[hand("11133")] > LOW[hand("11234")]
    assert LOW[hand("11134")] > LOW[hand("12223")]
    assert LOW[hand("11233")] > LOW[hand("12223")]
    assert LOW[hand("11123")] > LOW[hand("11133")]

    def low_to_high(dice: Hand) -> tuple[int, str]:
        """With equal sums, the first die that differs from the lowest up is a 1 against more."""
        return sum(dice), "".join(map(str, reversed(dice)))

    assert sorted(LOW, key=LOW.__getitem__, reverse=True) == sorted(LOW, key=low_to_high)


# Chance


def test_N19_every_throw_shows_five_dice_and_every_way_they_fall_once() -> None:
    fallen = Counter(
        deal_out("".join(dice), DULL, DULL).hands[0] for dice in product("123456", repeat=5)
    )
    ways = Counter(tuple(sorted(dice, reverse=True)) for dice in product(range(1, 7), repeat=5))
    assert fallen == ways and set(ways) == set(HANDS)


def luck_shown(game: Cincinnati) -> dict[Any, Any]:
    """The new card on A, the first throws, and each seat's first throw in a duel, by round."""
    shown: dict[Any, Any] = {}
    number, duelling = 0, False
    for event in game.events or ():
        if event.type == "round":
            number, duelling = event.number, False
            shown["card", number] = event.cards[0][-1]
        elif event.type == "tables":
            shown["throws", number] = event.throws
        elif event.type == "duel":
            duelling = True
        elif event.type == "throw" and duelling:
            shown.setdefault(("duel", number, event.seat), event.dice)
    return shown


@every_variant
def test_luck_does_not_depend_on_decisions(variant: Variant) -> None:
    shown = []
    for player in range(8):
        game = variant.new(2)
        for _ in play_randomly(game, Random(player)):
            pass
        assert isinstance(game, Cincinnati)
        shown.append(luck_shown(game))
    both = [(one, two, one.keys() & two.keys()) for one, two in combinations(shown, 2)]
    assert all(one[key] == two[key] for one, two, keys in both for key in keys)
    assert any(key[0] == "duel" for _, _, keys in both for key in keys)


def thrown_by_seat_0(held: Sequence[int], rng: Random) -> list[Counter[int]]:
    """The dice seat 0 throws if it holds so many, then so many; the others play at random."""
    game = Cincinnati(4, Chance(7))
    choose(game, "BBBB")
    thrown = []
    for number in held:
        while game.seat != 0 or game.stage == "table":
            game.play(rng.choice(game.legal()))
        if game.stage == "buy":
            play(game, "0 buy")
            while game.seat != 0:
                game.play(rng.choice(game.legal()))
        kept = game.hands[0][:number]
        play(game, "0 keep " + "".join(map(str, kept)))
        while game.kept[0] is not None:
            game.play(rng.choice(game.legal()))
        thrown.append(Counter(game.hands[0]) - Counter(kept))
    return thrown


@settings(max_examples=60, deadline=None)
@given(
    held=st.tuples(*[st.integers(0, 5)] * 2, *[st.integers(0, 4)] * 2),
    others=st.randoms(use_true_random=False),
)
def test_the_same_die_of_the_same_throw_shows_the_same_face(held: Any, others: Random) -> None:
    whole = thrown_by_seat_0((0, 0, 0, 0), Random(1))
    part = thrown_by_seat_0(held, others)
    for all_five, some, kept in zip(whole, part, held, strict=True):
        assert some.total() == 5 - kept and some <= all_five


def test_the_chance_to_clear_a_table_with_one_throw() -> None:
    """Counted over all 7776 throws, and met by the first throws of matches within 4.5 sigma."""
    throws = list(product(range(1, 7), repeat=5))
    runs = [set(range(low, low + 4)) for low in (1, 2, 3)]
    exact = {
        "A": sum(any(dice.count(face) > 2 for face in dice) for dice in throws),
        "B": sum(any(run <= set(dice) for run in runs) for dice in throws),
        "C": sum(sum(dice) < 12 for dice in throws),
    }
    assert (exact["A"], exact["B"]) == (6 + 150 + 300 + 1200, 240 + 960)
    sampled: list[Hand] = []
    for seed in range(150):
        game = Cincinnati(6, Chance(seed))
        for _ in play_randomly(game, Random(seed)):
            pass
        sampled.extend(dice for shown in told(game, TablesShown) for dice in shown.throws)
    assert len(sampled) == 150 * 12 * 6
    for table, clearing in CLEARING.items():
        chance = exact[table] / 7776
        sigma = sqrt(chance * (1 - chance) * len(sampled))
        found = sum(dice in clearing for dice in sampled)
        assert abs(found - chance * len(sampled)) < 4.5 * sigma


# What stays the same, and what is imagined


def check_material(game: Cincinnati) -> None:
    """All 36 cards and 20 tokens are somewhere, and each seat has a hand of five dice."""
    cards = [*game.pile, *game.left_out, *game.discarded, *["duel"] * len(game.challengers)]
    for lying in (*game.cards, *game.money):
        cards += lying
    assert Counter(cards) == Counter(CARDS) and len(cards) == 36
    assert game.supply + sum(game.tokens) == 20 and min(game.supply, *game.tokens) >= 0
    assert set(game.hands) <= set(HANDS)


@every_variant
@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_cards_and_tokens_are_conserved(variant: Variant, seed: int) -> None:
    game = variant.new(seed)
    assert isinstance(game, Cincinnati)
    check_material(game)
    for _ in play_randomly(game, Random(seed)):
        check_material(game)
        assert "duel" not in sum(game.cards, ()) or game.round > 1
        assert len(game.left_out) == (12 if variant.players == 3 else 0)


@every_variant
@settings(max_examples=10, deadline=None)
@given(seed=seeds, steps=st.integers(0, 200))
def test_what_is_imagined_is_whole(variant: Variant, seed: int, steps: int) -> None:
    game = variant.new(seed)
    for _ in play_randomly(game, Random(seed), steps):
        pass
    for seat in range(variant.players):
        imagined = Cincinnati.imagine(game.view(seat), Chance(seed))
        check_material(imagined)
        assert (imagined.choices.count(None) == 0) == (imagined.stage != "table")


def test_secret_throws_and_choices_are_imagined_anew() -> None:
    game = Cincinnati(4, Chance(3))
    play(game, "0 A", "1 B", "2 C")
    imagined = [Cincinnati.imagine(game.view(3), Chance(seed)) for seed in range(60)]
    for seat in range(3):
        assert {state.choices[seat] for state in imagined} == {"A", "B", "C"}
        assert len({state.hands[seat] for state in imagined}) > 30
    assert {state.hands[3] for state in imagined} == {game.hands[3]}


def test_secret_choices_are_those_of_a_player_with_the_imagined_throws() -> None:
    game = Cincinnati(4, Chance(3))
    play(game, "0 A", "1 B")

    def high_to_a(imagined: Cincinnati) -> Choose:
        assert imagined.seat is not None
        return Choose("A" if 6 in imagined.view(imagined.seat).hands[imagined.seat] else "C")

    for seed in range(60):
        imagined = Cincinnati.imagine(game.view(2), Chance(seed), high_to_a)
        expected = ["A" if 6 in hand else "C" for hand in imagined.hands[:2]]
        assert imagined.choices == (*expected, None, None) and imagined.seat == 2


def test_N15_duel_cards_shuffled_back_are_not_imagined_as_left_out() -> None:
    """The duel cards left out of imagined deals, against those of real deals that look alike.

    Deals for two tables with one duel card shuffled back, and two duel cards in rounds 2 to 5.
    """
    real = []
    for seed in range(20_000):
        dealt = deal(2, Chance(seed))
        if dealt.shuffled_back == 1 and dealt.pile[2:10].count("duel") == 2:
            real.append(dealt.left_out.count("duel"))
    seen = [*[card for card in CARDS if card != "duel"][:8], "duel", "duel"]
    chance = Chance(0)
    size = len(real)
    imagined = [imagine_deal(14, seen, 1, chance).left_out.count("duel") for _ in range(size)]
    assert size > 1000
    mean = sum(real) / size
    variance = sum((count - mean) ** 2 for count in real) / size
    assert abs(sum(imagined) / size - mean) < 4.5 * sqrt(2 * variance / size)
    assert max(imagine_deal(14, seen, 6, chance).left_out.count("duel") for _ in range(50)) == 0


# The drawing


@every_variant
def test_the_drawing_fits_the_screen(variant: Variant) -> None:
    game = variant.new(5)
    for _ in play_randomly(game, Random(5)):
        lines = draw(game).splitlines()
        assert len(lines) <= 25 and max(map(len, lines)) <= 100
