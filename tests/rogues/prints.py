"""Prints a lot, and plays honestly."""

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        print("x" * 200_000)
        return view.legal[0]
