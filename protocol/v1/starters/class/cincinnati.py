"""Starter, a bot for Cincinnati.

`act` is called for each decision and returns one of `view.legal`; the SPEC.md of the protocol
describes the view. Here `view.stage` names the decision, `view.hands[s]` are the dice of seat s, in
a duel `view.duel.hands[s]`, `view.choices[s]` is its table and `view.money[s]` its money cards.

For luck use `self.rng`, which is seeded for the match: the bot then plays the same match again in
the same way. `start(self, match)` and `finish(self, result)` may be added, to learn how the match
begins and ends. Each match has a bot of its own, so `self` remembers nothing from another.
"""

from arena import Bot


class Starter(Bot):
    """Go for three of a kind at table A, or for few points at C."""

    games = ("cincinnati",)

    def act(self, view):
        return max(view.legal, key=lambda action: self.worth(view, action))

    def worth(self, view, action):
        if action.type == "table":
            few = sum(view.hands[view.seat]) <= 13
            return {"A": 1, "B": 0, "C": 2 if few else 0}[action.table]
        if action.type == "keep":
            return sorted(action.dice) == sorted(self.wanted(view))
        if action.type == "challenge":
            return max(view.money[action.seat], default=0)
        return action.type == "pass"

    def wanted(self, view):
        """The dice to keep: low ones at table C, else those that show the most frequent value."""
        dice = view.duel.hands[view.seat] if view.duel else view.hands[view.seat]
        if not view.duel and view.choices[view.seat] == "C":
            return [die for die in dice if die <= 2]
        best = max(dice, key=lambda die: (dice.count(die), die))
        return [die for die in dice if die == best]
