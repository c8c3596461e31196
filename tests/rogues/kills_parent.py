"""Kills the process that started it, and leaves one of its own behind."""

import os
import signal
import time

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        if os.fork() == 0:
            os.setsid()
            time.sleep(600)
            os._exit(0)
        os.kill(os.getppid(), signal.SIGKILL)
        return view.legal[0]
