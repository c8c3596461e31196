"""Kills its own process."""

import os
import signal

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        os.kill(os.getpid(), signal.SIGKILL)
