"""Collect keys for several safes at once, for as long as the others let you.

A plan is a set of safes to open in one turn. It earns their loot and premiums, it costs their keys
and the turn to open them, in which I take no key, and for each key that I lack it waits a turn.
Meanwhile safes may go: somebody who could open one, by the keys he took and those he may have begun
with, lets it lie for another turn with some odds, but never the last of the display. Of all plans
the best is followed, and of the keys it lacks the one that may soon be gone is taken first. If no
plan is worth its keys, they are kept for better safes, and the colour I have fewest of is added.
"""

from functools import cache, lru_cache
from operator import add, gt

from arena import Bot
from arena.games.cash import COLOURS, PREMIUM, SAFES, pack, unpack

KEY = 4.5
"""What a key is worth while there are safes to come."""
PATIENCE = 0.85
"""The odds that a player lets a safe lie that he could open."""
HORIZON = 3
"""The most keys that a plan may lack."""


class Safecracker(Bot):
    """Plan which safes to open in one turn, by what they pay and who else can open them."""

    games = ("cash",)

    def act(self, view):
        if view.piles is None:
            return max(view.legal, key=lambda choose: len(set(choose.keys)))
        opens = {action.safe: action for action in view.legal if action.type == "open"}
        takes = [action for action in view.legal if action.type == "take"]
        safes, lacks = best_plan(view, opens, HORIZON if takes else 0)
        if safes and not any(lacks):
            return next(opens[place] for place in safes if place in opens)
        return min(takes, key=lambda take: need(view, lacks, take), default=view.legal[-1])


def need(view, lacks, take):
    """The order of the keys to take, the most needed first."""
    colour = COLOURS.index(take.colour)
    if lacks[colour]:
        return 0, view.piles[colour] - lacks[colour]
    return 1, view.keys[colour], view.piles[colour]


def best_plan(view, opens, horizon):
    """The places of the safes to open together, and how many keys of each colour they lack.

    A plan that lacks nothing must hold one of `opens`, to begin with it. Without a horizon, which
    is when a safe must be opened or one has been, keys cost nothing and any plan is worth it.
    """
    best, most = ((), (0, 0, 0, 0)), 0
    key = KEY if horizon and view.safes_left else 0
    shown = tuple([place for place, safe in enumerate(view.display) if safe])
    worths = prospects(view, shown, horizon, key)
    needs = tuple([pack(view.display[place].keys) for place in shown])
    low = min(view.piles) < horizon
    for places, turns, lacks in plans(pack(view.keys), shown, needs, horizon):
        # The first safe of a turn earns no premium, unless there is one for the empty display.
        worth = sum([worths[place][turns] for place in places])
        worth -= key + PREMIUM * (len(places) < len(shown))
        if (
            worth > most
            and (turns or not opens.keys().isdisjoint(places))
            and not (low and any(map(gt, lacks, view.piles)))
        ):
            best, most = (places, lacks), worth
    return best


@lru_cache(maxsize=1 << 14)
def plans(hand, shown, needs, horizon):
    """All sets of the safes shown that lack few enough keys: places, keys lacking, by colour."""
    found = [((), hand)]
    for place, need in zip(shown, needs, strict=True):
        more = [((*places, place), left - need) for places, left in found]
        found += [(places, left) for places, left in more if shortage(left)[0] <= horizon]
    return [(places, *shortage(left)) for places, left in found[1:]]


@cache
def shortage(left):
    """How many keys are lacking in all and of each colour, if so many would be left."""
    lacks = tuple([max(0, -count) for count in unpack(left)])
    return sum(lacks), lacks


def prospects(view, shown, horizon, key):
    """By place, what each safe is worth to me now, in a turn, in two, …

    That is its loot and a premium less its keys, times the odds that it is still there.
    """
    patience = PATIENCE if len(shown) > 1 else 0
    others = [seat for seat in range(len(view.won)) if seat != view.seat] if horizon else ()
    worths = {}
    for place in shown:
        safe = view.display[place]
        worth = safe.loot + PREMIUM - key * sum(safe.keys)
        waits = [wait(safe.keys, view.gained[seat], view.possible[seat]) for seat in others]
        worths[place] = [worth * odds for odds in lasting(tuple(waits), patience, horizon)]
    return worths


@lru_cache(maxsize=1 << 14)
def lasting(waits, patience, horizon):
    """The odds that a safe is there now, in a turn, in two, …, if the others wait so long."""
    return [
        patience ** sum([turn - wait for wait in waits if wait < turn])
        for turn in range(horizon + 1)
    ]


@lru_cache(maxsize=1 << 14)
def wait(keys, gained, possible):
    """How many of the keys a player lacks, who has gained some and begun with any possible ones."""
    hand = map(add, gained, average(possible))
    return sum([need - have for need, have in zip(keys, hand, strict=True) if have < need])


@cache
def average(possible):
    """The mean of the handfuls in a set; the i-th handful is the keys of the i-th safe."""
    handfuls = [safe.keys for i, safe in enumerate(SAFES) if possible >> i & 1]
    return tuple(sum(colour) / len(handfuls) for colour in zip(*handfuls, strict=True))
