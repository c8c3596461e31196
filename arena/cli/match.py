"""`arena match`."""

from __future__ import annotations

import click

from arena.cli._common import (
    chosen_options,
    find_entries,
    game_option,
    options_option,
    print_json,
    seed_option,
)


@click.command()
@game_option
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT …")
@options_option
@seed_option
@click.option("--show", is_flag=True, help="Draw the table after each action.")
@click.option("--json", "as_json", is_flag=True, help="Print the record and its events as JSON.")
def command(
    game: str, bots: tuple[str, ...], options: tuple[str, ...], seed: int, show: bool, as_json: bool
) -> None:
    """Play one match: one BOT for each seat, in order."""
    from arena import document, games
    from arena.cli._show import show_course, show_result
    from arena.match import Spec, read_options
    from arena.players import Players

    kind = games.load(game)
    chosen = chosen_options(game, options)
    kind.check(len(bots), read_options(game, chosen))
    entries = find_entries(bots, game)
    spec = Spec("match", game, chosen, tuple(entries), seed)
    with Players(entries) as players:
        (record,) = players.play([spec])
    if as_json:
        print_json(document.write(record, {e.name: e.source.digest for e in entries.values()}))
        return
    if show:
        show_course(record)
    show_result(record)
