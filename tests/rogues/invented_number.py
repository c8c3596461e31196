"""Answers a decision that was never asked."""

import speak

speak.play(lambda message: speak.answer(message, number=1_000_000))
