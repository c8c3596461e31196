"""Trio, a card game by Kaya Miyano, for 3 to 6 players.

The cards show the numbers 1 to 12, three times each. Every player holds some, in order; the rest
lie face down in the centre. In his turn a player turns up cards one by one: any card of the centre,
or the lowest or highest of anybody's hand, his own included. If a card differs from the one before,
all go back where they were; three equal cards are a trio, which he keeps. In mode `simple` three
trios win, in mode `picante` two linked ones, whose numbers have 7 as their sum or difference; the
trio of 7 always wins.

Rulings: seat 0 starts. Whoever has turned up equal cards must go on to three. A card turned up is
out of its hand for the turn, so that low and high speak of what is still hidden; of a single
hidden card only the low one is asked. An empty hand cannot be asked, its owner still plays. The
turn passes on after a trio too. After `turn_limit` turns the match ends without a winner. The
winner ranks first, all others by their trios.

Option `teams` (4 or 6 players): opposite seats are partners, all cards are dealt, trios are pooled
and asking one's partner is allowed. Before the first turn every team, and after each trio every
other team, may exchange: each partner secretly offers a card or passes, and the two cards change
hands if both offered. Seats choose in order, and only then is it shown which teams exchanged. A
team exchanges only if both partners have cards, and there is no exchange when no turn follows.

Every card turned up is remembered for good, with what it tells of the other cards of its hand:
see `arena.games._memory`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import ClassVar, Literal, Self

from pydantic import Field

from arena.game import Action, Chance, Game, Options, Result, action_table, competition_ranks, value
from arena.game import End as Ended
from arena.games._memory import End, Known, Memory, including, replaced, without
from arena.games._redeal import Joint, redeal

COPIES = 3
LUCKY = 7
TRIOS_TO_WIN = 3
MOST_SLOTS = 9
MOST_PLAYERS = 6


class TrioOptions(Options):
    """`mode`: what wins; `teams`: partners; `turn_limit`: the turns after which nobody wins."""

    mode: Literal["simple", "picante"] = "simple"
    teams: bool = False
    turn_limit: int = Field(default=300, ge=1)


@dataclass(frozen=True, slots=True)
class Reveal(Action):
    """Turn up a card of the centre."""

    slot: int
    type: Literal["reveal"] = "reveal"


@dataclass(frozen=True, slots=True)
class Ask(Action):
    """Have the lowest or highest hidden card of a hand turned up."""

    seat: int
    end: End
    type: Literal["ask"] = "ask"


@dataclass(frozen=True, slots=True)
class Offer(Action):
    """Offer the partner a card of this number."""

    card: int
    type: Literal["offer"] = "offer"


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """Offer the partner nothing."""

    type: Literal["pass"] = "pass"


Source = Reveal | Ask
Choice = Offer | Pass
TrioAction = Reveal | Ask | Offer | Pass

REVEALS: tuple[Source, ...] = (
    *(Reveal(slot) for slot in range(MOST_SLOTS)),
    *(Ask(seat, end) for seat in range(MOST_PLAYERS) for end in ("low", "high")),
)
OFFERS = tuple(Offer(card) for card in range(1, 13))
PASS = Pass()


@value
class Deal:
    """How many cards each seat holds, and how many lie in the centre."""

    hands: tuple[int, ...]
    centre: int
    type: Literal["deal"] = "deal"


@value
class Revealed:
    """A seat had a card turned up: from a slot of the centre or from an end of a hand."""

    seat: int
    source: Source
    number: int
    type: Literal["reveal"] = "reveal"


@value
class Returned:
    """The cards turned up differ and went back."""

    type: Literal["return"] = "return"


@value
class TrioWon:
    """A seat took the three cards turned up."""

    seat: int
    number: int
    type: Literal["trio"] = "trio"


@value
class Swap:
    """The partners of a team have chosen; whether cards changed hands."""

    team: int
    happened: bool
    type: Literal["swap"] = "swap"


Event = Deal | Revealed | Returned | TrioWon | Swap | Ended
RETURNED = Returned()


@value
class TrioView:
    """What a seat knows; a team, or a player alone, is a side: seat s is of side s modulo sides.

    `turns` have been played. `hand` is hidden, in order, and so are the hands that `known`
    describes, by seat, as the public knows them; the cards turned up this turn are in `revealed`
    alone. `centre` has the number of each slot, None if nobody has seen it, 0 if it is empty.
    `trios` are the numbers won by each side.

    In teams, `either` has for each side the numbers known to be among the `unknown` cards of its
    two hands, `partner` is what the seat knows of its partner's hand, and `known_to_partner` what
    the partner knows of the seat's. While teams `exchange`, `offer` is what the seat has chosen.
    """

    seat: int
    turn: int | None
    options: TrioOptions
    legal: tuple[TrioAction, ...]
    events: tuple[Event, ...]
    turns: int
    hand: tuple[int, ...]
    known: tuple[Known, ...]
    centre: tuple[int | None, ...]
    revealed: tuple[Revealed, ...]
    trios: tuple[tuple[int, ...], ...]
    either: tuple[tuple[int, ...], ...]
    partner: Known | None
    known_to_partner: Known | None
    exchange: tuple[int, ...]
    offer: Offer | Pass | None


class Trio(Game[TrioAction, TrioView]):
    """The rules of Trio."""

    __slots__ = (
        "_open",
        "centre",
        "exchange",
        "hands",
        "memory",
        "offers",
        "revealed",
        "seen",
        "trios",
        "turns",
    )

    name = "trio"
    rules = 1
    player_counts = range(3, 7)
    usual_players = 4
    options_type = TrioOptions
    view_type = TrioView
    action_type = TrioAction
    event_type = Event
    actions = action_table((*REVEALS, *OFFERS, PASS))

    numbers: ClassVar[Sequence[int]] = range(1, 13)
    deals: ClassVar[Mapping[bool, Mapping[int, tuple[int, int]]]] = {
        False: {3: (9, 9), 4: (7, 8), 5: (6, 6), 6: (5, 6)},
        True: {4: (9, 0), 6: (6, 0)},
    }
    """Cards in each hand and in the centre, by number of players, without and with teams."""

    options: TrioOptions
    offers: list[Offer | Pass | None]

    @classmethod
    def allowed(cls, options: Options) -> Sequence[int]:
        return tuple(cls.deals[isinstance(options, TrioOptions) and options.teams])

    @classmethod
    def sides(cls, players: int, options: Options) -> tuple[int, ...]:
        teams = isinstance(options, TrioOptions) and options.teams
        return tuple(seat % (players // 2 if teams else players) for seat in range(players))

    # Setting up

    def set_up(self, chance: Chance) -> None:
        size, centre = self.deals[self.options.teams][self.players]
        dealt = self.players * size
        deck = chance.shuffled("cards", (n for n in self.numbers for _ in range(COPIES)))
        self.hands = [tuple(sorted(deck[at : at + size])) for at in range(0, dealt, size)]
        self.centre = tuple(deck[dealt:])
        self.seen: tuple[int | None, ...] = (None,) * centre
        sides = 1 + max(self.sides(self.players, self.options))
        known = [Known((), size, self.numbers[0], self.numbers[-1])] * self.players
        teams = self.options.teams
        self.memory = Memory(known, ((),) * sides if teams else (), known if teams else ())
        self.trios: tuple[tuple[int, ...], ...] = ((),) * sides
        self.turns = 0
        self.revealed: tuple[Revealed, ...] = ()
        self._open = _open(self.hands, self.centre)
        self.tell(Deal((size,) * self.players, centre))
        self._begin_exchange(range(sides))

    # A turn

    def _begin_turn(self) -> None:
        self.seat = self.turns % self.players

    def legal(self) -> tuple[TrioAction, ...]:
        if self.exchange and self.seat is not None:
            return _choices(self.hands[self.seat])
        return _reveals(self._open)

    def alike(self, action: TrioAction) -> TrioAction:
        """Cards of the centre that nobody has seen promise the same."""
        if isinstance(action, Reveal) and self.seen[action.slot] is None:
            return REVEALS[self.seen.index(None)]
        return action

    def play(self, action: TrioAction) -> None:
        if isinstance(action, Reveal | Ask):
            self._reveal(action)
        else:
            self._choose(action)

    def _reveal(self, source: Source) -> None:
        assert self.seat is not None
        if isinstance(source, Ask):
            number = self._take_from_hand(source.seat, source.end)
        else:
            number = self._turn_up(source.slot)
        revealed = Revealed(self.seat, source, number)
        if self.events is not None:
            self.events.append(revealed)
        before = self.revealed
        self.revealed = (*before, revealed)
        if before and before[0].number != number:
            self._return_cards()
        elif len(before) == COPIES - 1:
            self._win_trio(self.seat, number)

    def _turn_up(self, slot: int) -> int:
        number = self.centre[slot]
        if self.seen[slot] is None:
            self.seen = replaced(self.seen, slot, number)
        self._open ^= 1 << slot
        return number

    def _take_from_hand(self, seat: int, end: End) -> int:
        hand = self.hands[seat]
        if end == "low":
            number, hand = hand[0], hand[1:]
        else:
            number, hand = hand[-1], hand[:-1]
        self.hands[seat] = hand
        self.memory.show(seat, number, end)
        if len(hand) < 2:
            self._open ^= (2 if hand else 1) << MOST_SLOTS + 2 * seat
        return number

    def _return_cards(self) -> None:
        for revealed in reversed(self.revealed):
            source = revealed.source
            if isinstance(source, Ask):
                self._put_back(source.seat, source.end, revealed.number)
            else:
                self._open |= 1 << source.slot
        if self.events is not None:
            self.events.append(RETURNED)
        self._end_turn()

    def _put_back(self, seat: int, end: End, number: int) -> None:
        hand = self.hands[seat]
        self.hands[seat] = (number, *hand) if end == "low" else (*hand, number)
        self.memory.put_back(seat, number, end)
        self._open |= (3 if hand else 1) << MOST_SLOTS + 2 * seat

    def _win_trio(self, seat: int, number: int) -> None:
        for revealed in self.revealed:
            if isinstance(revealed.source, Reveal):
                slot = revealed.source.slot
                self.centre = replaced(self.centre, slot, 0)
                self.seen = replaced(self.seen, slot, 0)
        side = seat % len(self.trios)
        self.trios = replaced(self.trios, side, (*self.trios[side], number))
        self.tell(TrioWon(seat, number))
        rivals = [other for other in range(len(self.trios)) if other != side]
        self._end_turn(_wins(self.trios[side], self.options.mode), rivals)

    def _end_turn(self, won: bool = False, exchanging: Iterable[int] = ()) -> None:
        self.turns += 1
        self.revealed = ()
        if won or self.turns == self.options.turn_limit:
            self._end()
        else:
            self._begin_exchange(exchanging)

    # Partners exchange cards

    def _begin_exchange(self, sides: Iterable[int]) -> None:
        """Ask the teams among these sides that have cards to exchange, or begin the next turn."""
        teams = len(self.trios) if self.options.teams else 0
        self.exchange = tuple(
            side for side in sides if teams and self.hands[side] and self.hands[side + teams]
        )
        self.offers = [None] * self.players
        if self.exchange:
            self._ask_for_offer(0)
        else:
            self._begin_turn()

    def _ask_for_offer(self, first: int) -> None:
        """Ask the next exchanging seat from `first` on, or show what the teams have done."""
        for seat in range(first, self.players):
            if seat % len(self.trios) in self.exchange:
                self.seat = seat
                return
        for team in self.exchange:
            self._exchange_cards(team)
        self.exchange = ()
        self._begin_turn()

    def _choose(self, choice: Choice) -> None:
        assert self.seat is not None
        self.offers[self.seat] = choice
        self._ask_for_offer(self.seat + 1)

    def _exchange_cards(self, team: int) -> None:
        one, two = team, team + len(self.trios)
        first, second = self.offers[one], self.offers[two]
        if isinstance(first, Offer) and isinstance(second, Offer):
            self.hands[one] = including(without(self.hands[one], first.card), second.card)
            self.hands[two] = including(without(self.hands[two], second.card), first.card)
            self.memory.exchange(team, first.card, second.card)
            self.tell(Swap(team, True))
        else:
            self.tell(Swap(team, False))

    # The end

    def _end(self) -> None:
        self.seat = None
        self._open = 0
        result = self.result()
        self.tell(Ended(result.scores, result.ranks))

    def result(self) -> Result:
        return _result(self.trios, self.players, self.options.mode)

    # Knowledge

    def view(self, seat: int) -> TrioView:
        memory = self.memory
        teams = self.options.teams
        return TrioView(
            seat,
            self.seat,
            self.options,
            self.legal() if seat == self.seat else (),
            self.news(seat),
            self.turns,
            self.hands[seat],
            tuple(memory.hands),
            self.seen,
            self.revealed,
            self.trios,
            memory.either,
            memory.to_partner[memory.partner(seat)] if teams else None,
            memory.to_partner[seat] if teams else None,
            self.exchange,
            self.offers[seat] if self.exchange else None,
        )

    def clone(self, chance: Chance) -> Self:
        twin = self.blank(self.players, self.options, self.seat)
        twin.hands = self.hands.copy()
        twin.centre = self.centre
        twin.seen = self.seen
        twin.memory = self.memory.copy()
        twin.trios = self.trios
        twin.turns = self.turns
        twin.revealed = self.revealed
        twin.exchange = self.exchange
        twin.offers = self.offers.copy()
        twin._open = self._open
        return twin

    @classmethod
    def imagine(
        cls,
        view: TrioView,
        chance: Chance,
        choose: Callable[[Self], TrioAction] | None = None,
    ) -> Self:
        """A state that the view allows.

        Each way to deal the cards that this seat has not located is about equally likely, within
        the bounds of the hands (see `_redeal`). Offers made and not yet shown are those that
        `choose` makes with the imagined hands, or any. Of past exchanges, other teams remember what
        is public.
        """
        game = cls.blank(len(view.known), view.options, view.turn)
        game.seen = view.centre
        game.memory = Memory(view.known, view.either, ())
        game.trios = view.trios
        game.turns = view.turns
        game.revealed = view.revealed
        game.exchange = view.exchange
        game._deal_unseen(view, chance)
        game._imagine_accounts(view)
        game._imagine_offers(view, chance, choose)
        game._open = 0 if view.turn is None else _open(game.hands, game.centre)
        for revealed in view.revealed:
            if isinstance(revealed.source, Reveal):
                game._open ^= 1 << revealed.source.slot
        return game

    def _deal_unseen(self, view: TrioView, chance: Chance) -> None:
        """Fill the hands and the centre; cards turned up count as in hand while dealing."""
        hands = list(view.known)
        hands[view.seat] = Known(view.hand, 0, 1, 0)
        if view.partner is not None:
            hands[self.memory.partner(view.seat)] = view.partner
        asked = [(up.source.seat, up.number) for up in view.revealed if isinstance(up.source, Ask)]
        for seat, number in asked:
            hands[seat] = hands[seat].holding(number)
        joints = [
            (1 << team | 1 << team + len(view.either), numbers)
            for team, numbers in enumerate(view.either)
            if numbers and team != view.seat % len(view.either)
        ]
        centre = Known((), view.centre.count(None), self.numbers[0], self.numbers[-1])
        loose = self._unlocated(hands, joints)
        *self.hands, unseen = redeal(loose, [*hands, centre], joints, chance)
        for seat, number in asked:
            self.hands[seat] = without(self.hands[seat], number)
        slots = iter(chance.shuffled("centre", unseen))
        self.centre = tuple(next(slots) if number is None else number for number in view.centre)

    def _unlocated(self, hands: Iterable[Known], joints: Iterable[Joint]) -> list[int]:
        """The cards neither won, nor seen in the centre, nor known to be in some hand."""
        left = dict.fromkeys(self.numbers, COPIES)
        for trios in self.trios:
            for number in trios:
                left[number] = 0
        for seen in self.seen:
            if seen:
                left[seen] -= 1
        for hand in hands:
            for number in hand.cards:
                left[number] -= 1
        for _, numbers in joints:
            for number in numbers:
                left[number] -= 1
        return [number for number, count in left.items() for _ in range(count)]

    def _imagine_accounts(self, view: TrioView) -> None:
        """Fill in what partners know of each other's hands."""
        if view.partner is None or view.known_to_partner is None:
            return
        memory = self.memory
        partners = [memory.partner(seat) for seat in range(self.players)]
        memory.to_partner = [
            memory.deduced(seat, self.hands[partner]) for seat, partner in enumerate(partners)
        ]
        memory.to_partner[view.seat] = view.known_to_partner
        memory.to_partner[partners[view.seat]] = view.partner

    def _imagine_offers(
        self, view: TrioView, chance: Chance, choose: Callable[[Self], TrioAction] | None
    ) -> None:
        """Choose for the exchanging seats that have been asked already."""
        self.offers = [None] * self.players
        for seat in range(view.turn if view.exchange and view.turn is not None else 0):
            if seat == view.seat:
                self.offers[seat] = view.offer
            elif seat % len(self.trios) in view.exchange:
                self.seat = seat
                legal = self.legal()
                (draw,) = chance.draws("offer", 1)
                choice = choose(self) if choose else legal[int(draw * len(legal))]
                assert isinstance(choice, Offer | Pass)
                self.offers[seat] = choice
        self.seat = view.turn


def linked(one: int, two: int) -> bool:
    """Whether two trios win together in mode picante."""
    return one + two == LUCKY or abs(one - two) == LUCKY


def _wins(trios: tuple[int, ...], mode: str) -> bool:
    if LUCKY in trios:
        return True
    if mode == "simple":
        return len(trios) >= TRIOS_TO_WIN
    return any(linked(*pair) for pair in combinations(trios, 2))


@lru_cache(maxsize=1 << 12)
def _result(trios: tuple[tuple[int, ...], ...], players: int, mode: str) -> Result:
    won = [trios[seat % len(trios)] for seat in range(players)]
    keys = [(_wins(taken, mode), len(taken)) for taken in won]
    return Result(tuple(map(len, won)), competition_ranks(keys))


# The cards that can be turned up are the bits of a number, in the order of REVEALS.


def _open(hands: Sequence[tuple[int, ...]], centre: tuple[int, ...]) -> int:
    """What can be turned up when all cards lie where they belong."""
    bits = sum(1 << slot for slot, number in enumerate(centre) if number)
    for seat, hand in enumerate(hands):
        bits |= (0, 1, 3)[min(len(hand), 2)] << MOST_SLOTS + 2 * seat
    return bits


@lru_cache(maxsize=1 << 14)
def _reveals(bits: int) -> tuple[Source, ...]:
    return tuple(source for at, source in enumerate(REVEALS) if bits >> at & 1)


@lru_cache(maxsize=1 << 14)
def _choices(hand: tuple[int, ...]) -> tuple[Choice, ...]:
    return (*(OFFERS[number - 1] for number in sorted(set(hand))), PASS)
