"""Reads the sources of the other bots."""

from pathlib import Path

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        if Path("@AGENTS@/greedy.py").exists():
            raise RuntimeError("read another bot")
        return view.legal[0]
