"""The matches of a tournament, laid out before the first is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena import games
from arena.errors import ArenaError, unknown
from arena.lineups import balanced
from arena.match import Spec, read_options
from arena.seeds import derive
from arena.sprt import line_ups


@dataclass(frozen=True, slots=True, eq=False)
class Schedule:
    """Matches by number, made when asked for.

    They come in blocks: matches of the same entries on one seed, in other seats from match to
    match, so that luck and seats cancel.
    """

    game: str
    options: tuple[tuple[str, Any], ...]
    names: tuple[str, ...]
    sides: tuple[int, ...]
    """The side of each seat, counted from 0."""
    seed: int
    move_time: float | None
    seating: NDArray[np.int16]
    """(blocks, matches of a block, seats): indices of names."""

    @property
    def rotations(self) -> int:
        """How many matches a block has."""
        return int(self.seating.shape[1])

    def __len__(self) -> int:
        return len(self.seating) * self.rotations

    def __getitem__(self, number: int) -> Spec:
        block, rotation = divmod(number, self.rotations)
        return Spec(
            f"b{block:05}-{rotation}",
            self.game,
            self.options,
            tuple([self.names[entry] for entry in self.seating[block, rotation].tolist()]),
            derive(self.seed, "block", block),
            self.move_time,
        )

    def number(self, match: str) -> int:
        """The number of a match by its id."""
        block, _, rotation = match[1:].partition("-")
        return int(block) * self.rotations + int(rotation)

    def line_ups(self) -> int:
        """How many different line-ups there are."""
        return len(np.unique(np.sort(self.seating[:, 0], axis=1), axis=0))

    def possible_line_ups(self) -> int:
        """How many different line-ups there could be."""
        return comb(len(self.names), len(set(self.sides)))


def lay_out(
    game: str,
    options: tuple[tuple[str, Any], ...],
    names: Sequence[str],
    players: int,
    matches: int,
    seed: int,
    *,
    gauntlet: str | None = None,
    move_time: float | None = None,
) -> Schedule:
    """At least so many matches, as few more as keep every pair of entries even.

    Every pair meets equally often (at most one apart), and every entry sits in every seat equally
    often; in a gauntlet that holds among the opponents of the named entry, who plays them all.
    """
    kind = games.load(game)
    chosen = read_options(game, options)
    kind.check(players, chosen)
    labels = kind.sides(players, chosen)
    order = {label: side for side, label in enumerate(dict.fromkeys(labels))}
    if gauntlet is not None and gauntlet not in names:
        raise unknown("entry for the gauntlet", gauntlet, names)
    if len(names) < len(order):
        raise _too_few(names, len(order), players, [int(count) for count in kind.allowed(chosen)])
    random = Random(derive(seed, "line-ups"))
    blocks = -(-matches // len(order))
    if gauntlet is None:
        lineups = balanced(len(names), len(order), blocks, random)
    else:
        lineups = _against(names.index(gauntlet), len(names), len(order), blocks, random)
    # Who sits next to whom must not depend on the order of the entries.
    draws = np.array([random.random() for _ in range(lineups.size)]).reshape(lineups.shape)
    lineups = np.take_along_axis(lineups, draws.argsort(axis=1, kind="stable"), axis=1)
    sides = tuple(order[label] for label in labels)
    turns = (np.arange(len(order))[:, None] + np.array(sides)) % len(order)
    return Schedule(game, options, tuple(names), sides, seed, move_time, lineups[:, turns])


def lay_out_test(
    game: str,
    options: tuple[tuple[str, Any], ...],
    names: Sequence[str],
    players: int,
    matches: int,
    seed: int,
    *,
    move_time: float | None = None,
) -> Schedule:
    """The matches of a sequential test between the first two entries, among the others."""
    kind = games.load(game)
    chosen = read_options(game, options)
    kind.check(players, chosen)
    sides = kind.sides(players, chosen)
    first, second, *field = names
    index = {name: place for place, name in enumerate(names)}
    period = max(1, len(field))
    table = np.array(
        [
            [[index[name] for name in match] for match in line_ups(first, second, sides, field, n)]
            for n in range(period)
        ],
        dtype=np.int16,
    )
    blocks = -(-matches // table.shape[1])
    seating = table[np.arange(blocks) % period]
    return Schedule(game, options, tuple(names), sides, seed, move_time, seating)


def _against(entry: int, entries: int, size: int, blocks: int, random: Random) -> NDArray[np.int16]:
    """Line-ups that all hold one entry, balanced among the others."""
    others = balanced(entries - 1, size - 1, blocks, random)
    others[others >= entry] += 1
    return np.column_stack([np.full(len(others), entry, dtype=np.int16), others])


def _too_few(names: Sequence[str], needed: int, players: int, allowed: list[int]) -> ArenaError:
    fewer = [count for count in allowed if count <= len(names)]
    ways = [f"choose --players {max(fewer)}"] if fewer and max(fewer) < players else []
    ways += ["name more bots", f"enter one twice under another name: second={names[0]}"]
    listing = ", ".join(names)
    return ArenaError(
        f"a match of {players} players needs {needed} entries and there "
        f"{'is' if len(names) == 1 else 'are'} only {len(names)} ({listing}): {', or '.join(ways)}"
    )
