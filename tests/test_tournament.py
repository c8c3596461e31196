"""`arena tournament` from end to end: killed, interrupted, resumed, stopped, and its memory."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena import games
from arena.cli import main
from arena.errors import ArenaError
from arena.loading import find
from arena.match import Record
from arena.specification import specify
from arena.store import Store
from arena.tournament import check_resumable, run
from arena.verification import verify

ROOT = Path(__file__).resolve().parent.parent
MINE = """
from arena import Bot
class Mine(Bot):
    def act(self, view):
        return view.legal[0]
"""
RANDOMS = [f"r{number}=random" for number in range(6)]


def arena(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "arena", *map(str, words)]


def begin(*words: str | Path) -> subprocess.Popen[str]:
    """The command, running in its own process."""
    return subprocess.Popen(
        arena(*words), cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def matches_in(folder: Path) -> int:
    try:
        with Store.open(folder) as store:
            return len(store)
    except ArenaError:
        return 0


def wait_for(folder: Path, matches: int, process: subprocess.Popen[str]) -> None:
    while matches_in(folder) < matches and process.poll() is None:
        time.sleep(0.02)


def content(folder: Path) -> list[tuple[int, Record]]:
    """All that does not depend on the clock, of a tournament that verifies."""
    with Store.open(folder) as store:
        assert list(verify(store)) == []
        return [(number, replace(record, times=())) for number, record in store.records()]


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
def test_killed_three_times_and_resumed(tmp_path: Path, game: str) -> None:
    how = ["--game", game, *RANDOMS, "--matches", "1500", "--executor", "inline", "--quiet"]
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    undisturbed = CliRunner().invoke(main, ["tournament", *how, "--out", str(whole)])
    assert undisturbed.exit_code == 0, undisturbed.output
    process = begin("tournament", *how, "--out", broken)
    for kill in (1, 2, 3):
        wait_for(broken, 100 * kill, process)
        assert process.poll() is None, "it ended before it could be killed"
        process.kill()
        process.communicate()
        process = begin("tournament", "--resume", broken, "--executor", "inline", "--quiet")
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    assert content(broken) == content(whole)
    assert output == undisturbed.stdout


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["inline", "ray"])
def test_ctrl_c_leaves_a_tournament_to_resume(tmp_path: Path, executor: str) -> None:
    folder = tmp_path / "t"
    process = begin(
        "tournament", "-g", "lasvegas", *RANDOMS, "--matches", "50000", "--out", folder,
        "--executor", executor,
    )  # fmt: skip
    wait_for(folder, 50, process)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    output, errors = process.communicate(timeout=30)
    assert time.monotonic() - began < 5
    assert (process.returncode, output) == (130, "")
    assert f"go on with: arena tournament --resume {folder}" in errors
    assert "Traceback" not in errors
    assert 50 <= matches_in(folder) < 50000


def test_a_changed_bot_is_named(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text(MINE)
    entries = [find(f"first={bot}"), find("random")]
    told = specify("lasvegas", entries, players=2, matches=4, seed=1, isolation="none")
    folder = tmp_path / "t"
    with Store.create(folder, told, entries) as store:
        check_resumable(store)
        bot.write_text(bot.read_text().replace("[0]", "[-1]"))
        with pytest.raises(ArenaError, match="the source of first has changed"):
            check_resumable(store)
    refused = CliRunner().invoke(main, ["tournament", "--resume", str(folder)])
    assert refused.exit_code == 2 and "the source of first has changed" in refused.output
    bot.unlink()
    with Store.open(folder, write=True) as store:
        check_resumable(store)
        run(store, "inline")
    assert len(content(folder)) == 4


def test_other_rules_are_refused(tmp_path: Path) -> None:
    entries = [find("greedy"), find("random")]
    told = specify("lasvegas", entries, players=2, matches=4, seed=1)
    other = told.model_copy(update={"rules": 99})
    with (
        Store.create(tmp_path / "t", other, entries) as store,
        pytest.raises(ArenaError, match="under version 99 of the rules of lasvegas"),
    ):
        check_resumable(store)


@pytest.mark.parametrize("rule", [{"time": 0.5}, {"until_ci": 400.0}], ids=["time", "until_ci"])
def test_stopping_rules_end_with_a_block(
    tmp_path: Path, rule: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.tournament.LOOK", 0.0)
    entries = [replace(find("random"), name=f"r{number}") for number in range(5)]
    told = specify("lasvegas", entries, matches=100_000, seed=1, isolation="none", **rule)
    with Store.create(tmp_path / "t", told, entries) as store:
        run(store, "inline")
        assert store.ended == len(store)
        assert 0 < len(store) < 100_000 and len(store) % 4 == 0
        assert list(verify(store)) == []
        before = len(store)
        run(store, "inline")
        assert len(store) == before, "a tournament that is over stays over"


def test_json_is_one_document(tmp_path: Path) -> None:
    folder = tmp_path / "t"
    done = subprocess.run(
        arena("tournament", "-g", "lasvegas", *RANDOMS, "--matches", "60", "--out", folder,
              "--format", "json"),
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert (told["game"], told["matches"]) == ("lasvegas", 60)
    assert {row["bot"] for row in told["leaderboard"]} == {f"r{number}" for number in range(6)}
    assert f"60 matches between 6 entries, in {folder}" in done.stderr


def test_the_anchor_is_fixed_in_the_leaderboard_of_a_tournament(tmp_path: Path) -> None:
    words = ["-g", "lasvegas", "--matches", "30", "--anchor", "greedy=1234", "--format", "json"]
    done = CliRunner().invoke(main, ["tournament", *words, "-q", "--out", str(tmp_path / "t")])
    rows = {row["bot"]: row for row in json.loads(done.stdout)["leaderboard"]}
    assert [rows["greedy"][name] for name in ("low", "elo", "high")] == [1234] * 3
    assert rows["random"]["low"] < rows["random"]["elo"] < 1234 < rows["bookmaker"]["elo"]


def test_nobody_can_guess_the_luck_of_a_tournament_with_strangers(tmp_path: Path) -> None:
    """Who knows the seed can compute what everybody holds."""
    (tmp_path / "mine.py").write_text(
        "from arena import Bot\n\n\nclass Mine(Bot):\n"
        "    def act(self, view):\n        return view.legal[0]\n"
    )

    def seed(*words: str) -> int:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        command = ["tournament", "-g", "lasvegas", "--players", "2", "--matches", "2", *words]
        done = CliRunner().invoke(main, [*command, "--out", str(folder)])
        assert done.exit_code == 0, done.output
        told: int = json.loads((folder / "tournament.json").read_text())["seed"]
        return told

    mine = str(tmp_path / "mine.py")
    drawn = [seed(mine, "random"), seed(mine, "random")]
    assert drawn[0] != drawn[1] and min(drawn) > 2**40
    assert seed(mine, "random", "--seed", "7") == 7
    assert seed("greedy", "random") == 1


def test_dry_run_plays_nothing(tmp_path: Path) -> None:
    out = tmp_path / "t"
    done = CliRunner().invoke(
        main,
        [
            "tournament",
            "-g",
            "lasvegas",
            *RANDOMS,
            "--matches",
            "60",
            "--dry-run",
            "--out",
            str(out),
        ],
    )
    lines = done.output.splitlines()
    assert lines[:3] == ["line-ups  15 of 15", "blocks    15", "matches   60"]
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["greedy", "random"], "say which game"),
        (["-g", "lasvegas", "greedy"], "needs 4 entries and there is only 1"),
        (["-g", "lasvegas", "--gauntlet", "nobody", *RANDOMS], "unknown entry for the gauntlet"),
        (["--resume", "nowhere"], "is not a tournament"),
        (["--resume", "nowhere", "--seed", "4"], "leave out --seed"),
        (["--resume", "nowhere", "greedy"], "leave out BOT"),
        (["-g", "lasvegas", "--time", "soon"], "'soon' is not a time"),
        (
            ["-g", "lasvegas", "--anchor", "greed=1500"],
            "unknown anchor 'greed'; did you mean greedy",
        ),
        (["-g", "lasvegas", "--anchor", "greedy"], "write BOT=ELO"),
    ],
)
def test_wrong_use_is_one_sentence(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["tournament", *words])
    assert done.exit_code == 2 and said in done.output
    assert not any(tmp_path.iterdir())


MEMORY = """
import sys
from pathlib import Path
from arena.store import Store
from arena.tournament import run
from tests.memory import resident
seen = {}
def watch(progress):
    for mark in (2_000, 20_000):
        if progress.done >= mark:
            seen.setdefault(mark, resident())
with Store.open(Path(sys.argv[1]), write=True) as store:
    run(store, "inline", watch=watch)
print(seen[20_000] - seen[2_000])
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_matches(tmp_path: Path) -> None:
    entries = [find("a=random"), find("b=random")]
    told = specify("lasvegas", entries, players=2, matches=20_000, seed=1, isolation="none")
    Store.create(tmp_path / "t", told, entries).close()
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(tmp_path / "t")],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert int(done.stdout) < 50 * 2**20
