"""Reserves a lot of memory but uses none, as Node.js does, and plays honestly."""

import mmap

import speak

reserved = mmap.mmap(-1, 2**36, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)
speak.play(speak.answer)
