"""`arena bench`."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import click

from arena.cli._common import print_json, quick_bots, say
from arena.errors import ArenaError


@click.command()
@click.option("--game", "-g", metavar="G", help="The game to play.")
@click.option("--players", type=int, help="Seats at the table.  [default: the game's usual]")
@click.option("--seconds", type=float, default=3.0, show_default=True, help="Time for each layer.")
@click.option("--ray", is_flag=True, help="Also Ray against this process, 20 s each.")
@click.option("--ratings", is_flag=True, help="Only a leaderboard of 1,000,000 matches, 50 bots.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    game: str | None, players: int | None, seconds: float, ray: bool, ratings: bool, as_json: bool
) -> None:
    """Measure each layer, with random bots, and the ratios between layers."""
    if ratings:
        _ratings(as_json)
        return
    if game is None:
        raise ArenaError("say which game: --game G, or measure the ratings: --ratings")
    from arena import bench, games

    kind = games.load(game)
    seats = players or kind.usual_players
    kind.check(seats, kind.options_type())
    with ExitStack() as stack:
        layers = list(bench.layers(game, seats, quick_bots(game), stack))
        bench.measure(layers, seconds)
        rows = _rows(layers)
    document: dict[str, Any] = {
        "game": game,
        "players": seats,
        "layers": rows,
        "search": bench.search_shares(game, seats),
    }
    if ray:
        say("measuring inline and Ray, 20 s each")
        document["ray"] = bench.ray_against_inline(game, seats, 20.0, 2)
    if as_json:
        print_json(document)
    else:
        _show(document)


def _rows(layers: list[Any]) -> list[dict[str, Any]]:
    """Ratios are of decisions to the bare rules, and of costs to a plain decision."""
    rules = layers[0]
    decision = rules.seconds / rules.decisions
    return [
        {
            "layer": layer.name,
            "per_second": round(layer.per_second, 1),
            "decisions_per_second": round(layer.decisions / layer.seconds) or None,
            "of_rules": round(layer.per_second / rules.per_second, 3) if layer.decisions else None,
            "in_decisions": round(1 / layer.per_second / decision, 1),
        }
        for layer in layers
    ]


def _show(document: dict[str, Any]) -> None:
    from tabulate import tabulate

    click.echo(f"{document['game']}, {document['players']} players, random bots")
    headers = ["layer", "per second", "decisions/s", "of rules", "costs decisions"]
    cells = [list(row.values()) for row in document["layers"]]
    click.echo(tabulate(cells, headers=headers, intfmt=",", floatfmt=(".1f", ",.1f", ",", ".3f")))
    rates = {row["layer"]: row["per_second"] for row in document["layers"]}
    for name, rate in rates.items():
        if name.startswith("isolated"):
            click.echo(f"{name}: {rate / rates['match']:.2f} of the decisions in this process")
    shares = ", ".join(f"{name} {share:.0%}" for name, share in document["search"].items())
    click.echo(f"a search decision: {shares}")
    if speeds := document.get("ray"):
        ratio = speeds["ray"] / speeds["inline"]
        click.echo(
            f"Ray on 2 workers: {speeds['ray']:.0f} matches per second, "
            f"inline {speeds['inline']:.0f}, {ratio:.2f} times"
        )


def _ratings(as_json: bool) -> None:
    from arena.bench import rating_time

    matches, bots = 1_000_000, 50
    seconds, memory = rating_time(matches, bots)
    if as_json:
        print_json({"matches": matches, "bots": bots, "seconds": seconds, "megabytes": memory})
    else:
        click.echo(f"{matches} matches of {bots} bots: {seconds:.1f} s, {memory:.0f} MB at most")
