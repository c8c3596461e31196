"""Reads the environment of the arena's own process, as it could read its memory."""

from pathlib import Path

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        try:
            Path("/proc/@ARENA@/environ").read_bytes()
        except OSError:
            return view.legal[0]
        raise RuntimeError("read the arena")
