"""What is said at the tables of Cincinnati: actions, events, and what a seat sees."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Literal

from arena.game import Action, End, Options, action_table, value
from arena.games._cincinnati.cards import Card
from arena.games._cincinnati.hands import DICE, FACES, Hand

Table = Literal["A", "B", "C"]
Stage = Literal["table", "keep", "buy", "challenge", "end"]

TABLES: tuple[Table, ...] = ("A", "B", "C")
MOST_PLAYERS = 6


class CincinnatiOptions(Options):
    """There are no variants."""


@dataclass(frozen=True, slots=True)
class Choose(Action):
    """Play at this table."""

    table: Table
    type: Literal["table"] = "table"


@dataclass(frozen=True, slots=True)
class Keep(Action):
    """Keep dice of these values, in any order, and throw the others; all five is to pass."""

    dice: tuple[int, ...]
    type: Literal["keep"] = "keep"

    def __post_init__(self) -> None:
        object.__setattr__(self, "dice", tuple(sorted(self.dice, reverse=True)))


@dataclass(frozen=True, slots=True)
class Buy(Action):
    """Pay a token for one more throw."""

    type: Literal["buy"] = "buy"


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Buy no throw for now."""

    type: Literal["pass"] = "pass"


@dataclass(frozen=True, slots=True)
class Challenge(Action):
    """Play a duel card against this seat."""

    seat: int
    type: Literal["challenge"] = "challenge"


CincinnatiAction = Choose | Keep | Buy | Pass | Challenge

CHOOSE = {table: Choose(table) for table in TABLES}
KEEP = {
    dice: Keep(dice)
    for size in range(DICE + 1)
    for dice in combinations_with_replacement(FACES, size)
}
BUY = Buy()
PASS = Pass()
CHALLENGE = [Challenge(seat) for seat in range(MOST_PLAYERS)]
ACTIONS: tuple[CincinnatiAction, ...] = action_table(
    (*CHOOSE.values(), *KEEP.values(), BUY, PASS, *CHALLENGE)
)
BUY_OR_PASS: tuple[CincinnatiAction, ...] = (BUY, PASS)


def tables_of(players: int) -> tuple[Table, ...]:
    """The tables in play."""
    return ("A", "C") if players == 3 else TABLES


@cache
def table_choices(players: int) -> tuple[CincinnatiAction, ...]:
    """The tables to choose from."""
    return tuple(CHOOSE[table] for table in tables_of(players))


@cache
def keeps(hand: Hand, most: int) -> tuple[CincinnatiAction, ...]:
    """The different ways to keep up to `most` dice of a hand, fewest dice first."""
    return tuple(
        KEEP[dice]
        for size in range(most + 1)
        for dice in sorted(set(combinations(hand, size)), reverse=True)
    )


@cache
def challenges(players: int, seat: int) -> tuple[CincinnatiAction, ...]:
    """The seats to challenge: all others."""
    return tuple(CHALLENGE[other] for other in range(players) if other != seat)


@value
class RoundBegins:
    """A card was added to each table in play; `cards` lie on A, B and C now, the newest last."""

    number: int
    cards: tuple[tuple[Card, ...], ...]
    type: Literal["round"] = "round"


@value
class TablesShown:
    """The table that each seat chose and its first throw."""

    tables: tuple[Table, ...]
    throws: tuple[Hand, ...]
    type: Literal["tables"] = "tables"


@value
class Kept:
    """A seat declared the dice it keeps; with all five it passes, and throws nothing."""

    seat: int
    dice: Hand
    type: Literal["keep"] = "keep"


@value
class Throw:
    """All five dice of a seat after a throw; `number` counts its throws, passed ones included."""

    seat: int
    dice: Hand
    number: int
    type: Literal["throw"] = "throw"


@value
class Bought:
    """A seat paid a token for one more throw."""

    seat: int
    type: Literal["buy"] = "buy"


@value
class Cleared:
    """A seat took all cards of a table; `tokens` were paid for its token cards."""

    table: Table
    seat: int
    cards: tuple[Card, ...]
    tokens: int
    type: Literal["clear"] = "clear"


@value
class DuelBegins:
    """A duel for a table or for a duel card; `seats` throw in this order."""

    why: Table | Literal["card"]
    seats: tuple[int, ...]
    type: Literal["duel"] = "duel"


@value
class DuelEnds:
    """Who won, None if the best hands of a table duel tied; `card` went to the challenger."""

    winner: int | None
    card: int | None
    type: Literal["duel_end"] = "duel_end"


CincinnatiEvent = (
    RoundBegins | TablesShown | Kept | Throw | Bought | Cleared | DuelBegins | DuelEnds | End
)


@value
class Duel:
    """A duel in progress; `hands` has a place for every seat, `again` counts repeats after ties."""

    why: Table | Literal["card"]
    seats: tuple[int, ...]
    hands: tuple[Hand, ...]
    again: int


@value
class CincinnatiView:
    """All that is public, with the seat's own first throw and choice while the others' are secret.

    `stage` names the decision and `queue` the seats still to make one like it, first to last.
    `cards[0]` lie on table A; `money`, `tokens`, `choices`, `hands` and `throws` are by seat, and
    so is `kept`, the holds declared for a throw still to come. `throws` counts those of the round,
    or of the duel if there is one. `buyers` have paid in this asking. `challengers` lists a seat
    for each duel card still to be played. `shuffled_back` duel cards turned up in round 1.
    """

    seat: int
    turn: int | None
    options: CincinnatiOptions
    legal: tuple[CincinnatiAction, ...]
    events: tuple[CincinnatiEvent, ...]
    round: int
    stage: Stage
    queue: tuple[int, ...]
    cards: tuple[tuple[Card, ...], ...]
    money: tuple[tuple[int, ...], ...]
    tokens: tuple[int, ...]
    supply: int
    choices: tuple[Table | None, ...]
    hands: tuple[Hand, ...]
    throws: tuple[int, ...]
    kept: tuple[Hand | None, ...]
    buyers: tuple[int, ...]
    duel: Duel | None
    challengers: tuple[int, ...]
    discarded: tuple[Card, ...]
    shuffled_back: int
