"""`arena tournament`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli._common import (
    FORMATS,
    chosen_options,
    options_option,
    read_duration,
    seed_option,
)
from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.loading import Entry
    from arena.store import Specification, Store
    from arena.tournament import Plan

MATCHES = 1000
"""Played when neither a number nor another way to stop is given."""
MOST_MATCHES = 100_000
"""Played at most when another way to stop is given."""


@click.command()
@click.argument("bots", nargs=-1, metavar="[BOT …]")
@click.option("--game", "-g", metavar="G", help="The game to play.")
@click.option(
    "--players", type=int, metavar="K", help="Seats at the table.  [default: the game's usual]"
)
@click.option(
    "--matches", type=click.IntRange(1), metavar="N", help="Matches to play, rounded up to balance."
)
@seed_option
@options_option
@click.option(
    "--gauntlet", metavar="BOT", help="Only line-ups with this entry: it against the field."
)
@click.option("--time", "duration", metavar="TIME", help="Stop after so long: 90s, 10m, 2h.")
@click.option(
    "--until-ci", type=float, metavar="ELO", help="Stop when all intervals are within ± ELO."
)
@click.option(
    "--executor",
    type=click.Choice(["auto", "inline", "ray"]),
    default="auto",
    show_default=True,
    help="Who plays the matches.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    metavar="N",
    help="Processes for Ray.  [default: the cores]",
)
@click.option("--address", metavar="A", help="A running Ray cluster, or 'auto'.")
@click.option(
    "--isolation",
    type=click.Choice(["auto", "none", "process", "sandbox"]),
    default="auto",
    show_default=True,
    help="How bots are kept apart.",
)
@click.option(
    "--move-time",
    type=float,
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="For one decision of an isolated bot.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where to keep it.  [default: results/GAME-DATE]",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Go on with a stopped tournament.",
)
@click.option(
    "--dry-run", is_flag=True, help="Say what would be played, and about how long it takes."
)
@click.option("--quiet", "-q", is_flag=True, help="No progress, only the leaderboard.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
def command(
    bots: tuple[str, ...],
    game: str | None,
    players: int | None,
    matches: int | None,
    seed: int,
    options: tuple[str, ...],
    gauntlet: str | None,
    duration: str | None,
    until_ci: float | None,
    executor: str,
    workers: int | None,
    address: str | None,
    isolation: str,
    move_time: float,
    out: Path | None,
    resume: Path | None,
    dry_run: bool,
    quiet: bool,
    form: str,
) -> None:
    """Play a tournament and print its leaderboard.

    Without BOTs, all that play the game and are quick take part. What is kept in the folder can be
    resumed, verified, replayed and rated again.
    """
    from arena import tournament
    from arena.store import Store

    seconds = read_duration(duration) if duration else None
    enough = _narrow_enough(until_ci) if until_ci is not None else None
    plan = tournament.Plan(executor, workers, address, seconds, enough)
    if resume is not None:
        if bots or game or out or dry_run:
            raise ArenaError(
                "--resume takes all but how to run from the folder: name no bots, game or --out"
            )
        with Store.open(resume, writing=True) as store:
            _run(store, store.entries(), plan, quiet, form)
        return
    if game is None:
        raise ArenaError("name a game: arena tournament --game lasvegas")
    default = MATCHES if seconds is None and until_ci is None else MOST_MATCHES
    given, entries = _specify(
        bots, game, players, matches or default, seed, options, gauntlet, isolation, move_time
    )
    if dry_run:
        _say_plan(given, entries)
        return
    sources = [entry.source for entry in entries.values() if not entry.source.bundled]
    with Store.create(out or _default_folder(game), given, sources) as store:
        _run(store, entries, plan, quiet, form)


def _specify(
    bots: tuple[str, ...],
    game: str,
    players: int | None,
    matches: int,
    seed: int,
    options: tuple[str, ...],
    gauntlet: str | None,
    isolation: str,
    move_time: float,
) -> tuple[Specification, dict[str, Entry]]:
    """The specification, with everything that can be wrong found out before anything is written."""
    from arena import games, tournament
    from arena.loading import find
    from arena.match import read_options

    kind = games.load(game)
    chosen = chosen_options(game, options)
    read = read_options(game, chosen)
    count = players or (
        kind.usual_players if kind.usual_players in kind.allowed(read) else max(kind.allowed(read))
    )
    kind.check(count, read)
    entries: dict[str, Entry] = {}
    lines: dict[str, tuple[str, Entry]] = {}
    for text in bots or _field(game):
        entry = find(text)
        if entry.name in entries:
            raise ArenaError(f"{entry.name} is named twice; give one another name: again={text}")
        entries[entry.name] = entry
        lines[entry.name] = text.removeprefix(f"{entry.name}="), entry
    given = tournament.specify(
        game, chosen, lines, count, matches, seed, move_time, isolation, gauntlet
    )
    tournament.schedule_of(given.model_copy(update={"matches": 1}))
    return given, entries


def _narrow_enough(elo: float) -> Callable[[Store], bool]:
    """Whether every interval is within ± `elo`; looked at after ever more matches, as it costs."""
    from arena.rating import rate
    from arena.tournament import sides_of

    looked = 0

    def enough(store: Store) -> bool:
        nonlocal looked
        if len(store) < 1.2 * looked:
            return False
        looked = len(store)
        widths = rate([store.outcomes(sides_of(store.specification))]).half_widths(0.95)
        return bool((widths <= elo).all())

    return enough


def _field(game: str) -> list[str]:
    """All bundled bots that play the game and are quick."""
    from arena.loading import bot_class, bundled, find, plays

    return [name for name in bundled() if plays(bot := bot_class(find(name)), game) and bot.quick]


def _default_folder(game: str) -> Path:
    from datetime import datetime

    base = Path("results") / f"{game}-{datetime.now():%Y-%m-%d-%H%M%S}"
    folder, number = base, 1
    while folder.exists():
        number += 1
        folder = base.with_name(f"{base.name}-{number}")
    return folder


def _say_plan(given: Specification, entries: dict[str, Entry]) -> None:
    """What would be played, timed by playing one block."""
    from time import perf_counter

    from arena.executor import Work, play_blocks
    from arena.players import Players
    from arena.tournament import schedule_of

    schedule = schedule_of(given)
    with Players(entries, given.isolation) as players:
        play_blocks(work := Work(schedule, entries), players, [0])
        began = perf_counter()
        play_blocks(work, players, [0])
        seconds = (perf_counter() - began) * len(schedule)
    lineups = len({tuple(sorted(row)) for row in schedule.lineups.tolist()})
    matches = len(schedule) * schedule.matches_per_block
    click.echo(
        f"{len(entries)} entries, {lineups} line-ups, {len(schedule)} blocks, {matches} matches, "
        f"about {seconds:.0f} s on one core"
    )


def _run(store: Store, entries: dict[str, Entry], plan: Plan, quiet: bool, form: str) -> None:
    from arena import tournament
    from arena.cli._leaderboard import print_leaderboard, standings
    from arena.cli._progress import progress, say

    schedule = tournament.schedule_of(store.specification)
    total = len(schedule) * schedule.matches_per_block
    command = f"arena tournament --resume {store.folder}"
    if not quiet:
        say(f"{len(entries)} entries, {total} matches, kept in {store.folder}")
    try:
        with progress(total, len(store), quiet, lambda: standings(store)) as (advance, note):
            for played in tournament.run(store, schedule, entries, plan, note):
                advance(played)
    except KeyboardInterrupt:
        say(f"\nstopped with {len(store)} of {total} matches; go on with: {command}")
        raise click.exceptions.Exit(130) from None
    print_leaderboard([store], form)
