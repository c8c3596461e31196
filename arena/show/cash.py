"""Cash as it lies on the table: the safes and the piles of keys, then the seats and their hands."""

from __future__ import annotations

from tabulate import tabulate

from arena.games.cash import PREMIUM, Cash
from arena.keys import COLOURS, Four, unpack


def draw(game: Cash) -> str:
    """The table between two actions."""
    piles = unpack(game.piles)
    stock = "  ".join(f"{colour} {left}" for colour, left in zip(COLOURS, piles, strict=True))
    premiums = game.premium_cards - sum(game.premiums)
    shown = [
        f"{place} {_letters(safe.keys)} {safe.loot:>2}" if safe else f"{place} ---- --"
        for place, safe in enumerate(game.display)
    ]
    rows = [shown[start : start + 7] for start in range(0, len(shown), 7)]
    seats = tabulate(
        [
            [
                f"{'▶' if seat == game.seat else ' '} seat {seat}",
                score,
                " ".join(str(safe.loot) for safe in game.won[seat])
                + f" + {game.premiums[seat]}×{PREMIUM}",
                _letters(unpack(game.hands[seat])),
                _letters(unpack(game.first[seat])),
            ]
            for seat, score in enumerate(game.result().scores)
        ],
        headers=["", "score", "loot + premiums", "hand", "first keys"],
        disable_numparse=True,
    )
    return "\n".join(
        [
            f"safes to come {len(game.pile)}  premiums {premiums}  keys: {stock}",
            *("   ".join(row) for row in rows or [["the first keys are chosen"]]),
            "",
            seats,
        ]
    )


def _letters(keys: Four) -> str:
    return "".join(colour[0].upper() * count for colour, count in zip(COLOURS, keys, strict=True))
