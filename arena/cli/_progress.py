"""How far a run has come: a bar on a terminal, plain lines elsewhere, all on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

import click

EVERY = 5.0
"""Seconds between plain lines, and at least between two standings."""

Advance = Callable[[int], None]


def say(text: str) -> None:
    """A note for the user."""
    click.echo(text, err=True)


@contextmanager
def progress(
    total: int, done: int, quiet: bool, standings: Callable[[], str]
) -> Iterator[tuple[Advance, Callable[[str], None]]]:
    """Two functions: one to call after each batch with its matches, one to tell the user things."""
    if quiet:
        yield (lambda matches: None), (lambda text: None)
    elif sys.stderr.isatty():
        with _bar(total, done, standings) as calls:
            yield calls
    else:
        yield _lines(total, done, standings), say


def _lines(total: int, done: int, standings: Callable[[], str]) -> Advance:
    begun = spoken = monotonic()
    played = 0

    def advance(matches: int) -> None:
        nonlocal played, spoken
        played += matches
        now = monotonic()
        if now - spoken >= EVERY:
            spoken = now
            rate = played / (now - begun)
            left = (total - done - played) / rate
            say(
                f"{done + played} of {total} matches, {rate:.0f} per second, "
                f"about {left:.0f} s left; {standings()}"
            )

    return advance


@contextmanager
def _bar(
    total: int, done: int, standings: Callable[[], str]
) -> Iterator[tuple[Advance, Callable[[str], None]]]:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    console = Console(stderr=True)
    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=console,
    )
    task = bar.add_task("matches", total=total, completed=done, rate="")
    begun = shown = monotonic()
    played = 0

    with Live(bar, console=console, refresh_per_second=4) as live:

        def advance(matches: int) -> None:
            nonlocal played, shown
            played += matches
            now = monotonic()
            bar.update(task, advance=matches, rate=f"{played / (now - begun):.0f}/s")
            if now - shown >= EVERY:
                shown = now
                live.update(Group(bar, Text(standings())))

        yield advance, lambda text: console.print(text, highlight=False)
