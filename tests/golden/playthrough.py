"""One match per variant as text: the actions drawn at random, and every event they caused.

Long matches are cut in the middle; the digest in the last line stands for every line.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from random import Random

from tests.play import Variant, as_text, play_randomly

SEED = 20120312
LONGEST = 180


def path_of(variant: Variant) -> Path:
    return Path(__file__).parent / f"{variant}.txt"


def playthrough(variant: Variant) -> str:
    """The text of the match played from the one seed."""
    game = variant.new(SEED)
    assert game.events is not None
    lines = [f"deal -> {'; '.join(map(as_text, game.events))}"]
    told, seat = len(game.events), game.seat
    for action in play_randomly(game, Random(SEED)):
        news = "; ".join(map(as_text, game.events[told:]))
        lines.append(f"{seat} {as_text(action)} -> {news}")
        told, seat = len(game.events), game.seat
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    if len(lines) > LONGEST:
        half = LONGEST // 2
        lines[half:-half] = [f"… {len(lines) - 2 * half} more actions …"]
    result = game.result()
    head = f"{variant} rules={game.rules} seed={SEED}"
    foot = f"scores {list(result.scores)} ranks {list(result.ranks)} digest {digest}"
    return "\n".join([head, *lines, foot, ""])
