"""The games: one module each, found by looking, so adding a game is adding a file."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

from arena.errors import unknown
from arena.game import Game


@cache
def names() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


@cache
def load(name: str) -> type[Game[Any, Any]]:
    """The game of that name; its module holds exactly one."""
    if name not in names():
        raise unknown("game", name, names())
    module = importlib.import_module(f"{__name__}.{name}")
    (game,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Game)
        and value.__module__ == module.__name__
    )
    return game
