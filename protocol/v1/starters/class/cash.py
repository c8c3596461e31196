"""Starter, a bot for Cash.

`act` is called for each decision and returns one of `view.legal`; the SPEC.md of the protocol
describes the view. Here `view.display` are the safes shown (None for an empty place), each with its
`keys` and its `loot`, and `view.keys` counts my keys: red, green, yellow, blue.

For luck use `self.rng`, which is seeded for the match: the bot then plays the same match again in
the same way. `start(self, match)` and `finish(self, result)` may be added, to learn how the match
begins and ends. Each match has a bot of its own, so `self` remembers nothing from another.
"""

from arena import Bot

COLOURS = ["red", "green", "yellow", "blue"]


class Starter(Bot):
    """Open the richest safe, else take a key for the safe with most loot per missing key."""

    games = ("cash",)

    def act(self, view):
        return max(view.legal, key=lambda action: self.worth(view, action))

    def worth(self, view, action):
        if action.type == "choose":
            return len(set(action.keys))
        if action.type == "open":
            return 100 + view.display[action.safe].loot
        if action.type == "take":
            return self.hope(view, COLOURS.index(action.colour))
        return 0

    def hope(self, view, colour):
        """The most loot per missing key among the safes that lack a key of this colour."""
        best = 0
        for safe in filter(None, view.display):
            missing = [max(0, safe.keys[key] - view.keys[key]) for key in range(4)]
            if missing[colour]:
                best = max(best, safe.loot / sum(missing))
        return best
