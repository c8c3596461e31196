"""Takes memory, more and more, and uses it."""

import speak

taken = []


def decide(message):
    while len(taken) < 200:
        taken.append(b"x" * 2**20)
    speak.answer(message)


speak.play(decide)
