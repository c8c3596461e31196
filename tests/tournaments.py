"""Tournaments written as score sheets."""

from __future__ import annotations

import re

import numpy as np

from arena.rating import Outcomes


def score_sheet(*lines: str, per_block: int = 1) -> Outcomes:
    """One match per line, as in "a > b = c": seats in this order, `=` for a tie."""
    names: dict[str, int] = {}
    entries, ranks = [], []
    for line in lines:
        bots = re.split(r" [>=] ", line)
        places = [1]
        for place, sign in enumerate(re.findall(r" ([>=]) ", line), start=2):
            places.append(place if sign == ">" else places[-1])
        entries.append([names.setdefault(bot, len(names)) for bot in bots])
        ranks.append(places)
    table = np.array(ranks, dtype=np.int8)
    return Outcomes(
        names=tuple(names),
        entries=np.array(entries, dtype=np.int32),
        ranks=table,
        scores=10 * (table.shape[1] - table.astype(np.int64)),
        faults=np.zeros(table.shape, dtype=np.bool_),
        blocks=np.arange(len(lines)) // per_block,
        sides=tuple(range(table.shape[1])),
    )
