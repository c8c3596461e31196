"""The one door for bots: from what a user names to a bot that can sit down.

Finding a bot only reads files; its code runs when the bot is made. What was found is carried in
the entry itself, so it can be made anywhere: here, in another process, on another machine.
"""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from arena.bot import Bot
from arena.errors import ArenaError, unknown


@dataclass(frozen=True, slots=True)
class Source:
    """The files of a bot."""

    name: str
    path: str
    """Where it was found; only for messages."""
    files: tuple[tuple[str, bytes], ...]
    bundled: bool = False

    @property
    def digest(self) -> str:
        """A name for exactly these files; results belong to it."""
        digest = hashlib.sha256()
        for name, content in self.files:
            digest.update(f"{name}\0{len(content)}\0".encode())
            digest.update(content)
        return digest.hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot in a tournament: its name there, its source, and how to make it."""

    name: str
    source: Source
    class_name: str | None = None
    params: tuple[tuple[str, str], ...] = ()


def find(text: str) -> Entry:
    """The entry that `[NAME=]BOT[:CLASS][:KEY=VALUE,…]` names; runs none of its code."""
    alias, target = _split_alias(text)
    where, *extras = target.split(":")
    class_name: str | None = None
    params: tuple[tuple[str, str], ...] = ()
    for extra in extras:
        if "=" in extra:
            params = tuple(_pair(part, text) for part in extra.split(","))
        elif extra.isidentifier() and class_name is None:
            class_name = extra
        else:
            raise ArenaError(
                f"cannot read {extra!r} in {text!r}; write BOT:KEY=VALUE or FILE:CLASS"
            )
    source = _source(where)
    shown = class_name.lower() if class_name else source.name
    settings = ",".join(f"{key}={value}" for key, value in params)
    name = alias or (f"{shown}:{settings}" if settings else shown)
    return Entry(name, source, class_name, params)


def _split_alias(text: str) -> tuple[str | None, str]:
    named = re.fullmatch(r"([\w.+-]+)=(.+)", text)
    return (named[1], named[2]) if named else (None, text)


def _pair(text: str, whole: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key.isidentifier() and equals):
        raise ArenaError(f"cannot read {text!r} in {whole!r}; parameters are KEY=VALUE")
    return key, value


def _source(where: str) -> Source:
    if where in bundled():
        return _read(bundled()[where], bundled=True)
    path = Path(where)
    if path.suffix == ".py" or "/" in where:
        if not path.is_file():
            raise ArenaError(f"there is no file {where}")
        if path.suffix != ".py":
            raise ArenaError(f"{where} is not a bot: a Python file ends in .py")
        return _read(path)
    raise unknown("bot", where, bundled())


def _read(path: Path, bundled: bool = False) -> Source:
    return Source(path.stem, str(path), ((path.name, path.read_bytes()),), bundled)


@cache
def folder_of(name: str, inside: str) -> Path:
    """The folder `name` that belongs to the project: in the package, or beside it."""
    package = Path(__file__).parent
    return next(folder for folder in (package / inside, package.parent / name) if folder.is_dir())


@cache
def bundled() -> Mapping[str, Path]:
    """The bots that come with the arena."""
    return {path.stem: path for path in sorted(folder_of("agents", "agents").glob("*.py"))}


def bot_class(entry: Entry) -> type[Bot]:
    """The class of an entry's bot; runs the bot's module in this process."""
    module = _module(entry.source)
    classes = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Bot)
        and value.__module__ == module.__name__
    }
    path = entry.source.path
    if entry.class_name is not None:
        if entry.class_name not in classes:
            raise unknown(f"bot class in {path}:", entry.class_name, classes)
        return classes[entry.class_name]
    if not classes:
        raise ArenaError(f"{path} is not a bot: it has no subclass of arena.Bot")
    if len(classes) > 1:
        choices = " or ".join(f"{path}:{name}" for name in classes)
        raise ArenaError(f"{path} has {len(classes)} bots; say which: {choices}")
    return next(iter(classes.values()))


@cache
def _module(source: Source) -> ModuleType:
    name = f"arena_bot_{source.digest}"
    module = ModuleType(name)
    ((_, content),) = source.files
    module.__file__ = source.path
    sys.modules[name] = module
    try:
        exec(compile(content, source.path, "exec"), module.__dict__)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        first = error.__traceback__.tb_next if error.__traceback__ else None
        own = "".join(traceback.format_exception(type(error), error, first)).rstrip()
        raise ArenaError(f"{source.path} raised an error when it was loaded:\n{own}") from None
    return module


def make(entry: Entry) -> Bot:
    """A new bot of an entry, its parameters set."""
    bot_type, params = _recipe(entry)
    return bot_type(**params)


@cache
def _recipe(entry: Entry) -> tuple[type[Bot], dict[str, Any]]:
    bot_type = bot_class(entry)
    return bot_type, dict(_read_params(entry, bot_type))


def parameters(bot_type: type[Bot]) -> dict[str, inspect.Parameter]:
    """The parameters that a user may set, by name."""
    if bot_type.__init__ is object.__init__:
        return {}
    signature = inspect.signature(bot_type)
    return {
        name: parameter
        for name, parameter in signature.parameters.items()
        if parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    }


def _read_params(entry: Entry, bot_type: type[Bot]) -> Iterator[tuple[str, Any]]:
    known = parameters(bot_type)
    if entry.params and not known:
        raise ArenaError(f"{entry.source.name} takes no parameters")
    hints = get_type_hints(bot_type.__init__) if known else {}
    for key, value in entry.params:
        if key not in known:
            raise unknown(f"parameter of {entry.source.name}", key, known)
        try:
            yield key, TypeAdapter(hints.get(key, str)).validate_python(value)
        except ValidationError as error:
            message = error.errors()[0]["msg"]
            raise ArenaError(f"{key}={value} of {entry.source.name}: {message}") from None


def plays(bot_type: type[Bot], game: str) -> bool:
    """Whether the bot says it plays this game."""
    return not bot_type.games or game in bot_type.games


def check(entry: Entry, game: str) -> None:
    """Refuse an entry whose bot cannot be made or does not play the game."""
    bot_type = type(make(entry))
    if not plays(bot_type, game):
        raise ArenaError(
            f"{entry.source.name} does not play {game}; it plays {', '.join(bot_type.games)}"
        )
