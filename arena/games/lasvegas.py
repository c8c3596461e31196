"""Las Vegas, a dice game by Rüdiger Dorn, for 2 to 5 players.

Six casinos, one for each face of a die, are filled with bills worth at least 50000. In turn, each
player throws all the dice he has left (8 at the start), chooses one value and puts every die of
it on that casino. When all dice are placed the casinos pay: whoever has as many dice on a casino
as somebody else there gets nothing from it, the others take its bills, largest first, by number
of dice. After four rounds the most money wins, then the most bills.

Rulings: seat 0 is first in round 1 and the first seat moves one to the left each round; every
group of equal counts leaves a casino before it pays; a seat without dice there takes no part;
unclaimed bills go under the pile and never come back, because the pile cannot run out.

Option `neutral` (2 to 4 players): white dice are thrown and placed with one's own and count as
a further player whose winnings go under the pile. Each player has 4 of them with two players,
2 otherwise; with three players the two left over are thrown onto the casinos as each round begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, product
from operator import add
from typing import Literal, Self

from arena.game import (
    Action,
    Chance,
    End,
    Game,
    Options,
    Result,
    action_table,
    competition_ranks,
    value,
)

VALUES = range(1, 7)
BILLS = (
    *(5 * [60000, 70000, 80000, 90000]),
    *(6 * [10000, 40000, 50000]),
    *(8 * [20000, 30000]),
)
CASINO_MINIMUM = 50000
ROUNDS = 4
DICE = 8
WHITE_DICE = {2: 4, 3: 2, 4: 2}
WHITE_LEFT_OVER = {2: 0, 3: 2, 4: 0}

Six = tuple[int, int, int, int, int, int]
"""One number for each value of a die, the 1 first."""
NONE: Six = (0, 0, 0, 0, 0, 0)


class LasVegasOptions(Options):
    """`neutral`: the variant with white dice."""

    neutral: bool = False


@dataclass(frozen=True, slots=True)
class Place(Action):
    """Put all dice of this value, white ones included, on its casino."""

    value: int
    type: Literal["place"] = "place"


PLACE = action_table(Place(value) for value in VALUES)


@value
class RoundBegins:
    """The casinos are filled: `bills[0]` lie on casino 1, largest first."""

    number: int
    first: int
    bills: tuple[tuple[int, ...], ...]
    type: Literal["round"] = "round"


@value
class Throw:
    """How many dice showed each value; `seat` is None for white dice thrown for nobody."""

    seat: int | None
    own: Six
    white: Six
    type: Literal["throw"] = "throw"


@value
class Placed:
    """A seat put its dice of one value on that casino."""

    seat: int
    value: int
    own: int
    white: int
    type: Literal["place"] = "place"


@value
class Award:
    """A bill and who won it."""

    winner: int | Literal["white"]
    bill: int


@value
class Payout:
    """A casino paid; `returned` bills, those won by white included, went under the pile."""

    casino: int
    awards: tuple[Award, ...]
    returned: tuple[int, ...]
    type: Literal["payout"] = "payout"


@value
class LasVegasView:
    """All of the table but the order of the pile; `dice[c][s]` lie on casino c+1 for seat s."""

    seat: int
    turn: int | None
    options: LasVegasOptions
    legal: tuple[Place, ...]
    events: tuple[RoundBegins | Throw | Placed | Payout | End, ...]
    round: int
    bills: tuple[tuple[int, ...], ...]
    dice: tuple[tuple[int, ...], ...]
    white: tuple[int, ...]
    throw: Six
    white_throw: Six
    left: tuple[int, ...]
    white_left: tuple[int, ...]
    won: tuple[tuple[int, ...], ...]
    returned: tuple[int, ...]


class LasVegas(Game[Place, LasVegasView]):
    """The rules of Las Vegas."""

    __slots__ = (
        "_chance",
        "_choices",
        "_luck",
        "_result",
        "_white_luck",
        "bills",
        "dice",
        "left",
        "pile",
        "returned",
        "round",
        "throw",
        "white",
        "white_left",
        "white_throw",
        "won",
    )

    name = "lasvegas"
    rules = 1
    player_counts = range(2, 6)
    usual_players = 4
    options_type = LasVegasOptions
    view_type = LasVegasView
    action_type = Place
    event_type = RoundBegins | Throw | Placed | Payout | End
    actions = PLACE

    options: LasVegasOptions

    @classmethod
    def allowed(cls, options: Options) -> Sequence[int]:
        neutral = isinstance(options, LasVegasOptions) and options.neutral
        return tuple(WHITE_DICE) if neutral else cls.player_counts

    # Setting up

    def set_up(self, chance: Chance) -> None:
        self._chance = chance
        self.pile = chance.shuffled("bills", BILLS)
        self.pile.reverse()
        self.returned: tuple[int, ...] = ()
        self.won: tuple[tuple[int, ...], ...] = ((),) * self.players
        self._result = _result(self.won)
        self.round = 0
        self.white_throw = NONE
        self._begin_round()

    def _begin_round(self) -> None:
        self.round += 1
        first = (self.round - 1) % self.players
        self._fill_casinos()
        self.tell(RoundBegins(self.round, first, self.bills))
        self.dice: list[tuple[int, ...]] = [(0,) * self.players] * 6
        self.left = [DICE] * self.players
        self.white: list[int] = [0] * 6
        self.white_left = [0] * self.players
        if self.options.neutral:
            self.white_left = [WHITE_DICE[self.players]] * self.players
        self._draw_luck(self._chance)
        if self.options.neutral and (count := WHITE_LEFT_OVER[self.players]):
            draw = next(self._chance.draws(f"round {self.round} white", 1))
            white = _unpack(_packed(draw, count))
            self.white = list(white)
            self.tell(Throw(None, NONE, white))
        self.seat = first
        self._throw_dice(first)

    def _fill_casinos(self) -> None:
        casinos = []
        for _ in VALUES:
            bills: list[int] = []
            while sum(bills) < CASINO_MINIMUM:
                bills.append(self.pile.pop())
            casinos.append(tuple(sorted(bills, reverse=True)))
        self.bills = tuple(casinos)

    def _draw_luck(self, chance: Chance) -> None:
        """All throws to come in the round: one draw for each that a seat could make at most."""
        neutral = self.options.neutral
        most = list(map(add, self.left, self.white_left))
        self._luck = [
            chance.draws(f"round {self.round} seat {seat}", count)
            for seat, count in enumerate(most)
        ]
        self._white_luck = [
            chance.draws(f"round {self.round} seat {seat} white", count)
            for seat, count in enumerate(most if neutral else ())
        ]

    # A turn

    def _throw_dice(self, seat: int) -> None:
        packed = _packed(next(self._luck[seat]), self.left[seat])
        self.throw = _unpack(packed)
        if self._white_luck:
            white = _packed(next(self._white_luck[seat]), self.white_left[seat])
            self.white_throw = _unpack(white)
            packed += white
        self._choices = _choices(packed)
        if self.events is not None:
            self.events.append(Throw(seat, self.throw, self.white_throw))

    def legal(self) -> tuple[Place, ...]:
        return self._choices

    def play(self, action: Place) -> None:
        seat = self.seat
        assert seat is not None
        casino = action.value - 1
        own = self.throw[casino]
        white = self.white_throw[casino]
        row = self.dice[casino]
        self.dice[casino] = (*row[:seat], row[seat] + own, *row[seat + 1 :])
        self.left[seat] -= own
        if white:
            self.white[casino] += white
            self.white_left[seat] -= white
        if self.events is not None:
            self.events.append(Placed(seat, action.value, own, white))
        self._pass_on(seat)

    def _pass_on(self, seat: int) -> None:
        """On to the next seat clockwise that has dice left, or to the payout."""
        left, white_left = self.left, self.white_left
        for following in _CLOCKWISE[self.players][seat]:
            if left[following] or white_left[following]:
                self.seat = following
                self._throw_dice(following)
                return
        self._pay_out()
        if self.round < ROUNDS:
            self._begin_round()
        else:
            self._end()

    # The casinos pay

    def _pay_out(self) -> None:
        won = list(self.won)
        white = self.players
        for casino, bills in enumerate(self.bills):
            winners = payout_order((*self.dice[casino], self.white[casino]))
            returned = bills[len(winners) :]
            for winner, bill in zip(winners, bills, strict=False):
                if winner == white:
                    returned += (bill,)
                else:
                    won[winner] += (bill,)
            self.returned += returned
            if self.events is not None:
                awards = (
                    Award("white" if winner == white else winner, bill)
                    for winner, bill in zip(winners, bills, strict=False)
                )
                self.events.append(Payout(casino + 1, tuple(awards), returned))
        self.won = tuple(won)
        self.bills = ((),) * 6
        self._result = _result(self.won)

    def _end(self) -> None:
        self.seat = None
        self._choices = ()
        result = self.result()
        self.tell(End(result.scores, result.ranks))

    def result(self) -> Result:
        return self._result

    # Knowledge

    def view(self, seat: int) -> LasVegasView:
        return LasVegasView(
            seat,
            self.seat,
            self.options,
            self._choices if seat == self.seat else (),
            self.news(seat),
            self.round,
            self.bills,
            tuple(self.dice),
            tuple(self.white),
            self.throw,
            self.white_throw,
            tuple(self.left),
            tuple(self.white_left),
            self.won,
            self.returned,
        )

    def clone(self, chance: Chance) -> Self:
        twin = self.blank(self.players, self.options, self.seat)
        twin.pile = self.pile.copy()
        twin.returned = self.returned
        twin.won = self.won
        twin._result = self._result
        twin.round = self.round
        twin.bills = self.bills
        twin.dice = self.dice.copy()
        twin.left = self.left.copy()
        twin.white = self.white.copy()
        twin.white_left = self.white_left.copy()
        twin.throw = self.throw
        twin.white_throw = self.white_throw
        twin._choices = self._choices
        twin._chance = chance
        twin._draw_luck(chance)
        return twin

    @classmethod
    def imagine(
        cls,
        view: LasVegasView,
        chance: Chance,
        choose: Callable[[Self], Place] | None = None,
    ) -> Self:
        game = cls.blank(len(view.left), view.options, view.turn)
        game.pile = chance.shuffled("bills", _unseen(view.returned, *view.won, *view.bills))
        game.returned = view.returned
        game.won = view.won
        game._result = _result(view.won)
        game.round = view.round
        game.bills = view.bills
        game.dice = list(view.dice)
        game.left = list(view.left)
        game.white = list(view.white)
        game.white_left = list(view.white_left)
        game.throw = view.throw
        game.white_throw = view.white_throw
        game._choices = ()
        if view.turn is not None:
            both = zip(VALUES, view.throw, view.white_throw, strict=True)
            game._choices = tuple(PLACE[value - 1] for value, own, white in both if own or white)
        game._chance = chance
        game._draw_luck(chance)
        return game


_CLOCKWISE = {
    players: [
        [(seat + step) % players for step in range(1, players + 1)] for seat in range(players)
    ]
    for players in range(2, 6)
}
"""By number of players and seat: the seats after it, itself the last."""


@lru_cache(maxsize=1 << 14)
def payout_order(dice: tuple[int, ...]) -> tuple[int, ...]:
    """Who is paid at a casino, first to last: no zero, no count that anybody shares."""
    paid = (player for player, count in enumerate(dice) if count and dice.count(count) == 1)
    return tuple(sorted(paid, key=dice.__getitem__, reverse=True))


@lru_cache(maxsize=256)
def _unseen(*seen: tuple[int, ...]) -> tuple[int, ...]:
    """The bills of the game that are not among these."""
    return tuple((Counter(BILLS) - Counter(chain(*seen))).elements())


def _result(won: tuple[tuple[int, ...], ...]) -> Result:
    scores = tuple(map(sum, won))
    return Result(scores, competition_ranks(list(zip(scores, map(len, won), strict=True))))


# Throws are decoded through small tables: a draw gives the faces of n dice as n digits in base 6,
# and how often each face shows is packed into one integer, four bits a face, so that the two
# halves of a throw can be added.


def _packed(draw: float, dice: int) -> int:
    code = int(draw * _POWERS[dice])
    if dice <= 4:
        return _PACKED[dice][code]
    high, low = divmod(code, _POWERS[dice - 4])
    return _PACKED[4][high] + _PACKED[dice - 4][low]


_POWERS: list[int] = [6**dice for dice in range(DICE + 1)]
_PACKED = [
    [sum(1 << 4 * face for face in faces) for faces in product(range(6), repeat=dice)]
    for dice in range(5)
]


@cache
def _unpack(packed: int) -> Six:
    one, two, three, four, five, six = (packed >> 4 * face & 15 for face in range(6))
    return one, two, three, four, five, six


@cache
def _choices(packed: int) -> tuple[Place, ...]:
    return tuple(place for place, count in zip(PLACE, _unpack(packed), strict=True) if count)
