"""Takes memory that no process of its own is seen to use, more and more."""

import os
import time

import speak


def decide(message):
    for _ in range(8):
        file = os.memfd_create("hidden")
        for _ in range(25):
            os.write(file, b"x" * 2**20)
    time.sleep(600)


speak.play(decide)
