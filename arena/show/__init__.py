"""Drawing the table for a spectator, who sees everything: one module per game, found by name."""

from __future__ import annotations

import importlib.util
from typing import Any

from arena.game import Game

FACES = "⚀⚁⚂⚃⚄⚅"
"""The faces of a die, the 1 first."""


def draw(game: Game[Any, Any]) -> str:
    """The table as a person would want to see it; a game without a drawing shows its fields."""
    name = f"{__name__}.{game.name}"
    if importlib.util.find_spec(name) is None:
        view = game.view(game.seat or 0)
        return "\n".join(f"{field:>12}  {getattr(view, field)}" for field in view.__slots__)
    drawing: str = importlib.import_module(name).draw(game)
    return drawing


def money(amount: int) -> str:
    """An amount in thousands, as on the table: 90000 is 90k."""
    return f"{amount // 1000}k"
