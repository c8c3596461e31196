"""Writes a file outside its folder."""

from pathlib import Path

from arena import Bot

SECRETS = Path("@FOLDER@")


class Rogue(Bot):
    def act(self, view):
        for folder in (SECRETS, Path("/usr"), Path.home().parent / "..", Path("/")):
            try:
                (folder / "arena-rogue").write_text("I was here")
            except OSError:
                continue
            (folder / "arena-rogue").unlink()
            raise RuntimeError("wrote outside")
        return view.legal[0]
