"""Speaks another protocol."""

import os

import speak

os.read(0, 65536)
speak.send({"type": "hello", "protocol": "2.0", "name": "rogue", "games": []})
speak.play(speak.answer)
