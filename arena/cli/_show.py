"""Showing a match on the terminal."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from arena.cli._common import plain

if TYPE_CHECKING:
    from arena.match import Record


def show_course(record: Record) -> None:
    """Draw the table before the first action and after each one."""
    from arena.match import new_game, retrace
    from arena.show import draw

    game = new_game(record.spec)
    faults = {fault.action: fault for fault in record.faults}
    click.echo(draw(game))
    for number, (seat, action) in enumerate(retrace(record, game)):
        if number in faults:
            fault = faults[number]
            name = record.spec.entries[fault.seat]
            why = plain(f"{fault.kind}: {fault.reason}")
            click.echo(f"\nfault of seat {fault.seat} ({name}): {why}")
        click.echo(f"\n#{number + 1} seat {seat} ({record.spec.entries[seat]}): {in_words(action)}")
        click.echo(draw(game))
    click.echo()


def in_words(action: Any) -> str:
    """An action on one line: `place value=3`."""
    rest = (f"{f.name}={getattr(action, f.name)}" for f in fields(action) if f.name != "type")
    return " ".join([action.type, *rest])


def show_result(record: Record) -> None:
    """The final scores, best first."""
    from tabulate import tabulate

    reasons = {fault.seat: plain(f"{fault.kind}: {fault.reason}") for fault in record.faults}
    rows = [
        [record.ranks[seat], seat, name, record.scores[seat], reasons.get(seat, "")]
        for seat, name in enumerate(record.spec.entries)
    ]
    headers = ["rank", "seat", "bot", "score", "fault"][: 5 if reasons else 4]
    click.echo(tabulate([row[: len(headers)] for row in sorted(rows)], headers=headers))
