"""Take the casino where the throw gains most right now, as if the round ended after it."""

from arena import Bot


class Greedy(Bot):
    """Place the value that raises my payout most."""

    games = ("lasvegas",)

    def act(self, view):
        return max(view.legal, key=lambda action: self.gain(view, action.value - 1))

    def gain(self, view, casino):
        """What I would be paid there after placing, less what I would be paid now."""
        dice = [*view.dice[casino], view.white[casino]]
        bills = view.bills[casino]
        before = payout(dice, bills, view.seat)
        dice[view.seat] += view.throw[casino]
        dice[-1] += view.white_throw[casino]
        return payout(dice, bills, view.seat) - before


def payout(dice, bills, player):
    """What a player gets from a casino where each player has this many dice."""
    mine = dice[player]
    if mine == 0 or dice.count(mine) > 1:
        return 0
    ahead = sum(count > mine and dice.count(count) == 1 for count in dice)
    return bills[ahead] if ahead < len(bills) else 0
