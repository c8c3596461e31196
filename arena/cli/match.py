"""`arena match`."""

from __future__ import annotations

import click

from arena.cli._common import (
    chosen_options,
    find_entries,
    game_option,
    isolation_option,
    move_time_option,
    options_option,
    print_json,
    say,
    seed_option,
)


@click.command()
@game_option
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT …")
@options_option
@seed_option
@isolation_option
@move_time_option
@click.option("--show", is_flag=True, help="Draw the table after each action.")
@click.option("--json", "as_json", is_flag=True, help="Print the record and its events as JSON.")
def command(
    game: str,
    bots: tuple[str, ...],
    options: tuple[str, ...],
    seed: int,
    isolation: str,
    move_time: float,
    show: bool,
    as_json: bool,
) -> None:
    """Play one match: one BOT for each seat, in order."""
    from arena import document, games
    from arena.cli._show import show_course, show_result
    from arena.match import Spec, read_options
    from arena.players import Players

    kind = games.load(game)
    chosen = chosen_options(game, options)
    kind.check(len(bots), read_options(game, chosen))
    entries = {entry.name: entry for entry in find_entries(bots)}
    spec = Spec("match", game, chosen, tuple(entries), seed, move_time)
    with Players(entries, isolation, say) as players:
        players.check(game)
        (record,) = players.play([spec])
    if as_json:
        print_json(document.write(record, {e.name: e.source.digest for e in entries.values()}))
        return
    if show:
        show_course(record)
    show_result(record)
