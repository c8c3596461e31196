"""Changes what it was shown, and plays honestly."""

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        choice = view.legal[0]
        view.bills = view.dice = view.won = ()
        view.left = (0,) * len(view.left)
        return choice
