"""The matches of a tournament: who plays whom, in which seats, with which luck.

A line-up of entries is played as a block: one seed, as many matches as there are sides, the entries
rotated through the seats. Blocks are the independent units of a tournament; the schedule is a
function of its specification and its seed alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.errors import ArenaError, unknown
from arena.lineups import balanced, gauntlet
from arena.match import Spec
from arena.seeds import derive


@dataclass(frozen=True, slots=True)
class Schedule:
    """All blocks of a tournament, in an order that may stop early and still be balanced."""

    game: str
    options: tuple[tuple[str, Any], ...]
    names: tuple[str, ...]
    sides: tuple[int, ...]
    """The side of each seat; both seats of partners are played by one entry."""
    lineups: NDArray[np.int16]
    """(blocks, sides): the entries of each block."""
    seed: int
    move_time: float | None

    @property
    def matches_per_block(self) -> int:
        """One for each rotation."""
        return int(self.lineups.shape[1])

    def __len__(self) -> int:
        """The number of blocks."""
        return len(self.lineups)

    def entries(self, block: int, rotation: int) -> tuple[int, ...]:
        """The number of the entry in each seat."""
        lineup = self.lineups[block].tolist()
        return tuple(lineup[(side + rotation) % len(lineup)] for side in self.sides)

    def block(self, number: int) -> list[Spec]:
        """The matches of a block, which share one seed."""
        seed = derive(self.seed, "block", number)
        return [
            Spec(
                f"b{number:06}-{rotation}",
                self.game,
                self.options,
                tuple(self.names[entry] for entry in self.entries(number, rotation)),
                seed,
                self.move_time,
            )
            for rotation in range(self.matches_per_block)
        ]


def lay_out(
    game: str,
    options: tuple[tuple[str, Any], ...],
    names: Sequence[str],
    sides: tuple[int, ...],
    matches: int,
    seed: int,
    move_time: float | None = None,
    gauntlet_of: str | None = None,
) -> Schedule:
    """At least `matches` matches, as few more as whole blocks and balance need.

    Every pair of entries meets equally often, at most one line-up apart, and every entry sits in
    every seat equally often. With `gauntlet_of`, that entry is in every line-up and the balance
    is among the others.
    """
    size = len(set(sides))
    if len(names) < size:
        raise ArenaError(
            f"a match of {len(sides)} players needs {size} entries, not {len(names)}: name more "
            "bots, set --players, or enter a bot twice under another name (again=BOT)"
        )
    random = Random(derive(seed, "line-ups"))
    blocks = max(1, -(-matches // size))
    if gauntlet_of is None:
        lineups = balanced(len(names), size, blocks, random)
    else:
        if gauntlet_of not in names:
            raise unknown("entry for the gauntlet", gauntlet_of, names)
        first = names.index(gauntlet_of)
        order = np.array([first, *(n for n in range(len(names)) if n != first)], dtype=np.int16)
        lineups = order[gauntlet(len(names), size, blocks, random)]
    return Schedule(game, options, tuple(names), sides, lineups, seed, move_time)
