"""Sends bytes that are no text."""

import os

import speak

speak.play(lambda message: os.write(1, b'{"type":"\xff\xfe"}\n'))
