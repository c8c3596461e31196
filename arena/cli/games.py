"""`arena games`."""

from __future__ import annotations

import click

from arena.cli._common import print_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(as_json: bool) -> None:
    """List the games."""
    from tabulate import tabulate

    from arena import games

    kinds = [games.load(name) for name in games.names()]
    if as_json:
        print_json(
            [
                {
                    "name": game.name,
                    "players": {
                        "min": min(game.player_counts),
                        "max": max(game.player_counts),
                        "default": game.usual_players,
                    },
                    "options": game.options_type.model_json_schema(),
                    "actions": len(game.actions),
                }
                for game in kinds
            ]
        )
        return
    rows = []
    for game in kinds:
        options = game.options_type.model_fields.items()
        rows.append(
            [
                game.name,
                f"{min(game.player_counts)}-{max(game.player_counts)}",
                ", ".join(f"{key}={str(field.default).lower()}" for key, field in options),
                len(game.actions),
            ]
        )
    click.echo(tabulate(rows, headers=["game", "players", "options (default)", "actions"]))
