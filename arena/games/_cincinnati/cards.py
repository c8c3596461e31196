"""The cards of Cincinnati: the pile as it is dealt, and as it may be for who cannot see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import perm
from typing import Literal

from arena.game import Chance

Card = int | Literal["duel", "tokens"]

ROUNDS = 12
MONEY = {15000: 6, 20000: 5, 25000: 5, 30000: 4, 35000: 4}
CARDS: tuple[Card, ...] = (
    *Counter(MONEY).elements(),
    *("duel", "duel", "duel", "duel", "duel", "duel"),
    *("tokens", "tokens", "tokens", "tokens", "tokens", "tokens"),
)


@dataclass(frozen=True, slots=True)
class Deal:
    """The pile, first card first; the cards left out; the duel cards shuffled back in round 1."""

    pile: tuple[Card, ...]
    left_out: tuple[Card, ...]
    shuffled_back: int


def deal(tables: int, chance: Chance) -> Deal:
    """A pile for all rounds, with no duel card among the cards of the first."""
    shuffled = chance.shuffled("cards", CARDS)
    pile, left_out = shuffled[: ROUNDS * tables], shuffled[ROUNDS * tables :]
    first: list[Card] = []
    duels: list[Card] = []
    while len(first) < tables:
        card = pile.pop(0)
        (duels if card == "duel" else first).append(card)
    if duels:
        pile = chance.shuffled("cards again", duels + pile)
    return Deal((*first, *pile), tuple(left_out), len(duels))


def imagine_deal(size: int, seen: Iterable[Card], shuffled_back: int, chance: Chance) -> Deal:
    """The cards not seen, parted into a pile of this size and those left out, as likely as it is.

    The duel cards shuffled back went into the pile. So a parting with `duels` of them in the pile
    or dealt since can have come about in perm(duels, shuffled_back) ways, and is accepted in
    proportion to that.
    """
    remaining = Counter(CARDS) - Counter(seen)
    unseen = list(remaining.elements())
    dealt = CARDS.count("duel") - remaining["duel"]
    most = perm(dealt + min(remaining["duel"], size), shuffled_back)
    while True:
        hidden = chance.shuffled("cards", unseen)
        pile, left_out = tuple(hidden[:size]), tuple(hidden[size:])
        (draw,) = chance.draws("cards accepted", 1)
        if draw * most < perm(dealt + pile.count("duel"), shuffled_back):
            return Deal(pile, left_out, shuffled_back)
