"""Showing a check as it goes on."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING

import click

from arena.cli._common import plain, say
from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.check import Check, Step
    from arena.sandbox import Level


def level_of(isolation: str) -> Level:
    """The level at which a bot is checked; there is always a process between it and the arena."""
    from arena.sandbox import advise, level_for

    level = level_for(isolation, bundled=False)
    if level == "none":
        raise ArenaError("a bot is checked in its own process: --isolation process or sandbox")
    advise(isolation, [level], say)
    return level


def show_step(step: Step) -> None:
    """A step on one line, the reason of a failure below it."""
    if step.verdict == "Failed":
        click.echo(f"{step.number}. {step.title:34} Failed")
        click.echo(indent(plain(step.reason), "   "))
    else:
        line = f"{step.number}. {step.title:34} {step.verdict:8} {step.reason}"
        click.echo(plain(line.rstrip()))


def show_output(check: Check) -> None:
    """What the bot has written itself, if it has failed."""
    if check.output:
        click.echo("The bot's own output:")
        click.echo(indent(plain(check.output.rstrip()), "   "))
