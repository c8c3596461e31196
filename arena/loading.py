"""The one door for bots: from what a user names to a bot that can sit down.

Finding a bot only reads files; its code runs when the bot is made. What was found is carried in
the entry itself, so it can be made anywhere: here, in another process, on another machine.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import os
import re
import sys
import tomllib
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from arena.bot import Bot
from arena.errors import ArenaError, unknown

MEGABYTE = 2**20
MOST_BYTES = 64 * MEGABYTE
"""All files of a bot together."""
MANIFEST = "bot.toml"
NAME = r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}"
NAMING = "write letters, digits and, later, _ . + -, at most 64 in all"


class Manifest(BaseModel):
    """What `bot.toml` says of a bot that is a program in any language."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: str = Field(pattern=f"^{NAME}$")
    command: tuple[str, ...] = Field(min_length=1, strict=False)
    """The program and its arguments, run in the bot's folder."""
    games: tuple[str, ...] = Field(strict=False)
    """The games it plays; empty means any."""
    memory: int = Field(default=512, ge=16, le=4096)
    """Megabytes it may use."""
    startup: float = Field(default=10, gt=0, le=60)
    """Seconds until it must have said hello."""


@dataclass(frozen=True, slots=True)
class Source:
    """The files of a bot."""

    name: str
    path: str
    """Where it was found; only for messages."""
    files: tuple[tuple[str, bytes], ...]
    bundled: bool = False
    module: str | None = None
    """The module of an installed package that holds the bot."""
    manifest: Manifest | None = None
    """What a bot that is no Python class says of itself."""

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
    if source.manifest is not None and (class_name or params):
        raise ArenaError(f"{where} is a program, not a Python class: it takes no {extras[0]!r}")
    shown = class_name.lower() if class_name else source.name
    if source.module is not None and class_name is None:
        class_name = installed()[where].attr or None
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
    if where in installed():
        return _read_installed(installed()[where])
    if where in submitted():
        return _read_submitted(submitted()[where])
    path = Path(where)
    if path.is_dir() and ("/" in where or (path / MANIFEST).is_file()):
        return _read_folder(path)
    if path.suffix == ".py" or "/" in where:
        if not path.is_file():
            raise ArenaError(f"there is no file {where}")
        if path.suffix != ".py":
            raise ArenaError(
                f"{where} is not a bot: it is neither a Python file, which ends in .py, "
                f"nor a folder with {MANIFEST}"
            )
        return _read(path)
    raise unknown("bot", where, [*bundled(), *installed(), *submitted()])


def _read(path: Path, bundled: bool = False) -> Source:
    _check_name(path)
    if path.stat().st_size > MOST_BYTES:
        raise _too_large(path)
    return Source(path.stem, str(path), ((path.name, path.read_bytes()),), bundled)


def _read_folder(folder: Path) -> Source:
    path = folder / MANIFEST
    if not path.is_file():
        raise ArenaError(f"{folder} is not a bot: it has no {MANIFEST}")
    try:
        manifest = Manifest.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ArenaError(f"cannot read {path}: {error}") from None
    except ValidationError as error:
        raise ArenaError(f"{path}: {_complaint(error)}") from None
    return Source(manifest.name, str(folder), _files(folder), manifest=manifest)


def _complaint(error: ValidationError) -> str:
    first = error.errors()[0]
    key = str(first["loc"][0])
    if first["type"] == "extra_forbidden":
        return str(unknown("key", key, Manifest.model_fields))
    if first["type"] == "missing":
        return f"the key {key!r} is missing"
    return f"{key} = {first['input']!r}: {PLAIN.get(first['type'], first['msg'])}"


PLAIN = {
    "string_pattern_mismatch": NAMING,
    "tuple_type": "it must be a list of strings",
    "too_short": "it must not be empty",
}
"""What pydantic says in words of its own, by the type of the error."""


def _files(folder: Path, below: str = "") -> tuple[tuple[str, bytes], ...]:
    """All files of a folder, but for hidden ones and what Python has compiled."""
    found: list[tuple[str, bytes]] = []
    room = MOST_BYTES
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name != "__pycache__"
        )
        for inner in (Path(path) / name for name in folders):
            if inner.is_symlink():
                raise ArenaError(f"{inner} is not a plain folder, and only those travel with a bot")
        for name in sorted(name for name in names if not name.startswith(".")):
            file = Path(path) / name
            _check_name(file)
            if not file.is_file() or file.is_symlink():
                raise ArenaError(f"{file} is not a plain file, and only those travel with a bot")
            room -= file.stat().st_size
            if room < 0:
                raise _too_large(folder)
            found.append((below + file.relative_to(folder).as_posix(), file.read_bytes()))
    return tuple(found)


def _check_name(file: Path) -> None:
    """Refuse a name that is no text: it belongs to the digest."""
    try:
        str(file).encode()
    except UnicodeEncodeError:
        raise ArenaError(f"{os.fsencode(file)!r} is not a name in UTF-8") from None


def _too_large(path: Path) -> ArenaError:
    return ArenaError(f"{path} holds more than {MOST_BYTES // MEGABYTE} MB")


@cache
def installed() -> Mapping[str, EntryPoint]:
    """The bots of installed packages: their entry points in the group `arena.bots`."""
    return {point.name: point for point in entry_points(group="arena.bots")}


def _read_installed(point: EntryPoint) -> Source:
    """The files of an entry point's package, found without running its code."""
    spec: ModuleSpec | None = None
    top: ModuleSpec | None = None
    for name in point.module.split("."):
        paths = spec.submodule_search_locations if spec else None
        spec = _spec(name if top is None else f"{top.name}.{name}", paths)
        if spec is None or spec.origin is None:
            raise ArenaError(f"the bot {point.name} should be in {point.module}, which is missing")
        top = top or spec
    assert top is not None and top.origin is not None and spec is not None
    home = Path(top.origin)
    if top.submodule_search_locations is None:
        files: tuple[tuple[str, bytes], ...] = ((home.name, home.read_bytes()),)
    else:
        files = _files(home.parent, f"{top.name}/")
    return Source(point.name, str(spec.origin), files, module=point.module)


def _spec(name: str, paths: Any) -> ModuleSpec | None:
    for finder in sys.meta_path:
        if (spec := finder.find_spec(name, paths)) is not None:
            return spec
    return None


@cache
def folder_of(name: str, inside: str) -> Path:
    """The folder `name` that belongs to the project: in the package, or beside it."""
    package = Path(__file__).parent
    return next(folder for folder in (package / inside, package.parent / name) if folder.is_dir())


@cache
def bundled() -> Mapping[str, Path]:
    """The bots that come with the arena."""
    return {path.stem: path for path in sorted(folder_of("agents", "agents").glob("*.py"))}


def submitted(agents: Path | None = None) -> Mapping[str, Path]:
    """The bots that strangers have submitted: folders `NAME-DIGEST` among the bundled bots."""
    agents = agents or folder_of("agents", "agents")
    named = ((re.fullmatch(r"(.+)-[0-9a-f]{16}", path.name), path) for path in agents.iterdir())
    return {found[1]: path for found, path in named if found and path.is_dir()}


def _read_submitted(folder: Path) -> Source:
    if (folder / MANIFEST).is_file():
        return _read_folder(folder)
    (path,) = folder.glob("*.py")
    return _read(path)


def bot_class(entry: Entry) -> type[Bot]:
    """The class of an entry's bot; runs the bot's module in this process."""
    module = load_module(entry.source)
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
def load_module(source: Source) -> ModuleType:
    """The module of a bot, run in this process."""
    if source.manifest is not None:
        raise ArenaError(
            f"{source.name} is a program of its own; it needs --isolation process or sandbox"
        )
    try:
        return importlib.import_module(source.module) if source.module else _run(source)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        own = traced(error, source)
        raise ArenaError(f"{source.path} raised an error when it was loaded:\n{own}") from error


def traced(error: BaseException, source: Source) -> str:
    """An error with its traceback, from the bot's own first line on."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != source.path:
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace)).rstrip()


def _run(source: Source) -> ModuleType:
    module = ModuleType(f"arena_bot_{source.digest}")
    ((_, content),) = source.files
    module.__file__ = source.path
    sys.modules[module.__name__] = module
    try:
        exec(compile(content, source.path, "exec"), module.__dict__)
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module


def make(entry: Entry) -> Bot:
    """A new bot of an entry, its parameters set."""
    bot_type, params = recipe(entry)
    return bot_type(**params)


@cache
def recipe(entry: Entry) -> tuple[type[Bot], dict[str, Any]]:
    """The class of an entry's bot, and the parameters to make it with."""
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
