"""Takes its time before it says hello."""

import time

import speak

time.sleep(600)
speak.play(speak.answer)
