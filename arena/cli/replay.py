"""`arena replay`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli._common import print_json
from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.match import Record


@click.command()
@click.argument("path", type=click.Path(path_type=Path, allow_dash=True), metavar="DIR|FILE")
@click.argument("match", required=False)
@click.option("--show", is_flag=True, help="Draw the table after each action.")
@click.option("--json", "as_json", is_flag=True, help="Print the record with its events.")
def command(path: Path, match: str | None, show: bool, as_json: bool) -> None:
    """Play a recorded match again, without its bots.

    Give the folder of a tournament and the id of a MATCH, or a file that `arena match --json` wrote
    (- for standard input). Exit code 1 when the record does not replay to its own result.
    """
    from arena import document
    from arena.cli._show import show_course, show_result
    from arena.match import ReplayError, replay

    try:
        record, digests = _stored(path, match) if path.is_dir() else _written(path, match)
        replay(record)
    except ReplayError as error:
        click.echo(f"the match does not replay: {error}")
        raise click.exceptions.Exit(1) from None
    if as_json:
        print_json(document.write(record, digests))
        return
    if show:
        show_course(record)
    show_result(record)


def _stored(folder: Path, match: str | None) -> tuple[Record, dict[str, str]]:
    from arena.store import Store

    if match is None:
        raise ArenaError(f"name the match: arena replay {folder} MATCH")
    with Store.open(folder) as store:
        record = store.record(match)
        if record is None:
            raise ArenaError(f"{folder} has no match {match!r}")
        return record, {entry.name: entry.digest for entry in store.specification.entries}


def _written(path: Path, match: str | None) -> tuple[Record, dict[str, str]]:
    from arena import document

    if match is not None:
        raise ArenaError(f"there is no folder {path}")
    try:
        with click.open_file(str(path), encoding="utf-8") as file:
            return document.read(file.read())
    except OSError as error:
        raise ArenaError(f"cannot read {path}: {error.strerror}") from None
