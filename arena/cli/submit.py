"""`arena submit`."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli._check import level_of, show_output, show_step
from arena.cli._common import isolation_option, move_time_option, plain
from arena.errors import ArenaError


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--agents",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder of bots.  [default: the arena's own]",
)
@click.option("--replace", is_flag=True, help="Take the place of another bot of this name.")
@isolation_option
@move_time_option
def command(
    path: Path, agents: Path | None, replace: bool, isolation: str, move_time: float
) -> None:
    """Check the bot at PATH in every game it plays, and put it among the bots."""
    from arena.check import Check, games_of
    from arena.kit import check_free, submit
    from arena.loading import find, folder_of

    agents = agents or folder_of("agents", "agents")
    if not agents.is_dir():
        raise ArenaError(f"there is no folder {agents}")
    _, colon, class_name = path.name.partition(":")
    if colon:
        raise ArenaError(
            f"{path}: a file is submitted as a whole, with one bot in it; leave out :{class_name}"
        )
    entry = find(str(path) if path.suffix == ".py" else f"{path}/")
    check_free(entry.source, agents, replace)
    level = level_of(isolation)
    try:
        games = games_of(entry, level)
    except ArenaError as error:
        click.echo(plain(f"{entry.name} does not start: {error}"))
        raise click.exceptions.Exit(1) from None
    for game in games:
        check = Check(entry, game, level, move_time)
        click.echo(f"{game}:")
        steps = []
        for step in check.run():
            show_step(step)
            steps.append(step)
        if not all(step.verdict == "Passed" for step in steps):
            show_output(check)
            raise click.exceptions.Exit(1)
    target = submit(entry.source, games, agents, replace)
    click.echo(f"{entry.name} {entry.source.digest} is now in {target}")
