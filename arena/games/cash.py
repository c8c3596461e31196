"""Cash, a card game by Wolfgang Kramer and Jürgen P. K. Grunau, for 3 to 6 players.

There are 35 safes, one for each way to combine four keys in four colours, and 15 keys of each
colour in open piles. Each player first takes four keys of his choice in secret; then seven safes
are shown. In his turn a player takes one key, or opens one safe or more with keys from his hand,
which go back to their piles. The second and each further safe of a turn earns a premium of 10,
and so does the safe that empties the display, after which seven new ones are shown. When the last
safe is taken, the most loot and premiums win, and equals share the win.

Rulings: colours may repeat in a safe and in a hand. The first keys are chosen in seat order out
of what the piles still hold; meanwhile the piles are hidden, so that a seat learns no more than
what it cannot choose. Nobody may pass of his own will, and who opens says `stop` when he has done.
There are 25 premiums, then none. While a pile is empty, the seat to move that can open a safe that
uses its colour must begin with such a safe; one that cannot is free. When a single safe is shown
and no seat could open it even with all keys of the piles, seven more join it, or the match ends if
there are none. A seat that can do nothing passes; when all seats pass in a row, the same happens.

Places: a safe keeps its place in the display until it is taken, and its place stays empty until
new safes come. These fill the empty places from the first and then open new ones at the end: the
eighth when a safe could not be opened, still further ones only when everybody passed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from typing import ClassVar, Literal, Self, TypeVar, cast

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
from arena.games._keys import (
    ANY,
    COLOURS,
    GUARD,
    HANDFULS,
    KEY,
    NEVER,
    ONE_OF_EACH,
    SAFES,
    Colour,
    Four,
    Safe,
    SecretHandfuls,
    colours_in,
    covers,
    handfuls_covering,
    offer,
    pack,
    unpack,
)

T = TypeVar("T")

PREMIUM = 10


@dataclass(frozen=True, slots=True)
class Choose(Action):
    """Take these as the first keys; their order does not matter."""

    keys: tuple[Colour, Colour, Colour, Colour]
    type: Literal["choose"] = "choose"

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", tuple(sorted(self.keys, key=COLOURS.index)))


@dataclass(frozen=True, slots=True)
class Take(Action):
    """Take the top key of this pile."""

    colour: Colour
    type: Literal["take"] = "take"


@dataclass(frozen=True, slots=True)
class Open(Action):
    """Open the safe at this place of the display."""

    safe: int
    type: Literal["open"] = "open"


@dataclass(frozen=True, slots=True)
class Stop(Action):
    """Open no further safe in this turn."""

    type: Literal["stop"] = "stop"


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Do nothing, because nothing can be done."""

    type: Literal["pass"] = "pass"


CashAction = Choose | Take | Open | Stop | Pass


def _named(keys: Four) -> tuple[Colour, Colour, Colour, Colour]:
    names = [c for c, count in zip(COLOURS, keys, strict=True) for _ in range(count)]
    return cast("tuple[Colour, Colour, Colour, Colour]", tuple(names))


CHOOSE = tuple(Choose(_named(unpack(keys))) for keys in HANDFULS)
TAKE = tuple(Take(colour) for colour in COLOURS)
STOP = Stop()
PASS = Pass()
OPEN = tuple(Open(place) for place in range(len(SAFES)))


@value
class Display:
    """New safes were shown; these are all that lie there now, by place."""

    safes: tuple[Safe | None, ...]
    type: Literal["display"] = "display"


@value
class Taken:
    """A seat took a key."""

    seat: int
    colour: Colour
    type: Literal["take"] = "take"


@value
class Opened:
    """A seat opened the safe at a place, and earned so many premiums with it."""

    seat: int
    safe: int
    loot: int
    premiums: int
    type: Literal["open"] = "open"


@value
class Passed:
    """A seat could do nothing."""

    seat: int
    type: Literal["pass"] = "pass"


CashEvent = Display | Taken | Opened | Passed | End


@value
class CashView:
    """All of the table but the order of the safes to come and the first keys of other seats.

    `piles` is None while the first keys are chosen; `keys` is the hand of `seat`, and `offered`
    how many keys of each colour, at most four, it could choose from at first, None before it was
    asked. `gained` are the keys that each seat took since then less those it gave back, so a hand
    is its first keys and these. Bit i of `possible[s]` is set when what seat s did in public
    allows that its first keys were those of action i. `opened` counts the safes opened in this
    turn, `passes` the passes in a row.
    """

    seat: int
    turn: int | None
    options: Options
    legal: tuple[CashAction, ...]
    events: tuple[CashEvent, ...]
    display: tuple[Safe | None, ...]
    safes_left: int
    piles: Four | None
    keys: Four
    offered: Four | None
    gained: tuple[Four, ...]
    possible: tuple[int, ...]
    opened: int
    passes: int
    won: tuple[tuple[Safe, ...], ...]
    premiums: tuple[int, ...]


class Cash(Game[CashAction, CashView]):
    """The rules of Cash; `hands`, `first`, `piles` and `needs` are packed, as `_keys` says."""

    __slots__ = (
        "_choices",
        "display",
        "first",
        "hands",
        "needs",
        "offered",
        "opened",
        "passes",
        "pile",
        "piles",
        "possible",
        "premiums",
        "shown",
        "won",
    )

    name = "cash"
    rules = 1
    player_counts = range(3, 7)
    usual_players = 4
    view_type = CashView
    action_type = CashAction
    event_type = CashEvent
    actions = action_table((*CHOOSE, *TAKE, STOP, PASS, *OPEN))

    safes: ClassVar[tuple[Safe, ...]] = SAFES
    keys: ClassVar[int] = 15 * ONE_OF_EACH
    shown_at_once: ClassVar[int] = 7
    premium_cards: ClassVar[int] = 25

    # Setting up

    def set_up(self, chance: Chance) -> None:
        self._lay_out(chance.shuffled("safes", self.safes)[::-1])
        self._ask_first_keys(0)

    def _lay_out(self, pile: list[Safe]) -> None:
        self.pile = pile
        self.display: tuple[Safe | None, ...] = ()
        self.needs: list[int] = []
        self.shown = 0
        self.piles = self.keys
        self.hands = [0] * self.players
        self.first = [0] * self.players
        self.offered: tuple[Four, ...] = ()
        self.possible: tuple[int, ...] = (ANY,) * self.players
        self.opened = 0
        self.passes = 0
        self.won: tuple[tuple[Safe, ...], ...] = ((),) * self.players
        self.premiums: tuple[int, ...] = (0,) * self.players

    def _ask_first_keys(self, seat: int) -> None:
        self.seat = seat
        self.offered += (offer(self.piles),)
        self._choices = self._find_choices(seat)

    def _choose_first_keys(self, seat: int, keys: int) -> None:
        self.first[seat] = self.hands[seat] = keys
        self.piles -= keys
        if seat + 1 < self.players:
            self._ask_first_keys(seat + 1)
        else:
            self._show_safes()
            self._begin_turn(0)

    def _show_safes(self) -> None:
        """Seven new safes: on the empty places first, then on new ones."""
        display = list(self.display)
        for _ in range(min(self.shown_at_once, len(self.pile))):
            safe = self.pile.pop()
            if None in display:
                display[display.index(None)] = safe
            else:
                display.append(safe)
            self.shown += 1
        self.display = tuple(display)
        self.needs = [NEVER if safe is None else pack(safe.keys) for safe in display]
        self.tell(Display(self.display))

    # A turn

    def _begin_turn(self, seat: int) -> None:
        self.seat = seat
        self.opened = 0
        self._choices = self._find_choices(seat)

    def _find_choices(self, seat: int) -> tuple[CashAction, ...]:
        if not self.display:
            return _first_keys(self.offered[seat])
        hand = self.hands[seat] | GUARD
        in_reach = 0
        bit = 1
        for need in self.needs:
            if hand - need & GUARD == GUARD:
                in_reach |= bit
            bit <<= 1
        if self.opened:
            return _menu(0, in_reach, STOP)
        stocked = colours_in(self.piles)
        if in_reach and stocked != GUARD:
            pressing = sum(1 << place for place in self._pressing() if in_reach >> place & 1)
            if pressing:
                return _menu(0, pressing)
        return _menu(stocked, in_reach)

    def _pressing(self) -> list[int]:
        """The places of the safes that use a colour whose pile is empty."""
        empty = GUARD ^ colours_in(self.piles)
        needs = enumerate(self.needs)
        return [place for place, need in needs if need != NEVER and colours_in(need) & empty]

    def legal(self) -> tuple[CashAction, ...]:
        return self._choices

    def play(self, action: CashAction) -> None:
        seat = self.seat
        assert seat is not None
        if isinstance(action, Take):
            self._take_key(seat, action.colour)
        elif isinstance(action, Open):
            self._open_safe(seat, action.safe)
        elif isinstance(action, Stop):
            self._pass_on(seat)
        elif isinstance(action, Choose):
            self._choose_first_keys(seat, _packed(action))
        else:
            self._pass(seat)

    def _take_key(self, seat: int, colour: Colour) -> None:
        self._admit(seat)
        key = KEY[colour]
        self.piles -= key
        self.hands[seat] += key
        self.passes = 0
        if self.events is not None:
            self.events.append(Taken(seat, colour))
        self._pass_on(seat)

    def _open_safe(self, seat: int, place: int) -> None:
        self._admit(seat, place)
        safe, need = self.display[place], self.needs[place]
        assert safe is not None
        self._learn(seat, handfuls_covering(need - self.hands[seat] + self.first[seat]))
        self.hands[seat] -= need
        self.piles += need
        self.display = (*self.display[:place], None, *self.display[place + 1 :])
        self.needs[place] = NEVER
        self.shown -= 1
        self.won = _with(self.won, seat, (*self.won[seat], safe))
        premiums = self._pay_premiums(seat)
        self.opened += 1
        self.passes = 0
        if self.events is not None:
            self.events.append(Opened(seat, place, safe.loot, premiums))
        if self.shown:
            self._choices = self._find_choices(seat)
        else:
            self._pass_on(seat)

    def _pay_premiums(self, seat: int) -> int:
        """One for a further safe of the turn, one for emptying the display, while there are any."""
        earned = (self.opened > 0) + (self.shown == 0)
        if earned:
            earned = min(earned, self.premium_cards - sum(self.premiums))
            self.premiums = _with(self.premiums, seat, self.premiums[seat] + earned)
        return earned

    def _pass(self, seat: int) -> None:
        self._admit(seat)
        self.passes += 1
        self.tell(Passed(seat))
        self._pass_on(seat)

    def _pass_on(self, seat: int) -> None:
        """New safes if it is time for them, then the next turn, or the end."""
        lost = self.shown == 1 and self._last_safe_is_lost()
        if lost or not self.shown or self.passes == self.players:
            if lost:
                self._admit_last_safe_is_lost()
            if not self.pile:
                self._end()
                return
            self.passes = 0
            self._show_safes()
        self._begin_turn((seat + 1) % self.players)

    def _last_safe_is_lost(self) -> bool:
        """Whether no seat could open the only safe shown, even with all keys of the piles."""
        need = min(self.needs)
        return not any(covers(hand + self.piles, need) for hand in self.hands)

    def _end(self) -> None:
        self.seat = None
        self.opened = 0
        self._choices = ()
        result = self.result()
        self.tell(End(result.scores, result.ranks))

    def result(self) -> Result:
        scores = tuple(
            sum(safe.loot for safe in won) + PREMIUM * premiums
            for won, premiums in zip(self.won, self.premiums, strict=True)
        )
        return Result(scores, competition_ranks(scores))

    # Knowledge

    def _learn(self, seat: int, handfuls: int) -> None:
        """Everybody sees that the first keys of the seat are among these."""
        self.possible = _with(self.possible, seat, self.possible[seat] & handfuls)

    def _admit(self, seat: int, place: int | None = None) -> None:
        """Who begins a turn otherwise than an empty pile demands shows that he could not obey."""
        if self.opened or colours_in(self.piles) == GUARD:
            return
        pressing = self._pressing()
        if place not in pressing:
            gained = self.hands[seat] - self.first[seat]
            for other in pressing:
                self._learn(seat, ANY & ~handfuls_covering(self.needs[other] - gained))

    def _admit_last_safe_is_lost(self) -> None:
        need = min(self.needs) - self.piles
        for seat, (hand, first) in enumerate(zip(self.hands, self.first, strict=True)):
            self._learn(seat, ANY & ~handfuls_covering(need - hand + first))

    def view(self, seat: int) -> CashView:
        hands = self.hands
        return CashView(
            seat,
            self.seat,
            self.options,
            self._choices if seat == self.seat else (),
            self.news(seat),
            self.display,
            len(self.pile),
            unpack(self.piles) if self.display else None,
            unpack(hands[seat]),
            self.offered[seat] if seat < len(self.offered) else None,
            tuple([unpack(hand - first) for hand, first in zip(hands, self.first, strict=True)]),
            self.possible,
            self.opened,
            self.passes,
            self.won,
            self.premiums,
        )

    def clone(self, chance: Chance) -> Self:
        twin = self.blank(self.players, self.options, self.seat)
        twin.pile = self.pile.copy()
        twin.display = self.display
        twin.needs = self.needs.copy()
        twin.shown = self.shown
        twin.piles = self.piles
        twin.hands = self.hands.copy()
        twin.first = self.first.copy()
        twin.offered = self.offered
        twin.possible = self.possible
        twin.opened = self.opened
        twin.passes = self.passes
        twin.won = self.won
        twin.premiums = self.premiums
        twin._choices = self._choices
        return twin

    @classmethod
    def imagine(
        cls,
        view: CashView,
        chance: Chance,
        choose: Callable[[Self], CashAction] | None = None,
    ) -> Self:
        """Uniform over all first keys and orders of the safes to come that the view allows.

        With `choose`, as many others as possible, one drawn after the other, have the first keys
        that it takes in their place; the rest are uniform. One thing known to all is left out:
        after seven safes were added to a last one that nobody could open, that one turn earlier
        somebody still could.
        """
        game = cls.blank(len(view.won), view.options, view.turn)
        seen = {safe.keys for safes in (view.display, *view.won) for safe in safes if safe}
        game._lay_out(chance.shuffled("safes", [s for s in cls.safes if s.keys not in seen]))
        secret = game._secret(view)
        if choose:
            secret = game._narrow(secret, view.seat, chance, choose)
        game._recall(view, secret.draw(chance.draws("first keys", secret.seats + 1)))
        return game

    def _secret(self, view: CashView) -> SecretHandfuls:
        """What the view tells of the first keys."""
        sets, total, needs = view.possible, None, None
        gained = [pack(keys) for keys in view.gained]
        if view.piles is None:
            sets = sets[: view.turn]
        else:
            piles = pack(view.piles)
            total = self.keys - piles - sum(gained)
            if not view.opened and view.turn is not None and sum(map(bool, view.display)) == 1:
                (last,) = filter(None, view.display)
                needs = tuple([pack(last.keys) - piles - keys for keys in gained])
        if view.seat < len(sets):
            own = pack(view.keys) - gained[view.seat]
            sets = _with(sets, view.seat, 1 << HANDFULS.index(own))
        early = min(view.seat, len(sets))
        return SecretHandfuls(sets, early, view.offered, self.keys, total, needs)

    def _narrow(
        self,
        secret: SecretHandfuls,
        viewer: int,
        chance: Chance,
        choose: Callable[[Self], CashAction],
    ) -> SecretHandfuls:
        """Let the others choose as `choose` does, as far as that agrees with what is known."""
        drawn = secret.draw(chance.draws("others", secret.seats + 1))
        for seat in chance.shuffled("followers", range(secret.seats)):
            if seat != viewer:
                self.piles = self.keys - sum(drawn[:seat])
                self.offered = self._offers(drawn[:seat])
                self._ask_first_keys(seat)
                secret = secret.narrowed(seat, HANDFULS.index(_packed(choose(self))))
        return secret

    def _offers(self, chosen: list[int]) -> tuple[Four, ...]:
        """What the seats could choose from, the earlier ones having chosen so."""
        return tuple([offer(self.keys - keys) for keys in accumulate(chosen, initial=0)])

    def _recall(self, view: CashView, first: list[int]) -> None:
        """Take over what the view tells, with the first keys of those who have chosen."""
        rest = [0] * (self.players - len(first))
        self.seat = view.turn
        self.display = view.display
        self.needs = [NEVER if safe is None else pack(safe.keys) for safe in view.display]
        self.shown = len(view.display) - view.display.count(None)
        self.first = first + rest
        self.hands = [sum(keys) for keys in zip(self.first, map(pack, view.gained), strict=True)]
        self.piles = self.keys - sum(self.hands)
        self.offered = self._offers(first)[: self.players]
        self.possible = view.possible
        self.opened = view.opened
        self.passes = view.passes
        self.won = view.won
        self.premiums = view.premiums
        self._choices = () if view.turn is None else self._find_choices(view.turn)


def _with(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    return (*items[:place], item, *items[place + 1 :])


@cache
def _packed(choice: CashAction) -> int:
    assert isinstance(choice, Choose)
    return sum(KEY[colour] for colour in choice.keys)


@cache
def _first_keys(offered: Four) -> tuple[CashAction, ...]:
    stock = pack(offered)
    both = zip(CHOOSE, HANDFULS, strict=True)
    return tuple(choose for choose, keys in both if covers(stock, keys))


@lru_cache(maxsize=1 << 14)
def _menu(stocked: int, places: int, stop: Stop | None = None) -> tuple[CashAction, ...]:
    """Keys of the stocked colours, safes at these places, and `stop` if given; else a pass."""
    takes = [take for take in TAKE if KEY[take.colour] << 7 & stocked]
    opens = [place for place in OPEN if places >> place.safe & 1]
    return (*takes, *opens, *([stop] if stop else [])) or (PASS,)
