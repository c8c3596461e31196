"""The variants of a game: its options and numbers of players."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from arena import games

Chosen = tuple[tuple[str, Any], ...]
"""The options that differ from their defaults, by name."""


def variants(name: str) -> Iterator[tuple[int, Chosen]]:
    """Every player count of every combination of the options that have finitely many values."""
    game = games.load(name)
    fields = game.options_type.model_fields
    finite = {key: values for key, field in fields.items() if (values := _values(field.annotation))}
    for combination in itertools.product(*finite.values()):
        chosen = dict(zip(finite, combination, strict=True))
        differing = {key: value for key, value in chosen.items() if value != fields[key].default}
        for players in game.allowed(game.read_options(chosen)):
            yield players, tuple(differing.items())


def _values(kind: Any) -> tuple[Any, ...]:
    if kind is bool:
        return (False, True)
    return get_args(kind) if get_origin(kind) is Literal else ()
