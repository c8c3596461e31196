"""What is printed about a tournament: leaderboard, cross-table, seats, likelihoods."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from tabulate import tabulate

from arena.errors import unknown
from arena.rating import SAME, Floats, Outcomes, Ratings, by_side, encounters, pool, tally
from arena.student import quantile

FORMATS = ("table", "json", "csv", "markdown")


@dataclass(frozen=True, slots=True)
class Report:
    """One list of records in two forms: plain values, and cells for people."""

    records: list[dict[str, Any]]
    headers: list[str]
    cells: list[list[str]]
    words: int
    """How many columns, from the second on, hold words; the rest are numbers."""

    def render(self, form: str) -> str:
        """The report as text in one of `FORMATS`; JSON is the list of records."""
        if form == "json":
            return json.dumps(self.records, indent=2)
        if form == "csv":
            sheet = io.StringIO()
            writer = csv.writer(sheet, lineterminator="\n")
            writer.writerows([list(self.records[0]), *(one.values() for one in self.records)])
            return sheet.getvalue().rstrip("\n")
        if form not in FORMATS:
            raise unknown("format", form, FORMATS)
        words = range(1, 1 + self.words)
        cells, style = self.cells, "simple"
        if form == "markdown":
            cells, style = [[cell.replace("|", r"\|") for cell in row] for row in cells], "pipe"
        return tabulate(
            cells,
            headers=self.headers,
            tablefmt=style,
            disable_numparse=True,
            colalign=["left" if place in words else "right" for place in range(len(self.headers))],
        )


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the leaderboard; None where there is nothing to say."""

    rank: int
    bot: str
    digest: str
    elo: float
    low: float | None
    high: float | None
    matches: int
    points: float | None
    """Share of the points in encounters with other bots."""
    wins: float | None
    """Share of matches won; a shared first place is that share of a win."""
    mean_rank: float | None
    """Among the sides of a match."""
    mean_score: float | None
    faults: int
    """Matches in which the bot was at fault."""


def rank_by_rating(
    ratings: Ratings, order: Sequence[int], confidence: float | None = None
) -> list[int]:
    """The rank of each bot in its group, given all bots in the order of the leaderboard.

    Equal ratings share a rank. With a confidence, so do all bots that cannot be told apart
    from the best bot of that rank; the first that can begins the next rank.
    """
    ranks: list[int] = []
    group, place, rank, leader = -1, 0, 0, -1
    for bot in order:
        place = 1 if ratings.groups[bot] != group else place + 1
        group = int(ratings.groups[bot])
        if place == 1:
            new = True
        elif confidence is None:
            new = abs(ratings.elo[leader] - ratings.elo[bot]) >= SAME
        else:
            new = ratings.apart(leader, bot, confidence)
        if new:
            rank, leader = place, bot
        ranks.append(rank)
    return ranks


def sort_by_rating(ratings: Ratings) -> list[int]:
    """All bots, the largest group first, and in each group the strongest."""
    sizes = np.bincount(ratings.groups, minlength=len(ratings.names))
    return sorted(
        range(len(ratings.names)),
        key=lambda bot: (
            -int(sizes[ratings.groups[bot]]),
            int(ratings.groups[bot]),
            -round(float(ratings.elo[bot]) / SAME),
            ratings.names[bot],
        ),
    )


def standings(
    outcomes: Sequence[Outcomes],
    ratings: Ratings,
    digests: Mapping[str, str],
    confidence: float = 0.95,
    ties: bool = False,
) -> list[Row]:
    """The leaderboard; with `ties`, bots that cannot be told apart share a rank."""
    pooled = pool(outcomes)
    points, pairs = tally(pooled)
    sums = add_up(pooled)
    widths = ratings.half_widths(confidence)
    order = sort_by_rating(ratings)
    ranks = rank_by_rating(ratings, order, confidence if ties else None)
    return [
        Row(
            rank=rank,
            bot=ratings.names[bot],
            digest=digests[ratings.names[bot]],
            elo=float(ratings.elo[bot]),
            low=number(ratings.elo[bot] - widths[bot]),
            high=number(ratings.elo[bot] + widths[bot]),
            matches=int(sums["matches"][bot]),
            points=share(points[bot].sum(), pairs[bot].sum()),
            wins=share(sums["wins"][bot], sums["matches"][bot]),
            mean_rank=share(sums["ranks"][bot], sums["matches"][bot]),
            mean_score=share(sums["scores"][bot], sums["seats"][bot]),
            faults=int(sums["faults"][bot]),
        )
        for rank, bot in zip(ranks, order, strict=True)
    ]


def add_up(pooled: Sequence[Outcomes]) -> dict[str, Floats]:
    """Matches, wins, ranks and faults by side, scores by seat, summed for each bot.

    A bot that sits on two sides of a match has played it twice.
    """
    bots = len(pooled[0].names)
    sums = {
        key: np.zeros(bots) for key in ("matches", "wins", "ranks", "faults", "seats", "scores")
    }

    def add(key: str, entries: Any, values: Any = None) -> None:
        weights = None if values is None else np.asarray(values, dtype=np.float64).ravel()
        sums[key] += np.bincount(entries.ravel(), weights, minlength=bots)

    for part in pooled:
        entries, ranks = by_side(part)
        first = ranks == ranks.min(axis=1, keepdims=True)
        add("matches", entries)
        add("wins", entries, first / first.sum(axis=1, keepdims=True))
        for side in range(ranks.shape[1]):
            ahead = (ranks < ranks[:, [side]]).sum(axis=1)
            add("ranks", entries[:, side], 1 + ahead)
        for seats in part.seats_by_side():
            add("faults", part.entries[:, seats[0]], part.faults[:, seats].any(axis=1))
        add("seats", part.entries)
        add("scores", part.entries, part.scores)
    return sums


def leaderboard(rows: Sequence[Row], scale: str = "Elo") -> Report:
    """The leaderboard; the faults are shown where there are any."""
    columns: dict[str, Callable[[Row], str]] = {
        "rank": lambda row: str(row.rank),
        "bot": lambda row: row.bot,
        scale: lambda row: f"{row.elo:.1f}",
        "±": lambda row: decimal(row.high - row.elo if row.high is not None else None),
        "matches": lambda row: str(row.matches),
        "points %": lambda row: percent(row.points),
        "wins %": lambda row: percent(row.wins),
        "mean rank": lambda row: decimal(row.mean_rank, 2),
        "mean score": lambda row: decimal(row.mean_score, 2),
    }
    if any(row.faults for row in rows):
        columns["faults"] = lambda row: str(row.faults)
    cells = [[show(row) for show in columns.values()] for row in rows]
    return Report([asdict(row) for row in rows], list(columns), cells, words=1)


def cross_table(outcomes: Sequence[Outcomes], ratings: Ratings) -> Report:
    """The points of each bot against each other, in the order of the leaderboard."""
    points, pairs = tally(pool(outcomes))
    order = sort_by_rating(ratings)
    records = [
        {
            "bot": ratings.names[one],
            "opponent": ratings.names[other],
            "points": share(points[one, other], pairs[one, other]),
            "pairs": int(pairs[one, other]),
        }
        for one in order
        for other in order
        if one != other
    ]

    def cell(one: int, other: int) -> str:
        met = pairs[one, other]
        return f"{percent(points[one, other] / met)} ({met:.0f})" if met else ""

    cells = [
        [str(number), ratings.names[one], *(cell(one, other) for other in order)]
        for number, one in enumerate(order, start=1)
    ]
    headers = ["", "bot", *(str(number) for number in range(1, len(order) + 1))]
    return Report(records, headers, cells, words=1)


def seat_advantage(outcomes: Sequence[Outcomes], confidence: float = 0.95) -> Report:
    """The mean points of each seat, tables of different size apart, with intervals over blocks.

    Whole blocks have every bot in every seat, so strength does not count.
    """
    tables: dict[tuple[int, ...], list[tuple[Floats, Floats]]] = {}
    for part in pool(outcomes):
        tables.setdefault(part.sides, []).append(points_by_seat(part))
    records: list[dict[str, Any]] = []
    for sides, parts in tables.items():
        matches, points = (np.concatenate(column) for column in zip(*parts, strict=True))
        means = points.sum(axis=0) / matches.sum()
        blocks = len(matches)
        widths = np.full(len(sides), math.nan)
        if blocks > 1:
            spread = ((points - means * matches[:, None]) ** 2).sum(axis=0) * blocks / (blocks - 1)
            widths = quantile(confidence, blocks - 1) * np.sqrt(spread) / matches.sum()
        records += [
            {
                "seats": len(sides),
                "seat": seat,
                "points": float(means[seat]),
                "low": number(means[seat] - widths[seat]),
                "high": number(means[seat] + widths[seat]),
                "matches": int(matches.sum()),
            }
            for seat in range(len(sides))
        ]
    cells = [
        [
            str(one["seats"]),
            str(one["seat"]),
            percent(one["points"]),
            percent(None if one["high"] is None else one["high"] - one["points"]),
            str(one["matches"]),
        ]
        for one in records
    ]
    return Report(records, ["seats", "seat", "points %", "±", "matches"], cells, words=0)


def points_by_seat(part: Outcomes) -> tuple[Floats, Floats]:
    """By block: the number of matches, and the sum of each seat's share of its points."""
    _, ranks = by_side(part)
    gains = np.zeros(ranks.shape)
    for one, other, gained in encounters(ranks):
        gains[:, one] += gained
        gains[:, other] += 1 - gained
    _, blocks = np.unique(part.blocks, return_inverse=True)
    columns = {side: column for column, side in enumerate(dict.fromkeys(part.sides))}
    shares = gains[:, [columns[side] for side in part.sides]] / (ranks.shape[1] - 1)
    sums: Floats = np.stack([np.bincount(blocks, column) for column in shares.T], axis=1)
    return np.bincount(blocks).astype(np.float64), sums


def likelihoods(ratings: Ratings) -> Report:
    """For each neighbouring pair of the leaderboard, how likely the upper is the stronger."""
    order = sort_by_rating(ratings)
    records: list[dict[str, Any]] = []
    for one, other in itertools.pairwise(order):
        if ratings.groups[one] == ratings.groups[other]:
            records.append(
                {
                    "bot": ratings.names[one],
                    "opponent": ratings.names[other],
                    "difference": ratings.gap(one, other)[0],
                    "superiority": number(ratings.superiority(one, other)),
                }
            )
    cells = [
        [
            str(place),
            one["bot"],
            one["opponent"],
            decimal(one["difference"]),
            percent(one["superiority"]),
        ]
        for place, one in enumerate(records, start=1)
    ]
    headers = ["", "bot", "stronger than", "by", "likelihood %"]
    return Report(records, headers, cells, words=2)


def gaps(ratings: Ratings) -> str | None:
    """The sentence about groups that no match connects, if there are several."""
    groups: dict[int, list[str]] = {}
    for bot in sort_by_rating(ratings):
        groups.setdefault(int(ratings.groups[bot]), []).append(ratings.names[bot])
    if len(groups) == 1:
        return None
    listing = " | ".join(", ".join(names) for names in groups.values())
    return f"no chain of matches connects these groups, so each is rated for itself: {listing}"


def number(value: float) -> float | None:
    """A plain number, or None for what is not a number."""
    return None if math.isnan(value) else float(value)


def share(part: float, whole: float) -> float | None:
    """The quotient, or None of nothing."""
    return float(part / whole) if whole else None


def decimal(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def percent(value: float | None) -> str:
    return decimal(None if value is None else 100 * value)
