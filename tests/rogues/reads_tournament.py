"""Reads the folder of the tournament."""

from pathlib import Path

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        if Path("@FOLDER@/tournament.json").exists():
            raise RuntimeError("read the tournament")
        return view.legal[0]
