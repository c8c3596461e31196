"""Who meets whom: line-ups of entries in which every pair meets equally often.

The entries stand on a circle, and a line-up is played in all its rotations around it: its orbit.
Over a whole orbit every entry appears equally often, and all pairs at the same distance on the
circle meet equally often; so a set of orbits is balanced when the distances within their line-ups
are. That makes the search small: it is over distances, not over pairs.

Not every number of line-ups can be balanced (two line-ups of four out of five entries cannot), so
a wish is rounded up to the next number of whole orbits for which the search finds a balance; at
the latest that is every line-up once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, gcd
from random import Random

import numpy as np
from numpy.typing import NDArray

LineUp = tuple[int, ...]

EFFORT = 40_000
"""Steps of the search before one orbit more is tried."""
CYCLE = 4_000
"""Steps in which the search cools down, from often for the worse to never."""
CHOICE = 64
"""Orbits among which the next one is chosen."""


def balanced(entries: int, size: int, wish: int, random: Random) -> NDArray[np.int16]:
    """At least `wish` line-ups, as few more as balance needs, in an order that may stop early.

    The numbers of meetings of any two pairs differ by at most one, and all entries appear equally
    often: every line-up as many times as fits into the wish, then a sample.
    """
    passes, rest = divmod(wish, comb(entries, size))
    parts = []
    if passes:
        complete = _turned(list(_orbits(entries, size)), entries, random)
        parts.append(np.tile(complete, (passes, 1)))
    if rest:
        parts.append(_turned(_sample(entries, size, rest, random), entries, random))
    circle = np.array(_shuffled(range(entries), random), dtype=np.int16)
    lineups: NDArray[np.int16] = circle[np.concatenate(parts)]
    return lineups


def _sample(entries: int, size: int, wish: int, random: Random) -> list[LineUp]:
    """Different orbits in balance with at least so many line-ups.

    More than half of all line-ups are found by what is left out, which is in balance as well.
    """
    everything = comb(entries, size)
    if 2 * wish <= everything:
        for orbits in range(-(-wish // entries), everything // (2 * entries) + 1):
            if found := _search(entries, size, orbits, random):
                return found
    for orbits in range(min(everything - wish, everything // 2) // entries, 0, -1):
        if found := _search(entries, size, orbits, random):
            left_out = set(found)
            return [orbit for orbit in _orbits(entries, size) if orbit not in left_out]
    return list(_orbits(entries, size))


def _turned(orbits: list[LineUp], entries: int, random: Random) -> NDArray[np.int16]:
    """All line-ups of the orbits, in an order that may stop early."""
    return np.array(
        [
            turn
            for orbit in _interleaved(orbits, entries, random)
            for turn in _turns(orbit, entries)
        ],
        dtype=np.int16,
    )


def _orbits(entries: int, size: int) -> Iterator[LineUp]:
    """The first line-up of every orbit."""
    for others in combinations(range(1, entries), size - 1):
        if (lineup := (0, *others)) == _first(lineup, entries):
            yield lineup


def _first(lineup: Sequence[int], entries: int) -> LineUp:
    """The same line-up for all of an orbit."""
    return min(tuple(sorted([(entry - zero) % entries for entry in lineup])) for zero in lineup)


def _length(orbit: LineUp, entries: int) -> int:
    """How many line-ups an orbit has: fewer than entries when it repeats itself on the way."""
    if gcd(entries, len(orbit)) == 1:
        return entries
    return next(
        turn
        for turn in range(1, entries + 1)
        if entries % turn == 0 and {(entry + turn) % entries for entry in orbit} == set(orbit)
    )


def _turns(orbit: LineUp, entries: int) -> Iterator[LineUp]:
    """The line-ups of an orbit, those that follow each other far apart on the circle."""
    length = _length(orbit, entries)
    golden = round(0.618 * length) or 1
    step = next(step for step in range(golden, 2 * length + 1) if gcd(step, length) == 1)
    for count in range(length):
        turn = count * step % length
        yield tuple([(entry + turn) % entries for entry in orbit])


def _meetings(lineup: LineUp, entries: int) -> list[int]:
    """How often two entries at distance 1, 2, … meet over `entries` turns of a line-up."""
    meetings = [0] * (entries // 2)
    for one, other in combinations(lineup, 2):
        gap = abs(one - other)
        meetings[min(gap, entries - gap) - 1] += 1
    if entries % 2 == 0:
        meetings[-1] *= 2
    return meetings


def _unevenness(meetings: list[int], entries: int) -> int:
    """Twice the squares of the meetings, over the pairs: least when all pairs meet equally often.

    Only half as many pairs stand face to face as at any other distance.
    """
    squares = sum([count * count for count in meetings])
    return 2 * squares - (0 if entries % 2 else meetings[-1] ** 2)


def _search(entries: int, size: int, orbits: int, random: Random) -> list[LineUp] | None:
    """Move one entry of one orbit at a time, seldom for the worse, until all is balanced."""
    draw = random.random
    used: set[LineUp] = set()
    while len(used) < orbits:
        orbit = _first(_shuffled(range(entries), random)[:size], entries)
        if _length(orbit, entries) == entries:
            used.add(orbit)
    chosen = sorted(used)
    each = [_meetings(orbit, entries) for orbit in chosen]
    total = [sum(column) for column in zip(*each, strict=True)]
    uneven = _unevenness(total, entries)
    for step in range(EFFORT):
        if max(total, default=0) - min(total, default=0) <= 1:
            return chosen
        which, place, entry = int(draw() * orbits), int(draw() * size), int(draw() * entries)
        old = chosen[which]
        if entry in old:
            continue
        moved = (*old[:place], entry, *old[place + 1 :])
        meetings = _meetings(moved, entries)
        changed = [
            count - loss + gain
            for count, loss, gain in zip(total, each[which], meetings, strict=True)
        ]
        worse = _unevenness(changed, entries) - uneven
        heat = 0.6 * (1 - step % CYCLE / CYCLE)
        if worse > 0 and draw() >= heat**worse:
            continue
        new = _first(moved, entries)
        if new not in used and _length(new, entries) == entries:
            used.remove(old)
            used.add(new)
            chosen[which], each[which], total, uneven = new, meetings, changed, uneven + worse
    return None


def _interleaved(orbits: list[LineUp], entries: int, random: Random) -> Iterator[LineUp]:
    """The orbits in an order that keeps the pairs even all along."""
    waiting = [orbits[place] for place in _shuffled(range(len(orbits)), random)]
    gains = np.array([_meetings(orbit, entries) for orbit in waiting])
    weights = np.ones(entries // 2)
    if entries % 2 == 0:
        weights[-1] = 0.5
    total = np.zeros(entries // 2)
    for left in range(len(waiting), 0, -1):
        near = min(CHOICE, left)
        best = int((((total + gains[:near]) ** 2) @ weights).argmin())
        total += gains[best]
        yield waiting[best]
        waiting[best] = waiting[left - 1]
        gains[best] = gains[left - 1]


def _shuffled(items: Sequence[int], random: Random) -> list[int]:
    return sorted(items, key=lambda _: random.random())
