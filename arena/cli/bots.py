"""`arena bots`."""

from __future__ import annotations

from typing import Any

import click

from arena.cli._common import print_json


@click.command()
@click.option("--game", "-g", metavar="G", help="Only the bots that play this game.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(game: str | None, as_json: bool) -> None:
    """List the bots that can be named."""
    from tabulate import tabulate

    from arena import games
    from arena.kit import checked_games
    from arena.loading import bot_class, bundled, find, parameters, plays, submitted

    if game is not None:
        games.load(game)
    rows: list[dict[str, Any]] = []
    for name in bundled():
        entry = find(name)
        bot = bot_class(entry)
        if game is None or plays(bot, game):
            rows.append(
                {
                    "name": name,
                    "digest": entry.source.digest,
                    "games": list(bot.games) or list(games.names()),
                    "quick": bot.quick,
                    "parameters": {
                        key: parameter.default for key, parameter in parameters(bot).items()
                    },
                    "about": (bot.__doc__ or "").strip().partition("\n")[0],
                }
            )
    for name, folder in submitted().items():
        played = checked_games(folder)
        if game is None or game in played:
            rows.append(
                {
                    "name": name,
                    "digest": find(name).source.digest,
                    "games": played,
                    "quick": False,
                    "parameters": {},
                    "about": "Submitted.",
                }
            )
    if as_json:
        print_json(rows)
        return
    table = [
        [
            row["name"],
            "any" if len(row["games"]) == len(games.names()) > 1 else ", ".join(row["games"]),
            ",".join(f"{key}={value}" for key, value in row["parameters"].items()),
            row["about"],
        ]
        for row in rows
    ]
    click.echo(tabulate(table, headers=["bot", "games", "parameters", "about"]))
