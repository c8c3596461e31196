"""Work out where every card may lie, and look where a trio is likeliest to come of it.

The cards that I cannot place are spread over the hands and the unseen slots, within the bounds of
each and in proportion to its room. That gives the odds of every number at each end of a hand and
in each slot. A reveal is worth the odds that it leads to a trio, together with the likeliest cards
to follow, times what that trio is worth to me and would be worth to another.

To the partner I offer the card whose move brings most trios into sight.
"""

from functools import lru_cache
from math import prod
from typing import NamedTuple

from arena import Bot
from arena.games.trio import COPIES, LUCKY, REVEALS, Trio, linked

NUMBERS = Trio.numbers
LINKS = {one: [two for two in NUMBERS if linked(one, two)] for one in NUMBERS}

WIN = 1.0
PROGRESS = (0.4, 0.5, WIN)
"""What the first, second and third trio are worth in mode simple."""
UNLINKED, LINK = 0.2, 0.1
"""What a trio is worth in mode picante, and what each number adds that would still win with it."""
DENIAL = 0.3
"""What taking a trio is worth, as a share of its worth to another."""
SWEEPS = 2
"""How often the spread of the cards is fitted to the room for them."""


class Sleuth(Bot):
    """Look where the odds of a trio are best."""

    games = ("trio",)

    def act(self, view):
        places = known_places(view)
        loose = unplaced(view, places)
        absent = spread(view, loose, places)
        if not view.exchange:
            return max(view.legal, key=Case(view, places, loose, absent).worth)
        *offers, _ = view.legal

        def prospect(offer):
            return Case(view, given(view, places, offer.card), loose, absent).prospect()

        return max(offers, key=prospect)


class Place(NamedTuple):
    """A hand, or the unseen slots: cards known to be there, and room for more within bounds."""

    cards: tuple
    seen: tuple
    """The cards, and those turned up from there this turn."""
    room: int
    low: int
    high: int


def known_places(view):
    """What I know of each hand, and of the unseen slots, which come last."""
    hands = list(view.known)
    if view.partner:
        hands[partner(view)] = view.partner
    shown = [()] * len(hands)
    for up in view.revealed:
        if up.source.type == "ask":
            shown[up.source.seat] += (up.number,)
    places = [
        Place(hand.cards, hand.cards + up, hand.unknown, hand.low, hand.high)
        for hand, up in zip(hands, shown, strict=True)
    ]
    places[view.seat] = Place(view.hand, view.hand + shown[view.seat], 0, 1, 0)
    return [*places, Place((), (), view.centre.count(None), NUMBERS[0], NUMBERS[-1])]


def partner(view):
    """The seat of my partner."""
    return (view.seat + len(view.trios)) % len(view.known)


def given(view, places, card):
    """The places when I have given a card to my partner."""
    places = places.copy()
    me, other = places[view.seat], places[partner(view)]
    at = me.cards.index(card)
    places[view.seat] = me._replace(cards=me.cards[:at] + me.cards[at + 1 :])
    places[partner(view)] = other._replace(cards=tuple(sorted((*other.cards, card))))
    return places


def unplaced(view, places):
    """How many cards of each number I cannot place."""
    left = [0] + [COPIES] * len(NUMBERS)
    for trios in view.trios:
        for number in trios:
            left[number] = 0
    for number in filter(None, view.centre):
        left[number] -= 1
    for place in places:
        for number in place.seen:
            left[number] -= 1
    return left


def spread(view, loose, places):
    """For each place and number, the odds that no unplaced card of the number is there."""
    table = []
    for number, count, where in loose_cards(view, loose, len(places)):
        # Of several equal cards, a hand shows any: that it has shown one speaks less for another.
        shares = {
            at: place.room / (1 + place.seen.count(number))
            for at in where
            if (place := places[at]).room and place.low <= number <= place.high
        }
        table.append((number, count, shares))
    for _ in range(SWEEPS):
        fit_numbers(table)
        fit_places(table, places)
    fit_numbers(table)
    absent = [[1.0] * len(loose) for _ in places]
    for number, count, shares in table:
        for at, share in shares.items():
            absent[at][number] *= (1 - share / count) ** count
    return absent


def loose_cards(view, loose, places):
    """Numbers with how many cards of them lie somewhere in some of the places."""
    loose = loose.copy()
    teams = len(view.either)
    for team, numbers in enumerate(view.either):
        if team != view.seat % teams:
            for number in set(numbers):
                count = numbers.count(number)
                loose[number] -= count
                yield number, count, (team, team + teams)
    for number in NUMBERS:
        if loose[number]:
            yield number, loose[number], range(places)


def fit_numbers(table):
    """Scale the shares of each number to its cards."""
    for _, count, shares in table:
        scale = count / sum(shares.values())
        for at in shares:
            shares[at] *= scale


def fit_places(table, places):
    """Scale the shares in each place to its room."""
    filled = [0.0] * len(places)
    for _, _, shares in table:
        for at, share in shares.items():
            filled[at] += share
    for _, _, shares in table:
        for at in shares:
            shares[at] *= places[at].room / filled[at]


class Case:
    """The odds of each number wherever a card can be turned up, and what its trio is worth."""

    def __init__(self, view, places, loose, absent):
        self.view = view
        self.loose = loose
        self.sure = [0] * len(loose)
        self.maybe = [[] for _ in loose]
        self.odds = {}
        self.known = set()
        for seat, hand in enumerate(places[:-1]):
            if hand.cards or hand.room:
                self.inspect_hand(seat, hand, absent[seat])
        self.inspect_centre(absent[-1])
        for chances in self.maybe:
            chances.sort(reverse=True)
        self.gain = gains(view.options.mode, view.trios, view.seat % len(view.trios))

    def inspect_hand(self, seat, hand, absent):
        """Note what may be at the ends of a hand; after a known end, another card like it."""
        low = end_odds(NUMBERS, hand.cards[:1], absent)
        high = end_odds(NUMBERS[::-1], hand.cards[-1:], absent)
        for end, odds in ("low", low), ("high", high):
            self.odds[seat, end] = odds
            is_known = len(odds) == 1 and hand.cards
            if is_known:
                self.known.add((seat, end))
            if end == "high" and high == low:
                break
            for number, chance in odds.items():
                if is_known:
                    self.sure[number] += hand.cards.count(number)
                    chance = 1 - absent[number]
                self.maybe[number].append(chance)

    def inspect_centre(self, absent):
        """Note what may be in the slots."""
        total = sum(1 - chance for chance in absent)
        unseen = {n: (1 - absent[n]) / total for n in NUMBERS if absent[n] < 1}
        turned_up = [up.source for up in self.view.revealed]
        for slot, seen in enumerate(self.view.centre):
            if seen is None:
                self.odds[slot] = unseen
                for number, chance in unseen.items():
                    self.maybe[number].append(chance)
            elif seen and REVEALS[slot] not in turned_up:
                self.odds[slot] = {seen: 1.0}
                self.known.add(slot)
                self.sure[seen] += 1

    def worth(self, action):
        """What turning up this card promises."""
        turned_up = self.view.revealed
        needed = COPIES - 1 - len(turned_up)
        at = action.slot if action.type == "reveal" else (action.seat, action.end)
        sure = at in self.known
        worth = 0.0
        for number, chance in self.odds[at].items():
            if not turned_up or turned_up[0].number == number:
                worth += chance * self.gain[number] * self.find(number, needed, sure, not sure)
        return worth

    def prospect(self):
        """What all trios together promise."""
        return sum(self.gain[number] * self.find(number, COPIES) for number in NUMBERS)

    def find(self, number, needed, sure=0, loose=0):
        """About the odds to find so many cards of a number, some sure or loose ones being gone."""
        lacking = needed - self.sure[number] + sure
        if lacking <= 0:
            return 1.0
        chances = self.maybe[number][:lacking]
        if lacking > min(self.loose[number] - loose, len(chances)):
            return 0.0
        return prod(chances)


def end_odds(numbers, nearest, absent):
    """The odds of each number to be the first of a hand in this order, `nearest` a card of it."""
    odds, rest = {}, 1.0
    for number in numbers:
        if number in nearest:
            odds[number] = rest
            return odds
        if absent[number] < 1:
            odds[number] = chance = rest * (1 - absent[number])
            rest -= chance
    return {number: chance / (1 - rest) for number, chance in odds.items()}


@lru_cache(maxsize=1 << 12)
def gains(mode, trios, side):
    """What the trio of each number is worth to a side, with what it would be worth to another."""
    gone = {number for taken in trios for number in taken}
    worths = [trio_worths(mode, taken, gone) for taken in trios]
    mine = worths.pop(side)
    return [own + DENIAL * max(others) for own, *others in zip(mine, *worths, strict=True)]


def trio_worths(mode, trios, gone):
    """What the trio of each number is worth to a side with these trios."""
    if mode == "simple":
        worths = [PROGRESS[len(trios)]] * (1 + len(NUMBERS))
    else:
        worths = [0.0, *(linked_worth(LINKS[number], trios, gone) for number in NUMBERS)]
    worths[LUCKY] = WIN
    return worths


def linked_worth(links, trios, gone):
    """What a trio with these links is worth to a side with these trios."""
    if any(number in trios for number in links):
        return WIN
    return UNLINKED + LINK * sum(number not in gone for number in links)
