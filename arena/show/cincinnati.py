"""Cincinnati as it lies on the table: the three tables with their cards and guests, the seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tabulate import tabulate

from arena.games._cincinnati.cards import ROUNDS, Card
from arena.games._cincinnati.hands import Hand
from arena.games._cincinnati.words import TABLES, tables_of
from arena.games.cincinnati import Cincinnati
from arena.show import FACES, money

NAMES = {"A": "A Atlantic", "B": "B Ballroom", "C": "C Caesar's"}
CONDITIONS = {"A": "three of a kind", "B": "straight", "C": "11 or less"}


def draw(game: Cincinnati) -> str:
    """The table between two actions."""
    tables = tabulate(
        [
            [
                NAMES[table],
                CONDITIONS[table],
                _cards(game.cards[TABLES.index(table)]),
                " ".join(str(seat) for seat, at in enumerate(game.choices) if at == table),
            ]
            for table in tables_of(game.players)
        ],
        headers=["table", "asks for", "cards", "seats"],
        disable_numparse=True,
    )
    supply = f"{game.supply} tokens in supply"
    return "\n".join(
        [
            f"round {game.round} of {ROUNDS}, {supply}, {len(game.pile)} cards in the pile",
            tables,
            "",
            *(_seat(game, seat) for seat in range(game.players)),
            *_duel(game),
        ]
    )


def _seat(game: Cincinnati, seat: int) -> str:
    mark = "▶" if seat == game.seat else " "
    kept = game.kept[seat]
    hold = "" if kept is None else f"keeps {_dice(kept) or 'none'}"
    hold = "buys a throw" if seat in game.buyers else hold
    duels = " duel" * game.challengers.count(seat)
    cards = _cards(sorted(game.money[seat], reverse=True))
    return (
        f"{mark} seat {seat}  {game.choices[seat] or '-'}  {_dice(game.hands[seat])}  {hold:<15}"
        f"  {game.tokens[seat]:>2}●  {money(sum(game.money[seat])):>5}  {cards}{duels}"
    ).rstrip()


def _duel(game: Cincinnati) -> list[str]:
    if game.duel is None:
        return []
    stake = "for a card" if game.duel.why == "card" else f"for table {game.duel.why}"
    again = f", again {game.duel.again}" if game.duel.again else ""
    hands = (f"seat {seat} {_dice(game.duel.hands[seat])}" for seat in game.duel.seats)
    return ["", f"  duel {stake}{again}:  " + "   ".join(hands)]


def _dice(values: Hand) -> str:
    return " ".join(FACES[value - 1] for value in values)


def _cards(cards: Iterable[Card]) -> str:
    counts = Counter(money(card) if isinstance(card, int) else card for card in cards)
    return " ".join(name if count == 1 else f"{name}×{count}" for name, count in counts.items())
