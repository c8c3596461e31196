"""Sleeps instead of deciding."""

import time

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        time.sleep(600)
