"""`arena bench`."""

from __future__ import annotations

from typing import Any

import click

from arena.cli._common import game_option, print_json


@click.command()
@game_option
@click.option("--players", type=int, help="Seats at the table.  [default: the game's usual]")
@click.option("--seconds", type=float, default=3.0, show_default=True, help="Time for each layer.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(game: str, players: int | None, seconds: float, as_json: bool) -> None:
    """Measure each layer, with random bots, and the ratios between layers."""
    from tabulate import tabulate

    from arena import bench, games

    kind = games.load(game)
    seats = players or kind.usual_players
    kind.check(seats, kind.options_type())
    layers = list(bench.layers(game, seats))
    bench.measure(layers, seconds)
    rules = layers[0]
    rows: list[dict[str, Any]] = [
        {
            "layer": layer.name,
            "per_second": round(layer.per_second, 1),
            "decisions_per_second": round(layer.decisions_per_second) or None,
            "of_rules": round(layer.per_second / rules.per_second, 3) if layer.decisions else None,
            "microseconds": round(1e6 / layer.per_second, 1),
        }
        for layer in layers
    ]
    if as_json:
        print_json({"game": game, "players": seats, "layers": rows})
        return
    click.echo(f"{game}, {seats} players, random bots")
    click.echo(
        tabulate(
            [row.values() for row in rows],
            headers=["layer", "per second", "decisions/s", "of rules", "µs each"],
            floatfmt=",",
        )
    )
