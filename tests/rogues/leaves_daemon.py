"""Leaves a process behind that has left its session, and plays honestly."""

import os
import time

from arena import Bot


class Rogue(Bot):
    def start(self, match):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
            os._exit(0)
        os.wait()

    def act(self, view):
        return view.legal[0]
