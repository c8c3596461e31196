"""Keys in four colours, as Cash counts them, and the drawing of handfuls that stay secret.

A count of keys by colour is one integer, eight bits a colour, so that adding, comparing and
hashing hands costs one operation. A set of handfuls is an integer too: bit i stands for
`HANDFULS[i]`.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import accumulate, combinations_with_replacement
from typing import Literal, Self, get_args

Colour = Literal["red", "green", "yellow", "blue"]
COLOURS: tuple[Colour, ...] = get_args(Colour)

Four = tuple[int, int, int, int]
"""One number for each colour, in the order of `COLOURS`."""

KEY: Mapping[str, int] = {colour: 1 << 8 * place for place, colour in enumerate(COLOURS)}
ONE_OF_EACH = sum(KEY.values())
GUARD = 0x80 * ONE_OF_EACH
"""The top bit of each colour, which no count reaches."""
NEVER = 0x7F * ONE_OF_EACH
"""More keys than there are."""

HANDFUL = 4
HANDFULS = tuple(sum(KEY[c] for c in keys) for keys in combinations_with_replacement(COLOURS, 4))
"""The 35 ways to hold four keys."""
ANY = (1 << len(HANDFULS)) - 1


@cache
def unpack(keys: int) -> Four:
    """The counts by colour; those of a difference may be negative."""
    red, green, yellow, blue = (keys + GUARD).to_bytes(4, "little")
    return red - 0x80, green - 0x80, yellow - 0x80, blue - 0x80


@cache
def pack(counts: Four) -> int:
    """The inverse of `unpack`."""
    return sum(count * key for count, key in zip(counts, KEY.values(), strict=True))


def covers(keys: int, need: int) -> bool:
    """Whether no colour falls short of the need."""
    return (keys | GUARD) - need & GUARD == GUARD


def colours_in(keys: int) -> int:
    """The guard bit of each colour of which there is a key."""
    return (keys | GUARD) - ONE_OF_EACH & GUARD


@lru_cache(maxsize=1 << 16)
def handfuls_covering(need: int) -> int:
    """The handfuls with as many keys as needed; a need may be negative in some colours."""
    return sum([1 << i for i, handful in enumerate(HANDFULS) if covers(handful, need)])


@cache
def offer(stock: int) -> Four:
    """How many keys of each colour a handful out of this stock may hold."""
    red, green, yellow, blue = unpack(stock)
    return min(red, HANDFUL), min(green, HANDFUL), min(yellow, HANDFUL), min(blue, HANDFUL)


LOOT = {
    4: "RRRR",
    5: "RRRG",
    6: "RRRY RRGG",
    7: "RRRB RRGY RGGG",
    8: "RRGB RRYY RGGY GGGG",
    9: "RRYB RGGB RGYY GGGY",
    10: "RRBB RGYB RYYY GGGB GGYY",
    11: "RGBB RYYB GGYB GYYY",
    12: "RYBB GGBB GYYB YYYY",
    13: "RBBB GYBB YYYB",
    14: "GBBB YYBB",
    15: "YBBB",
    16: "BBBB",
}
"""The loot and the safes that hold it, their keys by the first letter of the colour."""


@dataclass(frozen=True, slots=True)
class Safe:
    """How many keys of each colour open it (red, green, yellow, blue), and what is in it."""

    keys: Four
    loot: int


_LOOT_OF = {
    sum(KEY[colour] * safe.count(colour[0].upper()) for colour in COLOURS): loot
    for loot, safes in LOOT.items()
    for safe in safes.split()
}
SAFES = tuple(Safe(unpack(keys), _LOOT_OF[keys]) for keys in HANDFULS)


# Secret handfuls. Where each seat's handful is one of a set and their sum is known, counting the
# ways to reach each sum with the seats still to come lets a uniform draw go seat by seat.

Sets = tuple[int, ...]
"""The handfuls possible for each of some seats."""


@dataclass(frozen=True, slots=True)
class SecretHandfuls:
    """What is known of the handfuls that seats have chosen, one after the other out of the stock.

    Each is one of a set. After the first `early` seats the stock offered `offered`, and in the end
    `total` is gone, and the handful of some seat covers its need, as far as these are known.
    """

    sets: Sets
    early: int
    offered: Four | None
    stock: int
    total: int | None
    needs: tuple[int, ...] | None

    @property
    def seats(self) -> int:
        """How many have chosen."""
        return len(self.sets)

    def narrowed(self, seat: int, handful: int) -> Self:
        """The same with only this handful for a seat, if that can be."""
        kept = self.sets[seat] & 1 << handful
        narrow = replace(self, sets=(*self.sets[:seat], kept, *self.sets[seat + 1 :]))
        return narrow if kept and _splits(narrow)[0] else self

    def draw(self, draws: Iterator[float]) -> list[int]:
        """A handful for each seat, uniform over all that is known."""
        splits, ways = _splits(self)
        sets, first, second = splits[bisect(ways, int(next(draws) * ways[-1]))]
        limit = self.stock if self.total is None else self.total
        return [
            *_share(sets[: self.early], first, limit, draws),
            *_share(sets[self.early :], second, limit, draws),
        ]


def _share(sets: Sets, total: int, limit: int, draws: Iterator[float]) -> Iterator[int]:
    for place in range(len(sets)):
        handfuls, ways = _handfuls_of_first(sets[place:], total, limit)
        handful = handfuls[bisect(ways, int(next(draws) * ways[-1]))]
        total -= handful
        yield handful


def _somebody_covers(sets: Sets, needs: Sequence[int]) -> tuple[Sets, ...]:
    """Cases that exclude each other, by the first seat whose handful covers its need."""
    able = [handfuls & handfuls_covering(need) for handfuls, need in zip(sets, needs, strict=True)]
    unable = [handfuls & ~can for handfuls, can in zip(sets, able, strict=True)]
    cases = ((*unable[:seat], able[seat], *sets[seat + 1 :]) for seat in range(len(sets)))
    return tuple(case for case in cases if all(case))


@lru_cache(maxsize=1 << 10)
def _splits(secret: SecretHandfuls) -> tuple[list[tuple[Sets, int, int]], list[int]]:
    """What the early seats and the later ones may hold, with the cumulated number of ways."""
    stock, total = secret.stock, secret.total
    limit = stock if total is None else total
    cases = (secret.sets,) if secret.needs is None else _somebody_covers(secret.sets, secret.needs)
    splits, ways = [], []
    for sets in cases:
        late = _ways_to_sum(sets[secret.early :], limit)
        for first, count in _ways_to_sum(sets[: secret.early], limit).items():
            if secret.offered is None or offer(stock - first) == secret.offered:
                for second in late if total is None else (total - first,):
                    if second in late and covers(stock, first + second):
                        splits.append((sets, first, second))
                        ways.append(count * late[second])
    return splits, list(accumulate(ways))


@lru_cache(maxsize=1 << 12)
def _handfuls_of_first(sets: Sets, total: int, limit: int) -> tuple[tuple[int, ...], list[int]]:
    """The handfuls of the first seat, with the cumulated number of ways for the others."""
    handfuls = _members(sets[0])
    others = _ways_to_sum(sets[1:], limit)
    return handfuls, list(accumulate(others.get(total - handful, 0) for handful in handfuls))


@lru_cache(maxsize=1 << 10)
def _ways_to_sum(sets: Sets, limit: int) -> Mapping[int, int]:
    """In how many ways the seats can hold each sum within the limit together."""
    if not sets:
        return {0: 1}
    ways: dict[int, int] = {}
    for rest, count in _ways_to_sum(sets[1:], limit).items():
        for handful in _members(sets[0]):
            held = rest + handful
            if covers(limit, held):
                ways[held] = ways.get(held, 0) + count
    return ways


@lru_cache(maxsize=1 << 10)
def _members(handfuls: int) -> tuple[int, ...]:
    return tuple(handful for i, handful in enumerate(HANDFULS) if handfuls >> i & 1)
