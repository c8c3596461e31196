"""Every pair meets equally often, every entry sits everywhere, and nothing depends on luck."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import combinations
from math import comb
from random import Random
from time import monotonic

import numpy as np
import pytest
from numpy.typing import NDArray

from arena import games
from arena.errors import ArenaError
from arena.lineups import balanced
from arena.schedule import Schedule, lay_out


def meetings(lineups: NDArray[np.int16], entries: int) -> list[int]:
    """How often each pair meets."""
    counts = np.zeros((entries, entries), dtype=int)
    for one, other in combinations(range(lineups.shape[1]), 2):
        np.add.at(counts, (lineups[:, one], lineups[:, other]), 1)
    return list((counts + counts.T)[np.triu_indices(entries, 1)])


def spread(counts: list[int]) -> int:
    return max(counts, default=0) - min(counts, default=0)


@pytest.mark.parametrize("size", range(1, 7))
def test_pairs_meet_equally_often(size: int) -> None:
    for entries in range(size, 14):
        everything = comb(entries, size)
        for wish in {
            1,
            2,
            entries,
            2 * entries + 1,
            everything - 1,
            everything,
            2 * everything + 3,
        }:
            if wish < 1:
                continue
            lineups = balanced(entries, size, wish, Random(wish))
            case = f"{size} of {entries}, {wish} wished, {len(lineups)} laid out"
            assert spread(meetings(lineups, entries)) <= 1, case
            assert spread(list(np.bincount(lineups.ravel(), minlength=entries))) == 0, case
            assert all(len(set(lineup)) == size for lineup in lineups.tolist()), case
            assert wish <= len(lineups) <= -(-wish // everything) * everything, case
            times = Counter(tuple(sorted(lineup)) for lineup in lineups.tolist())
            assert max(times.values()) <= -(-wish // everything), case


@pytest.mark.parametrize(
    ("entries", "size", "most"), [(20, 4, 2), (25, 3, 1), (30, 2, 1), (41, 5, 2)]
)
def test_a_wish_is_rounded_up_by_few_orbits(entries: int, size: int, most: int) -> None:
    for wish in range(1, 12 * entries, entries // 2):
        laid_out = len(balanced(entries, size, wish, Random(0)))
        assert laid_out <= (-(-wish // entries) + most) * entries


def test_full_round_robin_when_it_fits() -> None:
    lineups = balanced(7, 3, 35, Random(1))
    assert Counter(map(frozenset, lineups.tolist())) == dict.fromkeys(
        map(frozenset, combinations(range(7), 3)), 1
    )


@pytest.mark.parametrize(("entries", "size"), [(6, 4), (12, 4), (20, 2), (20, 5)])
def test_stopped_early_it_is_nearly_balanced(entries: int, size: int) -> None:
    lineups = balanced(entries, size, 600, Random(2))
    for stop in range(1, len(lineups), 7):
        played = lineups[:stop]
        assert spread(meetings(played, entries)) <= 5, stop
        # Whole orbits are even, and in the one under way an entry appears at most `size` times.
        assert spread(list(np.bincount(played.ravel(), minlength=entries))) <= size, stop


def names(count: int) -> list[str]:
    return [f"bot{number}" for number in range(count)]


def every(schedule: Schedule) -> list[tuple[str, ...]]:
    return [schedule[number].entries for number in range(len(schedule))]


@pytest.mark.parametrize("game", games.names())
def test_everybody_sits_everywhere(game: str) -> None:
    kind = games.load(game)
    for players in kind.player_counts:
        schedule = lay_out(game, (), names(8), players, 500, 7)
        seats = Counter(
            (name, seat) for entries in every(schedule) for seat, name in enumerate(entries)
        )
        assert len(seats) == 8 * players
        assert len(set(seats.values())) == 1


@pytest.mark.parametrize("game", games.names())
def test_partners_are_one_entry(game: str) -> None:
    kind = games.load(game)
    for players in kind.player_counts:
        sides = kind.sides(players, kind.options_type())
        schedule = lay_out(game, (), names(7), players, 100, 7)
        assert schedule.rotations == len(set(sides))
        for entries in every(schedule):
            assert len({*zip(sides, entries, strict=True)}) == len(set(sides)) == len(set(entries))


def test_a_block_is_one_seed_and_all_rotations() -> None:
    schedule = lay_out("lasvegas", (), names(5), 4, 100, 7)
    for block in range(0, len(schedule), 4):
        specs = [schedule[number] for number in range(block, block + 4)]
        assert [spec.id for spec in specs] == [f"b{block // 4:05}-{turn}" for turn in range(4)]
        assert len({spec.seed for spec in specs}) == 1
        first = specs[0].entries
        assert [spec.entries for spec in specs] == [
            first[turn:] + first[:turn] for turn in range(4)
        ]
    seeds = [schedule[number].seed for number in range(0, len(schedule), 4)]
    assert len(set(seeds)) == len(seeds)
    assert min(abs(a - b) for a, b in combinations(seeds, 2)) > 2**32


def test_ids_name_the_numbers() -> None:
    schedule = lay_out("lasvegas", (), names(5), 3, 100, 7)
    assert [schedule.number(schedule[n].id) for n in range(len(schedule))] == list(
        range(len(schedule))
    )


def test_same_seed_same_schedule() -> None:
    one, two, other = (lay_out("lasvegas", (), names(9), 4, 200, seed) for seed in (1, 1, 2))
    assert [one[n] for n in range(len(one))] == [two[n] for n in range(len(two))]
    assert every(one) != every(other)


def test_gauntlet() -> None:
    schedule = lay_out("lasvegas", (), names(9), 4, 700, 7, gauntlet="bot4")
    opponents: Counter[str] = Counter()
    pairs: Counter[frozenset[str]] = Counter()
    for entries in every(schedule):
        assert "bot4" in entries
        rest = [name for name in entries if name != "bot4"]
        opponents.update(rest)
        pairs.update(map(frozenset, combinations(rest, 2)))
    assert len(opponents) == 8 and len(set(opponents.values())) == 1
    assert len(pairs) == 28 and max(pairs.values()) - min(pairs.values()) <= schedule.rotations
    with pytest.raises(ArenaError, match="did you mean bot4"):
        lay_out("lasvegas", (), names(9), 4, 700, 7, gauntlet="bto4")


def test_too_few_entries_says_how_to_mend_it() -> None:
    with pytest.raises(ArenaError, match=r"--players 2, or name more bots, .* second=bot0"):
        lay_out("lasvegas", (), names(2), 4, 10, 7)


@pytest.mark.parametrize(("entries", "players"), [(6, 4), (20, 4), (60, 5), (200, 2)])
def test_a_hundred_thousand_matches(entries: int, players: int) -> None:
    began = monotonic()
    schedule = lay_out("lasvegas", (), names(entries), players, 100_000, 3)
    seats = Counter((spec, seat) for line in every(schedule) for seat, spec in enumerate(line))
    assert monotonic() - began < 10
    assert 100_000 <= len(schedule) < 101_000
    assert len(seats) == entries * players and len(set(seats.values())) == 1
    assert spread(meetings(schedule.seating[:, 0], entries)) <= 1


def test_memory_of_a_hundred_thousand_matches() -> None:
    script = (
        "from arena.schedule import lay_out\n"
        "schedule = lay_out('lasvegas', (), [f'b{n}' for n in range(20)], 4, 100_000, 3)\n"
        "for number in range(len(schedule)): schedule[number]\n"
        "from tests.memory import peak\n"
        "print(peak())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 500 * 2**20
