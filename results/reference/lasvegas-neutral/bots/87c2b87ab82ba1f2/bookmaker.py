"""Price every casino by the odds of how it will pay, and spend dice sparingly.

Dice that are still in hands will fall somewhere: the odds that a player adds 0, 1, 2, … of those
he has left to one casino are worked out exactly for somebody who places any value he throws. They
give the odds of each place in a casino's payout, alone on one's count, and so what the casino is
worth to everybody. Placing is worth what it adds to my price and, for a third, what it takes from
the others; and every die costs, because who throws last, with many dice, takes what he likes.
"""

from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from operator import mul

from arena import Bot

DENIAL = 1 / 3
"""What taking a dollar from another is worth."""
DIE = 18000
"""What a die is worth in the hand."""


class Bookmaker(Bot):
    """Place the value that improves my odds most for the dice it costs."""

    games = ("lasvegas",)

    def act(self, view):
        me, white_left = view.seat, sum(view.white_left)
        left = view.left[me]
        rest = round((sum(view.left) - left) / (len(view.left) - 1))

        def worth(action):
            casino = action.value - 1
            own, white = view.throw[casino], view.white_throw[casino]
            row = view.dice[casino]
            others = tuple(sorted(row[:me] + row[me + 1 :]))
            pale = view.white[casino], white, white_left - white
            gains = edge((row[me], own, left - own), (others, rest), pale)
            return sum(map(mul, gains, view.bills[casino])) - DIE * own

        return max(view.legal, key=worth)


@lru_cache(maxsize=1 << 16)
def edge(me, others, white):
    """What placing does to my odds of each place in a payout, and for a third to the others'.

    Given are the dice on the casino, to be placed, and then left of mine and of the white ones;
    and of the others the dice of each, and how many each has left on average.
    """
    rest = [(dice, others[1]) for dice in others[0]]
    before = [(me[0], me[2]), *rest, (white[0], white[2])]
    after = [(me[0] + me[1], me[2]), *rest, (white[0] + white[1], white[2])]
    gains = [0.0] * len(before)
    for player in range(1 + len(rest)):
        weight = -DENIAL if player else 1.0
        changes = zip(gains, places(after, player), places(before, player), strict=True)
        gains = [gain + weight * (then - now) for gain, then, now in changes]
    return gains


def places(table, player):
    """The odds of a player to be first, second, … at a payout; each has (dice, dice left)."""
    return ranking(*table[player], tuple(sorted(table[:player] + table[player + 1 :])))


@lru_cache(maxsize=1 << 16)
def ranking(dice, left, others):
    """The same, given his dice, and those of the others in any order."""
    odds = [0.0] * (1 + len(others))
    for more, chance in enumerate(arrivals(left)):
        if dice + more:
            ahead = [chance]
            for theirs, theirs_left in others:
                fewer, as_many = compared(dice + more - theirs, theirs_left)
                ahead = [
                    stays * fewer + passed * (1 - fewer - as_many)
                    for stays, passed in zip([*ahead, 0.0], [0.0, *ahead], strict=True)
                ]
            odds = list(map(float.__add__, odds, ahead))
    return odds


@cache
def compared(lead, left):
    """The odds that somebody adds fewer than `lead` of his dice left to a casino, or exactly so."""
    odds = arrivals(left)
    return sum(odds[: max(lead, 0)]), odds[lead] if 0 <= lead <= left else 0.0


@cache
def arrivals(left):
    """The odds that 0, 1, 2, … of somebody's dice left come to one casino."""
    if not left:
        return [1.0]
    odds = [0.0] * (left + 1)
    for count, chance in enumerate(handfuls(left)):
        for more, later in enumerate(arrivals(left - count)) if count else ():
            odds[count + more] += chance * later / 6
            odds[more] += chance * later * 5 / 6
    return odds


@cache
def handfuls(dice):
    """The odds that 0, 1, 2, … dice show a value, chosen from those that a throw shows."""
    odds = [0.0] * (dice + 1)
    for throw in combinations_with_replacement(range(6), dice):
        counts = [throw.count(value) for value in set(throw)]
        ways = factorial(dice) / prod(map(factorial, counts))
        for count in counts:
            odds[count] += ways / 6**dice / len(counts)
    return odds
