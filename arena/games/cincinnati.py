"""Cincinnati, a dice game by Reinhard Staupé, for 3 to 6 players.

Twelve rounds of four phases. One card is added to each of the tables A, B and C. Everybody throws
five dice in secret and secretly chooses a table; shown together, the dice may be thrown twice more,
any of them kept, and again for a token each. Then the tables are cleared: of the seats at A with at
least three of a kind, at B with a straight, at C with at most 11 points, the best takes all cards
there. Money stays in front of its owner, a token card brings up to two tokens, and a duel card must
be played: its holder challenges a seat, each throws three times, and if the holder's hand is better
he takes the other's highest money card. At the end a token is worth 5000; most money wins. With 3
players table B is not used, and 12 random cards are left out unseen.

Rulings:
- Order. Richest first means money cards, then better dice now, then the seat nearest clockwise
  from seat round-1. Holds are declared table by table, at each from the richest clockwise; so are
  those of bought throws. Whoever has a token is asked to buy, from the richest of them clockwise,
  until a full asking finds no buyer; a bought throw throws at least one die.
- Ties. Hands are equal only when all five dice are. Seats that tie for a table duel for it, from
  the richest clockwise; those who tie again duel again, at most 20 times, then the cards stay.
  The holder of a duel card loses a tie.
- Duels are open, with fresh dice, thrown in rotation. After the third throws the duellists with a
  token are asked in rotation, and a buyer throws at once, until all have passed since the last
  bought throw. Card duels are played richest first, in an order fixed as the phase begins; who
  holds several duel cards plays them in a row.
- Supply. The 20 tokens are all there are: a token card pays what is left. Tables pay A, B, C.
- A duel card turned up in round 1 is replaced by the next card, then shuffled back into the pile.
- Cards still on the tables at the end are lost. Equal scores are told apart by the number of 35000
  cards, then of 30000 and so on down to 15000; then they share the rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import Literal, Self, TypeVar

from arena.game import Chance, End, Game, Result, competition_ranks
from arena.games._cincinnati.cards import MONEY, ROUNDS, Card, deal, imagine_deal
from arena.games._cincinnati.hands import DICE, LOW, OF_A_KIND, STRAIGHTS, STRENGTH, Hand, outcomes
from arena.games._cincinnati.words import (
    ACTIONS,
    BUY_OR_PASS,
    MOST_PLAYERS,
    TABLES,
    Bought,
    Buy,
    Choose,
    CincinnatiAction,
    CincinnatiEvent,
    CincinnatiOptions,
    CincinnatiView,
    Cleared,
    Duel,
    DuelBegins,
    DuelEnds,
    Keep,
    Kept,
    Pass,
    RoundBegins,
    Stage,
    Table,
    TablesShown,
    Throw,
    challenges,
    keeps,
    table_choices,
    tables_of,
)

T = TypeVar("T")

CLEARING: dict[Table, dict[Hand, int]] = {"A": OF_A_KIND, "B": STRAIGHTS, "C": LOW}
"""The hands that may clear each table; the larger number wins."""
TOKENS = 20
TOKENS_AT_START = 3
TOKENS_PER_CARD = 2
TOKEN_WORTH = 5000
THROWS = 3
DUELS_AGAIN = 20


class Cincinnati(Game[CincinnatiAction, CincinnatiView]):
    """The rules of Cincinnati."""

    __slots__ = (
        "_chance",
        "_duel_luck",
        "_luck",
        "buyers",
        "cards",
        "challengers",
        "choices",
        "discarded",
        "duel",
        "hands",
        "kept",
        "left_out",
        "money",
        "pile",
        "queue",
        "round",
        "shuffled_back",
        "stage",
        "supply",
        "throws",
        "tokens",
    )

    name = "cincinnati"
    rules = 1
    player_counts = range(3, MOST_PLAYERS + 1)
    usual_players = 5
    options_type = CincinnatiOptions
    view_type = CincinnatiView
    action_type = CincinnatiAction
    event_type = CincinnatiEvent
    actions = ACTIONS

    options: CincinnatiOptions
    stage: Stage
    queue: tuple[int, ...]

    # Setting up

    def set_up(self, chance: Chance) -> None:
        self._chance = chance
        dealt = deal(len(tables_of(self.players)), chance)
        self.pile = dealt.pile
        self.left_out = dealt.left_out
        self.shuffled_back = dealt.shuffled_back
        self.cards: tuple[tuple[Card, ...], ...] = ((),) * len(TABLES)
        self.money: tuple[tuple[int, ...], ...] = ((),) * self.players
        self.tokens = (TOKENS_AT_START,) * self.players
        self.supply = TOKENS - sum(self.tokens)
        self.discarded: tuple[Card, ...] = ()
        self.challengers: tuple[int, ...] = ()
        self.buyers: tuple[int, ...] = ()
        self.kept: list[Hand | None] = [None] * self.players
        self.duel: Duel | None = None
        self.round = 0
        self._begin_round()

    # Phase 1: the cards

    def _begin_round(self) -> None:
        self.round += 1
        tables = tables_of(self.players)
        new = dict(zip(tables, self.pile, strict=False))
        self.pile = self.pile[len(tables) :]
        self.cards = tuple(
            (*cards, new[table]) if table in new else cards
            for table, cards in zip(TABLES, self.cards, strict=True)
        )
        self.tell(RoundBegins(self.round, self.cards))
        self._draw_luck()
        self.throws = [0] * self.players
        self.hands: list[Hand] = [self._throw(seat, ()) for seat in range(self.players)]
        self.choices: tuple[Table | None, ...] = (None,) * self.players
        self._ask("table", tuple(range(self.players)))

    def _draw_luck(self) -> None:
        """All throws of the round: three draws a seat, a stream for bought ones, one for duels."""
        chance = self._chance
        self._luck: list[Iterator[float]] = []
        self._duel_luck: list[Iterator[float]] = []
        for own, bought, duels in _labels(self.round, self.players):
            self._luck.append(chain(chance.draws(own, THROWS), chance.stream(bought)))
            self._duel_luck.append(chance.stream(duels))

    def _throw(self, seat: int, kept: Hand) -> Hand:
        """The hand after the next throw of a seat; keeping all five passes that throw."""
        if not self._luck:
            self._draw_luck()
        luck = self._luck if self.duel is None else self._duel_luck
        self.throws[seat] += 1
        return _fallen(kept, next(luck[seat]))

    # Decisions

    def _ask(self, stage: Stage, queue: tuple[int, ...]) -> None:
        self.stage = stage
        self.queue = queue
        self.seat = queue[0]

    def legal(self) -> tuple[CincinnatiAction, ...]:
        seat = self.seat
        if seat is None:
            return ()
        if self.stage == "keep":
            hands = self.duel.hands if self.duel is not None else self.hands
            return keeps(hands[seat], DICE if self.throws[seat] < THROWS else DICE - 1)
        if self.stage == "buy":
            return BUY_OR_PASS
        if self.stage == "table":
            return table_choices(self.players)
        return challenges(self.players, seat)

    def play(self, action: CincinnatiAction) -> None:
        seat = self.queue[0]
        self.queue = self.queue[1:]
        if isinstance(action, Keep):
            self._keep(seat, action.dice)
        elif isinstance(action, Buy):
            self._buy(seat)
        elif isinstance(action, Pass):
            self._go_on_asking()
        elif isinstance(action, Choose):
            self._choose(seat, action.table)
        else:
            self._begin_duel("card", (seat, action.seat))

    def _standing(self, seat: int) -> tuple[int, int, int]:
        """The largest goes first: money, then better dice now, then nearest clockwise."""
        distance = (seat - (self.round - 1)) % self.players
        return sum(self.money[seat]), STRENGTH[self.hands[seat]], -distance

    def _from_richest(self, seats: Iterable[int]) -> tuple[int, ...]:
        """The seats clockwise, from the richest of them on."""
        clockwise = sorted(seats)
        if len(clockwise) > 1:
            start = clockwise.index(max(clockwise, key=self._standing))
            clockwise = clockwise[start:] + clockwise[:start]
        return tuple(clockwise)

    # Phase 2: the throws

    def _choose(self, seat: int, table: Table) -> None:
        self.choices = _with(self.choices, seat, table)
        if self.queue:
            self._ask("table", self.queue)
            return
        if self.events is not None:
            chosen = tuple(table for table in self.choices if table is not None)
            self.events.append(TablesShown(chosen, tuple(self.hands)))
        self._declare_holds(range(self.players))

    def _declare_holds(self, seats: Iterable[int]) -> None:
        there: dict[Table | None, list[int]] = {table: [] for table in TABLES}
        for seat in seats:
            there[self.choices[seat]].append(seat)
        a, b, c = map(self._from_richest, there.values())
        self._ask("keep", a + b + c)

    def _keep(self, seat: int, dice: Hand) -> None:
        if self.events is not None:
            self.events.append(Kept(seat, dice))
        if self.duel is not None:
            self._throw_in_duel(self.duel, seat, dice)
            self._go_on_in_duel(self.duel, seat)
            return
        self.kept[seat] = dice
        if self.queue:
            self._ask("keep", self.queue)
        else:
            self._throw_together()

    def _throw_together(self) -> None:
        for seat, kept in enumerate(self.kept):
            if kept is not None:
                self.hands[seat] = self._throw(seat, kept)
                self._show_throw(seat, kept, self.hands[seat])
        self.kept = [None] * self.players
        if min(self.throws) < THROWS:
            self._declare_holds(range(self.players))
        else:
            self._offer_throws()

    def _show_throw(self, seat: int, kept: Hand, hand: Hand) -> None:
        if self.events is not None and len(kept) < DICE:
            self.events.append(Throw(seat, hand, self.throws[seat]))

    def _offer_throws(self) -> None:
        """Ask every seat with a token whether it buys a throw."""
        self.queue = self._from_richest(seat for seat, left in enumerate(self.tokens) if left)
        self._go_on_asking()

    def _buy(self, seat: int) -> None:
        self.tokens = _with(self.tokens, seat, self.tokens[seat] - 1)
        self.supply += 1
        self.tell(Bought(seat))
        if self.duel is not None:
            self._ask("keep", (seat,))
        else:
            self.buyers += (seat,)
            self._go_on_asking()

    def _go_on_asking(self) -> None:
        if self.queue:
            self._ask("buy", self.queue)
        elif self.duel is not None:
            self._end_duel(self.duel)
        elif self.buyers:
            buyers, self.buyers = self.buyers, ()
            self._declare_holds(buyers)
        else:
            self._clear_tables(TABLES)

    # Phase 3: clearing the tables

    def _clear_tables(self, tables: tuple[Table, ...]) -> None:
        for table in tables:
            best = self._best_at(table)
            if len(best) > 1:
                self._begin_duel(table, self._from_richest(best))
                return
            if best:
                self._clear(table, best[0])
        self._begin_card_duels()

    def _best_at(self, table: Table) -> list[int]:
        """The seats that meet the condition of the table with the best hand there."""
        clearing = CLEARING[table]
        at_table = enumerate(zip(self.choices, self.hands, strict=True))
        return _best(
            {
                seat: clearing[hand]
                for seat, (choice, hand) in at_table
                if choice == table and hand in clearing
            }
        )

    def _clear(self, table: Table, seat: int) -> None:
        place = TABLES.index(table)
        cards = self.cards[place]
        self.cards = _with(self.cards, place, ())
        money = tuple(card for card in cards if isinstance(card, int))
        self.money = _with(self.money, seat, self.money[seat] + money)
        self.challengers += (seat,) * cards.count("duel")
        token_cards = tuple(card for card in cards if card == "tokens")
        self.discarded += token_cards
        paid = min(TOKENS_PER_CARD * len(token_cards), self.supply)
        self.supply -= paid
        self.tokens = _with(self.tokens, seat, self.tokens[seat] + paid)
        self.tell(Cleared(table, seat, cards, paid))

    # Phase 4: the duels

    def _begin_card_duels(self) -> None:
        self.challengers = tuple(sorted(self.challengers, key=self._standing, reverse=True))
        self._next_card_duel()

    def _next_card_duel(self) -> None:
        if self.challengers:
            self._ask("challenge", self.challengers[:1])
        elif self.round < ROUNDS:
            self._begin_round()
        else:
            self._end()

    def _begin_duel(
        self, why: Table | Literal["card"], seats: tuple[int, ...], again: int = 0
    ) -> None:
        self.tell(DuelBegins(why, seats))
        self.duel = Duel(why, seats, ((),) * self.players, again)
        self.throws = [0] * self.players
        for seat in seats:
            self._throw_in_duel(self.duel, seat, ())
        self._ask("keep", seats * (THROWS - 1))

    def _throw_in_duel(self, duel: Duel, seat: int, kept: Hand) -> None:
        hand = self._throw(seat, kept)
        self._show_throw(seat, kept, hand)
        self.duel = Duel(duel.why, duel.seats, _with(duel.hands, seat, hand), duel.again)

    def _go_on_in_duel(self, duel: Duel, seat: int) -> None:
        """After a throw of `seat`: the next hold, or the duellists are asked to buy."""
        if self.queue:
            self._ask("keep", self.queue)
            return
        after = duel.seats.index(seat) + 1
        rotation = duel.seats[after:] + duel.seats[:after]
        self.queue = tuple(seat for seat in rotation if self.tokens[seat])
        self._go_on_asking()

    def _end_duel(self, duel: Duel) -> None:
        self.duel = None
        best = _best({seat: STRENGTH[duel.hands[seat]] for seat in duel.seats})
        if duel.why == "card":
            holder, challenged = duel.seats
            self._settle_card(holder, challenged, best == [holder])
            return
        winner = best[0] if len(best) == 1 else None
        self.tell(DuelEnds(winner, None))
        if winner is not None:
            self._clear(duel.why, winner)
        elif duel.again < DUELS_AGAIN:
            self._begin_duel(duel.why, self._from_richest(best), duel.again + 1)
            return
        self._clear_tables(TABLES[TABLES.index(duel.why) + 1 :])

    def _settle_card(self, holder: int, challenged: int, won: bool) -> None:
        self.challengers = self.challengers[1:]
        self.discarded += ("duel",)
        card = max(self.money[challenged], default=None) if won else None
        if card is not None:
            rest = list(self.money[challenged])
            rest.remove(card)
            self.money = _with(self.money, challenged, tuple(rest))
            self.money = _with(self.money, holder, (*self.money[holder], card))
        self.tell(DuelEnds(holder if won else challenged, card))
        self._next_card_duel()

    # The end

    def _end(self) -> None:
        self.stage = "end"
        self.seat = None
        result = self.result()
        self.tell(End(result.scores, result.ranks))

    def result(self) -> Result:
        return _result(self.money, self.tokens)

    # Knowledge

    def view(self, seat: int) -> CincinnatiView:
        choices = self.choices
        hands = tuple(self.hands)
        if self.stage == "table":
            choices = _with((None,) * self.players, seat, choices[seat])
            hands = _with(((),) * self.players, seat, hands[seat])
        return CincinnatiView(
            seat,
            self.seat,
            self.options,
            self.legal() if seat == self.seat else (),
            self.news(seat),
            self.round,
            self.stage,
            self.queue,
            self.cards,
            self.money,
            self.tokens,
            self.supply,
            choices,
            hands,
            tuple(self.throws),
            tuple(self.kept),
            self.buyers,
            self.duel,
            self.challengers,
            self.discarded,
            self.shuffled_back,
        )

    def clone(self, chance: Chance) -> Self:
        twin = self.blank(self.players, self.options, self.seat)
        twin.pile = self.pile
        twin.left_out = self.left_out
        twin._recall(self)
        twin._chance = chance
        return twin

    @classmethod
    def imagine(
        cls,
        view: CincinnatiView,
        chance: Chance,
        choose: Callable[[Self], CincinnatiAction] | None = None,
    ) -> Self:
        """The cards to come are drawn as likely as they are, secret throws like any throw.

        A secret choice of table is the one that `choose` makes with the imagined throw; without
        that it falls on each table alike.
        """
        game = cls.blank(len(view.money), view.options, view.turn)
        game._recall(view)
        game._chance = chance
        seen = [*chain(*view.cards, *view.money), *view.discarded]
        seen += ["duel"] * len(view.challengers)
        size = len(tables_of(game.players)) * (ROUNDS - view.round)
        imagined = imagine_deal(size, seen, view.shuffled_back, chance)
        game.pile = imagined.pile
        game.left_out = imagined.left_out
        if view.stage == "table":
            game._imagine_throws(view.seat)
            game._imagine_choices(view.seat, choose)
        return game

    def _imagine_throws(self, viewer: int) -> None:
        throws = self._chance.draws("secret throws", self.players)
        for seat, throw in enumerate(throws):
            if seat != viewer:
                self.hands[seat] = _fallen((), throw)

    def _imagine_choices(
        self, viewer: int, choose: Callable[[Self], CincinnatiAction] | None
    ) -> None:
        waiting = self.queue
        draws = self._chance.draws("secret choices", self.players)
        for seat, draw in enumerate(draws):
            if seat == viewer or seat in waiting:
                continue
            self._ask("table", (seat, *waiting))
            legal = self.legal()
            action = choose(self) if choose else legal[int(draw * len(legal))]
            assert isinstance(action, Choose)
            self.choices = _with(self.choices, seat, action.table)
        self._ask("table", waiting)

    def _recall(self, source: Cincinnati | CincinnatiView) -> None:
        """Take over all but the pile; the luck of the round is drawn when it is first needed."""
        self._luck = []
        self.round = source.round
        self.stage = source.stage
        self.queue = source.queue
        self.cards = source.cards
        self.money = source.money
        self.tokens = source.tokens
        self.supply = source.supply
        self.choices = source.choices
        self.hands = list(source.hands)
        self.throws = list(source.throws)
        self.kept = list(source.kept)
        self.buyers = source.buyers
        self.duel = source.duel
        self.challengers = source.challengers
        self.discarded = source.discarded
        self.shuffled_back = source.shuffled_back


@lru_cache(maxsize=1 << 12)
def _result(money: tuple[tuple[int, ...], ...], tokens: tuple[int, ...]) -> Result:
    scores = tuple(
        sum(cards) + TOKEN_WORTH * left for cards, left in zip(money, tokens, strict=True)
    )
    highest_first = sorted(MONEY, reverse=True)
    keys = [
        (score, *(cards.count(amount) for amount in highest_first))
        for score, cards in zip(scores, money, strict=True)
    ]
    return Result(scores, competition_ranks(keys))


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The same values but for one."""
    return (*values[:place], value, *values[place + 1 :])


def _fallen(kept: Hand, draw: float) -> Hand:
    """The hand after throwing all dice but those kept."""
    hands = outcomes(kept)
    return hands[int(draw * len(hands))]


def _best(results: dict[int, int]) -> list[int]:
    """The seats with the largest result."""
    best = max(results.values(), default=0)
    return [seat for seat, result in results.items() if result == best]


@cache
def _labels(number: int, players: int) -> tuple[tuple[str, str, str], ...]:
    """What the luck of each seat in a round is called."""
    names = (f"round {number} seat {seat}" for seat in range(players))
    return tuple((name, f"{name} bought", f"{name} duels") for name in names)
