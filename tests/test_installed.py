"""Bots of installed packages play the same match whichever way they run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena import loading
from arena.loading import Entry, find
from arena.match import Record, Spec
from arena.players import Players
from arena.specification import specify
from arena.store import Store
from arena.tournament import run
from tests.isolated import isolation, nothing_is_left

__all__ = ["isolation", "nothing_is_left"]

FILES = {
    "clever_bots-1.0.dist-info/METADATA": "Name: clever-bots\nVersion: 1.0\n",
    "clever_bots-1.0.dist-info/entry_points.txt": (
        "[arena.bots]\nclever = clever_bots.deep.player:Clever\nsimple = simple_bot:Simple\n"
    ),
    "simple_bot.py": (
        "from arena import Bot\n\n\nclass Simple(Bot):\n"
        "    def act(self, view):\n        return view.legal[-1]\n"
    ),
    "clever_bots/__init__.py": "",
    "clever_bots/taste.py": "def favourite(legal, taste):\n    return legal[taste % len(legal)]\n",
    "clever_bots/deep/__init__.py": "",
    "clever_bots/deep/weights.txt": "3 1 4 1 5",
    "clever_bots/deep/player.py": (
        "from importlib.resources import files\nfrom pathlib import Path\n\n"
        "from arena import Bot\nfrom clever_bots.taste import favourite\n\n"
        "WEIGHTS = [int(word) for word in files(__package__).joinpath('weights.txt')"
        ".read_text().split()]\n"
        "assert Path(__file__).with_name('weights.txt').is_file()\n\n\n"
        "class Clever(Bot):\n    def act(self, view):\n"
        "        from .. import taste\n\n"
        "        assert taste.favourite is favourite\n"
        "        return favourite(view.legal, self.rng.choice(WEIGHTS))\n"
    ),
}
NAMES = ("clever", "simple", "random")


@pytest.fixture(autouse=True)
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A distribution in a folder on the path, with a bot in a package and one in a module."""
    home = tmp_path / "installed"
    for name, text in FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    monkeypatch.syspath_prepend(str(home))
    loading.installed.cache_clear()
    yield
    loading.installed.cache_clear()
    loading.load_module.cache_clear()
    loading.recipe.cache_clear()
    for name in [name for name in sys.modules if name.startswith(("clever_bots", "simple_bot"))]:
        del sys.modules[name]


def entries() -> dict[str, Entry]:
    return {name: find(name) for name in NAMES}


def played(isolation: str) -> list[Record]:
    specs = [Spec(f"m{seed}", "lasvegas", (), NAMES, seed, 5.0) for seed in range(3)]
    with Players(entries(), isolation) as players:
        players.check("lasvegas")
        return [replace(record, times=()) for record in players.play(specs)]


def test_the_records_are_the_same(isolation: str) -> None:
    records = played(isolation)
    assert "clever_bots" not in sys.modules, "its code runs in its own process alone"
    assert all(record.faults == () for record in records)
    assert records == played("none")


def test_a_tournament_is_the_same(isolation: str, tmp_path: Path) -> None:
    tables = []
    for level in (isolation, "none"):
        bots = list(entries().values())
        told = specify("lasvegas", bots, players=3, matches=6, seed=1, isolation=level)
        with Store.create(tmp_path / level, told, bots) as store:
            run(store, "inline")
            tables.append([replace(record, times=()) for _, record in store.records()])
    assert tables[0] == tables[1] and len(tables[0]) == 6
    assert not any(record.faults for record in tables[0])
