"""`arena verify`."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import click

SHOWN = 20


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.pass_context
def command(ctx: click.Context, /, folder: Path) -> None:
    """Replay every match of a tournament, and compare it with its schedule."""
    from arena.store import Store
    from arena.verification import verify

    with Store.open(folder) as store:
        complaints = verify(store)
        for complaint in (first := list(islice(complaints, SHOWN))):
            click.echo(complaint)
        if more := sum(1 for _ in complaints):
            click.echo(f"and {more} more")
        if first:
            ctx.exit(1)
        click.echo(f"{len(store)} matches verified")
