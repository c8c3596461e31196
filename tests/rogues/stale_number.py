"""Answers a decision that is long past."""

import speak


def decide(message):
    speak.answer(message, number=message["number"] - 1)


speak.play(decide)
