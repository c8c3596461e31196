"""Dealing unseen cards anew, within what is known of where they may lie.

Every allowed way to lay the cards, all cards and places told apart, should be equally likely: that
is what a fair deal comes to once something is known of it.

The cards are shuffled and laid out, and each that lies where it may not is moved by the shortest
ring of moves that mends its place; there is one if any deal is allowed. When nothing had to be
moved, and no hand must hold a number of which more cards are about, this is exactly fair. Otherwise
random exchanges of two cards follow, each made if the deal stays allowed. In the long run they make
all deals they can reach equally likely, and within bounds alone they reach all; the few made here
come close.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.game import Chance
from arena.games._memory import Known

EXCHANGES = 3
"""Exchanges tried for each card."""

Groups = int
"""A set of hands, as bits."""
Joint = tuple[Groups, tuple[int, ...]]
"""Hands that have these numbers among their unknown cards, without saying which hand has which."""
Card = tuple[int, Groups]
"""A number, and the hands it may lie in."""
Spares = dict[int, list[list[int]]]
"""For a number that must lie somewhere: sets of hands, each with the copies it can spare."""


def redeal(
    loose: Iterable[int], hands: Sequence[Known], joints: Sequence[Joint], chance: Chance
) -> list[tuple[int, ...]]:
    """Each hand in full, given the cards that are neither known to be in one nor held jointly."""
    loose = list(loose)
    reach = _reach(hands)
    free = [(number, reach[number]) for number in loose]
    free += [(number, reach[number] & where) for where, numbers in joints for number in numbers]
    about = {number for number, _ in free}
    held = [
        [number for number in hand.cards if number in about and hand.low <= number <= hand.high]
        if hand.unknown
        else []
        for hand in hands
    ]
    free = chance.shuffled("unseen", free)
    home: list[int] = []
    cards: list[Card] = []
    for at, hand in enumerate(hands):
        cards += [(number, 1 << at) for number in held[at]]
        cards += [free.pop() for _ in range(hand.unknown)]
        home += [at] * (len(held[at]) + hand.unknown)
    moved = _settle(cards, home)
    numbers = [number for number, _ in cards]
    spares = _spares(numbers, home, held, joints)
    if moved or spares:
        _exchange(numbers, home, reach, spares, chance)
    dealt = [
        [number for number in hand.cards if number not in held[at]] for at, hand in enumerate(hands)
    ]
    for at, number in zip(home, numbers, strict=True):
        dealt[at].append(number)
    return [tuple(sorted(hand)) for hand in dealt]


def _reach(hands: Sequence[Known]) -> list[Groups]:
    """For each number, the hands within whose bounds it lies."""
    reach = [0] * (1 + max(hand.high for hand in hands))
    for at, hand in enumerate(hands):
        for number in range(hand.low, hand.high + 1):
            reach[number] |= 1 << at
    return reach


def _settle(cards: list[Card], home: list[int]) -> bool:
    """Move every card that lies where it may not; whether there was one."""
    moved = False
    for place, at in enumerate(home):
        if not cards[place][1] >> at & 1:
            _mend(cards, home, place)
            moved = True
    return moved


def _mend(cards: list[Card], home: list[int], start: int) -> None:
    """Move the card at `start` and those it displaces round the shortest ring of allowed moves."""
    places = [*range(start + 1, len(cards)), *range(start)]
    came: dict[int, int] = {}
    queue = [start]
    for place in queue:
        where = cards[place][1]
        for other in places:
            if other in came or not where >> home[other] & 1:
                continue
            came[other] = place
            if cards[other][1] >> home[start] & 1:
                last = cards[other]
                while other != start:
                    cards[other] = cards[came[other]]
                    other = came[other]
                cards[start] = last
                return
            queue.append(other)
    raise ValueError("no deal is allowed")


def _spares(
    numbers: list[int], home: list[int], held: Sequence[list[int]], joints: Sequence[Joint]
) -> Spares:
    needs: list[tuple[Groups, list[int]]] = [(1 << at, own) for at, own in enumerate(held) if own]
    for where, jointly in joints:
        inside = [n for at, own in enumerate(held) if where >> at & 1 for n in own if n in jointly]
        needs.append((where, [*jointly, *inside]))
    homes: dict[int, list[int]] = {number: [] for _, needed in needs for number in needed}
    for at, number in zip(home, numbers, strict=True):
        if number in homes:
            homes[number].append(at)
    spares: Spares = {}
    for where, needed in needs:
        for number in set(needed):
            there = sum(where >> at & 1 for at in homes[number])
            spares.setdefault(number, []).append([where, there - needed.count(number)])
    return spares


def _exchange(
    numbers: list[int], home: list[int], reach: list[Groups], spares: Spares, chance: Chance
) -> None:
    """Try random exchanges of two cards between hands."""
    size = len(numbers)
    pairs = size * size
    for draw in chance.draws("exchanges", EXCHANGES * size):
        one, two = divmod(int(draw * pairs), size)
        here, there = home[one], home[two]
        if here == there:
            continue
        first, second = numbers[one], numbers[two]
        if not (reach[first] >> there & reach[second] >> here & 1) or first == second:
            continue
        if first in spares and not _can_leave(spares[first], here, there):
            continue
        if second in spares and not _can_leave(spares[second], there, here):
            continue
        numbers[one], numbers[two] = second, first
        if first in spares:
            _leave(spares[first], here, there)
        if second in spares:
            _leave(spares[second], there, here)


def _can_leave(spares: list[list[int]], here: int, there: int) -> bool:
    for where, spare in spares:
        if not spare and where >> here & 1 and not where >> there & 1:
            return False
    return True


def _leave(spares: list[list[int]], here: int, there: int) -> None:
    for spare in spares:
        spare[1] += (spare[0] >> there & 1) - (spare[0] >> here & 1)
