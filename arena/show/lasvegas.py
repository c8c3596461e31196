"""Las Vegas as it lies on the table: the six casinos with their bills and dice, then the seats."""

from __future__ import annotations

from tabulate import tabulate

from arena.games.lasvegas import ROUNDS, LasVegas
from arena.show import FACES, money


def draw(game: LasVegas) -> str:
    """The table between two actions."""
    neutral = game.options.neutral
    casinos = tabulate(
        [
            [
                f"{FACES[casino]} {casino + 1}",
                " ".join(money(bill) for bill in game.bills[casino]),
                *("●" * count for count in game.dice[casino]),
                *(["○" * game.white[casino]] if neutral else []),
            ]
            for casino in range(6)
        ],
        headers=[
            "casino",
            "bills",
            *(f"seat {seat}" for seat in range(game.players)),
            *(["white"] if neutral else []),
        ],
    )
    lines = [f"round {game.round} of {ROUNDS}", casinos, ""]
    for seat in range(game.players):
        dice = f"{game.left[seat]} dice" + (f" + {game.white_left[seat]} white" if neutral else "")
        mark = "▶" if seat == game.seat else " "
        won = " ".join(money(bill) for bill in sorted(game.won[seat], reverse=True))
        lines.append(f"{mark} seat {seat}  {money(sum(game.won[seat])):>5}  {dice:<16} {won}")
    if game.seat is not None:
        thrown = " ".join(FACES[face] for face in range(6) for _ in range(game.throw[face]))
        white = " ".join(FACES[face] for face in range(6) for _ in range(game.white_throw[face]))
        lines.append(f"  seat {game.seat} throws {thrown}" + (f"  white {white}" if white else ""))
    return "\n".join(lines)
