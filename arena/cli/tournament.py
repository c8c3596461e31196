"""`arena tournament`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli._common import (
    FORMATS,
    SEED,
    chosen_options,
    executor_options,
    find_entries,
    isolation_option,
    move_time_option,
    new_folder,
    options_option,
    quick_bots,
    say,
)
from arena.cli._leaderboard import Anchor, Reading, anchor_option, formatted
from arena.errors import ArenaError, unknown

if TYPE_CHECKING:
    from arena.cli._progress import Display
    from arena.loading import Entry
    from arena.specification import Specification
    from arena.store import Store

MATCHES = 1000
"""Played when nobody says how many."""
PLENTY = 100_000
"""Laid out when another rule says when to stop."""
UNITS = {"s": 1, "m": 60, "h": 3600}
INTERRUPTED = 130
TRIAL = 1.0
"""Seconds of play from which the time of a tournament is estimated."""


class Duration(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """90, 90s, 10m or 2h."""

    name = "TIME"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        text = str(value)
        number, unit = (text[:-1], text[-1]) if text[-1:] in UNITS else (text, "s")
        try:
            seconds = float(number) * UNITS[unit]
        except ValueError:
            seconds = -1.0
        if not 0 < seconds < float("inf"):
            self.fail(f"{text!r} is not a time; write 90s, 10m or 2h", param, ctx)
        return seconds


@click.command()
@click.argument("bots", nargs=-1, metavar="[BOT]...")
@click.option("--game", "-g", metavar="G", help="The game to play.")
@click.option("--players", type=int, metavar="K", help="Players of a match.")
@click.option(
    "--matches",
    type=click.IntRange(1),
    metavar="N",
    help=f"How many matches, rounded up to keep all pairs even. [default: {MATCHES}]",
)
@click.option(
    "--time", type=Duration(), help="Stop at the end of a block after this: 90s, 10m, 2h."
)
@click.option(
    "--until-ci",
    type=click.FloatRange(0, min_open=True),
    metavar="ELO",
    help="Stop when every rating is known to this on either side.",
)
@click.option("--gauntlet", metavar="BOT", help="One entry against all others.")
@click.option(
    "--seed",
    type=SEED,
    help="Seed of all luck. [default: 1; with bots that are not bundled, drawn so that they cannot "
    "know it]",
)
@options_option
@executor_options
@isolation_option
@move_time_option
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="A new folder.")
@click.option(
    "--resume", type=click.Path(path_type=Path), metavar="DIR", help="Go on with a tournament."
)
@click.option("--dry-run", is_flag=True, help="Only say what would be played.")
@click.option("--quiet", "-q", is_flag=True, help="Show no progress.")
@anchor_option
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    bots: tuple[str, ...],
    out: Path | None,
    resume: Path | None,
    dry_run: bool,
    quiet: bool,
    anchor: Anchor | None,
    form: str,
    executor: Any,
    workers: int | None,
    address: str | None,
    **wanted: Any,
) -> None:
    """Play a tournament and print the leaderboard.

    Without BOT, all bundled bots play that know the game and are quick. Ctrl-C (exit code 130)
    leaves a tournament that can be resumed.
    """
    from arena.store import Store
    from arena.tournament import check_resumable, run

    if resume is not None:
        _refuse_all_but_how(ctx)
        store = Store.open(resume, write=True)
    else:
        specification, entries = _specify(bots, **wanted)
        _check_anchor(anchor, specification)
        if dry_run:
            _describe(specification, entries)
            return
        store = Store.create(out or new_folder(specification.game), specification, entries)
    reading = Reading(anchor=anchor)
    with store:
        if resume is not None:
            _check_anchor(anchor, store.specification)
            check_resumable(store)
        try:
            with _display(store, quiet, reading) as display:
                run(store, executor, workers=workers, address=address, watch=display.show)
        except KeyboardInterrupt:
            again = shlex.join(["arena", "tournament", "--resume", str(store.folder)])
            click.echo(f"stopped after {len(store)} matches; go on with: {again}", err=True)
            ctx.exit(INTERRUPTED)
        click.echo(formatted([store], form, reading))


def _refuse_all_but_how(ctx: click.Context) -> None:
    """What is played is in the folder; only how may be said again."""
    how = {"resume", "executor", "workers", "address", "quiet", "anchor", "form"}
    for parameter in ctx.command.params:
        name = parameter.name or ""
        given = ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if given and name not in how:
            what = parameter.opts[0] if parameter.param_type_name == "option" else "BOT"
            raise ArenaError(f"--resume takes what is played from the folder: leave out {what}")


def _specify(
    bots: tuple[str, ...],
    *,
    game: str | None,
    options: tuple[str, ...],
    seed: int | None,
    **wanted: Any,
) -> tuple[Specification, list[Entry]]:
    from secrets import randbits

    from arena.players import Players
    from arena.specification import specify

    if game is None:
        raise ArenaError("say which game: --game G, see arena games")
    chosen = chosen_options(game, options)
    entries = find_entries(bots or quick_bots(game))
    endless = wanted["time"] is not None or wanted["until_ci"] is not None
    wanted["matches"] = wanted["matches"] or (PLENTY if endless else MATCHES)
    if seed is None:
        seed = 1 if all(entry.source.bundled for entry in entries) else randbits(63)
    specification = specify(game, entries, options=dict(chosen), seed=seed, **wanted)
    specification.model_copy(update={"matches": 1}).schedule()
    with Players({entry.name: entry for entry in entries}, wanted["isolation"], say) as players:
        players.check(game)
    return specification, entries


def _check_anchor(anchor: Anchor | None, specification: Specification) -> None:
    names = [entry.name for entry in specification.entries]
    if anchor is not None and anchor[0] not in names:
        raise unknown("anchor", anchor[0], names)


def _display(store: Store, quiet: bool, reading: Reading) -> Display:
    from arena.cli._progress import display

    if not quiet:
        planned = f"{len(store.schedule)} matches between {len(store.schedule.names)} entries"
        click.echo(f"{planned}, in {store.folder}", err=True)
    return display(quiet, lambda: formatted([store], "table", reading))


def _describe(specification: Specification, entries: list[Entry]) -> None:
    """What would be played, and about how long it would take in this process."""
    from time import monotonic

    from arena.cli._progress import duration
    from arena.executor import Inline, Work

    schedule = specification.schedule()
    work = Work({entry.name: entry for entry in entries}, specification.isolation)
    began, played = monotonic(), 0
    for records in Inline(work).play(schedule[number] for number in range(len(schedule))):
        played += len(records)
        if monotonic() - began > TRIAL:
            break
    seconds = (monotonic() - began) / played * len(schedule)
    click.echo(f"line-ups  {schedule.line_ups()} of {schedule.possible_line_ups()}")
    click.echo(f"blocks    {len(schedule.seating)}")
    click.echo(f"matches   {len(schedule)}")
    click.echo(f"time      about {duration(seconds)} on one core")
