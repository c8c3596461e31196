"""Trio: what the table knows, and what can be imagined from it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game import Chance
from arena.games._memory import Known, Memory
from arena.games._redeal import redeal
from arena.games.trio import Offer, Pass, Trio, TrioOptions
from tests.play import Variant, play_randomly
from tests.test_trio import (
    FOUR,
    Halves,
    every_variant,
    everything,
    example,
    play,
    seeds,
    stacked,
    teams,
    written,
)


def test_a_shown_card_is_known_and_bounds_the_others() -> None:
    game = example()
    play(game, "1low", "2high")
    assert game.view(0).known == (
        Known((), 9, 1, 12),
        Known((3,), 8, 3, 12),
        Known((10,), 8, 1, 10),
    )
    play(game, "1low")
    assert game.view(0).known[1] == Known((), 8, 3, 12)
    play(game, "1low", "1high")
    assert game.view(0).known[1] == Known((3, 3, 8), 6, 3, 8)


def test_bounds_outlive_the_cards_that_set_them() -> None:
    game = example()
    play(game, "c0", "2low", "2low")
    assert game.trios == ((2,), (), ())
    assert game.view(1).known[2] == Known((), 7, 2, 12)


def test_a_slot_is_known_once_seen_and_empty_once_won() -> None:
    game = example()
    play(game, "c1", "c2")
    assert game.view(1).centre == (None, 7, 10, *(None,) * 6)
    play(game, "c0", "2low", "2low")
    assert game.view(1).centre == (0, 7, 10, *(None,) * 6)


def test_after_an_exchange_a_known_card_is_in_either_hand() -> None:
    game = teams()
    play(game, "1low", "3low", "1high", "3low", "0low", "0low", "1high")
    play(game, "0low", "0low", "0low", "pass", "pass")
    play(game, "0low", "0low", "1low")
    assert (game.memory.hands[1], game.memory.hands[3]) == (
        Known((8,), 7, 2, 8),
        Known((7,), 8, 7, 12),
    )
    play(game, "o8", "o12")
    for seat in range(4):
        view = game.view(seat)
        assert (view.known[1], view.known[3]) == (Known((), 8, 2, 12), Known((), 9, 2, 12))
        assert view.either == ((), (7, 8))
    assert game.view(1).partner == game.view(3).known_to_partner == Known((7, 8), 7, 7, 12)
    assert game.view(3).partner == game.view(1).known_to_partner == Known((12,), 7, 2, 8)
    play(game, "3low")
    assert game.view(0).either == ((), (8,))
    assert game.view(0).known[3] == Known((), 8, 7, 12)
    play(game, "1low")
    assert game.view(0).known[3] == Known((7,), 8, 7, 12)
    assert game.view(1).partner == Known((7, 8), 7, 7, 12)


def four(one: Known, two: Known, *either: int) -> Memory:
    """Two teams; of the first, seats 0 and 2, this is known."""
    hands = (one, Known((), 3, 1, 12), two, Known((), 3, 1, 12))
    return Memory(hands, (either, ()), hands)


def test_exchange_after_exchange_adds_to_what_either_has() -> None:
    memory = four(Known((5,), 2, 5, 9), Known((), 3, 2, 9), 3)
    memory.exchange(0, 7, 7)
    assert memory.either == ((3, 5), ())


def test_bounds_of_a_hand_with_nothing_unknown_do_not_count() -> None:
    memory = four(Known((4, 5), 0, 1, 12), Known((6,), 2, 6, 9))
    memory.exchange(0, 4, 7)
    assert memory.hands[0] == Known((), 2, 4, 9) and memory.hands[2] == Known((), 3, 4, 9)


def test_a_card_located_in_a_hand_is_not_the_one_that_either_has() -> None:
    memory = four(Known((), 3, 1, 9), Known((), 3, 1, 9), 4, 4)
    memory.show(0, 4, "low")
    memory.put_back(0, 4, "low")
    assert memory.either == ((4,), ()) and memory.hands[0] == Known((4,), 2, 4, 9)
    memory.show(0, 4, "low")
    assert memory.either == ((4,), ())
    memory.show(0, 4, "low")
    assert memory.either == ((), ())


@pytest.mark.parametrize("choices", [("o5",), ("o5", "o8"), ("pass", "o8", "o3")])
def test_an_offer_is_remembered_by_who_made_it(choices: tuple[str, ...]) -> None:
    game = stacked(*FOUR, teams=True)
    play(game, *choices)
    for seat, choice in enumerate(choices):
        for seed in range(10):
            imagined = Trio.imagine(game.view(seat), Chance(seed))
            made = [offer for offer in imagined.offers if offer is not None]
            assert len(made) == len(choices) and written(made[seat]) == choice
            assert all(
                written(offer)[1:] in map(str, imagined.hands[maker])
                for maker, offer in enumerate(made)
                if isinstance(offer, Offer)
            )


def test_an_offer_not_yet_shown_is_that_of_a_player_with_the_imagined_hand() -> None:
    game = stacked(*FOUR, teams=True)
    play(game, "o5", "o8")
    for seed in range(20):
        imagined = Trio.imagine(game.view(2), Chance(seed), lambda match: match.legal()[0])
        expected = [Offer(hand[0]) for hand in imagined.hands[:2]]
        assert imagined.offers == [*expected, None, None] and imagined.seat == 2


# Every variant, at random


def assert_true_of(known: Known, hand: Sequence[int]) -> None:
    rest = Counter(hand)
    rest.subtract(known.cards)
    assert min(rest.values(), default=0) >= 0
    others = list(rest.elements())
    assert len(others) == known.unknown
    assert all(known.low <= card <= known.high for card in others)
    assert list(known.cards) == sorted(known.cards)


def assert_memory_is_true(memory: Memory, hands: Sequence[Sequence[int]]) -> None:
    for known, hand in zip(memory.hands, hands, strict=True):
        assert_true_of(known, hand)
    for known, hand in zip(memory.to_partner, hands if memory.either else (), strict=True):
        assert_true_of(known, hand)
    for team, numbers in enumerate(memory.either):
        rest: Counter[int] = Counter()
        for seat in (team, team + len(memory.either)):
            rest.update(hands[seat])
            rest.subtract(memory.hands[seat].cards)
        rest.subtract(numbers)
        assert min(rest.values(), default=0) >= 0


@every_variant
@settings(max_examples=3, deadline=None)
@given(seed=seeds)
def test_what_is_known_is_true(variant: Variant, seed: int) -> None:
    game = variant.new(seed)
    assert isinstance(game, Trio)
    for _ in play_randomly(game, Random(seed)):
        assert_memory_is_true(game.memory, game.hands)
        assert all(seen in (None, card) for seen, card in zip(game.seen, game.centre, strict=True))


@every_variant
@settings(max_examples=3, deadline=None)
@given(seed=seeds, steps=st.integers(0, 400))
def test_what_is_imagined_is_a_whole_table(variant: Variant, seed: int, steps: int) -> None:
    """No card too many or too few, and every memory is true and stays so."""
    game = variant.new(seed)
    for _ in play_randomly(game, Random(seed), steps):
        pass
    for seat in range(game.players):
        imagined = Trio.imagine(game.view(seat), Chance(seed))
        assert everything(imagined) == Counter(dict.fromkeys(range(1, 13), 3))
        for _ in play_randomly(imagined, Random(seed), 40):
            assert_memory_is_true(imagined.memory, imagined.hands)


# Small tables, against every deal that explains what was seen

Hands = tuple[tuple[int, ...], ...]
"""The hidden cards of each hand."""
Swaps = list[tuple[int, int]]
"""The exchanges of one team: the card its first seat gave, and the card it got."""


def hands_of(cards: Counter[int], sizes: Sequence[int]) -> Iterator[tuple[Hands, int]]:
    """All ways to fill hands from these cards, each with its number of deals of distinct cards."""
    if not sizes:
        yield (), 1
        return
    for hand in set(combinations(sorted(cards.elements()), sizes[0])):
        taken = Counter(hand)
        ways = math.prod(math.comb(cards[number], count) for number, count in taken.items())
        for others, more in hands_of(cards - taken, sizes[1:]):
            yield (hand, *others), ways * more


def told(hands: Hands, events: Sequence[Any], team: int, swaps: Swaps) -> Iterator[Hands]:
    """Where the hands may have come to if the table told these events; nowhere if it cannot have.

    The exchanges of one team are given, those of the others may have been any.
    """
    table, up = [list(hand) for hand in hands], []
    for at, event in enumerate(events):
        if event.type == "reveal" and event.source.type == "ask":
            hand = table[event.source.seat]
            if hand.pop(0 if event.source.end == "low" else -1) != event.number:
                return
            up.append((event.source.seat, event.number))
        elif event.type == "return":
            for seat, number in up:
                table[seat] = sorted([*table[seat], number])
            up = []
        elif event.type == "trio":
            up = []
        elif event.type == "swap" and event.happened:
            one, two = table[event.team], table[event.team + len(hands) // 2]
            pairs = set(product(one, two))
            if event.team == team:
                pairs &= {swaps[0]}
                swaps = swaps[1:]
            for given, got in pairs:
                after = [hand.copy() for hand in table]
                for seat, less, more in ((0, given, got), (1, got, given)):
                    hand = after[event.team + seat * len(hands) // 2]
                    hand.remove(less)
                    hand.append(more)
                    hand.sort()
                yield from told(tuple(map(tuple, after)), events[at + 1 :], team, swaps)
            return
    yield tuple(map(tuple, table))


class Story:
    """A small match some random actions from its start, and all that could lie behind a view."""

    def __init__(self, rules: type[Trio], seed: int, steps: int, **options: Any) -> None:
        self.rules = rules
        self.game = rules(rules.player_counts[0], Chance(seed), TrioOptions(**options))
        self.dealt = tuple(self.game.hands)
        self.swaps: list[Swaps] = [[] for _ in self.game.trios]
        rng = Random(seed)
        for _ in range(steps):
            if self.game.seat is not None:
                exchanging, offers = self.game.exchange, self.game.offers
                self.game.play(rng.choice(self.game.legal()))
                if exchanging and not self.game.exchange:
                    self.note_swaps(exchanging, offers)

    def note_swaps(self, teams: Sequence[int], offers: Sequence[Offer | Pass | None]) -> None:
        for team in teams:
            first, second = offers[team], offers[team + len(self.swaps)]
            if isinstance(first, Offer) and isinstance(second, Offer):
                self.swaps[team].append((first.card, second.card))

    def behind(self, seat: int) -> Counter[Hands]:
        """The hidden hands this seat cannot rule out, by the number of deals they come from."""
        events = self.game.events or []
        seen = {
            e.source.slot: e.number
            for e in events
            if e.type == "reveal" and e.source.type == "reveal"
        }
        cards = Counter(dict.fromkeys(self.rules.numbers, 3))
        cards.subtract(self.dealt[seat])
        cards.subtract(seen.values())
        others = [len(hand) for at, hand in enumerate(self.dealt) if at != seat]
        found: Counter[Hands] = Counter()
        team = seat % len(self.swaps)
        for hands, ways in hands_of(cards, others):
            deal = (*hands[:seat], self.dealt[seat], *hands[seat:])
            for end in set(told(deal, events, team, self.swaps[team])):
                found[end] += ways
        return found

    def imagined(self, seat: int, times: int) -> Counter[Hands]:
        view, chance = self.game.view(seat), Chance(times)
        return Counter(tuple(self.rules.imagine(view, chance).hands) for _ in range(times))


class Table(Trio):
    """Fifteen cards: three in each of three hands, six in the centre."""

    __slots__ = ()
    numbers = (1, 2, 3, 4, 7)
    player_counts = (3,)
    deals: ClassVar = {False: {3: (3, 6)}, True: {}}


@pytest.mark.parametrize("seed", range(16))
def test_imagined_tables_are_those_that_explain_what_was_seen(seed: int) -> None:
    """Without teams exactly those, about as often as a fair deal brings them."""
    story = Story(Table, seed, 5 + 2 * seed)
    behind, times = story.behind(0), 4000
    imagined = story.imagined(0, times)
    assert tuple(story.game.hands) in behind
    assert set(imagined) <= set(behind)
    total = behind.total()
    assert all(hands in imagined for hands, ways in behind.items() if ways / total > 0.005)
    distance = sum(abs(imagined[h] / times - ways / total) for h, ways in behind.items()) / 2
    assert distance < 0.02 + 0.5 * math.sqrt(len(behind) / times)


class FourHands(Halves):
    __slots__ = ()
    player_counts = (4,)


@pytest.mark.parametrize("seed", range(40))
def test_in_teams_nothing_possible_is_ruled_out(seed: int) -> None:
    """The public memory, and that of the seat's own team, are true of all that can be so."""
    story = Story(FourHands, seed, 4 + seed, teams=True)
    for seat in range(4):
        behind = story.behind(seat)
        assert tuple(story.game.hands) in behind
        memory, view = story.game.memory, story.game.view(seat)
        assert view.partner is not None
        for hands in behind:
            assert_memory_is_true(Memory(memory.hands, memory.either, memory.hands), hands)
            assert_true_of(view.partner, hands[memory.partner(seat)])


def test_in_teams_one_loses_nothing_by_own_exchanges() -> None:
    """If only the own team has exchanged, the imagined tables are exactly the possible ones."""
    exchanged = 0
    for seed in range(400):
        story = Story(FourHands, seed, 4 + seed % 20, teams=True)
        for seat in range(4):
            own, other = story.swaps[seat % 2], story.swaps[1 - seat % 2]
            if own and not other:
                exchanged += 1
                behind = story.behind(seat)
                imagined = story.imagined(seat, 50)
                assert set(imagined) <= set(behind)
    assert exchanged > 20


# Dealing anew


def test_a_ring_of_moves_mends_what_one_exchange_cannot() -> None:
    """Three hands with one place each, whose bounds allow one deal only."""
    hands = [Known((), 1, 1, 1), Known((), 1, 1, 2), Known((), 1, 2, 3)]
    for seed in range(20):
        assert redeal([1, 2, 3], hands, [], Chance(seed)) == [(1,), (2,), (3,)]


def test_cards_of_either_hand_stay_with_the_two() -> None:
    hands = [Known((), 2, 1, 9), Known((), 2, 1, 4), Known((), 2, 1, 9)]
    for seed in range(50):
        one, two, three = redeal([1, 2, 3, 4], hands, [(0b011, (3, 9))], Chance(seed))
        assert 9 in one and 3 in one + two
        assert sorted(one + two + three) == [1, 2, 3, 3, 4, 9] and max(two) <= 4


def test_an_impossible_deal_is_an_error() -> None:
    with pytest.raises(ValueError, match="no deal is allowed"):
        redeal([1, 2], [Known((), 1, 1, 1), Known((), 1, 1, 1), Known((), 0, 1, 2)], [], Chance(0))
