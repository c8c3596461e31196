"""Trio: the rulebook's examples, every ruling, and every play of a small table."""

from __future__ import annotations

import copy
from collections import Counter
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena import show
from arena.errors import ArenaError
from arena.game import Chance, Scripted
from arena.games.trio import Ask, Offer, Pass, Reveal, Trio, TrioOptions, linked
from tests.play import Variant, as_text, play_randomly, variants

every_variant = pytest.mark.parametrize("variant", variants("trio"), ids=str)
seeds = st.integers(0, 2**63)


def cards(text: str) -> list[int]:
    return [int(card) for card in text.split()]


def stacked(*hands: str, centre: str = "", rules: type[Trio] = Trio, **options: Any) -> Trio:
    """A match with these hands, and all other cards in the centre, these first."""
    deck = [card for hand in (*hands, centre) for card in cards(hand)]
    return rules(len(hands), Scripted({"cards": deck}), TrioOptions(**options))


def play(game: Trio, *actions: str) -> list[str]:
    """Play actions written as on a score sheet; the events they caused, likewise.

    `c4` is slot 4 of the centre, `2low` the low card of seat 2, `o7` offers a 7, `pass` passes.
    """
    assert game.events is not None
    told = len(game.events)
    for action in actions:
        assert action in can(game)
        game.play(next(legal for legal in game.legal() if written(legal) == action))
    return [as_text(event) for event in game.events[told:]]


def written(action: Reveal | Ask | Offer | Pass) -> str:
    if isinstance(action, Reveal):
        return f"c{action.slot}"
    if isinstance(action, Ask):
        return f"{action.seat}{action.end}"
    return f"o{action.card}" if isinstance(action, Offer) else "pass"


def can(game: Trio) -> set[str]:
    """The legal actions, written as on a score sheet."""
    return set(map(written, game.legal()))


HADRIEN, YANIS, MARTINE = "1 1 1 4 4 4 5 5 5", "3 3 6 6 6 7 8 8 8", "2 2 3 7 9 9 9 10 10"
"""Three hands; 2 7 10 11 11 11 12 12 12 are left for the centre."""


def example(**options: Any) -> Trio:
    return stacked(HADRIEN, YANIS, MARTINE, centre="2 7 10", **options)


class Solo(Trio):
    """One player with nine cards in reach: one in his hand and eight in the centre."""

    __slots__ = ()
    player_counts = (1,)
    deals: ClassVar = {False: {1: (1, 8)}, True: {}}


def solo(trios: str, mode: str) -> Trio:
    """Solo after taking these trios, in this order."""

    class Three(Solo):
        __slots__ = ()
        numbers = tuple(cards(trios))

    one, two, three = cards(trios)
    row = f"{one} {one} {two} {two} {two} {three} {three} {three}"
    return stacked(str(one), centre=row, rules=Three, mode=mode)


TAKE = (("0low", "c0", "c1"), ("c2", "c3", "c4"), ("c5", "c6", "c7"))


# The examples of the rulebook


def test_different_numbers_end_the_turn_and_return() -> None:
    game = example()
    assert play(game, "1low", "2low") == [
        "reveal(seat=0, source=1:low, number=3)",
        "reveal(seat=0, source=2:low, number=2)",
        "return()",
    ]
    assert game.hands == [tuple(cards(hand)) for hand in (HADRIEN, YANIS, MARTINE)]
    assert game.seat == 1


def test_centre_and_twice_own_low_is_a_trio() -> None:
    game = example()
    play(game, "1low", "2low", "1low", "2high")
    assert play(game, "c0", "2low", "2low") == [
        "reveal(seat=2, source=0, number=2)",
        "reveal(seat=2, source=2:low, number=2)",
        "reveal(seat=2, source=2:low, number=2)",
        "trio(seat=2, number=2)",
    ]
    assert game.trios == ((), (), (2,)) and game.result().scores == (0, 0, 1)
    assert game.hands[2] == tuple(cards("3 7 9 9 9 10 10")) and game.centre[0] == 0


@pytest.mark.parametrize("pair", ["2 5 9", "2 9 5", "9 2 5", "5 2 9"])
def test_picante_two_linked_trios_win(pair: str) -> None:
    game = solo(pair, "picante")
    play(game, *TAKE[0])
    assert game.seat == 0
    assert play(game, *TAKE[1])[-1] == "end(scores=[2], ranks=[1])"
    assert game.seat is None


@pytest.mark.parametrize("mode", ["simple", "picante"])
def test_the_trio_of_7_wins_at_once(mode: str) -> None:
    game = solo("7 1 2", mode)
    assert play(game, *TAKE[0])[-2:] == ["trio(seat=0, number=7)", "end(scores=[1], ranks=[1])"]


@pytest.mark.parametrize(
    ("players", "teams", "hand", "centre"),
    [
        (3, False, 9, 9),
        (4, False, 7, 8),
        (5, False, 6, 6),
        (6, False, 5, 6),
        (4, True, 9, 0),
        (6, True, 6, 0),
    ],
)
def test_deal(players: int, teams: bool, hand: int, centre: int) -> None:
    game = Trio(players, Chance(1), TrioOptions(teams=teams))
    assert [len(cards) for cards in game.hands] == [hand] * players
    assert len(game.centre) == centre
    assert all(list(cards) == sorted(cards) for cards in game.hands)
    assert game.events is not None
    assert as_text(game.events[0]) == (
        f"deal(hands=[{' '.join([str(hand)] * players)}], centre={centre})"
    )


# The rulings


def test_T1_equal_numbers_must_go_on() -> None:
    game = example()
    play(game, "c0", "2low")
    assert game.seat == 0
    assert can(game) == {f"c{slot}" for slot in range(1, 9)} | {
        f"{seat}{end}" for seat in range(3) for end in ("low", "high")
    }


def test_T2_low_and_high_speak_of_what_is_hidden() -> None:
    game = example()
    assert play(game, "1low", "1low", "1low")[2:] == [
        "reveal(seat=0, source=1:low, number=6)",
        "return()",
    ]
    play(game, "1high", "1high")
    assert game.hands[1] == tuple(cards("3 3 6 6 6 7 8"))
    assert play(game, "1high")[1:] == ["trio(seat=1, number=8)"]


def test_T2_own_hand_too() -> None:
    game = example()
    assert play(game, "0low", "0low", "0low")[-1] == "trio(seat=0, number=1)"


def test_T2_low_then_high_of_one_hand() -> None:
    game = solo("1 2 3", "simple")
    assert can(game) == {"0low", *(f"c{slot}" for slot in range(8))}
    game = example()
    assert play(game, "0low", "0high")[1:] == [
        "reveal(seat=0, source=0:high, number=5)",
        "return()",
    ]
    assert game.hands[0] == tuple(cards(HADRIEN))


class Pairs(Trio):
    """Nine cards: two in each of three hands, three in the centre."""

    __slots__ = ()
    numbers = (1, 6, 7)
    deals: ClassVar = {False: {3: (2, 3)}, True: {}}


def test_cards_of_the_centre_that_nobody_has_seen_are_alike() -> None:
    """Of 2 7 10 11 …, with the 2 and 10 seen: the 2, the 10, the first unseen, and three hands."""
    game = example()
    play(game, "c2", "1low", "c0")
    assert [written(action) for action in game.distinct()] == [
        "c1", "c2", "0low", "0high", "1low", "1high", "2low", "2high",
    ]  # fmt: skip
    play(game, "c8")
    ends = ["0low", "0high", "1low", "1high", "2low", "2high"]
    assert [written(action) for action in game.distinct()] == ["c0", "c1", "c2", "c8", *ends]


def test_T3_of_one_hidden_card_only_low_is_offered() -> None:
    game = stacked("1 1", "1 6", "6 6", centre="7 7 7", rules=Pairs)
    assert can(game) >= {"0low", "0high"}
    play(game, "0low")
    assert can(game) & {"0low", "0high"} == {"0low"}
    play(game, "0low")
    assert not can(game) & {"0low", "0high"}


def test_T4_an_empty_hand_is_not_asked_but_plays() -> None:
    game = stacked("1 1", "1 6", "6 6", centre="7 7 7", rules=Pairs)
    play(game, "0low", "0low", "1low", "1low", "c0", "c1", "1low")
    assert game.seat == 0 and game.hands[0] == ()
    assert can(game) == {"c0", "c1", "c2", "1low", "2low", "2high"}
    assert play(game, "c0", "1low")[-1] == "return()"


def test_T5_failed_turn_puts_every_card_back() -> None:
    game = example()
    before = game.hands.copy(), game.centre, game.legal()
    play(game, "c0", "2low", "2high")
    assert (game.hands, game.centre, game.legal()) == before
    assert game.seat == 1 and game.turns == 1


def test_T6_the_turn_passes_on_after_a_trio() -> None:
    game = example()
    play(game, "0low", "0low", "0low")
    assert game.seat == 1


def test_T7_three_trios_win_in_simple_mode() -> None:
    game = solo("2 5 9", "simple")
    play(game, *TAKE[0], *TAKE[1])
    assert game.seat == 0
    assert play(game, *TAKE[2])[-1] == "end(scores=[3], ranks=[1])"


def test_T7_three_unlinked_trios_do_not_win_in_picante() -> None:
    game = solo("1 2 3", "picante")
    assert play(game, *TAKE[0], *TAKE[1], *TAKE[2])[-1] == "trio(seat=0, number=3)"
    assert game.seat == 0


def test_T7_linked_among_three() -> None:
    game = solo("2 3 5", "picante")
    play(game, *TAKE[0], *TAKE[1])
    assert game.seat == 0
    assert play(game, *TAKE[2])[-1] == "end(scores=[3], ranks=[1])"


def test_T7_the_linked_numbers() -> None:
    pairs = [(a, b) for a in range(1, 13) for b in range(a + 1, 13) if linked(a, b)]
    assert pairs == [(1, 6), (1, 8), (2, 5), (2, 9), (3, 4), (3, 10), (4, 11), (5, 12)]
    assert all(linked(b, a) for a, b in pairs)


def test_T8_at_the_turn_limit_nobody_wins() -> None:
    game = example(turn_limit=3)
    play(game, "0low", "0low", "0low")  # a trio for seat 0
    play(game, "0low", "1low")
    assert play(game, "0low", "1low")[-2:] == ["return()", "end(scores=[1 0 0], ranks=[1 2 2])"]
    assert game.seat is None and game.legal() == () and game.turns == 3


def test_T8_a_win_in_the_last_turn_counts() -> None:
    game = stacked("1 1", "1 6", "6 6", centre="7 7 7", rules=Pairs, turn_limit=2)
    play(game, "0low", "0low", "1low")
    assert play(game, "c0", "c1", "c2")[-1] == "end(scores=[1 1 0], ranks=[2 1 3])"


def test_T9_the_winner_ranks_before_more_trios() -> None:
    game = stacked("1 1 1 2 2 2 3 3 4", "3 4 4 5 5 5 6 6 8", "6 8 8 9 9 9 10 10 10", centre="7 7 7")
    play(game, "0low", "0low", "0low", "0low", "2low", "0low", "2low")
    play(game, "0low", "0low", "0low", "0low", "2low")
    assert game.result().scores == (2, 0, 0) and game.result().ranks == (1, 2, 2)
    assert play(game, "c0", "c1", "c2")[-1] == "end(scores=[2 0 1], ranks=[2 3 1])"


FOUR = ("1 1 1 2 2 3 3 4 5", "2 4 4 5 5 6 6 7 8", "3 6 7 8 9 9 10 11 12", "7 8 9 10 10 11 11 12 12")


def teams(*choices: str, **options: Any) -> Trio:
    """Two teams, 0 with 2 and 1 with 3, after the exchange at the start."""
    game = stacked(*FOUR, teams=True, **options)
    play(game, *(choices or ("pass",) * 4))
    return game


def test_T10_opposite_seats_are_partners() -> None:
    assert Trio.sides(4, TrioOptions(teams=True)) == (0, 1, 0, 1)
    assert Trio.sides(6, TrioOptions(teams=True)) == (0, 1, 2, 0, 1, 2)
    assert Trio.sides(4, TrioOptions()) == (0, 1, 2, 3)


def test_T10_partners_pool_trios_share_the_rank_and_may_ask_each_other() -> None:
    game = teams(turn_limit=3)
    assert "2low" in can(game)
    play(game, "0low", "0low", "0low")
    play(game, "pass", "pass", "0low", "3low")
    assert play(game, "0low", "0low", "1low")[-2:] == [
        "trio(seat=2, number=2)",
        "end(scores=[2 0 2 0], ranks=[1 3 1 3])",
    ]


@pytest.mark.parametrize("players", [3, 5])
def test_T10_teams_are_for_4_or_6(players: int) -> None:
    with pytest.raises(ArenaError, match=f"teams=true is for 4 or 6 players, not {players}"):
        Trio(players, Chance(0), TrioOptions(teams=True))


def test_T11_every_team_exchanges_at_the_start_in_seat_order() -> None:
    game = stacked(*FOUR, teams=True)
    assert game.seat == 0 and can(game) == {"o1", "o2", "o3", "o4", "o5", "pass"}
    assert play(game, "o5", "o8", "o3") == []
    assert game.seat == 3
    assert play(game, "pass") == ["swap(team=0, happened=True)", "swap(team=1, happened=False)"]
    assert game.hands[0] == tuple(cards("1 1 1 2 2 3 3 3 4"))
    assert game.hands[2] == tuple(cards("5 6 7 8 9 9 10 11 12"))
    assert [game.hands[1], game.hands[3]] == [tuple(cards(FOUR[1])), tuple(cards(FOUR[3]))]
    assert game.seat == 0


def test_T11_nothing_is_shown_before_all_have_chosen() -> None:
    one, two = stacked(*FOUR, teams=True), stacked(*FOUR, teams=True)
    play(one, "o5", "o8", "o3")
    play(two, "pass", "o2", "o9")
    assert one.view(3) == two.view(3)
    assert one.view(0) != two.view(0) and one.view(0).offer == Offer(5)
    assert two.view(0).offer == Pass() and one.view(3).offer is None


def test_T11_only_that_cards_moved_is_public() -> None:
    one, two = teams("o1", "pass", "o3", "pass"), teams("o5", "pass", "o12", "pass")
    for seat in (1, 3):
        assert one.view(seat) == two.view(seat)
    assert one.view(0) != two.view(0) and one.view(2) != two.view(2)


def test_T11_after_a_trio_the_other_teams_exchange() -> None:
    game = teams()
    play(game, "0low", "0low", "0low")
    assert game.seat == 1 and game.exchange == (1,)
    assert play(game, "o8", "o7") == ["swap(team=1, happened=True)"]
    assert game.seat == 1 and "0low" in can(game)


def test_T11_six_players_two_teams_exchange_after_a_trio() -> None:
    game = stacked(
        "1 1 1 2 2 2", "3 3 3 4 4 4", "5 5 5 6 6 6", "7 7 7 8 8 8", "9 9 9 10 10 10",
        "11 11 11 12 12 12", teams=True,
    )  # fmt: skip
    play(game, *("pass",) * 6, "0low", "0low", "0low")
    asked = []
    while game.exchange:
        asked.append(game.seat)
        play(game, "pass")
    assert asked == [1, 2, 4, 5] and game.seat == 1


class Halves(Trio):
    """Twelve cards, three in each of four hands, in teams."""

    __slots__ = ()
    numbers = (1, 2, 3, 7)
    deals: ClassVar = {False: {}, True: {4: (3, 0)}}


@pytest.mark.parametrize("bare", [1, 3])
def test_T11_no_cards_no_exchange(bare: int) -> None:
    """Either partner's hand may be the empty one."""
    hands = ["1 1 3", "3 7 7", "1 3 7", "3 7 7"]
    hands[bare] = "2 2 2"
    game = stacked(*hands, rules=Halves, teams=True)
    play(game, *("pass",) * 4)
    assert play(game, *(f"{bare}low",) * 3)[-1] == "trio(seat=0, number=2)"
    assert game.hands[bare] == () and game.exchange == () and game.seat == 1


def test_T11_no_exchange_when_no_turn_follows() -> None:
    game = teams(turn_limit=1)
    assert play(game, "0low", "0low", "0low")[-1] == "end(scores=[1 0 1 0], ranks=[1 3 1 3])"
    assert game.exchange == ()


# Every variant, at random


def everything(game: Trio) -> Counter[int]:
    """All cards there are, wherever they lie."""
    there = Counter(card for hand in game.hands for card in hand)
    there.update(number for number in game.centre if number)
    there.update(up.number for up in game.revealed if isinstance(up.source, Ask))
    for trios in game.trios:
        there.update(3 * trios)
    return there


@every_variant
@settings(max_examples=3, deadline=None)
@given(seed=seeds)
def test_36_cards_after_every_action(variant: Variant, seed: int) -> None:
    game = variant.new(seed)
    assert isinstance(game, Trio)
    deck = Counter(dict.fromkeys(range(1, 13), 3))
    assert everything(game) == deck
    for _ in play_randomly(game, Random(seed)):
        assert everything(game) == deck
        assert all(list(hand) == sorted(hand) for hand in game.hands)


# Every play of a small table, against a referee who only knows where each card lies


class Referee:
    """The rules once more, from the rulebook: each card has a number and a place."""

    def __init__(self, game: Trio) -> None:
        self.options = game.options
        self.seats = game.players
        self.sides = game.sides(game.players, game.options)
        self.places = [
            (number, f"hand {s}") for s, hand in enumerate(game.hands) for number in hand
        ]
        self.places += [(number, f"slot {slot}") for slot, number in enumerate(game.centre)]
        self.up: list[int] = []
        self.turns = 0
        self.choices: dict[int, str] = {}
        self.exchanging: list[int] = []
        self.over = ""
        self.open_exchange(set(self.sides))

    def hand(self, seat: int) -> list[int]:
        """The cards of a hand that are not turned up, lowest first."""
        mine = [c for c, (_, place) in enumerate(self.places) if place == f"hand {seat}"]
        return sorted((c for c in mine if c not in self.up), key=lambda c: self.places[c][0])

    def numbers(self, seat: int) -> list[int]:
        return [self.places[card][0] for card in self.hand(seat)]

    def won(self, side: int) -> list[int]:
        return sorted(number for number, place in self.places if place == f"side {side}")[::3]

    def open_exchange(self, sides: set[int]) -> None:
        self.exchanging, self.choices = [], {}
        if self.options.teams:
            bare = {self.sides[seat] for seat in range(self.seats) if not self.hand(seat)}
            able = sides - bare
            self.exchanging = [seat for seat in range(self.seats) if self.sides[seat] in able]

    def seat(self) -> int | None:
        if self.over:
            return None
        return self.exchanging[0] if self.exchanging else self.turns % self.seats

    def legal(self) -> set[str]:
        if self.over:
            return set()
        if self.exchanging:
            return {"pass", *(f"o{number}" for number in self.numbers(self.exchanging[0]))}
        slots = [
            int(p[5:]) for c, (_, p) in enumerate(self.places) if "slot" in p and c not in self.up
        ]
        lows = {f"{seat}low" for seat in range(self.seats) if self.hand(seat)}
        highs = {f"{seat}high" for seat in range(self.seats) if len(self.hand(seat)) > 1}
        return {f"c{slot}" for slot in slots} | lows | highs

    def play(self, action: str) -> None:
        if self.exchanging:
            self.choices[self.exchanging.pop(0)] = action
            if not self.exchanging:
                self.move_offers()
            return
        if action[0] == "c":
            places = [place for _, place in self.places]
            self.up.append(places.index(f"slot {action[1:]}"))
        else:
            self.up.append(self.hand(int(action[0]))[0 if action[1:] == "low" else -1])
        numbers = [self.places[card][0] for card in self.up]
        if len(set(numbers)) == 2:
            self.up = []
            self.next_turn(set())
        elif len(numbers) == 3:
            side = self.sides[self.turns % self.seats]
            for card in self.up:
                self.places[card] = numbers[0], f"side {side}"
            self.up = []
            self.over = self.victory(self.won(side))
            self.next_turn(set(self.sides) - {side})

    def move_offers(self) -> None:
        for one, first in self.choices.items():
            for two, second in self.choices.items():
                if (
                    one < two
                    and self.sides[one] == self.sides[two]
                    and "pass" not in (first, second)
                ):
                    given = self.places.index((int(first[1:]), f"hand {one}"))
                    got = self.places.index((int(second[1:]), f"hand {two}"))
                    self.places[given] = int(first[1:]), f"hand {two}"
                    self.places[got] = int(second[1:]), f"hand {one}"

    def victory(self, trios: list[int]) -> str:
        if 7 in trios:
            return "seven"
        if self.options.mode == "simple":
            return "three" if len(trios) == 3 else ""
        pairs = [(1, 6), (1, 8), (2, 5), (2, 9), (3, 4), (3, 10), (4, 11), (5, 12)]
        return "linked" if any({a, b} <= set(trios) for a, b in pairs) else ""

    def next_turn(self, sides: set[int]) -> None:
        self.turns += 1
        if not self.over and self.turns == self.options.turn_limit:
            self.over = "limit"
        if not self.over:
            self.open_exchange(sides)

    def ranks(self) -> tuple[int, ...]:
        def standing(seat: int) -> tuple[bool, int]:
            trios = self.won(self.sides[seat])
            return bool(self.victory(trios)), len(trios)

        seats = range(self.seats)
        return tuple(1 + sum(standing(s) > standing(seat) for s in seats) for seat in seats)


def every_play(game: Trio) -> Counter[str]:
    """Go through all positions that can come up, with the referee; how often each end did."""
    ends: Counter[str] = Counter()
    seen = set()
    waiting = [(game, Referee(game))]
    while waiting:
        table, referee = waiting.pop()
        assert table.seat == referee.seat() and can(table) == referee.legal()
        assert [list(hand) for hand in table.hands] == [
            referee.numbers(seat) for seat in range(table.players)
        ]
        if table.seat is None:
            ends[referee.over] += 1
            assert table.result().ranks == referee.ranks()
            continue
        for action in table.legal():
            after, judge = table.clone(Chance(0)), copy.deepcopy(referee)
            after.play(action)
            judge.play(written(action))
            position = (*judge.places, *judge.up, judge.turns, *judge.choices.items(), judge.over)
            if position not in seen:
                seen.add(position)
                waiting.append((after, judge))
    return ends


class Small(Trio):
    """Twelve cards for two players: three in each hand, six in the centre."""

    __slots__ = ()
    numbers = (1, 2, 6, 7)
    player_counts = (2,)
    deals: ClassVar = {False: {2: (3, 6)}, True: {}}


@pytest.mark.parametrize("mode", ["simple", "picante"])
def test_every_play_of_a_small_table(mode: str) -> None:
    ends: Counter[str] = Counter()
    for hands in (("1 1 2", "2 6 7"), ("1 2 6", "1 2 7")):
        ends += every_play(stacked(*hands, rules=Small, mode=mode, turn_limit=6))
    assert set(ends) == {"seven", "limit", "three" if mode == "simple" else "linked"}


def test_every_play_of_small_teams() -> None:
    hands = "1 1 1", "2 2 3", "2 3 7", "3 7 7"
    ends = every_play(stacked(*hands, rules=Halves, teams=True, turn_limit=2))
    assert set(ends) == {"limit", "seven"}


@every_variant
def test_the_drawing_fits_the_screen(variant: Variant) -> None:
    game = variant.new(3)
    assert isinstance(game, Trio)
    for _ in play_randomly(game, Random(3), 60):
        lines = show.draw(game).splitlines()
        assert len(lines) <= 25 and max(map(len, lines)) <= 100
        for seat, hand in enumerate(game.hands):
            (row,) = (line for line in lines if line[2:].startswith(f"seat {seat}"))
            assert " ".join(f"{card:>2}" for card in hand) in row
