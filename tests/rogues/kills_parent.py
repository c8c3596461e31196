"""Kills the process that started it, and leaves one of its own behind."""

import os
import signal
import time

from arena import Bot


class Rogue(Bot):
    parent = None

    def act(self, view):
        if self.parent is None:
            self.parent = os.getppid()
            if os.fork() == 0:
                os.setsid()
                time.sleep(600)
                os._exit(0)
            os.kill(self.parent, signal.SIGKILL)
            time.sleep(0.3)
        return view.legal[0]
