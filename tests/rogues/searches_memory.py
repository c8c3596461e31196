"""Looks through all of its memory for a match in progress."""

import gc

from arena import Bot
from arena.game import Game


class Rogue(Bot):
    def act(self, view):
        if any(isinstance(thing, Game) for thing in gc.get_objects()):
            raise RuntimeError("found the match")
        return view.legal[0]
