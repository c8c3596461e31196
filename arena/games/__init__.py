"""The games: one module each, found by looking, so adding a game is adding a file.

Modules whose names begin with an underscore hold a part of a rulebook that stands on its own.
"""

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
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in modules if not name.startswith("_")))


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
