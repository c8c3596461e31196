"""`arena check`."""

from __future__ import annotations

import click

from arena.cli._check import level_of, show_output, show_step
from arena.cli._common import game_option, isolation_option, move_time_option, print_json


@click.command()
@click.argument("bot")
@game_option
@isolation_option
@move_time_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(bot: str, game: str, isolation: str, move_time: float, as_json: bool) -> None:
    """Find out, step by step, whether BOT is ready for a tournament."""
    from dataclasses import asdict

    from arena import games
    from arena.check import Check
    from arena.loading import find

    games.load(game)
    entry = find(bot)
    check = Check(entry, game, level_of(isolation), move_time)
    steps = []
    for step in check.run():
        steps.append(step)
        if not as_json:
            show_step(step)
    passed = all(step.verdict == "Passed" for step in steps)
    if as_json:
        print_json(
            {
                "bot": entry.name,
                "digest": entry.source.digest,
                "game": game,
                "isolation": check.level,
                "passed": passed,
                "steps": [asdict(step) for step in steps],
                "output": check.output,
            }
        )
    elif passed:
        click.echo(f"{entry.name} is ready for {game}.")
    else:
        show_output(check)
    if not passed:
        raise click.exceptions.Exit(1)
