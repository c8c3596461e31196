"""What a bot author subclasses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Start:
    """What a bot is told before its first decision."""

    match: str
    game: str
    options: Any
    seat: int
    players: int
    seed: int
    """Seed of the bot's own randomness in this match."""
    move_time: float | None
    """Seconds allowed for a decision; None when there is no limit."""


@dataclass(frozen=True, slots=True)
class Finish:
    """What a bot is told at the end."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[str | None, ...]
    """For each seat the reason of its fault, or None."""


class Bot:
    """A player: one instance sits in one seat for one match.

    Parameters, if any, are keyword arguments of the constructor with a type and a default;
    people set them in the bot's name: `mcts:rollouts=200`.
    """

    games: ClassVar[tuple[str, ...]] = ()
    """The games it plays; empty means any."""
    quick: ClassVar[bool] = True
    """Quick enough to be in the field when nobody names the bots."""

    seed: int = 0

    @cached_property
    def rng(self) -> Random:
        """The bot's own randomness, seeded for the match and seat: use it and stay repeatable."""
        return Random(self.seed)

    def start(self, match: Start) -> None:
        """A match begins; the first decision has not been asked yet."""

    def act(self, view: Any) -> Any:
        """Choose one of `view.legal`."""
        raise NotImplementedError(f"{type(self).__name__} has no method act(self, view)")

    def finish(self, result: Finish) -> None:
        """The match is over."""
