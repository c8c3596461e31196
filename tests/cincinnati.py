"""Helpers to play Cincinnati like a score sheet: stacked decks, moves as words, events by kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.game import Scripted
from arena.games._cincinnati.hands import Hand
from arena.games._cincinnati.words import CHALLENGE, CHOOSE, KEEP
from arena.games.cincinnati import Cincinnati

DULL = "66432"
"""A throw that clears no table."""


def hand(dice: str) -> Hand:
    """The hand with these dice, in any order."""
    return tuple(sorted(map(int, dice), reverse=True))


def deal_out(
    *first_throws: str,
    cards: Sequence[Any] = (25000, 30000, 35000),
    more: Mapping[str, Sequence[Any]] = {},
) -> Cincinnati:
    """A match whose first round has these cards, and these throws by seat: "66442 4" is two.

    Nothing but dull hands is thrown in any other round; `more` scripts what differs.
    """
    players = len(first_throws)
    script: dict[str, Sequence[Any]] = {"cards": cards}
    for seat, throws in enumerate(first_throws):
        script[f"round 1 seat {seat}"] = [*throws.split(), DULL, DULL][:3]
        for number in range(2, 13):
            script[f"round {number} seat {seat}"] = [DULL] * 3
    return Cincinnati(players, Scripted({**script, **more}))


def play(game: Cincinnati, *moves: str) -> None:
    """Play moves such as "0 A", "2 keep 66", "2 keep", "1 buy", "1 pass", "0 challenge 2"."""
    for move in moves:
        seat, word, *rest = move.split()
        assert game.seat == int(seat), f"{move}: it is the turn of seat {game.seat}"
        if word == "keep":
            action: Any = KEEP[hand("".join(rest))]
        elif word == "challenge":
            action = CHALLENGE[int(rest[0])]
        elif word in CHOOSE:
            action = CHOOSE[word]
        else:
            (action,) = (action for action in game.legal() if action.type == word)
        assert action in game.legal(), f"{move} is not legal"
        game.play(action)


def choose(game: Cincinnati, tables: str) -> None:
    for seat, table in enumerate(tables):
        play(game, f"{seat} {table}")


def stand(game: Cincinnati) -> None:
    """Everybody keeps all dice and buys nothing until the tables are cleared."""
    number = game.round
    while game.round == number and game.duel is None and game.stage in ("keep", "buy"):
        stand_once(game)


def stand_duel(game: Cincinnati) -> None:
    """The duellists keep all dice and buy nothing until the duel is over."""
    duel = game.duel
    assert duel is not None
    while game.duel is not None and game.duel.seats == duel.seats and game.duel.again == duel.again:
        stand_once(game)


def stand_once(game: Cincinnati) -> None:
    """The seat to decide keeps all five dice, or buys nothing."""
    game.play(game.legal()[-1])


def told(game: Cincinnati, *kinds: type) -> list[Any]:
    """The events of these kinds so far."""
    assert game.events is not None
    return [event for event in game.events if isinstance(event, kinds)]


def duels(*throws_of: tuple[int, str], number: int = 1) -> dict[str, list[str]]:
    """The script of duel throws by seat."""
    return {f"round {number} seat {seat} duels": throws.split() for seat, throws in throws_of}
