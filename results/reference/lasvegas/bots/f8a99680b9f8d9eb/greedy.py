"""Take the casino where the throw gains most right now, as if the round ended after it."""

from functools import lru_cache

from arena import Bot


class Greedy(Bot):
    """Place the value that raises my payout most.

    Of equal raises, one that wins a further bill comes before one that wins a better bill.
    """

    games = ("lasvegas",)

    def act(self, view):
        def worth(action):
            casino = action.value - 1
            dice = (*view.dice[casino], view.white[casino])
            throw = view.throw[casino], view.white_throw[casino]
            return gain(dice, view.bills[casino], view.seat, *throw)

        return max(view.legal, key=worth)


@lru_cache(maxsize=1 << 16)
def gain(dice, bills, player, own, white):
    """What placing these dice adds to a player's payout, and to his number of bills."""
    placed = list(dice)
    placed[player] += own
    placed[-1] += white
    before = payout(dice, bills, player)
    after = payout(placed, bills, player)
    return after - before, (after > 0) - (before > 0)


def payout(dice, bills, player):
    """What a player gets from a casino where each player has this many dice."""
    mine = dice[player]
    if mine == 0 or dice.count(mine) > 1:
        return 0
    ahead = sum(count > mine and dice.count(count) == 1 for count in dice)
    return bills[ahead] if ahead < len(bills) else 0
