"""The kit of a bot's author: a bot to begin with, and the way into the arena."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Literal, get_args

from arena import games
from arena.errors import ArenaError, unknown
from arena.loading import folder_of

MANIFEST = "bot.toml"

Language = Literal["python", "javascript", "cpp"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
NAME = re.compile(r"[A-Za-z0-9][\w.+-]{0,63}", re.ASCII)


def new_bot(name: str, game: str, language: str, where: Path) -> Path:
    """Write a bot that runs as it is: a Python file with a class, or a folder with a program."""
    games.load(game)
    if language not in LANGUAGES:
        raise unknown("language", language, LANGUAGES)
    if not NAME.fullmatch(name):
        raise ArenaError(
            f"{name!r} cannot be the name of a bot; write letters, digits and, later, _ . + -"
        )
    target = where / (f"{name}.py" if language == "python" else name)
    if target.exists():
        raise ArenaError(f"{target} exists already")
    starters = folder_of("protocol", "protocol_files") / "v1" / "starters"
    if language == "python":
        text = (starters / "class" / f"{game}.py").read_text(encoding="utf-8")
        target.write_text(text.replace("Starter", _class_name(name)), encoding="utf-8")
    else:
        shutil.copytree(starters / language, target)
        for path in target.iterdir():
            text = path.read_text(encoding="utf-8").replace(f"starter-{language}", name)
            path.write_text(text, encoding="utf-8")
        manifest = target / MANIFEST
        text = re.sub(r"(?m)^games = .*$", f'games = ["{game}"]', manifest.read_text("utf-8"))
        manifest.write_text(text, encoding="utf-8")
    return target


def _class_name(name: str) -> str:
    words = "".join(word.capitalize() for word in re.findall(r"[A-Za-z0-9]+", name))
    return words if words[0].isalpha() else f"Bot{words}"
