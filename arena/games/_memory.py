"""What a table with perfect memory knows of hands of cards that are seen one by one.

Hands are sorted, and cards are shown from their ends: the lowest or the highest hidden card of a
hand is turned up, and later goes back or leaves the game. Each showing tells a card, and a bound
for all that stay hidden; bounds hold for good, because a hand only ever loses cards. So what is
known of a hand is exact: some cards, how many more there are, and the bounds of those.

Two partners may exchange a card each, unseen by others. They lose nothing, because they know what
they gave and got; each keeps an account of the other's hand. To the public, any card located in one
of the two hands may have moved: it is in either, and all cards of both hands share the widest
bounds that either hand had. That is certain, though not all that could be deduced.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeVar

from arena.game import value

T = TypeVar("T")
End = Literal["low", "high"]


@value
class Known:
    """What is certain of the hidden cards of a hand.

    It holds `cards` and `unknown` more, each of them from `low` to `high`. So its lowest card is
    known if the first of `cards` is at most `low`, and its highest likewise.
    """

    cards: tuple[int, ...]
    unknown: int
    low: int
    high: int

    def showing(self, number: int, end: End) -> Known:
        """The same when its lowest or highest card, of this number, is turned up."""
        cards, unknown, low, high = self.cards, self.unknown, self.low, self.high
        if number in cards:
            cards = without(cards, number)
        else:
            unknown -= 1
        if end == "low":
            return Known(cards, unknown, number if number > low else low, high)
        return Known(cards, unknown, low, number if number < high else high)

    def returning(self, number: int, end: End) -> Known:
        """The same when a card turned up goes back to the end it came from."""
        cards = (number, *self.cards) if end == "low" else (*self.cards, number)
        return Known(cards, self.unknown, self.low, self.high)

    def losing(self, number: int) -> Known:
        """The same when a card of this number has left the hand."""
        if number in self.cards:
            return Known(without(self.cards, number), self.unknown, self.low, self.high)
        return Known(self.cards, self.unknown - 1, self.low, self.high)

    def holding(self, number: int) -> Known:
        """The same when a card of this number has joined the hand."""
        return Known(including(self.cards, number), self.unknown, self.low, self.high)


class Memory:
    """What the public knows of each hand, and partners of each other's.

    `either` has, for each team, numbers known to be among the unknown cards of its two hands;
    `to_partner` has what the partner of each seat knows of its hand. Both are empty without teams.
    """

    __slots__ = ("either", "hands", "to_partner")

    def __init__(
        self,
        hands: Sequence[Known],
        either: tuple[tuple[int, ...], ...],
        to_partner: Sequence[Known],
    ) -> None:
        self.hands = list(hands)
        self.either = either
        self.to_partner = list(to_partner)

    def copy(self) -> Memory:
        return Memory(self.hands, self.either, self.to_partner)

    def partner(self, seat: int) -> int:
        return (seat + len(self.either)) % len(self.hands)

    def show(self, seat: int, number: int, end: End) -> None:
        """The card at one end of a hand is turned up."""
        known = self.hands[seat]
        self.hands[seat] = known.showing(number, end)
        if self.either:
            self.to_partner[seat] = self.to_partner[seat].showing(number, end)
            team = seat % len(self.either)
            if number in self.either[team] and number not in known.cards:
                self.either = replaced(self.either, team, without(self.either[team], number))

    def put_back(self, seat: int, number: int, end: End) -> None:
        """The card last turned up at one end of a hand goes back."""
        self.hands[seat] = self.hands[seat].returning(number, end)
        if self.either:
            self.to_partner[seat] = self.to_partner[seat].returning(number, end)

    def exchange(self, team: int, given: int, got: int) -> None:
        """The first partner of a team gave a card to the second and got another."""
        one, two = team, team + len(self.either)
        self.to_partner[one] = self.to_partner[one].losing(given).holding(got)
        self.to_partner[two] = self.to_partner[two].losing(got).holding(given)
        both = self.hands[one], self.hands[two]
        located = both[0].cards + both[1].cards
        limits = [limit for known in both if known.unknown for limit in (known.low, known.high)]
        low, high = min(*located, *limits), max(*located, *limits)
        for seat, known in zip((one, two), both, strict=True):
            self.hands[seat] = Known((), known.unknown + len(known.cards), low, high)
        self.either = replaced(self.either, team, tuple(sorted(self.either[team] + located)))

    def deduced(self, seat: int, own: Sequence[int]) -> Known:
        """What the partner of `seat` can tell of its hand from what is public and his own hand."""
        known = self.hands[seat]
        cards, left = known.cards, list(own)
        for number in self.hands[self.partner(seat)].cards:
            left.remove(number)
        for number in self.either[seat % len(self.either)]:
            if number in left:
                left.remove(number)
            else:
                cards = including(cards, number)
        return Known(cards, known.unknown + len(known.cards) - len(cards), known.low, known.high)


def replaced(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The items with another one at this place."""
    return (*items[:at], item, *items[at + 1 :])


def including(cards: tuple[int, ...], number: int) -> tuple[int, ...]:
    """A hand with one more card."""
    return tuple(sorted((*cards, number)))


def without(cards: tuple[int, ...], number: int) -> tuple[int, ...]:
    """A hand with one card of this number less."""
    at = cards.index(number)
    return cards[:at] + cards[at + 1 :]
