"""Raises an exception in `act`."""

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        raise ValueError("no luck in act")
