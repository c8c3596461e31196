"""Cash as it lies on the table: the safes and the piles of keys, then the seats and their hands."""

from __future__ import annotations

from tabulate import tabulate

from arena.games._keys import COLOURS, Four, unpack
from arena.games.cash import PREMIUM, Cash

PLACES_IN_A_ROW = 7


def draw(game: Cash) -> str:
    """The table between two actions."""
    premiums = game.premium_cards - sum(game.premiums)
    seats = tabulate(
        [
            ["", "piles", *unpack(game.piles)],
            *(_seat(game, seat, score) for seat, score in enumerate(game.result().scores)),
        ],
        headers=["", "", *COLOURS, "first keys", "safes", "loot", "premiums", "score"],
    )
    return "\n".join(
        [f"{len(game.pile)} safes to come, {premiums} premiums left", *_safes(game), seats]
    )


def _safes(game: Cash) -> list[str]:
    shown = [
        f"{place:>2} {_letters(safe.keys)} {safe.loot:>2}" if safe else f"{place:>2} ---- --"
        for place, safe in enumerate(game.display)
    ]
    starts = range(0, len(shown), PLACES_IN_A_ROW)
    return ["   ".join(shown[start : start + PLACES_IN_A_ROW]) for start in starts] + [""]


def _seat(game: Cash, seat: int, score: int) -> list[str | int]:
    premiums = game.premiums[seat]
    return [
        "▶" if seat == game.seat else "",
        f"seat {seat}",
        *unpack(game.hands[seat]),
        _letters(unpack(game.first[seat])),
        len(game.won[seat]),
        score - PREMIUM * premiums,
        f"{premiums}×{PREMIUM}",
        score,
    ]


def _letters(keys: Four) -> str:
    return "".join(colour[0].upper() * count for colour, count in zip(COLOURS, keys, strict=True))
