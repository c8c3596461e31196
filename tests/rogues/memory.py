"""Takes memory, more and more, and uses it."""

import time

import speak

taken = []


def decide(message):
    while len(taken) < 200:
        taken.append(b"x" * 2**20)
    time.sleep(600)


speak.play(decide)
