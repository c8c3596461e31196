"""Takes memory that no process of its own is seen to use."""

import os
import time

import speak


def decide(message):
    for _ in range(4):
        os.posix_fallocate(os.memfd_create("hidden"), 0, 25 * 2**20)
    time.sleep(600)


speak.play(decide)
