"""Raises an exception in `start`."""

from arena import Bot


class Rogue(Bot):
    def start(self, match):
        raise ValueError("no luck in start")

    def act(self, view):
        return view.legal[0]
