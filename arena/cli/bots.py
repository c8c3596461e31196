"""`arena bots`."""

from __future__ import annotations

from collections.abc import Iterator
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

    if game is not None:
        games.load(game)
    rows = [row for row in _rows() if game is None or game in row["games"]]
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


def _rows() -> Iterator[dict[str, Any]]:
    """The bundled bots, then those of others, whose code is not run to list them."""
    from arena import games
    from arena.kit import checked_games
    from arena.loading import bot_class, bundled, find, installed, parameters, submitted

    for name in bundled():
        bot = bot_class(find(name))
        known = {key: parameter.default for key, parameter in parameters(bot).items()}
        about = (bot.__doc__ or "").strip().partition("\n")[0]
        yield _row(name, list(bot.games) or list(games.names()), about, bot.quick, known)
    for name, folder in submitted().items():
        yield _row(name, checked_games(folder), "Submitted.")
    for name, point in installed().items():
        yield _row(name, list(games.names()), f"Installed: {point.value}; its games are not known.")


def _row(
    name: str,
    known: list[str],
    about: str,
    quick: bool = False,
    parameters: dict[str, Any] | None = None,
) -> dict[str, Any]:
    from arena.loading import find

    return {
        "name": name,
        "digest": find(name).source.digest,
        "games": known,
        "quick": quick,
        "parameters": parameters or {},
        "about": about,
    }
