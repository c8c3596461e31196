"""`arena sprt`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli._common import (
    chosen_options,
    executor_options,
    find_entries,
    isolation_option,
    move_time_option,
    options_option,
    print_json,
    say,
    seed_option,
)
from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.executor import ExecutorName
    from arena.store import Store

MOST = 100_000
"""Matches after which the test gives up."""


@click.command()
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--game", "-g", metavar="G", help="The game to play.")
@click.option("--field", "-f", multiple=True, metavar="BOT", help="Who fills the other seats.")
@click.option("--elo0", type=float, default=0.0, show_default=True, help="H0: so much better.")
@click.option("--elo1", type=float, default=20.0, show_default=True, help="H1: so much better.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Risk of a wrong H1.")
@click.option("--beta", type=float, default=0.05, show_default=True, help="Risk of a wrong H0.")
@click.option("--players", type=int, metavar="K", help="Players of a match.")
@click.option("--matches", type=click.IntRange(1), default=MOST, show_default=True, help="At most.")
@seed_option
@options_option
@executor_options
@isolation_option
@move_time_option
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="A new folder.")
@click.option("--resume", type=click.Path(path_type=Path), metavar="DIR", help="Go on with a test.")
@click.option("--quiet", "-q", is_flag=True, help="Show no progress.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(
    a: str | None,
    b: str | None,
    game: str | None,
    field: tuple[str, ...],
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    players: int | None,
    matches: int,
    seed: int,
    options: tuple[str, ...],
    executor: ExecutorName,
    workers: int | None,
    address: str | None,
    isolation: str,
    move_time: float,
    out: Path | None,
    resume: Path | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Is bot A better than bot B? Play until that is known.

    A sequential probability ratio test on whole blocks. Exit code 0 when A is better (H1), 1 when
    it is not (H0) or when the matches end before the test is decided.
    """
    from arena.cli._common import new_folder
    from arena.players import Players
    from arena.specification import Test, specify
    from arena.store import Store
    from arena.tournament import check_resumable

    if resume is not None:
        if a or game or out:
            raise ArenaError("--resume takes what is played from the folder: leave out the rest")
        store = Store.open(resume, write=True)
        if store.specification.test is None:
            raise ArenaError(f"{resume} is a tournament, not a test; use arena tournament --resume")
        check_resumable(store)
    else:
        if game is None or a is None or b is None:
            raise ArenaError("say what to test: arena sprt A B --game G")
        test = Test(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta)
        test.sprt()
        entries = find_entries([a, b, *field])
        told = specify(
            game,
            entries,
            players=players,
            options=dict(chosen_options(game, options)),
            matches=matches,
            seed=seed,
            isolation=isolation,
            move_time=move_time,
            test=test,
        )
        told.schedule()
        with Players({entry.name: entry for entry in entries}, isolation, say) as room:
            room.check(game)
        store = Store.create(out or new_folder(f"{game}-sprt"), told, entries)
    with store:
        _play(store, executor, workers, address, quiet)
        _answer(store, as_json)


def _play(
    store: Store, executor: ExecutorName, workers: int | None, address: str | None, quiet: bool
) -> None:
    from time import monotonic

    from arena.tournament import Progress, run, sprt_state

    spoken = monotonic()

    def watch(progress: Progress) -> None:
        nonlocal spoken
        if not quiet and monotonic() - spoken > 2:
            spoken = monotonic()
            say(f"{progress.done} matches  {sprt_state(store)}")

    if not quiet:
        say(f"{' against '.join(store.schedule.names[:2])}, in {store.folder}")
    try:
        run(store, executor, workers=workers, address=address, watch=watch)
    except KeyboardInterrupt:
        again = shlex.join(["arena", "sprt", "--resume", str(store.folder)])
        say(f"stopped after {len(store)} matches; go on with: {again}")
        raise click.exceptions.Exit(130) from None


def _answer(store: Store, as_json: bool) -> None:
    from dataclasses import asdict

    from arena.tournament import sprt_state

    state = sprt_state(store)
    first, second = store.schedule.names[:2]
    if as_json:
        print_json(
            {
                "a": first,
                "b": second,
                "game": store.specification.game,
                "matches": len(store),
                "tournament": str(store.folder),
                "decision": state.decision,
                **asdict(state),
            }
        )
    else:
        click.echo(str(state))
        sentence = {
            "H1": f"{first} is better than {second}",
            "H0": f"{first} is not better than {second} by what was asked",
            None: "undecided: the matches ended before the test",
        }
        click.echo(sentence[state.decision])
    if state.decision != "H1":
        raise click.exceptions.Exit(1)
