"""What several commands share."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.loading import Entry

F = TypeVar("F", bound=Callable[..., Any])

FORMATS = ("table", "json", "csv", "markdown")


def game_option(command: F) -> F:
    """The option `--game`."""
    return click.option("--game", "-g", required=True, metavar="G", help="The game to play.")(
        command
    )


def options_option(command: F) -> F:
    """The option `-o KEY=VALUE` for the variants of a game."""
    return click.option(
        "--option",
        "-o",
        "options",
        multiple=True,
        metavar="KEY=VALUE",
        help="A variant of the game.",
    )(command)


SEED = click.IntRange(0, 2**63 - 1)


def seed_option(command: F) -> F:
    """The option `--seed`."""
    return click.option(
        "--seed",
        type=SEED,
        default=1,
        show_default=True,
        help="Seed of all luck.",
    )(command)


def isolation_option(command: F) -> F:
    """The option `--isolation`."""
    return click.option(
        "--isolation",
        type=click.Choice(["auto", "none", "process", "sandbox"]),
        default="auto",
        show_default=True,
        help="How bots are kept apart.",
    )(command)


def move_time_option(command: F) -> F:
    """The option `--move-time`."""
    return click.option(
        "--move-time",
        type=click.FloatRange(0, min_open=True),
        default=1.0,
        show_default=True,
        metavar="SECONDS",
        help="For a decision of an isolated bot.",
    )(command)


def executor_options(command: F) -> F:
    """The options that say who plays the matches."""
    for option in (
        click.option("--address", metavar="A", help="A Ray cluster to play on."),
        click.option("--workers", type=click.IntRange(1), metavar="N", help="Workers of Ray."),
        click.option(
            "--executor",
            type=click.Choice(["auto", "inline", "ray"]),
            default="auto",
            show_default=True,
            help="Who plays: this process, or Ray.",
        ),
    ):
        command = option(command)
    return command


def say(text: str) -> None:
    """A note for the user, on standard error."""
    click.echo(text, err=True)


def plain(text: str) -> str:
    """What a bot has written, with signs that a terminal would obey spelt out."""
    return "".join(
        sign if sign.isprintable() or sign in "\n\t" else sign.encode("unicode_escape").decode()
        for sign in text
    )


def read_pairs(options: Sequence[str]) -> dict[str, str]:
    """`KEY=VALUE` texts as a mapping."""
    pairs = {}
    for text in options:
        key, equals, value = text.partition("=")
        if not equals:
            raise ArenaError(f"cannot read option {text!r}; write -o KEY=VALUE")
        pairs[key] = value
    return pairs


def chosen_options(game: str, options: Sequence[str]) -> tuple[tuple[str, Any], ...]:
    """The options that differ from the game's defaults, checked."""
    from arena import games

    kind = games.load(game)
    read = kind.read_options(read_pairs(options))
    return tuple(
        (key, value) for key, value in read if value != kind.options_type.model_fields[key].default
    )


def find_entries(texts: Sequence[str]) -> list[Entry]:
    """The entries named, those that share a name numbered: random, random#2."""
    from dataclasses import replace

    from arena.loading import find

    entries: dict[str, Entry] = {}
    for entry in map(find, texts):
        name, number = entry.name, 1
        while name in entries:
            number += 1
            name = f"{entry.name}#{number}"
        entries[name] = replace(entry, name=name)
    return list(entries.values())


def print_json(document: Any) -> None:
    """One JSON document on standard output, indented, with lists of plain values on one line."""
    text = json.dumps(document, indent=2, ensure_ascii=False)
    flat = re.sub(r"\[\n[^][{}]+\]", lambda found: re.sub(r"\n\s*", " ", found[0]), text)
    click.echo(flat)


def quick_bots(game: str) -> list[str]:
    """The field when nobody names it: all bundled bots that play the game and are quick."""
    from arena.loading import bot_class, bundled, find, plays

    found = ((name, bot_class(find(name))) for name in bundled())
    return [name for name, bot in found if bot.quick and plays(bot, game)]


def new_folder(name: str) -> Path:
    """Where a tournament is kept when nobody says."""
    from datetime import datetime

    return Path("results") / f"{name}-{datetime.now():%Y%m%d-%H%M%S}"
