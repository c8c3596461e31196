"""Answers for a match that is not its own."""

import speak

speak.play(lambda message: speak.answer(message, match="final"))
