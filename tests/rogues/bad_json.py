"""Sends text that is no JSON."""

import os

import speak

speak.play(lambda message: os.write(1, b"I place the sixes\n"))
