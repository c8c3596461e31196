"""The kit of a bot's author: a bot to begin with, and the way into the arena."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, get_args

from arena import games
from arena.errors import ArenaError, unknown
from arena.loading import MANIFEST, NAME, NAMING, Source, bundled, folder_of, submitted

Language = Literal["python", "javascript", "cpp"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
GAMES = ".games"
"""The file that names the games in which a submitted bot was checked."""


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
    with _whole_or_nothing(where) as new:
        if language == "python":
            text = (starters / "class" / f"{game}.py").read_text(encoding="utf-8")
            (new / target.name).write_text(
                text.replace("Starter", _class_name(name)), encoding="utf-8"
            )
            return (new / target.name).rename(target)
        for path in (starters / language).iterdir():
            text = path.read_text(encoding="utf-8").replace(f"starter-{language}", name)
            if path.name == MANIFEST:
                text = re.sub(r"(?m)^games = .*$", f'games = ["{game}"]', text)
            (new / path.name).write_text(text, encoding="utf-8")
        new.chmod(0o755)
        return new.rename(target)


def check_name(name: str) -> None:
    """Refuse what cannot name a bot."""
    if not re.fullmatch(NAME, name):
        raise ArenaError(f"{name!r} cannot be the name of a bot; {NAMING}")


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


def submit(source: Source, games: Sequence[str], agents: Path, replace: bool = False) -> Path:
    """Put a bot that was checked in some games among the bots, in place of any of its name."""
    target = agents / _folder_name(source)
    with _whole_or_nothing(agents) as new:
        for name, content in source.files:
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(content)
        (new / GAMES).write_text("".join(f"{game}\n" for game in games), encoding="utf-8")
        new.chmod(0o755)
        with _alone(agents):
            check_free(source, agents, replace)
            old = submitted(agents).get(source.name)
            if old is not None:
                # Out of sight in one step: a bot is there as a whole or not at all.
                shutil.rmtree(old.rename(new.with_name(f"{new.name}-old")))
            return new.rename(target)


@contextmanager
def _whole_or_nothing(where: Path) -> Iterator[Path]:
    """A folder to fill and then to rename, which is gone if that did not happen."""
    new = Path(tempfile.mkdtemp(prefix=".new-", dir=where))
    try:
        yield new
    finally:
        shutil.rmtree(new, ignore_errors=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else submits into the folder meanwhile."""
    file = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def checked_games(folder: Path) -> list[str]:
    """The games in which a submitted bot was checked."""
    return (folder / GAMES).read_text(encoding="utf-8").split()


def _folder_name(source: Source) -> str:
    return f"{source.name}-{source.digest}"
