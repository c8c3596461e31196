"""`arena plan`."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli._common import chosen_options, find_entries, options_option, print_json, seed_option
from arena.errors import ArenaError

PILOT = 600
"""Matches of a pilot."""


@click.command()
@click.argument("bots", nargs=-1, metavar="[BOT]...")
@click.option("--game", "-g", metavar="G", help="The game to play.")
@click.option(
    "--elo", type=click.FloatRange(0, min_open=True), required=True, help="Wanted: ± ELO."
)
@click.option(
    "--from", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Measure here."
)
@click.option("--players", type=int, metavar="K", help="Players of a match.")
@click.option(
    "--pilot", type=click.IntRange(1), default=PILOT, show_default=True, help="Matches to try."
)
@seed_option
@options_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    bots: tuple[str, ...],
    game: str | None,
    elo: float,
    folder: Path | None,
    players: int | None,
    pilot: int,
    seed: int,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """How many matches do intervals of ± ELO need?

    From the variance between blocks in a short pilot, or in the folder of a tournament. Also says
    what shared luck saves: the variance of a match in a block over that of one by itself.
    """
    import tempfile

    from arena.cli._common import quick_bots
    from arena.plan import plan, variance_ratio
    from arena.specification import specify
    from arena.store import Store
    from arena.tournament import run

    with tempfile.TemporaryDirectory(prefix="arena-plan-") as temporary:
        if folder is not None:
            if bots or game:
                raise ArenaError("--from measures in a folder: leave out the game and the bots")
            store = Store.open(folder)
        else:
            if game is None:
                raise ArenaError("say which game (--game G) or measure in a folder (--from DIR)")
            entries = find_entries(bots or quick_bots(game))
            told = specify(
                game,
                entries,
                players=players,
                options=dict(chosen_options(game, options)),
                matches=pilot,
                seed=seed,
                isolation="auto",
            )
            store = Store.create(Path(temporary) / "pilot", told, entries)
        with store:
            if folder is None:
                run(store, "inline")
            outcomes = [store.outcomes()]
            needed = plan(outcomes, elo)
            ratio = variance_ratio(outcomes)
    if as_json:
        print_json(
            {
                "game": store.specification.game,
                "elo": elo,
                "pilot": len(outcomes[0]),
                "typical": needed.typical,
                "every": needed.every,
                "shared_luck": ratio,
            }
        )
        return
    click.echo(f"±{elo:g} Elo needs about {needed.typical} matches for half of the bots,")
    click.echo(f"and {needed.every} for every one, measured on {len(outcomes[0])} matches.")
    click.echo(f"Shared luck: a match in a block has {ratio:.2f} times the variance of one alone.")
