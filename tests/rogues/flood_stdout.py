"""Writes lines to standard output without end."""

import os

import speak


def decide(message):
    while True:
        os.write(1, b"spam\n" * 1000)


speak.play(decide)
