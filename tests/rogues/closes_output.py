"""Closes its standard output and goes on."""

import os

import speak

speak.play(lambda message: os.close(1))
