"""Starter, a bot for Trio.

`act` is called for each decision and returns one of `view.legal`; the SPEC.md of the protocol
describes the view. Here `view.hand` is my hand, `view.centre` the centre (None for a card nobody
has seen), `view.known[s]` what everybody knows of the hand of seat s, and `view.revealed` what was
turned up in this turn.

For luck use `self.rng`, which is seeded for the match: the bot then plays the same match again in
the same way. `start(self, match)` and `finish(self, result)` may be added, to learn how the match
begins and ends. Each match has a bot of its own, so `self` remembers nothing from another.
"""

from arena import Bot


class Starter(Bot):
    """Go on with a card known to be equal; begin with the number known in most places."""

    games = ("trio",)

    def act(self, view):
        return max(view.legal, key=lambda action: self.worth(view, action))

    def worth(self, view, action):
        if action.type in ("offer", "pass"):
            return action.type == "pass"
        number = self.number(view, action)
        if view.revealed:
            return 2 if number == view.revealed[0].number else 1 if number is None else 0
        if number is None:
            return 1
        return sum(self.number(view, other) == number for other in view.legal)

    def number(self, view, action):
        """The number of the card that an action turns up, None if I cannot know it."""
        if action.type == "reveal":
            return view.centre[action.slot]
        low = action.end == "low"
        if action.seat == view.seat:
            return view.hand[0 if low else -1]
        known = view.known[action.seat]
        for card in known.cards[:1] if low else known.cards[-1:]:
            if not known.unknown or (card <= known.low if low else card >= known.high):
                return card
        return None
