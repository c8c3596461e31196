"""Sends a field that the protocol does not know."""

import speak

speak.play(lambda message: speak.answer(message, comment="mine!"))
