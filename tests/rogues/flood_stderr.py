"""Writes to standard error without end."""

import os

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        while True:
            os.write(2, bytes(2**20))
