"""`arena replay`."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli._common import print_json
from arena.errors import ArenaError


@click.command()
@click.argument("path", type=click.Path(path_type=Path, allow_dash=True), metavar="DIR|FILE")
@click.argument("match", required=False)
@click.option("--show", is_flag=True, help="Draw the table after each action.")
@click.option("--json", "as_json", is_flag=True, help="Print the record and its events as JSON.")
def command(path: Path, match: str | None, show: bool, as_json: bool) -> None:
    """Play a recorded match again, without its bots.

    Give a tournament's folder and the id of a MATCH, or a file that `arena match --json` wrote (-
    for standard input). Exit code 1 when the record does not replay to its own result.
    """
    from arena import document
    from arena.cli._show import show_course, show_result
    from arena.match import ReplayError, replay
    from arena.store import Store

    try:
        if path.is_dir():
            if match is None:
                raise ArenaError(f"name the match: arena replay {path} MATCH")
            with Store.open(path) as store:
                record = store.record(match)
                digests = {entry.name: entry.digest for entry in store.specification.entries}
            replay(record)
        else:
            if match is not None:
                raise ArenaError(f"there is no folder {path}")
            try:
                with click.open_file(str(path), encoding="utf-8") as file:
                    record, digests = document.read(file.read())
            except OSError as error:
                raise ArenaError(f"cannot read {path}: {error.strerror}") from None
    except ReplayError as error:
        click.echo(f"the match does not replay: {error}")
        raise click.exceptions.Exit(1) from None
    if as_json:
        print_json(document.write(record, digests))
        return
    if show:
        show_course(record)
    show_result(record)
