"""Ends Python."""

import sys

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        sys.exit(3)
