"""Leaderboards on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from arena.store import Store


def standings(store: Store) -> str:
    """The leading entries on one line."""
    from arena.rating import rate
    from arena.tournament import sides_of

    ratings = rate([store.outcomes(sides_of(store.specification))])
    best = sorted(zip(ratings.elo, ratings.names, strict=True), reverse=True)[:5]
    return ", ".join(f"{name} {elo:.0f}" for elo, name in best)


def print_leaderboard(stores: Sequence[Store], form: str) -> None:
    from tabulate import tabulate

    from arena.rating import rate
    from arena.tournament import sides_of

    ratings = rate([store.outcomes(sides_of(store.specification)) for store in stores])
    rows = sorted(
        zip(ratings.elo, ratings.half_widths(0.95), ratings.names, strict=True), reverse=True
    )
    click.echo(tabulate(rows))


def stale_leaderboards(folder: Path) -> list[str]:
    return []
