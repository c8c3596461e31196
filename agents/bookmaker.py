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

from arena import Bot

DENIAL = 1 / 3
"""What taking a dollar from another is worth."""
DIE = 18000
"""What a die is worth in the hand."""


class Bookmaker(Bot):
    """Place the value that improves my odds most for the dice it costs."""

    games = ("lasvegas",)

    def act(self, view):
        return max(view.legal, key=lambda action: self.worth(view, action.value - 1))

    def worth(self, view, casino):
        """What placing on this casino changes there, less the dice that it costs."""
        me, own, white = view.seat, view.throw[casino], view.white_throw[casino]
        dice = [*view.dice[casino], view.white[casino]]
        left = [*view.left, sum(view.white_left)]
        left[me] -= own
        left[-1] -= white
        before = list(zip(dice, left, strict=True))
        dice[me] += own
        dice[-1] += white
        after = list(zip(dice, left, strict=True))
        worth = -DIE * own
        for player in range(len(view.left)):
            change = price(after, player, view.bills[casino])
            change -= price(before, player, view.bills[casino])
            worth += change if player == me else -DENIAL * change
        return worth


def price(table, player, bills):
    """What a player can expect of a casino where each has (dice placed, dice left)."""
    others = tuple(sorted(table[:player] + table[player + 1 :]))
    return sum(map(float.__mul__, places(*table[player], others), map(float, bills)))


@lru_cache(maxsize=1 << 17)
def places(mine, left, others):
    """The odds to be first, second, … of those who are paid."""
    odds = [0.0] * (len(others) + 1)
    for more, chance in enumerate(arrivals(left)):
        if mine + more:
            ahead = [chance]
            for theirs, theirs_left in others:
                fewer, as_many = compared(mine + more - theirs, theirs_left)
                ahead = [
                    stay * fewer + passed * (1 - fewer - as_many)
                    for stay, passed in zip([*ahead, 0.0], [0.0, *ahead], strict=True)
                ]
            odds = list(map(float.__add__, odds, ahead))
    return odds


@cache
def compared(lead, left):
    """The odds that a player with dice left adds fewer than `lead` to a casino, or exactly so."""
    odds = arrivals(left)
    return sum(odds[: max(lead, 0)]), odds[lead] if 0 <= lead <= left else 0.0


@cache
def arrivals(left):
    """The odds that of a player's dice left 0, 1, 2, … come to one casino."""
    if not left:
        return [1.0]
    odds = [0.0] * (left + 1)
    for count, chance in enumerate(handfuls(left)):
        for more, later in enumerate(arrivals(left - count)) if chance else ():
            odds[count + more] += chance * later / 6
            odds[more] += chance * later * 5 / 6
    return odds


@cache
def handfuls(dice):
    """The odds that any value of a throw shows on 0, 1, 2, … dice."""
    odds = [0.0] * (dice + 1)
    for throw in combinations_with_replacement(range(6), dice):
        counts = [throw.count(value) for value in set(throw)]
        ways = factorial(dice) / prod(map(factorial, counts))
        for count in counts:
            odds[count] += ways / 6**dice / len(counts)
    return odds
