"""A bot plays the same match whichever way it runs, and leaves nothing behind."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena import sandbox
from arena.loading import Entry, find
from arena.match import Record, Spec
from arena.players import Players
from arena.proc import Tree
from tests.play import variants

ISOLATED = ["process", "sandbox"]


@pytest.fixture(params=ISOLATED)
def isolation(request: pytest.FixtureRequest) -> str:
    return available(request.param)


def available(level: str) -> str:
    """The level, if it can be tested here."""
    if level == "sandbox" and (why := sandbox.why_no_sandbox()):
        assert "CI" not in os.environ, why
        pytest.skip(why)
    return level


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test of isolation ends without processes and without folders."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    yield
    assert not Tree(os.getpid()).members()
    assert not list(tmp_path.glob("arena-bot-*"))


def entries(*texts: str) -> dict[str, Entry]:
    return {entry.name: entry for entry in map(find, texts)}


def bot(folder: Path, name: str, code: str) -> str:
    """A file with a bot, as it is named on the command line."""
    path = folder / f"{name}.py"
    path.write_text("from arena import Bot\n" + textwrap.dedent(code))
    return str(path)


def specs(players: dict[str, Entry], count: int, game: str = "lasvegas") -> list[Spec]:
    return [Spec(f"m{n}", game, (), tuple(players), n, 1.0) for n in range(count)]


def played(players: dict[str, Entry], specs: list[Spec], isolation: str) -> list[Record]:
    with Players(players, isolation) as table:
        return [replace(record, times=()) for record in table.play(specs)]


@pytest.mark.parametrize("variant", variants(), ids=str)
def test_every_variant_gives_the_same_records(variant, isolation):
    names = [f"bot{seat}=random" for seat in range(variant.players)]
    players = entries(*names)
    plan = [Spec(f"m{n}", variant.game, variant.options, tuple(players), n, None) for n in range(3)]
    assert played(players, plan, isolation) == played(players, plan, "none")


FAULTY = {
    "start": "def start(self, match): raise KeyError(match.match)",
    "act": "def act(self, view): raise ValueError(len(view.legal))",
    "late": """def act(self, view):
        if view.round == 3: raise ValueError(view.throw)
        return view.legal[-1]""",
    "finish": "def finish(self, result): raise OSError(result.ranks)",
    "exit": "def act(self, view): raise SystemExit(3)",
    "none": "def act(self, view): return None",
    "text": "def act(self, view): return 'place'",
    "dict": "def act(self, view): return {'type': 'place', 'value': view.legal[0].value}",
    "object": "def act(self, view): return object()",
    "unknown": """def act(self, view):
        return type(view.legal[0])(9)""",
    "illegal": """def act(self, view):
        from arena.games.lasvegas import PLACE
        return next(a for a in [*PLACE, None] if a not in view.legal)""",
    "parameters": "def __init__(self, depth: int = 3): raise ValueError(depth)",
}


@pytest.mark.parametrize("kind", sorted(set(FAULTY) - {"parameters"}))
def test_faults_are_the_same(tmp_path, isolation, kind):
    body = FAULTY[kind] if "def act" in FAULTY[kind] else FAULTY[kind] + HONEST
    players = entries(bot(tmp_path, kind, f"class Faulty(Bot):\n    {body}"), "greedy", "random")
    plan = specs(players, 3)
    records = played(players, plan, isolation)
    assert records == played(players, plan, "none")
    assert all(fault.seat == 0 for record in records for fault in record.faults)
    assert all(len(record.faults) == 1 for record in records)


HONEST = """
    def act(self, view):
        return view.legal[0]
"""
