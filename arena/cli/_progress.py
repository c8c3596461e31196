"""How a tournament shows its progress: a bar and the standing on a terminal, else plain lines."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Self

import click

if TYPE_CHECKING:
    from arena.tournament import Progress

STANDING = 5.0
"""Seconds between two looks at the standing, at least."""
LINE = 5.0
"""Seconds between two plain lines."""


def duration(seconds: float) -> str:
    """A time that a person can read."""
    if seconds == float("inf"):
        return "?"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


class Display:
    """Shows nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def show(self, progress: Progress) -> None:
        """The run has come further."""


class Lines(Display):
    """A line now and then."""

    def __init__(self) -> None:
        self._next = monotonic() + LINE

    def show(self, progress: Progress) -> None:
        if monotonic() >= self._next:
            self._next = monotonic() + LINE
            click.echo(_line(progress), err=True)


class Screen(Display):
    """A bar, and the standing below it."""

    def __init__(self, standing: Callable[[], str]) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.progress import BarColumn, Progress, TextColumn

        self._standing = standing
        self._text = ""
        self._next = 0.0
        self._bar = Progress(
            BarColumn(), TextColumn("{task.description}"), console=Console(stderr=True)
        )
        self._task = self._bar.add_task("starting", total=None)
        self._live = Live(self._bar, console=Console(stderr=True), transient=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def show(self, progress: Progress) -> None:
        from rich.console import Group
        from rich.text import Text

        began = monotonic()
        if began >= self._next:
            self._text = self._standing()
            # Looking must not cost more than a twentieth of the time.
            self._next = began + max(STANDING, 20 * (monotonic() - began))
        self._bar.update(
            self._task, total=progress.total, completed=progress.done, description=_line(progress)
        )
        self._live.update(Group(self._bar, Text(self._text)))


def _line(progress: Progress) -> str:
    return (
        f"{progress.done}/{progress.total} matches, {progress.rate:.0f}/s, "
        f"{duration(progress.left)} left"
    )


def display(quiet: bool, standing: Callable[[], str]) -> Display:
    """The display for this terminal, or for none."""
    if quiet:
        return Display()
    return Screen(standing) if sys.stderr.isatty() else Lines()
