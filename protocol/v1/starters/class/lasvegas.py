"""Starter, a bot for Las Vegas.

`act` is called for each decision and returns one of `view.legal`; the SPEC.md of the protocol
describes the view. Here `view.dice[c][s]` are the dice of seat s on casino c+1, `view.bills[c]` its
bills, and `view.throw[c]` how many of my dice show c+1.

For luck use `self.rng`, which is seeded for the match: the bot then plays the same match again in
the same way. `start(self, match)` and `finish(self, result)` may be added, to learn how the match
begins and ends. Each match has a bot of its own, so `self` remembers nothing from another.
"""

from arena import Bot


class Starter(Bot):
    """Lead casinos with few dice and large bills."""

    games = ("lasvegas",)

    def act(self, view):
        return max(view.legal, key=lambda action: self.worth(view, action.value - 1))

    def worth(self, view, casino):
        """The best bill for each die of mine there, if that many make me the only leader."""
        dice = list(view.dice[casino])
        mine = dice.pop(view.seat) + view.throw[casino]
        white = view.white[casino] + view.white_throw[casino]
        return view.bills[casino][0] / mine if mine > max(*dice, white) else -view.throw[casino]
