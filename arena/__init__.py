"""A tournament arena for bots that play tabletop games."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.bot import Bot, Finish, Start
    from arena.errors import ArenaError
    from arena.game import Action, Chance, Game, Result, Scripted

__version__ = "0.1.0"

_HOME = {
    "Action": "game",
    "ArenaError": "errors",
    "Bot": "bot",
    "Chance": "game",
    "Finish": "bot",
    "Game": "game",
    "Result": "game",
    "Scripted": "game",
    "Start": "bot",
}

__all__ = [
    "Action",
    "ArenaError",
    "Bot",
    "Chance",
    "Finish",
    "Game",
    "Result",
    "Scripted",
    "Start",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for only then: `arena --help` must not pay for pydantic."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
