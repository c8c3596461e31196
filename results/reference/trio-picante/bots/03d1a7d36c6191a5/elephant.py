"""Never forget a card: turn up something new, then go where its number is known to lie."""

from arena import Bot


class Elephant(Bot):
    """Turn up a card nobody has seen, then those known to match it."""

    games = ("trio",)

    def act(self, view):
        if view.exchange:
            return view.legal[-1]
        shown = {action: shows(view, action) for action in view.legal}
        wanted = view.revealed[0].number if view.revealed else 0
        matching = [action for action in view.legal if shown[action] == wanted]
        unseen = [action for action in view.legal if shown[action] is None]
        return self.rng.choice(matching or unseen or view.legal)


def shows(view, action):
    """The number that an action is known to turn up, or None."""
    if action.type == "reveal":
        return view.centre[action.slot]
    if action.seat == view.seat:
        return view.hand[0 if action.end == "low" else -1]
    hand = view.known[action.seat]
    if action.end == "low":
        return next((card for card in hand.cards[:1] if card <= hand.low), None)
    return next((card for card in hand.cards[-1:] if card >= hand.high), None)
