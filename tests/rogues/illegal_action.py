"""Plays an action of the game that is not legal now."""

from arena import Bot
from arena.games.lasvegas import PLACE


class Rogue(Bot):
    def act(self, view):
        illegal = [action for action in PLACE if action not in view.legal]
        return illegal[0] if illegal else view.legal[0]
