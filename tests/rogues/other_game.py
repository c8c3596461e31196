"""Plays an action of another game."""

import speak

speak.play(lambda message: speak.answer(message, action={"type": "castle", "to": "e1"}))
