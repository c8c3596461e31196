"""Starts process after process."""

import os
import time

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        for _ in range(300):
            if os.fork() == 0:
                time.sleep(600)
                os._exit(0)
        time.sleep(600)
