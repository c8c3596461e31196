"""Sends a line of 100 MB."""

import os

import speak


def decide(message):
    for _ in range(100):
        os.write(1, b"x" * 1_000_000)


speak.play(decide)
