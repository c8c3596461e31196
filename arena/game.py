"""The contract of a game, and chance.

A game is a mutable state object with the rules as methods. One seat decides at a time;
its legal actions come from a finite table of small frozen values, each with a stable index.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Any, ClassVar, Generic, Literal, Protocol, Self, TypeVar, dataclass_transform

from pydantic import BaseModel, ConfigDict, ValidationError

from arena.errors import ArenaError, unknown

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Class decorator of views and events: a slotted dataclass that type checkers take for frozen.

    It is not frozen at run time, which would cost a third of the rules' speed, and nothing is
    lost: the rules never read what they have shown.
    """
    return dataclass(slots=True)(cls)


class Action:
    """Base of every action: a frozen value, with its place in the game's action table."""

    __slots__ = ("index",)
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)
    index: int


def action_table(actions: Iterable[A]) -> tuple[A, ...]:
    """Number the actions of a game; the order is part of the rules version."""
    table = tuple(actions)
    for index, action in enumerate(table):
        object.__setattr__(action, "index", index)
    return table


class Event(Protocol):
    """Something that happened in public."""

    @property
    def type(self) -> str: ...


@value
class End:
    """The match is over."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    type: Literal["end"] = "end"


class View(Protocol):
    """What one seat may know, built anew for each decision."""

    @property
    def seat(self) -> int:
        """Who looks."""

    @property
    def turn(self) -> int | None:
        """Whose decision it is."""

    @property
    def options(self) -> Any:
        """The options of the match."""

    @property
    def legal(self) -> tuple[Any, ...]:
        """The legal actions of `seat`, empty when it is not its turn."""

    @property
    def events(self) -> tuple[Any, ...]:
        """What happened in public since the last decision of `seat`."""


class Options(BaseModel):
    """The variants of a game; each game has its own subclass."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome by seat: scores, and competition ranks (1, 1, 3, …)."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


def competition_ranks(keys: Sequence[Any]) -> tuple[int, ...]:
    """Rank 1 for the largest key; equal keys share the better rank."""
    order = sorted(keys, reverse=True)
    return tuple(order.index(key) + 1 for key in keys)


A = TypeVar("A", bound=Action)
V = TypeVar("V", bound=View)


class Game(ABC, Generic[A, V]):
    """One match in progress: the rules of one rulebook."""

    __slots__ = ("events", "heard", "options", "players", "seat")

    name: ClassVar[str]
    rules: ClassVar[int]
    """Version of the rules: a record replays only under the version it was played with."""
    player_counts: ClassVar[Sequence[int]]
    """The numbers of players the game allows."""
    usual_players: ClassVar[int]
    """The number of players when nobody says."""
    options_type: ClassVar[type[Options]] = Options
    view_type: ClassVar[Any]
    action_type: ClassVar[Any]
    event_type: ClassVar[Any]
    actions: ClassVar[tuple[Any, ...]]

    players: int
    options: Any
    seat: int | None
    """Whose decision it is; None when the match is over."""
    events: list[Any] | None
    """All public events so far; None in clones, which keep no history."""
    heard: list[int]
    """How many events each seat had been shown when it was last asked."""

    def __init__(self, players: int, chance: Chance, options: Options | None = None) -> None:
        self.options = options if options is not None else self.options_type()
        self.check(players, self.options)
        self.players = players
        self.seat = None
        self.events = []
        self.heard = [0] * players
        self.set_up(chance)

    @abstractmethod
    def set_up(self, chance: Chance) -> None:
        """Lay out the table and go on to the first decision."""

    @abstractmethod
    def legal(self) -> tuple[A, ...]:
        """The legal actions of the seat to decide; empty when the match is over."""

    def alike(self, action: A) -> A:
        """The first of the legal actions that differ from this one by name alone.

        By what is known in public they come to the same. Usually that is the action itself.
        """
        return action

    def distinct(self) -> tuple[A, ...]:
        """The legal actions, of those that are alike only the first."""
        return tuple(dict.fromkeys(map(self.alike, self.legal())))

    @abstractmethod
    def play(self, action: A) -> None:
        """Apply a legal action and go on to the next decision, drawing chance on the way."""

    @abstractmethod
    def view(self, seat: int) -> V:
        """What `seat` may know now."""

    @abstractmethod
    def result(self) -> Result:
        """The outcome, as the match stands."""

    @abstractmethod
    def clone(self, chance: Chance) -> Self:
        """An independent copy without history, whose luck to come is drawn from `chance`."""

    @classmethod
    @abstractmethod
    def imagine(cls, view: V, chance: Chance, choose: Callable[[Self], A] | None = None) -> Self:
        """A full state that the view allows, its secrets drawn from `chance`.

        What others have chosen in secret and is still to be shown is what `choose` does in their
        place, or any legal action.
        """

    @classmethod
    def allowed(cls, options: Options) -> Sequence[int]:
        """The numbers of players allowed under these options."""
        return cls.player_counts

    @classmethod
    def sides(cls, players: int, options: Options) -> tuple[int, ...]:
        """The side of each seat; partners share one, and win or lose together."""
        return tuple(range(players))

    @classmethod
    def check(cls, players: int, options: Options) -> None:
        """Refuse a number of players that the game or its options do not allow."""
        allowed = cls.allowed(options)
        if players not in allowed:
            chosen = ", ".join(
                f"{key}={'true' if value is True else 'false' if value is False else value}"
                for key, value in options
                if value != cls.options_type.model_fields[key].default
            )
            variant = f" with {chosen}" if chosen else ""
            counts = [str(count) for count in allowed]
            listing = " or ".join([", ".join(counts[:-1]), counts[-1]] if counts[1:] else counts)
            raise ArenaError(f"{cls.name}{variant} is for {listing} players, not {players}")

    @classmethod
    def read_options(cls, given: Mapping[str, Any]) -> Options:
        """Options from text or JSON values; a wrong one is an error that says what is allowed."""
        for key in given:
            if key not in cls.options_type.model_fields:
                raise unknown(f"option of {cls.name}", key, cls.options_type.model_fields)
        try:
            return cls.options_type.model_validate(dict(given))
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(str(part) for part in first["loc"])
            raise ArenaError(
                f"option {key}={first['input']} of {cls.name}: {first['msg']}"
            ) from None

    def tell(self, event: Any) -> None:
        """Add a public event to the history, if one is kept."""
        if self.events is not None:
            self.events.append(event)

    def news(self, seat: int) -> tuple[Any, ...]:
        """The events since the last decision of `seat`."""
        return () if self.events is None else tuple(self.events[self.heard[seat] :])

    def hear(self, seat: int) -> None:
        """Note that `seat` has been shown all events so far."""
        if self.events is not None:
            self.heard[seat] = len(self.events)

    @classmethod
    def blank(cls, players: int, options: Any, seat: int | None) -> Self:
        """A state without history, still to be filled in by `clone` or `imagine`."""
        game = object.__new__(cls)
        game.players = players
        game.options = options
        game.seat = seat
        game.events = None
        return game


class Chance:
    """The luck of one match, all of it drawn from one seed.

    The rules keep it decision-proof: they ask for a fixed number of draws at moments that no
    decision can move (piles at the start, a round's throws when the round begins), so the
    same seed gives the same luck whatever anybody decides. Each request carries a label,
    which `Scripted` answers from a script. Only `Random.random` is used, because its sequence
    is the only one Python promises to keep.
    """

    __slots__ = ("_random",)

    def __init__(self, seed: int | Random) -> None:
        self._random = (Random(seed) if isinstance(seed, int) else seed).random

    def draws(self, label: str, count: int) -> Iterator[float]:
        """`count` numbers in [0, 1). Read in base 6, the digits of one are a throw of dice."""
        random = self._random
        return iter([random() for _ in range(count)])

    def stream(self, label: str) -> Iterator[float]:
        """Numbers in [0, 1) without end, all fixed by one draw made now; opened when first used."""
        return _open_stream(self._random())

    def shuffled(self, label: str, items: Iterable[T]) -> list[T]:
        """The items in random order."""
        pile = list(items)
        random = self._random
        for last in range(len(pile) - 1, 0, -1):
            other = int(random() * (last + 1))
            pile[last], pile[other] = pile[other], pile[last]
        return pile


def _open_stream(number: float) -> Iterator[float]:
    random = Random(int(number * 2**53)).random
    while True:
        yield random()


class Scripted(Chance):
    """Chance that a test has stacked: answers each request from a script, and no other.

    A shuffle is scripted by the items to come first (the rest follow as they stood), draws by
    throws of dice written as digits ("33335").
    """

    __slots__ = ("script",)

    def __init__(self, script: Mapping[str, Sequence[Any]]) -> None:
        super().__init__(0)
        self.script = dict(script)

    def _answer(self, label: str) -> Sequence[Any]:
        if label not in self.script:
            raise LookupError(f"the rules ask for {label!r}, which the script does not hold")
        return self.script.pop(label)

    def draws(self, label: str, count: int) -> Iterator[float]:
        throws = self._answer(label)
        if len(throws) > count:
            raise LookupError(f"{label!r}: the rules ask for {count} draws, not {len(throws)}")
        return self._read(label, throws, count)

    def stream(self, label: str) -> Iterator[float]:
        yield from self._read(label, self._answer(label), inf)

    @staticmethod
    def _read(label: str, throws: Sequence[str], count: float) -> Iterator[float]:
        yield from map(throw_as_draw, throws)
        if len(throws) < count:
            raise LookupError(f"{label!r}: the script holds only {len(throws)} draws")

    def shuffled(self, label: str, items: Iterable[T]) -> list[T]:
        rest = list(items)
        for item in (first := list(self._answer(label))):
            rest.remove(item)
        return first + rest


def throw_as_draw(faces: str) -> float:
    """The draw whose base-6 digits show these faces, the first die first."""
    number = sum((int(face) - 1) / 6**place for place, face in enumerate(faces, start=1))
    return float(number + 0.5 / 6 ** len(faces))
