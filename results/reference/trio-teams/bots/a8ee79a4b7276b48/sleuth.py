"""Work out where every card may lie, and look where a trio is likeliest to come of it.

The cards that I cannot place are spread over the hands and the unseen slots, within the bounds of
each and in proportion to its room. That gives the odds of every number at each end of a hand and
in each slot. A reveal is worth the odds that it leads to a trio, together with the likeliest cards
to follow, times what that trio is worth to me and would be worth to another.

To the partner I offer the card whose move brings most trios into sight.
"""

from functools import lru_cache
from math import prod
from operator import mul, truediv
from typing import NamedTuple

from arena import Bot
from arena.games.trio import COPIES, LUCKY, OFFERS, REVEALS, Trio, linked

NUMBERS = Trio.numbers
LOW, HIGH = (
    {action.seat: action.index for action in REVEALS if action.type == "ask" and action.end == end}
    for end in ("low", "high")
)
"""The index of the reveals from each hand."""
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
        worths = all_worths(*sight(view))
        return max(view.legal, key=lambda action: worths[action.index])


class Sight(NamedTuple):
    """What I know, to be looked up when it comes again."""

    seat: int
    hands: tuple
    """Of each hand the cards I know, and the room for more within bounds."""
    turned_up: tuple
    """The number, the seat and the slot of each card turned up this turn."""
    centre: tuple
    trios: tuple
    either: tuple
    mode: str
    is_exchange: bool

    @property
    def side(self):
        return self.seat % len(self.trios)

    @property
    def partner(self):
        return (self.seat + len(self.trios)) % len(self.hands)


def sight(view):
    """What I know by my view."""
    hands = [(hand.cards, hand.unknown, hand.low, hand.high) for hand in view.known]
    hands[view.seat] = (view.hand, 0, 1, 0)
    if hand := view.partner:
        partner = (view.seat + len(view.trios)) % len(hands)
        hands[partner] = (hand.cards, hand.unknown, hand.low, hand.high)
    turned_up = [
        (up.number, up.source.seat, None)
        if up.source.type == "ask"
        else (up.number, None, up.source.slot)
        for up in view.revealed
    ]
    return Sight(
        view.seat,
        tuple(hands),
        tuple(turned_up),
        view.centre,
        view.trios,
        view.either,
        view.options.mode,
        bool(view.exchange),
    )


@lru_cache(maxsize=1 << 12)
def all_worths(*facts):
    """What each action promises, by its index; the facts are those of a `Sight`."""
    sight = Sight(*facts)
    loose, present = spread(all_places(sight), sight.centre, sight.trios, sight.either, sight.side)
    case = Case(sight, loose)
    if sight.is_exchange:
        return offer_worths(sight, case, present)
    for seat, (cards, _, _, _) in enumerate(sight.hands):
        case.inspect_hand(seat, cards, present[seat])
    case.inspect_centre(present[-1])
    return case.worths()


def offer_worths(sight, case, present):
    """What all trios together promise when I have given a card to my partner."""
    hands = {seat: cards for seat, (cards, _, _, _) in enumerate(sight.hands)}
    me, partner = sight.seat, sight.partner
    mine, his = hands.pop(me), hands.pop(partner)
    for seat, cards in hands.items():
        case.inspect_hand(seat, cards, present[seat])
    worths = [-1.0] * len(Trio.actions)
    for card in set(mine):
        at = mine.index(card)
        after = case.copy()
        after.inspect_hand(me, mine[:at] + mine[at + 1 :], present[me])
        after.inspect_hand(partner, tuple(sorted((*his, card))), present[partner])
        worths[OFFERS[card - 1].index] = after.prospect()
    return tuple(worths)


def all_places(sight):
    """What decides where the other cards may lie: the same until something new is turned up.

    A place is a hand or, as the last, the unseen slots. It has cards that were seen there, those
    turned up this turn included, and room for more within bounds.
    """
    places = [*sight.hands, ((), sight.centre.count(None), NUMBERS[0], NUMBERS[-1])]
    for number, seat, _ in sight.turned_up:
        if seat is not None:
            seen, *bounds = places[seat]
            places[seat] = (tuple(sorted((*seen, number))), *bounds)
    return tuple(places)


@lru_cache(maxsize=1 << 12)
def spread(places, centre, trios, either, team):
    """How many cards of each number I cannot place; by place, the odds that some of them are there.

    The shares of each place are a column, with a row for each of the `loose_cards`.
    """
    loose = unplaced(places, centre, trios)
    rows = list(loose_cards(loose, either, team))
    numbers = [number for number, _, _ in rows]
    counts = [count for _, count, _ in rows]
    rooms = {at: room for at, (_, room, _, _) in enumerate(places) if room}
    columns = [first_shares(at, places[at], rows) for at in rooms]
    for _ in range(SWEEPS):
        columns = fit_numbers(columns, counts)
        columns = fit_places(columns, rooms.values())
    columns = fit_numbers(columns, counts)
    nothing = dict.fromkeys(sorted(numbers), 1.0)
    present = [{}] * len(places)
    for at, column in zip(rooms, columns, strict=True):
        absent = nothing.copy()
        for number, count, share in zip(numbers, counts, column, strict=True):
            if share:
                absent[number] *= (1 - share / count) ** count
        present[at] = {number: 1 - odds for number, odds in absent.items() if odds < 1}
    total = sum(present[-1].values())
    present[-1] = {number: chance / total for number, chance in present[-1].items()}
    return tuple(loose), tuple(present)


def unplaced(places, centre, trios):
    """How many cards of each number I cannot place."""
    left = [0] + [COPIES] * len(NUMBERS)
    for taken in trios:
        for number in taken:
            left[number] = 0
    for number in centre:
        if number:
            left[number] -= 1
    for seen, _, _, _ in places:
        for number in seen:
            left[number] -= 1
    return left


def loose_cards(loose, either, team):
    """Numbers with how many cards of them lie somewhere, or in some of the places."""
    loose = loose.copy()
    for other, numbers in enumerate(either):
        if other != team:
            for number in set(numbers):
                count = numbers.count(number)
                loose[number] -= count
                yield number, count, (other, other + len(either))
    for number in NUMBERS:
        if loose[number]:
            yield number, loose[number], None


def first_shares(at, place, rows):
    """The room of a place for each of the loose cards, before it is fitted.

    Of several equal cards, a hand shows any: that it has shown one speaks less for another.
    """
    seen, room, low, high = place
    return [
        room / (1 + seen.count(number))
        if low <= number <= high and (where is None or at in where)
        else 0.0
        for number, _, where in rows
    ]


def fit_numbers(columns, counts):
    """Scale the shares of each number to its cards."""
    totals = map(sum, zip(*columns, strict=True))
    scales = list(map(truediv, counts, totals))
    return [list(map(mul, column, scales)) for column in columns]


def fit_places(columns, rooms):
    """Scale the shares in each place to its room."""
    fitted = []
    for column, room in zip(columns, rooms, strict=True):
        scale = room / sum(column)
        fitted.append([share * scale for share in column])
    return fitted


class Case:
    """The odds of each number wherever a card can be turned up, and what its trio is worth.

    Once a card is turned up, only its number is wanted.
    """

    def __init__(self, sight, loose):
        self.sight = sight
        self.loose = loose
        self.wanted = sight.turned_up[0][0] if sight.turned_up else None
        numbers = (self.wanted,) if self.wanted else NUMBERS
        self.sure = dict.fromkeys(numbers, 0)
        self.maybe = {number: [] for number in numbers}
        self.known = []
        """Reveals, by index, and the number that each turns up."""
        self.guesses = []
        """Reveals, by index, and the odds of each number."""
        self.gain = gains(sight.mode, sight.trios, sight.side)

    def copy(self):
        twin = Case(self.sight, self.loose)
        twin.sure = self.sure.copy()
        twin.maybe = {number: chances.copy() for number, chances in self.maybe.items()}
        return twin

    def inspect_hand(self, seat, cards, present):
        """Note what may be at the ends of a hand."""
        if self.wanted and self.wanted not in present and self.wanted not in cards:
            return
        below = above = list(present.items())
        if cards:
            below = [pair for pair in below if pair[0] < cards[0]]
            above = [pair for pair in above if pair[0] > cards[-1]]
        above = above[::-1]
        self.inspect_end(LOW[seat], below, cards[:1], cards, present)
        # Two ends that are alike may be one card.
        if cards[:1] != cards[-1:] or below != above:
            self.inspect_end(HIGH[seat], above, cards[-1:], cards, present)

    def inspect_end(self, reveal, beyond, nearest, cards, present):
        """Note what may be beyond the nearest card; if nothing is, after it another one like it."""
        if beyond or not nearest:
            odds = self.guess(reveal, end_odds(beyond, nearest))
            for number, chance in odds.items():
                self.maybe[number].append(chance)
        elif nearest[0] in self.sure:
            (number,) = nearest
            self.known.append((reveal, number))
            self.sure[number] += cards.count(number)
            self.maybe[number].append(present.get(number, 0.0))

    def inspect_centre(self, unseen):
        """Note what may be in the slots."""
        turned_up = [slot for _, _, slot in self.sight.turned_up]
        for slot, number in enumerate(self.sight.centre):
            if number in self.sure and slot not in turned_up:
                self.known.append((slot, number))
                self.sure[number] += 1
        if unseen:
            odds = self.guess(self.sight.centre.index(None), unseen)
            for number, chance in odds.items():
                self.maybe[number] += [chance] * self.sight.centre.count(None)

    def guess(self, reveal, odds):
        """Note and return the odds of a reveal, of those numbers that are wanted."""
        if self.wanted:
            odds = {self.wanted: odds[self.wanted]} if self.wanted in odds else {}
        self.guesses.append((reveal, odds))
        return odds

    def worths(self):
        """What each reveal promises, by its index; of equal ones the first will do."""
        gain, needed = self.gain, COPIES - 1 - len(self.sight.turned_up)
        worths = [0.0] * len(Trio.actions)
        for reveal, number in self.known:
            worths[reveal] = gain[number] * self.find(number, needed + 1, 0)
        found = {number: self.find(number, needed, 1) for number in self.sure}
        for reveal, odds in self.guesses:
            worth = 0.0
            for number, chance in odds.items():
                worth += chance * gain[number] * found[number]
            worths[reveal] = worth
        return tuple(worths)

    def prospect(self):
        """What all trios together promise."""
        return sum([self.gain[number] * self.find(number, COPIES, 0) for number in NUMBERS])

    def find(self, number, needed, gone):
        """About the odds to find so many cards of a number, some of the loose ones being gone."""
        lacking = needed - self.sure[number]
        if lacking <= 0:
            return 1.0
        chances = self.maybe[number]
        if lacking > self.loose[number] - gone or lacking > len(chances):
            return 0.0
        if lacking == 1:
            return max(chances)
        return prod(sorted(chances, reverse=True)[:lacking])


def end_odds(chances, nearest):
    """The odds of each number to be the first of a hand, `nearest` a card that is behind them."""
    odds, rest = {}, 1.0
    for number, chance in chances:
        odds[number] = chance = rest * chance
        rest -= chance
    if nearest:
        odds[nearest[0]] = rest
        return odds
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
