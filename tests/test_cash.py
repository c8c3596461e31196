"""Cash: the rulebook's examples and rulings, and what holds in every match.

Safes and keys are written by the first letters of their colours; a line of play is a string with
a letter for a key taken, a digit for the place of a safe opened, "." for stop and "-" for pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from arena.game import Chance, Scripted
from arena.games._keys import COLOURS, HANDFULS, SAFES, Safe, pack, unpack
from arena.games.cash import (
    CHOOSE,
    OPEN,
    PASS,
    PREMIUM,
    STOP,
    TAKE,
    Cash,
    CashAction,
    Choose,
    Open,
    Take,
)
from arena.show import draw

COLOUR = {colour[0].upper(): colour for colour in COLOURS}
every_count = pytest.mark.parametrize("players", Cash.player_counts)


def counts(text: str) -> tuple[int, ...]:
    return tuple(text.count(letter) for letter in "RGYB")


def safe(text: str) -> Safe:
    (found,) = (safe for safe in SAFES if safe.keys == counts(text))
    return found


def choose(text: str) -> Choose:
    return Choose(tuple(COLOUR[letter] for letter in text))  # type: ignore[arg-type]


def begin(first: str, safes: str, game: type[Cash] = Cash) -> Cash:
    """A table at which each seat has chosen its first keys and these safes come first."""
    handfuls = first.split()
    pile = [safe(text) for text in safes.split()]
    table = game(len(handfuls), Scripted({"safes": pile}))
    for handful in handfuls:
        table.play(choose(handful))
    return table


def moves(line: str) -> list[CashAction]:
    named: dict[str, CashAction] = {".": STOP, "-": PASS}
    named |= {letter: Take(colour) for letter, colour in COLOUR.items()}
    return [named.get(letter) or Open(int(letter)) for letter in line.replace(" ", "")]


def play(game: Cash, line: str) -> None:
    for action in moves(line):
        assert action in game.legal(), f"{action} is not among {game.legal()}"
        game.play(action)


def places(game: Cash) -> list[int]:
    return [action.safe for action in game.legal() if isinstance(action, Open)]


def letters(keys: tuple[int, ...]) -> str:
    return "".join(letter * n for letter, n in zip("RGYB", keys, strict=True))


def shown(game: Cash) -> list[str]:
    return [letters(safe.keys) if safe else "" for safe in game.display]


def told(game: Cash, kind: str) -> list[Any]:
    return [event for event in game.events or () if event.type == kind]


# The material


def test_every_combination_of_four_keys_is_one_safe() -> None:
    assert len(Cash.safes) == len({safe.keys for safe in Cash.safes}) == 35
    assert all(sum(safe.keys) == 4 and min(safe.keys) >= 0 for safe in Cash.safes)


def test_loot_is_the_sum_of_the_keys() -> None:
    worth = dict(zip(COLOURS, (1, 2, 3, 4), strict=True))
    for combination in combinations_with_replacement(COLOURS, 4):
        text = "".join(colour[0].upper() for colour in combination)
        assert safe(text).loot == sum(worth[colour] for colour in combination)
    assert sum(safe.loot for safe in Cash.safes) == 350


def test_sixty_keys_and_twenty_five_premiums() -> None:
    assert unpack(Cash.keys) == (15, 15, 15, 15)
    assert (Cash.premium_cards, PREMIUM) == (25, 10)


# The first keys


def test_C1_colours_may_repeat() -> None:
    game = Cash(3, Chance(0))
    assert set(game.legal()) == set(CHOOSE)
    assert choose("BBBB") in game.legal()


def test_the_order_of_chosen_keys_does_not_matter() -> None:
    given = '{"type": "choose", "keys": ["red", "red", "blue", "green"]}'
    read = TypeAdapter(Cash.action_type).validate_json(given)
    assert read == choose("RRGB") == choose("BGRR") and read in CHOOSE


def test_C2_out_of_what_the_piles_still_hold() -> None:
    game = Cash(5, Chance(0))
    for handful, left in [("BBBB", 35), ("BBBB", 35), ("BBBB", 34), ("BBBR", 15)]:
        game.play(choose(handful))
        assert len(game.legal()) == left
    assert not any("blue" in action.keys for action in game.legal() if isinstance(action, Choose))


def test_C2_no_safe_and_no_pile_is_shown_before_all_have_chosen() -> None:
    game = Cash(4, Chance(0))
    for handful in ("BBBB", "RGYB", "RRGG"):
        game.play(choose(handful))
        assert game.events == []
        views = [game.view(seat) for seat in range(4)]
        assert all(view.display == () and view.piles is None for view in views)
    game.play(choose("YYYY"))
    assert game.view(3).piles == (12, 12, 10, 10)
    assert [event.type for event in game.events or ()] == ["display"]


@given(one=st.sampled_from(CHOOSE), two=st.sampled_from(CHOOSE))
def test_C2_no_view_depends_on_the_choice_of_another(one: Choose, two: Choose) -> None:
    """Before all have chosen nothing shows; afterwards only how many keys are gone."""
    here, there = Cash(3, Chance(0)), Cash(3, Chance(0))
    here.play(one)
    there.play(two)
    assert here.view(1) == there.view(1) and here.view(2) == there.view(2)
    here.play(two)
    there.play(one)
    assert here.view(2) == there.view(2)
    here.play(choose("RGYB"))
    there.play(choose("RGYB"))
    assert here.view(2) == there.view(2)


def test_C2_a_seat_remembers_what_it_could_not_choose() -> None:
    game = begin("BBBB BBBB BBBB RRRR", "")
    assert [game.view(seat).offered for seat in range(4)] == [(4, 4, 4, 4)] * 3 + [(4, 4, 4, 3)]
    for seed in range(20):
        imagined = Cash.imagine(game.view(3), Chance(seed))
        assert [unpack(keys) for keys in imagined.first] == [counts("BBBB")] * 3 + [counts("RRRR")]


# A turn

SEVEN = "RRRY GGYY RGYY RRRR GGGG YYYY BBBB"


def test_C3_take_a_key_or_open_and_never_pass() -> None:
    game = begin("RRRY GGGG YYBB", SEVEN)
    assert game.legal() == (*TAKE, OPEN[0])
    play(game, "R")
    assert game.legal() == (*TAKE, OPEN[4])
    assert game.view(0).keys == counts("RRRRY") and game.view(0).piles == (11, 11, 12, 13)


def test_C4_keys_go_back_at_once_and_the_turn_goes_on() -> None:
    game = begin("RRRR GGGG YYBB", SEVEN)
    play(game, "R B B  R B B  R B B  Y B B  3")
    assert game.seat == 0 and game.legal() == (OPEN[0], STOP)
    assert game.view(1).piles == (12, 11, 12, 5) and game.view(1).opened == 1
    play(game, ".")
    assert game.seat == 1 and game.view(0).keys == counts("RRRY")


def test_C4_stop_is_asked_even_when_nothing_else_can_be_opened() -> None:
    """Otherwise the turn's end would tell whether the secret keys open another safe."""
    game = begin("RRRR GGGG YYBB", SEVEN)
    play(game, "3")
    assert game.seat == 0 and game.legal() == (STOP,)


def test_C4_places_stay_while_safes_are_taken() -> None:
    game = begin("RRRR GGGG YYYY", SEVEN)
    play(game, "3. 4. 5.")
    assert shown(game) == ["RRRY", "GGYY", "RGYY", "", "", "", "BBBB"]
    assert game.view(0).display[3] is None


def test_rulebook_twelve_keys_open_safes_of_6_10_and_9() -> None:
    game = begin("RRRY YYBB YYBB", SEVEN)
    assert [safe.loot for safe in game.display[:3] if safe] == [6, 10, 9]
    play(game, "G R B  G R B  Y R B  Y R B  R R B  G R B  Y R B  Y R B")
    assert sum(game.view(0).keys) == 12
    play(game, "0 1 2")
    assert game.result().scores == (45, 0, 0)
    assert [(event.loot, event.premiums) for event in told(game, "open")] == [
        (6, 0),
        (10, 1),
        (9, 1),
    ]
    assert game.view(0).keys == (0, 0, 0, 0)


class SevenSafes(Cash):
    """Cash without a second display."""

    safes = tuple(safe(text) for text in ("RRRR", "BBBB", "GGGG", "YYYY", "RRGG", "GGYY", "YYBB"))


class OnePremium(Cash):
    premium_cards = 1


def with_two_safes_left(game: type[Cash] = Cash) -> Cash:
    """Seat 0 is to move and has the keys of the last two safes, RRRR at 0 and BBBB at 1."""
    table = begin("RRRR GGGG YYYY RRGG GGYY YYBB", "RRRR BBBB GGGG YYYY RRGG GGYY YYBB", game)
    play(table, "B 2. 3. 4. 5. 6.  B RGYRG  B RGYRG  B RGYRG")
    assert table.seat == 0 and places(table) == [0, 1]
    assert shown(table) == ["RRRR", "BBBB", "", "", "", "", ""]
    return table


def premiums(game: Cash) -> list[int]:
    return [event.premiums for event in told(game, "open")]


def test_C5_the_last_two_safes_in_one_turn_earn_two_premiums() -> None:
    game = with_two_safes_left()
    play(game, "01")
    assert premiums(game) == [0, 0, 0, 0, 0, 0, 2]
    assert game.result().scores[0] == 4 + 16 + 20


def test_C5_the_seventh_safe_alone_earns_one_premium() -> None:
    game = with_two_safes_left()
    play(game, "0. RGYRG 1")
    assert premiums(game) == [0, 0, 0, 0, 0, 0, 1]
    assert game.result().scores[0] == 4 + 16 + 10


def test_C5_no_premium_is_left() -> None:
    game = with_two_safes_left(OnePremium)
    play(game, "01")
    assert premiums(game) == [0, 0, 0, 0, 0, 0, 1]
    assert game.view(0).premiums == (1, 0, 0, 0, 0, 0)


def test_C6_seven_new_safes_after_the_turn_that_emptied_the_display() -> None:
    game = with_two_safes_left()
    assert game.view(0).safes_left == 28
    play(game, "01")
    assert game.seat == 1 and game.view(1).safes_left == 21
    assert all(game.display) and len(game.display) == 7
    assert told(game, "display")[-1].safes == game.display


# A pile is empty


def test_C7_who_can_open_a_safe_of_an_exhausted_colour_must() -> None:
    game = begin("BBBB BBBB BBBB RBBB", "BBBB RBBB RRRR RRRG RRGG RGGG GGGG")
    assert game.view(0).piles == (14, 15, 15, 0)
    assert game.legal() == (OPEN[0],)
    play(game, "0")
    assert game.legal() == (STOP,)
    play(game, ".")
    assert game.legal() == TAKE, "the pile has keys again"


def test_C7_who_cannot_plays_normally() -> None:
    game = begin("RRRR BBBB BBBB BBBB RBBB", "RRRR GBBB BBBB RRRG RRGG RGGG GGGG")
    assert game.legal() == (*TAKE[:3], OPEN[0])
    play(game, "R")
    assert game.legal() == (OPEN[2],)


def test_C7_only_the_first_safe_of_the_turn_is_bound() -> None:
    game = begin("BBBB BBBB BBBB YYYY", "BBBB RRRR RRRG RRGG RGGG GGGG GGGY")
    play(game, "RGGG RGGG RGGG")
    assert game.legal() == (*TAKE, OPEN[0])
    play(game, "RBBB")
    assert game.view(0).piles == (11, 6, 11, 0) and game.legal() == (OPEN[0],)
    play(game, "0")
    assert game.legal() == (OPEN[1], STOP)


def test_C7_disobeying_tells_that_one_could_not() -> None:
    game = begin("BBBB BBBB RBBB BBBB", "BBBB GGGG RRRR RRRG RRGG RGGG GGGY")
    play(game, "0")
    assert possible(game, 0) == ["BBBB"]
    game = begin("RRRR BBBB BBBB RBBB BBBB", "RRRR RBBB BBBB RRRG RRGG RGGG GGGG")
    play(game, "0")
    assert possible(game, 0) == ["RRRR"]
    game = begin("RRRR BBBB BBBB RBBB BBBB", "RRRR RBBB BBBB RRRG RRGG RGGG GGGG")
    play(game, "R")
    assert len(possible(game, 0)) == 33 and not {"RBBB", "BBBB"} & set(possible(game, 0))


def test_C7_opening_another_safe_tells_the_same() -> None:
    game = begin("YYYY BBBB BBBB BBBB", "RRRR YBBB RRRG RRGG RGGG GGGG GGGY")
    play(game, "RGGG RGGG RGGG RBBB")
    assert len(possible(game, 0)) == 35
    play(game, "0")
    assert len(possible(game, 0)) == 34 and "YBBB" not in possible(game, 0)


def possible(game: Cash, seat: int) -> list[str]:
    """What the table allows the first keys of a seat to be."""
    bits = game.view((seat + 1) % game.players).possible[seat]
    return [letters(unpack(keys)) for i, keys in enumerate(HANDFULS) if bits >> i & 1]


# The last safe cannot be opened

SIX_OPEN = "RRRG RRGG GGGY GGYY RYYY RRYY BBBB"


def with_a_lost_safe(game: type[Cash] = Cash) -> Cash:
    """The moment before the turn ends that leaves BBBB alone: no blue in the pile, three a hand."""
    table = begin("RBBB RBBB GBBB GBBB RBBB RRYY", SIX_OPEN, game)
    play(table, "RRGGY5. RGGYYR GGYYYR 0.1.2.3.4")
    assert [event.loot for event in told(table, "open")] == [8, 5, 6, 9, 10, 10]
    assert shown(table) == ["", "", "", "", "", "", "BBBB"]
    assert {table.view(seat).keys[3] for seat in range(5)} == {3} and table.view(5).keys[3] == 0
    return table


def test_C8_seven_more_join_the_last_safe() -> None:
    game = with_a_lost_safe()
    play(game, ".")
    assert game.seat == 5 and game.view(5).safes_left == 21
    assert len(game.display) == 8 and all(game.display)
    assert shown(game)[6] == "BBBB", "it keeps its place"


class SixOpen(Cash):
    safes = tuple(safe(text) for text in SIX_OPEN.split())


def test_C8_without_new_safes_the_match_ends_and_the_safe_is_nobodys() -> None:
    game = with_a_lost_safe(SixOpen)
    play(game, ".")
    assert game.seat is None and (game.events or [])[-1].type == "end"
    assert game.result().scores == (5, 6, 9, 10, 10, 8) and shown(game)[6] == "BBBB"
    assert game.result().ranks == (6, 5, 3, 1, 1, 4)


def test_C8_a_key_in_the_pile_is_hope_for_all_who_lack_one() -> None:
    game = begin("RRBB RBBB GBBB GBBB RBBB RRYY", SIX_OPEN)
    play(game, "RRGGY5. GGGYYR YGYYYR 0.1.2.3.4.")
    assert game.seat == 5 and game.view(5).piles is not None and game.view(5).piles[3] == 1
    assert len(game.display) == 7 and shown(game)[6] == "BBBB"
    play(game, "B")
    assert len(game.display) == 8 and all(game.display)


def test_C8_the_table_learns_that_nobody_has_the_keys() -> None:
    class TwelveKeys(Cash):
        keys = pack((5, 7, 0, 0))
        shown_at_once = 2

    game = begin("RRGG RGGG RRGG", "RRRR RGGG", TwelveKeys)
    play(game, "- 1")
    assert len(possible(game, 2)) == 35
    play(game, ".")
    assert len(game.display) == 3 and len(possible(game, 2)) == 31
    assert not {"RRRR", "RRRG", "RRRY", "RRRB"} & set(possible(game, 2))


# No legal action


class Deadlock(Cash):
    """Twelve keys, all chosen at first, and safes shown in twos."""

    keys = pack((4, 4, 4, 0))
    shown_at_once = 2


def deadlock(safes: str) -> Cash:
    class Few(Deadlock):
        pass

    Few.safes = tuple(safe(text) for text in safes.split())
    return begin("RRRR GGGG YYYY", safes, Few)


def test_C9_when_all_pass_in_a_row_more_safes_are_added() -> None:
    game = deadlock("RRGG GGYY RRRR GGGG")
    play(game, "--")
    assert game.legal() == (PASS,) and shown(game) == ["RRGG", "GGYY"]
    play(game, "-")
    assert shown(game) == ["RRGG", "GGYY", "RRRR", "GGGG"]
    assert game.seat == 0 and game.legal() == (OPEN[2],)
    assert [event.seat for event in told(game, "pass")] == [0, 1, 2]


def test_C9_a_pass_is_forced_only_on_those_who_can_do_nothing() -> None:
    game = deadlock("RRGG GGGG RRRR GGYY")
    play(game, "-1")
    assert game.view(0).passes == 0
    play(game, ".")
    assert game.legal() == (TAKE[1],)


def test_C9_all_may_pass_again() -> None:
    game = deadlock("RRGG GGYY RRYY RGYY YYYY GGGG")
    play(game, "--- ---")
    assert len(game.display) == 6
    play(game, "-")
    assert game.legal() == (OPEN[5],)


def test_C9_without_new_safes_the_match_ends() -> None:
    game = deadlock("RRGG GGYY")
    play(game, "---")
    assert game.seat is None and game.result().scores == (0, 0, 0)
    assert game.result().ranks == (1, 1, 1)


def test_C9_a_display_may_outgrow_eight_places() -> None:
    """Hoarders of one colour each can block every safe shown."""

    class Hoard(Deadlock):
        shown_at_once = 7

    game = begin("RRRR GGGG YYYY", "RRGG RRGY RRYY RGGG RGGY RGYY RYYY GGGY GGYY RRRR", Hoard)
    play(game, "---")
    assert len(game.display) == 14 and game.legal() == (OPEN[9],)


# The end


def test_C10_the_match_ends_at_once_with_the_last_safe() -> None:
    game = with_two_safes_left(SevenSafes)
    play(game, "01")
    assert game.seat is None and game.legal() == ()
    end = (game.events or [])[-1]
    assert end.scores == (40, 8, 12, 6, 10, 14) and end.ranks == (1, 5, 3, 6, 4, 2)


def test_C10_keys_in_hand_are_worth_nothing() -> None:
    game = with_two_safes_left(SevenSafes)
    play(game, "01")
    assert sum(game.view(1).keys) == 3 and game.result().scores[1] == 8


# What holds in every match


def lawful(game: Cash) -> set[CashAction]:
    """The legal actions of a turn, written a second time, with plain counters."""
    seat = game.seat
    assert seat is not None
    hand = Counter(dict(zip(COLOURS, unpack(game.hands[seat]), strict=True)))
    piles = dict(zip(COLOURS, unpack(game.piles), strict=True))
    needs = {
        place: Counter(dict(zip(COLOURS, safe.keys, strict=True)))
        for place, safe in enumerate(game.display)
        if safe
    }
    openable = {place for place, need in needs.items() if need <= hand}
    if not game.display:
        stock = Counter(piles)
        return {action for action in CHOOSE if Counter(action.keys) <= stock}
    if game.opened:
        return {STOP, *(Open(place) for place in openable)}
    empty = {colour for colour, left in piles.items() if not left}
    bound = {place for place in openable if any(needs[place][colour] for colour in empty)}
    if bound:
        return {Open(place) for place in bound}
    takes = {Take(colour) for colour in COLOURS if colour not in empty}
    return takes | {Open(place) for place in openable} or {PASS}


def check(game: Cash) -> None:
    """Nothing is lost or made, and the public record is true and says no more than it may."""
    hands = [unpack(hand) for hand in game.hands]
    assert min(map(min, hands)) >= 0 and min(unpack(game.piles)) >= 0
    held = map(sum, zip(*hands, unpack(game.piles), strict=True))
    assert tuple(held) == unpack(type(game).keys)
    safes = [*game.pile, *filter(None, game.display), *sum(game.won, ())]
    assert sorted(safe.keys for safe in safes) == sorted(safe.keys for safe in type(game).safes)
    assert sum(game.premiums) <= game.premium_cards
    for seat in range(game.players):
        if game.first[seat]:
            assert game.possible[seat] >> HANDFULS.index(game.first[seat]) & 1
    if game.seat is not None:
        assert set(game.legal()) == lawful(game)


def play_greedily_for_keys(game: Cash, rng: Random, greed: float) -> Iterator[CashAction]:
    """Random play that prefers taking keys, to empty the piles."""
    while game.seat is not None:
        takes = [action for action in game.legal() if isinstance(action, Take)]
        action = rng.choice(takes if takes and rng.random() < greed else game.legal())
        game.play(action)
        yield action


@every_count
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**63), greed=st.sampled_from([0, 0.8, 1]))
def test_keys_safes_and_premiums_are_conserved(players: int, seed: int, greed: float) -> None:
    game = Cash(players, Chance(seed))
    check(game)
    for _ in play_greedily_for_keys(game, Random(seed), greed):
        check(game)
    opened = told(game, "open")
    assert sum(event.premiums for event in opened) == sum(game.premiums)
    assert sum(game.result().scores) == sum(event.loot + 10 * event.premiums for event in opened)


class Tiny(Cash):
    """Two colours, thirteen keys and safes shown in twos: small enough to play every match."""

    keys = pack((7, 6, 0, 0))
    shown_at_once = 2
    premium_cards = 2


def test_every_match_of_a_tiny_cash() -> None:
    seen: set[Any] = set()
    reached: Counter[str] = Counter()
    four = [safe(text) for text in ("RRRR", "RRGG", "GGGG", "RRRG")]
    for pile in (*permutations(four, 2), *permutations(four)):

        class Stacked(Tiny):
            safes = pile

        _explore(Stacked(3, Scripted({"safes": pile})), seen, reached)
    assert set(reached) == {
        "the last safe is taken",
        "the last safe is lost, more come",
        "the last safe is lost, the end",
        "all pass, more come",
        "all pass, the end",
        "premiums run out",
        "must open",
    }, reached


def _explore(start: Cash, seen: set[Any], reached: Counter[str]) -> None:
    stack = [start.clone(Chance(0))]
    while stack:
        game = stack.pop()
        check(game)
        for action in game.legal():
            twin = game.clone(Chance(0))
            twin.play(action)
            for happening in _happenings(game, action, twin):
                reached[happening] += 1
            state = (
                *(tuple(twin.hands), twin.piles, twin.seat, twin.opened, twin.passes),
                *(tuple(twin.needs), tuple(safe.keys for safe in twin.pile)),
                sum(twin.premiums),
            )
            if state not in seen:
                seen.add(state)
                stack.append(twin)


def _happenings(before: Cash, action: CashAction, after: Cash) -> Iterator[str]:
    if not before.display:
        return
    left = before.shown - isinstance(action, Open)
    if after.seat is None and not left:
        yield "the last safe is taken"
    elif left and (after.seat is None or len(after.pile) < len(before.pile)):
        why = "the last safe is lost" if left == 1 else "all pass"
        yield f"{why}, {'the end' if after.seat is None else 'more come'}"
    if isinstance(action, Open):
        earned = (before.opened > 0) + (left == 0)
        if sum(after.premiums) - sum(before.premiums) < earned:
            yield "premiums run out"
    if all(isinstance(choice, Open) for choice in before.legal()):
        yield "must open"


# Imagined first keys


class TwoColours(Cash):
    """Keys so few that the piles run out, even while the first ones are chosen."""

    keys = pack((13, 12, 0, 0))
    safes = tuple(safe for safe in SAFES if not safe.keys[2] and not safe.keys[3])
    shown_at_once = 2
    lost = False

    def _admit_last_safe_is_lost(self) -> None:
        self.lost = True
        super()._admit_last_safe_is_lost()


def allowed(game: Cash, actions: list[CashAction], seat: int) -> set[tuple[int, ...]]:
    """All first keys with which the same match would have looked the same to the seat."""
    chosen = sum(1 for action in actions if isinstance(action, Choose))
    every = [keys for keys in HANDFULS if min(unpack(type(game).keys - keys)) >= 0]
    choices = [[game.first[s]] if s == seat else every for s in range(chosen)]
    candidates = list(product(*choices))
    if chosen == game.players:
        total = sum(game.first)
        candidates = [first for first in candidates if sum(first) == total]
    return {first for first in candidates if _looks_the_same(game, actions, seat, first)}


def _looks_the_same(
    game: Cash, actions: list[CashAction], seat: int, first: tuple[int, ...]
) -> bool:
    order = [*sum((event.safes for event in told(game, "display")), ()), *reversed(game.pile)]
    pile = [safe for i, safe in enumerate(order) if safe and safe not in order[:i]]
    other = type(game)(game.players, Scripted({"safes": pile}))
    chosen = [CHOOSE[HANDFULS.index(keys)] for keys in first]
    for action in (*chosen, *actions[len(chosen) :]):
        if action not in other.legal():
            return False
        other.play(action)
    seen = (other.events, other.seat, other.view(seat).offered, other.view(seat).legal)
    return seen == (game.events, game.seat, game.view(seat).offered, game.view(seat).legal)


def assert_uniform(game: Cash, actions: list[CashAction], seat: int, draws: int = 30) -> None:
    expected = allowed(game, actions, seat)
    chance = Chance(len(actions))
    size = draws * len(expected) + 100
    view = game.view(seat)
    drawn = Counter(
        tuple(type(game).imagine(view, chance).first)[: len(next(iter(expected)))]
        for _ in range(size)
    )
    assert expected <= set(drawn)
    if not getattr(game, "lost", False):
        assert set(drawn) == expected
        mean = size / len(expected)
        assert all(abs(count - mean) < 5 * mean**0.5 for count in drawn.values())


def played(game: type[Cash], players: int, seed: int, steps: int) -> tuple[Cash, list[CashAction]]:
    match, actions = game(players, Chance(seed)), []
    for action in play_greedily_for_keys(match, Random(seed), 0.7):
        actions.append(action)
        if len(actions) == steps:
            break
    return match, actions


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("players", [3, 4])
def test_imagined_first_keys_are_uniform_over_all_that_look_the_same(
    players: int, seed: int
) -> None:
    game, actions = played(TwoColours, players, seed, Random(seed).randint(1, 30))
    for seat in range(players):
        assert_uniform(game, actions, seat)


@pytest.mark.parametrize(("seed", "steps"), [(0, 3), (1, 4), (2, 5), (3, 5)])
def test_imagined_first_keys_while_they_are_chosen(seed: int, steps: int) -> None:
    game, actions = played(TwoColours, 6, seed, steps)
    for seat in range(6):
        assert_uniform(game, actions, seat)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("steps", [3, 10, 40, 100])
def test_imagined_first_keys_of_three_players(seed: int, steps: int) -> None:
    game, actions = played(Cash, 3, seed, steps)
    assert_uniform(game, actions, seed)


@pytest.mark.parametrize(
    ("keys", "first", "allowed"),
    [
        ((5, 8, 0, 0), "GGGG RRRG RGGG", {"RRRR", "RRRG", "RGGG", "GGGG"}),
        ((7, 8, 0, 0), "GGGG RRRG RRRG", {"RRRR", "RRRG", "RRGG"}),
    ],
)
def test_imagined_last_safe_is_in_somebodys_reach(
    keys: tuple[int, int, int, int], first: str, allowed: set[str]
) -> None:
    """RRRR is left and one red key in the pile, so a hidden hand holds three red keys at least."""

    class Few(TwoColours):
        pass

    Few.keys = pack(keys)
    game = begin(first, "GGGG RRRR", Few)
    play(game, "0.")
    view = game.view(0)
    imagined = [Few.imagine(view, Chance(seed)).first[1] for seed in range(99)]
    assert {letters(unpack(handful)) for handful in imagined} == allowed
    assert_uniform(game, [*map(choose, first.split()), *moves("0.")], 0, draws=300)


def test_imagined_safes_are_those_not_seen() -> None:
    game, _ = played(Cash, 3, 0, 60)
    imagined = Cash.imagine(game.view(0), Chance(1))
    assert imagined.pile != game.pile
    assert sorted(s.keys for s in imagined.pile) == sorted(s.keys for s in game.pile)


def imagined_by(view: Any, first: str, draws: int = 200) -> Counter[str]:
    """How often the seats are imagined with which first keys, if everybody chooses these."""
    chance, wanted = Chance(1), choose(first)
    drawn = [Cash.imagine(view, chance, lambda game: wanted).first for _ in range(draws)]
    return Counter(" ".join(letters(unpack(keys)) for keys in first) for first in drawn)


def test_the_others_are_imagined_with_the_first_keys_that_they_would_choose() -> None:
    game = begin("RRRR RGYB RGYB RGYB", SEVEN)
    assert set(imagined_by(game.view(0), "RGYB")) == {"RRRR RGYB RGYB RGYB"}


def test_somebody_who_chose_otherwise_may_be_anybody() -> None:
    """The keys gone say that one of the others chose four blue keys: either, each as likely."""
    game = begin("RRRR RGYB BBBB", SEVEN)
    either = imagined_by(game.view(0), "RGYB")
    assert set(either) == {"RRRR RGYB BBBB", "RRRR BBBB RGYB"}
    assert min(either.values()) > 70


def test_first_keys_that_somebody_showed_not_to_have_are_not_imagined() -> None:
    """Seat 1 opened RRRR with the keys it began with, so seat 2 has the others."""
    game = begin("GGGG RRRR RGYB", SEVEN)
    play(game, "R 3.")
    assert set(imagined_by(game.view(0), "RGYB")) == {"GGGG RRRR RGYB"}


def test_first_keys_are_imagined_by_choice_while_they_are_chosen() -> None:
    """Seat 4 finds no blue key left of fifteen: three before it took four, and anybody three."""
    game = Cash(6, Chance(0))
    for handful in ("BBBB", "BBBR", "BBBB", "BBBB"):
        game.play(choose(handful))
    assert game.view(4).offered == (4, 4, 4, 0)
    imagined = imagined_by(game.view(4), "BBBB")
    assert all(first.count("BBBB") == 3 for first in imagined) and len(imagined) == 12


# The drawing


@every_count
def test_the_table_fits_a_screen(players: int) -> None:
    game = Cash(players, Chance(0))
    pictures = [draw(game), *(draw(game) for _ in play_greedily_for_keys(game, Random(0), 0.9))]
    lines = [picture.split("\n") for picture in pictures]
    assert max(map(len, lines)) <= 25 and max(len(line) for p in lines for line in p) <= 100


def test_the_table_shows_safes_piles_and_hands() -> None:
    game = begin("RRRR GGGG YYBB", SEVEN)
    play(game, "3")
    head, safes, *_, last = draw(game).split("\n")
    assert head == "28 safes to come, 25 premiums left"
    assert safes.startswith(" 0 RRRY  6    1 GGYY 10    2 RGYY  9    3 ---- --    4 GGGG  8")
    assert last.split() == ["seat", "2", "0", "0", "2", "2", "YYBB", "0", "0", "0×10", "0"]
