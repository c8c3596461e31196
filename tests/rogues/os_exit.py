"""Ends its process at once."""

import os

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        os._exit(3)
