"""`arena new-bot`."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli._common import game_option


@click.command()
@click.argument("name")
@game_option
@click.option(
    "--language",
    default="python",
    show_default=True,
    metavar="python|javascript|cpp",
    help="Python: a class in one file. Others: a folder with a program.",
)
def command(name: str, game: str, language: str) -> None:
    """Write a bot to begin with, called NAME, into this folder; it plays as it is."""
    from arena import games
    from arena.kit import new_bot

    path = new_bot(name, game, language, Path())
    bot = f"{path}/" if path.is_dir() else str(path)
    others = " ".join(["random"] * (min(games.load(game).player_counts) - 1))
    click.echo(f"{bot} is ready. Next:")
    click.echo(f"  arena check {bot} --game {game}")
    click.echo(f"  arena match --game {game} {bot} {others}")
