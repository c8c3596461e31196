"""`arena export`."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "jsonl", "parquet"]),
    default="csv",
    show_default=True,
)
@click.option(
    "--to",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where to write.  [default: standard output]",
)
def command(folder: Path, form: str, to: Path | None) -> None:
    """Write the matches of a tournament, a row for each seat of each match.

    The actions are in the JSON Lines alone, which have a line for each match.
    """
    import sys

    from arena import export
    from arena.errors import ArenaError
    from arena.store import Store

    with Store.open(folder) as store:
        if form == "parquet":
            if to is None:
                raise ArenaError("parquet is not text: name a file with --to")
            export.to_parquet(store, to)
        elif to is None:
            export.to_text(store, form, sys.stdout)
        else:
            with to.open("w", encoding="utf-8", newline="") as file:
                export.to_text(store, form, file)
