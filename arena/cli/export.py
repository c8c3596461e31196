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
    help="csv and parquet have a row per match and seat, jsonl a line per record.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE", help="Instead of standard output."
)
def command(folder: Path, form: str, out: Path | None) -> None:
    """Write all matches of a tournament to other formats."""
    from arena import export
    from arena.errors import ArenaError
    from arena.store import Store

    with Store.open(folder) as store:
        if form == "parquet":
            if out is None:
                raise ArenaError("parquet is not text: say where to write it with --out FILE")
            export.write_parquet(store, out)
            return
        lines = export.csv_lines(store) if form == "csv" else export.json_lines(store)
        with click.open_file(str(out or "-"), "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
