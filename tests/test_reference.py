"""The reference seasons are what their commands play, replay to the end and rate as committed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.cli._common import chosen_options, find_entries
from arena.cli._leaderboard import gather
from arena.cli.tournament import command
from arena.players import Players
from arena.rating import rate
from arena.report import standings
from arena.specification import specify
from arena.store import Store
from arena.verification import verify
from tests.seasons import LEADERBOARD, REFERENCE, ROOT, commands

COMMANDS = commands()
every_season = pytest.mark.parametrize("season", COMMANDS)
MOST_BYTES = 6_000_000
LADDER = 3
"""A ladder is random, a bot of one rule, and a heuristic; search bots come after it."""
SEARCH = {
    "lasvegas": ("flat", "mcts"),
    "lasvegas-neutral": ("flat",),
    "cash-3": ("flat",),
    "cash-5": ("flat", "mcts"),
}
"""The seasons whose search bots are clear of the heuristic, and which bots these are."""
UNBEATEN = ("cash-3",)
"""The seasons in which rungs hardly ever lose to lower ones. How far they are apart, and so where
the mean is, is not well known there: the distance from one to the next tells that it is clear."""


def asked(season: str) -> dict[str, Any]:
    """What the command of a season says."""
    return command.make_context("tournament", list(COMMANDS[season])).params


@pytest.fixture
def store(season: str) -> Iterator[Store]:
    with Store.open(REFERENCE / season) as store:
        yield store


def test_every_season_has_its_command() -> None:
    assert {path.name for path in REFERENCE.iterdir() if path.is_dir()} == set(COMMANDS)


def test_the_seasons_are_small() -> None:
    files = [path for path in REFERENCE.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


@every_season
def test_the_records_replay(store: Store) -> None:
    assert list(verify(store)) == []
    assert len(store) == len(store.schedule)


@every_season
def test_nobody_faulted(store: Store) -> None:
    assert not [record.spec.id for _, record in store.records() if record.faults]


@every_season
def test_the_leaderboard_is_the_committed_one(season: str) -> None:
    folder = REFERENCE / season
    done = CliRunner().invoke(main, ["leaderboard", str(folder), "--format", "markdown"])
    assert done.stdout.encode() == (folder / LEADERBOARD).read_bytes()


@every_season
def test_the_ratings_of_the_bots_are_those_of_the_season(season: str) -> None:
    told = (ROOT / "agents" / "README.md").read_text(encoding="utf-8").splitlines()
    for line in (REFERENCE / season / LEADERBOARD).read_text().splitlines()[2:]:
        _, bot, elo, error, *_ = (cell.strip() for cell in line.strip("|").split("|"))
        rating = f"{float(elo):.0f} ± {float(error):.0f}"
        assert any(row.startswith(f"| `{bot}`") and rating in row for row in told), (bot, rating)


@every_season
def test_each_rung_is_clear_of_the_one_below(season: str, store: Store) -> None:
    outcomes, digests = gather([store])
    names = [entry.name for entry in store.specification.entries]
    steps = list(pairwise(names[:LADDER]))
    steps += [(names[LADDER - 1], name) for name in SEARCH.get(season, ())]
    for below, above in steps:
        ratings = rate(outcomes, (below, 1500) if season in UNBEATEN else None)
        rows = {row.bot: row for row in standings(outcomes, ratings, digests)}
        assert rows[above].low > rows[below].high, f"{above} is not clear of {below}"


@every_season
def test_the_command_is_that_of_the_season(season: str, store: Store) -> None:
    """The same tournament, between the same sources of bots."""
    words = asked(season)
    told = specify(
        words["game"],
        find_entries(words["bots"]),
        options=dict(chosen_options(words["game"], words["options"])),
        **{name: words[name] for name in ("players", "matches", "seed", "isolation", "move_time")},
    )
    assert told == store.specification.model_copy(update={"arena": told.arena})


@pytest.mark.slow
@every_season
def test_the_first_match_is_played_again_to_the_last_action(store: Store) -> None:
    _, known = next(iter(store.records()))
    with Players(store.entries()) as players:
        (again,) = players.play([store.schedule[0]])
    assert replace(again, times=()) == replace(known, times=())
