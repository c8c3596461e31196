"""Every process it starts starts others, in sessions of their own."""

import os
import time

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        for _ in range(9):
            if os.fork() == 0:
                os.setsid()
        time.sleep(600)
