"""`arena verify`."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
def command(folder: Path) -> None:
    """Replay every match of a tournament without its bots, and compare.

    A match is right when it is the one that the schedule has at its place and its actions lead to
    its recorded result. A leaderboard.json or leaderboard.md in the folder must be the one that the
    matches give. Exit code 1 when anything is wrong.
    """
    from arena.cli._leaderboard import stale_leaderboards
    from arena.tournament import verify

    matches, wrong = 0, []
    for complaint in verify(folder):
        matches += 1
        if complaint is not None:
            wrong.append(complaint)
            click.echo(complaint)
    for name in stale_leaderboards(folder):
        wrong.append(name)
        click.echo(f"{name} is not the leaderboard of these matches")
    if wrong:
        click.echo(f"{len(wrong)} wrong, {matches} matches checked")
        raise click.exceptions.Exit(1)
    click.echo(f"all {matches} matches replay to their recorded results")
