"""The kit of a bot's author: a bot to begin with, and the way into the arena."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from arena import games
from arena.errors import ArenaError, unknown
from arena.loading import MANIFEST, Source, bundled, folder_of, submitted

Language = Literal["python", "javascript", "cpp"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
GAMES = ".games"
"""The file that names the games in which a submitted bot was checked."""
NAME = re.compile(r"[A-Za-z0-9][\w.+-]{0,63}", re.ASCII)


def new_bot(name: str, game: str, language: str, where: Path) -> Path:
    """Write a bot that runs as it is: a Python file with a class, or a folder with a program."""
    games.load(game)
    if language not in LANGUAGES:
        raise unknown("language", language, LANGUAGES)
    check_name(name)
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


def check_name(name: str) -> None:
    """Refuse what cannot name a bot."""
    if not NAME.fullmatch(name):
        raise ArenaError(
            f"{name!r} cannot be the name of a bot; write letters, digits and, later, _ . + -"
        )


def _class_name(name: str) -> str:
    words = "".join(word.capitalize() for word in re.findall(r"[A-Za-z0-9]+", name))
    return words if words[0].isalpha() else f"Bot{words}"


def check_free(source: Source, agents: Path, replace: bool) -> None:
    """Refuse the name of another bot, unless it was submitted and may be replaced."""
    check_name(source.name)
    if source.name in bundled():
        raise ArenaError(f"{source.name} is a bundled bot; choose another name")
    other = submitted(agents).get(source.name)
    if other is not None and not replace and other.name != _folder_name(source):
        raise ArenaError(
            f"there is another bot {source.name}, in {other}; choose another name or say --replace"
        )


def submit(source: Source, games: Sequence[str], agents: Path) -> Path:
    """Put a bot that was checked in some games among the bots, in place of any of its name."""
    target = agents / _folder_name(source)
    new = Path(tempfile.mkdtemp(prefix=".new-", dir=agents))
    for name, content in source.files:
        (new / name).parent.mkdir(parents=True, exist_ok=True)
        (new / name).write_bytes(content)
    (new / GAMES).write_text("".join(f"{game}\n" for game in games), encoding="utf-8")
    new.chmod(0o755)
    if source.name in submitted(agents):
        shutil.rmtree(submitted(agents)[source.name])
    return new.rename(target)


def checked_games(folder: Path) -> list[str]:
    """The games in which a submitted bot was checked."""
    return (folder / GAMES).read_text(encoding="utf-8").split()


def _folder_name(source: Source) -> str:
    return f"{source.name}-{source.digest}"
