"""Raises an exception in `finish`."""

from arena import Bot


class Rogue(Bot):
    def finish(self, result):
        raise ValueError("no luck in finish")

    def act(self, view):
        return view.legal[0]
