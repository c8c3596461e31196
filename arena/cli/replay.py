"""`arena replay`."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli._common import print_json
from arena.errors import ArenaError


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.argument("match")
@click.option("--json", "as_json", is_flag=True, help="Print the record with its events.")
@click.option("--show", is_flag=True, help="Draw the table before every action.")
def command(folder: Path, match: str, as_json: bool, show: bool) -> None:
    """Play a stored match again, from its record."""
    from arena import protocol
    from arena.export import document
    from arena.match import ReplayError, new_game, replay
    from arena.show import draw
    from arena.store import Store

    with Store.open(folder) as store:
        record = store.record(match)
    if record is None:
        raise ArenaError(f"{folder} has no match {match!r}")
    try:
        end = replay(record)
    except ReplayError as error:
        raise ArenaError(f"match {match} does not replay: {error}") from None
    if as_json:
        event = protocol.adapter(end.event_type)
        events = [event.dump_python(told, mode="json") for told in end.events or ()]
        print_json(document(record) | {"events": events})
        return
    game = new_game(record.spec)
    for number, index in enumerate(record.actions):
        action = game.actions[index]
        if show:
            click.echo(f"{draw(game)}\n")
        bot = record.spec.entries[game.seat or 0]
        click.echo(f"{number:4}  seat {game.seat} {bot}: {action}")
        game.play(action)
    if show:
        click.echo(f"\n{draw(game)}")
    for seat, bot in enumerate(record.spec.entries):
        click.echo(f"seat {seat} {bot}: rank {record.ranks[seat]}, score {record.scores[seat]}")
    for fault in record.faults:
        click.echo(
            f"fault of seat {fault.seat} at action {fault.action}: {fault.kind}, {fault.reason}"
        )
