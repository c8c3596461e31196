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

PLACES = {colour: place for place, colour in enumerate(COLOURS)}

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
    colour = PLACES[take.colour]
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
    hand = pack(view.keys)
    safes = {place: safe for place, safe in enumerate(view.display) if safe}
    needs = {place: pack(safe.keys) for place, safe in safes.items()}
    worths = {place: safe.loot + PREMIUM - key * sum(safe.keys) for place, safe in safes.items()}
    # A safe that is not worth its keys is in no plan but that of all, which earns a premium more.
    if shortage(hand - sum(needs.values()))[0] > horizon:
        needs = {place: need for place, need in needs.items() if worths[place] > 0}
    later = prospects(view, {place: worths[place] for place in needs}, horizon)
    low = min(view.piles) < horizon
    for places, turns, lacks in plans(hand, tuple(needs.items()), horizon):
        # The first safe of a turn earns no premium, unless there is one for the empty display.
        worth = sum([later[place][turns] for place in places])
        worth -= key + PREMIUM * (len(places) < len(safes))
        if (
            worth > most
            and (turns or not opens.keys().isdisjoint(places))
            and not (low and any(map(gt, lacks, view.piles)))
        ):
            best, most = (places, lacks), worth
    return best


@lru_cache(maxsize=1 << 14)
def plans(hand, needs, horizon):
    """All sets of safes that lack few enough keys: places, keys lacking, by colour."""
    found, lefts = [((), 0, ())], [hand]
    for place, need in needs:
        for at in range(len(found)):
            left = lefts[at] - need
            turns, lacks = shortage(left)
            if turns <= horizon:
                found.append(((*found[at][0], place), turns, lacks))
                lefts.append(left)
    return tuple(found[1:])


@cache
def shortage(left):
    """How many keys are lacking in all and of each colour, if so many would be left."""
    lacks = tuple([max(0, -count) for count in unpack(left)])
    return sum(lacks), lacks


def prospects(view, worths, horizon):
    """By place, the worth of each safe now, in a turn, in two, …, if it is to be there still."""
    patience = PATIENCE if sum(map(bool, view.display)) > 1 else 0
    rivals = list(zip(view.gained, view.possible, strict=True)) if horizon else []
    del rivals[view.seat : view.seat + 1]
    later = {}
    for place, worth in worths.items():
        keys = view.display[place].keys
        waits = tuple([wait(keys, gained, possible) for gained, possible in rivals])
        later[place] = [worth * odds for odds in lasting(waits, patience, horizon)]
    return later


@lru_cache(maxsize=1 << 14)
def lasting(waits, patience, horizon):
    """The odds that a safe is there now, in a turn, in two, …, if the others wait so long."""
    return tuple(
        [
            patience ** sum([turn - wait for wait in waits if wait < turn])
            for turn in range(horizon + 1)
        ]
    )


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
