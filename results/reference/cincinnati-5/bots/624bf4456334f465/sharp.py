"""Know the odds of every throw, and what each is worth.

The chance to come to a result with the throws left, keeping the right dice, is worked out exactly;
all decisions hang on it. A table is worth what lies there, times the chance that my throw clears
it, and less the more of the others it will draw. Against rivals I do not aim at the hands they show
but at those they will come to, because all throw at once: the plan that is best on average for
rivals with little, some and much luck. A token is spent when the chance to win what I am losing is
worth more than the token, which is dear while many rounds are to come. And a duel card is played
against the seat with the most to take.
"""

from bisect import bisect_left
from collections import Counter
from functools import cache, lru_cache
from itertools import chain
from operator import itemgetter

from arena import Bot
from arena.games.cincinnati import (
    CLEARING,
    DICE,
    ROUNDS,
    STRENGTH,
    TABLES,
    THROWS,
    TOKEN_WORTH,
    TOKENS_PER_CARD,
    keeps,
    outcomes,
)

TOKEN_A_ROUND = 1000
"""What a token is worth beyond its 5000, for each round to come."""
DUEL = 1 / 2
"""The chance to win a card duel."""
CROWD = 1 / 3
"""The share of a table's worth that goes with everybody else who comes there."""
LUCK = (0.6, 0.3, 0.1)
"""The chances left to a rival to come to what I aim at, one for each plan."""


class Sharp(Bot):
    """Play by exact odds, and pay for a throw only what it can bring."""

    games = ("cincinnati",)

    def act(self, view):
        return getattr(self, view.stage)(view)

    def table(self, view):
        hand = view.hands[view.seat]
        prizes = {action: prize(view, action.table) for action in view.legal}
        total = sum(prizes.values()) or 1

        def worth(action):
            alone = (1 - CROWD * prizes[action] / total) ** (len(view.money) - 1)
            return prizes[action] * chance(action.table, 0, hand, THROWS - 1) * alone

        return max(view.legal, key=worth)

    def keep(self, view):
        order, hand, targets = contest(view)
        left = THROWS - view.throws[view.seat]
        return best_keep(hand, order, targets, left)

    def buy(self, view):
        order, hand, (target, *_) = contest(view)
        gain = chance(order, target, hand, 1) - chance(order, target, hand, 0)
        buys = gain * stake(view) > token(view)
        return next(action for action in view.legal if (action.type == "buy") == buys)

    def challenge(self, view):
        def worth(action):
            return highest(view, action.seat), sum(view.money[action.seat])

        return max(view.legal, key=worth)


def token(view):
    """What a token is worth now."""
    return TOKEN_WORTH + TOKEN_A_ROUND * (ROUNDS - view.round)


def highest(view, seat):
    """The money card that a seat can lose in a duel."""
    return max(view.money[seat], default=0)


def prize(view, table):
    """What the cards of a table are worth to me."""
    cards = view.cards[TABLES.index(table)]
    worth = sum(card for card in cards if isinstance(card, int))
    if "tokens" in cards:
        tokens = min(TOKENS_PER_CARD * cards.count("tokens"), view.supply)
        worth += tokens * token(view)
    if "duel" in cards:
        take = max(highest(view, seat) for seat in range(len(view.money)) if seat != view.seat)
        worth += cards.count("duel") * DUEL * take
    return worth


def stake(view):
    """What I throw for: the cards of my table, or the one that a card duel is about."""
    if view.duel is None or view.duel.why != "card":
        return prize(view, view.choices[view.seat])
    return highest(view, view.duel.seats[1])


def contest(view):
    """The order of results that counts for me, my hand, and the results to aim at."""
    me, duel = view.seat, view.duel
    if duel is None:
        order, hands = view.choices[me], view.hands
        there = [seat for seat, table in enumerate(view.choices) if table == order]
    else:
        order, hands, there = "duel", duel.hands, duel.seats
    rivals = [(hands[seat], throws_left(view, seat)) for seat in there if seat != me]
    if not rivals:
        return order, hands[me], (0,)
    tie_wins = duel is not None and duel.why == "card" and me == duel.seats[1]
    aims = zip(*[beyond(order, *rival) for rival in rivals], strict=True)
    return order, hands[me], tuple([max(results) - tie_wins for results in aims])


def throws_left(view, seat):
    """The throws that a seat has without buying; one if it has just bought it."""
    throwing = view.stage == "keep" and (seat in view.queue or view.kept[seat] is not None)
    return max(THROWS - view.throws[seat], int(throwing))


ORDERS = {**CLEARING, "duel": STRENGTH}
"""The hands that count at each table and in duels; the larger number wins."""
RESULTS = {order: sorted(results.values()) for order, results in ORDERS.items()}
KEEPS = {hand: [action.dice for action in keeps(hand, DICE)] for hand in STRENGTH}
"""The dice that can be kept of each hand."""
KEPT = list(dict.fromkeys(chain.from_iterable(KEEPS.values())))
WAYS = 6**DICE
"""The ways in which five dice fall; fewer dice are counted as often."""


@lru_cache(maxsize=1 << 14)
def best_keep(hand, order, targets, left):
    """The dice to keep that come to the targets in most ways; no throw left is a bought one."""
    legal, pick = choices(hand, DICE if left > 0 else DICE - 1)
    plans = [pick(thrown(order, target, max(left, 1))) for target in targets]
    ways = list(map(sum, zip(*plans, strict=True)))
    return legal[ways.index(max(ways))]


@cache
def choices(hand, most):
    """What can be kept of a hand, and a function that picks it out of a plan."""
    legal = keeps(hand, most)
    return legal, itemgetter(*[action.dice for action in legal])


@cache
def beyond(order, hand, throws):
    """For each luck, the first result that a hand comes to with at most this chance."""
    results = RESULTS[order]
    places = [
        bisect_left(results, True, key=lambda target: chance(order, target, hand, throws) <= luck)
        for luck in LUCK
    ]
    return [results[min(place, len(results) - 1)] for place in places]


def chance(order, target, hand, throws):
    """The chance to come from a hand to at least the target with these throws left."""
    return reached(order, target, throws)[hand] / WAYS**throws


@cache
def reached(order, target, throws):
    """From each hand, the ways of WAYS**throws to come to at least the target."""
    if not throws:
        return {hand: int(ORDERS[order].get(hand, -1) >= target) for hand in KEEPS}
    ways = thrown(order, target, throws)
    return {hand: max(map(ways.__getitem__, choices)) for hand, choices in KEEPS.items()}


@cache
def thrown(order, target, throws):
    """For all dice that can be kept, the same ways when the others are thrown now."""
    then = reached(order, target, throws - 1)
    return {kept: sum(n * then[hand] for hand, n in falls(kept)) for kept in KEPT}


@cache
def falls(kept):
    """The hands that dice kept can come to, and in how many of WAYS ways each."""
    ways = Counter(outcomes(kept))
    return [(hand, count * 6 ** len(kept)) for hand, count in ways.items()]
