"""Sends a line of 100 MB."""

import speak

speak.play(lambda message: speak.send("x" * 100_000_000))
