"""`arena leaderboard`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from arena.cli._common import FORMATS
from arena.cli._leaderboard import RATINGS, Reading, anchor_option, formatted


@click.command()
@click.argument(
    "folders", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR..."
)
@click.option(
    "--rating",
    type=click.Choice(RATINGS),
    default="elo",
    show_default=True,
    help="Elo over all matches at once, or another reading of the same records.",
)
@anchor_option
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Of every interval.",
)
@click.option("--ties", is_flag=True, help="Bots that cannot be told apart share a rank.")
@click.option("--cross", is_flag=True, help="Also who scored what against whom.")
@click.option("--seats", is_flag=True, help="Also the advantage of each seat.")
@click.option("--likelihoods", is_flag=True, help="Also how likely each bot beats the next.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
def command(
    folders: tuple[Path, ...],
    rating: str,
    anchor: tuple[str, float] | None,
    confidence: float,
    ties: bool,
    cross: bool,
    seats: bool,
    likelihoods: bool,
    form: str,
) -> None:
    """Rate the bots of one or several tournaments of the same game."""
    from arena.store import Store

    reading = Reading(rating, anchor, confidence, ties, cross, seats, likelihoods)
    with ExitStack() as stack:
        stores = [stack.enter_context(Store.open(folder)) for folder in folders]
        click.echo(formatted(stores, form, reading))
