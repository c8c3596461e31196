"""Hands of five dice: what a throw makes of them, and which is better.

A hand is a tuple of values, the highest first. From best to worst: five of a kind, four of a kind,
large straight, full house, three of a kind, small straight, two pairs, one pair, nothing. Within a
kind the dice that make it are compared first, then the others from the highest down, so that only
hands with the same five dice are equal.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product

DICE = 5
FACES = (6, 5, 4, 3, 2, 1)

Hand = tuple[int, ...]

HANDS: tuple[Hand, ...] = tuple(combinations_with_replacement(FACES, DICE))

_LARGE_STRAIGHT, _SMALL_STRAIGHT = 6, 3
_KINDS = {
    (5,): 8,
    (4, 1): 7,
    (3, 2): 5,
    (3, 1, 1): 4,
    (2, 2, 1): 2,
    (2, 1, 1, 1): 1,
    (1, 1, 1, 1, 1): 0,
}


def _straight(hand: Hand) -> tuple[int, ...]:
    """The longest run of four or five values, the highest first; empty if there is none."""
    for length in (5, 4):
        for top in range(6, length - 1, -1):
            run = tuple(range(top, top - length, -1))
            if set(run) <= set(hand):
                return run
    return ()


def _worth(hand: Hand) -> tuple[int, ...]:
    """The kind of a hand, then its dice in the order in which they are compared."""
    if run := _straight(hand):
        rest = (Counter(hand) - Counter(run)).elements()
        return (_LARGE_STRAIGHT if len(run) == DICE else _SMALL_STRAIGHT, *run, *rest)
    groups = sorted(Counter(hand).items(), key=lambda group: (group[1], group[0]), reverse=True)
    kind = _KINDS[tuple(count for _, count in groups)]
    return (kind, *(value for value, _ in groups))


def _lowness(hand: Hand) -> tuple[int, ...]:
    """The lower sum first, then more 1s, more 2s and so on."""
    return (-sum(hand), *(hand.count(face) for face in reversed(FACES)))


STRENGTH: dict[Hand, int] = {hand: place for place, hand in enumerate(sorted(HANDS, key=_worth))}
"""The place of every hand in the order of results; the weakest is 0."""

OF_A_KIND = {hand: STRENGTH[hand] for hand in HANDS if max(map(hand.count, hand)) >= 3}
"""The hands with at least three of a kind, by strength."""

STRAIGHTS = {hand: STRENGTH[hand] for hand in HANDS if _straight(hand)}
"""The hands with a small or large straight, by strength."""

LOW = {hand: place for place, hand in enumerate(sorted(HANDS, key=_lowness)) if sum(hand) <= 11}
"""The hands of at most 11 points; the larger number is the better hand."""

_SHARED = {hand: hand for hand in HANDS}


@cache
def outcomes(kept: Hand) -> tuple[Hand, ...]:
    """The hands that throwing all dice but `kept` can give, one for each way the dice can fall.

    The ways are in the order of the digits of a throw, so a draw in [0, 1) read in base 6 is
    also a place in this tuple.
    """
    throws = product(range(1, 7), repeat=DICE - len(kept))
    return tuple(_SHARED[tuple(sorted(kept + throw, reverse=True))] for throw in throws)
