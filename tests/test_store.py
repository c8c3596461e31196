"""The folder of a tournament: what is in it stays valid whatever happens to the process."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import monotonic

import numpy as np
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import ArenaError
from arena.loading import Entry, find
from arena.match import Fault, Record
from arena.players import Players
from arena.specification import specify
from arena.store import Store
from arena.tournament import check_resumable, run
from arena.verification import verify


def field() -> list[Entry]:
    return [find("greedy"), *(replace(find("random"), name=name) for name in ("r1", "r2", "r3"))]


def new(folder: Path, matches: int = 40, **rest: object) -> Store:
    entries = field()
    told = specify("lasvegas", entries, matches=matches, seed=5, isolation="none", **rest)
    return Store.create(folder, told, entries)


def play(store: Store, count: int) -> list[Record]:
    return list(Players(store.entries()).play([store.schedule[n] for n in range(count)]))


def damage(path: Path, statement: str) -> None:
    database = sqlite3.connect(path / "matches.sqlite")
    with database:
        database.execute(statement)
    database.close()


def test_what_goes_in_comes_out(tmp_path: Path) -> None:
    with new(tmp_path / "t") as store:
        records = play(store, 8)
        odd = replace(records[3], faults=(Fault(2, 17, "time-out", "too “slow”"),))
        store.add([*records[:3], odd, *records[4:]])
        expected = [*records[:3], odd, *records[4:]]
        times = [np.float32(record.times).tolist() for record in expected]
    with Store.open(tmp_path / "t") as again:
        found = [record for _, record in again.records()]
        assert [replace(one, times=()) for one in found] == [
            replace(one, times=()) for one in expected
        ]
        assert [list(one.times) for one in found] == times
        assert again.record("b00000-3") == found[3]
        assert again.record("b00099-0") is None
        assert len(again) == 8 and again.missing().tolist() == list(range(8, 40))


def test_a_repeated_insert_changes_nothing(tmp_path: Path) -> None:
    with new(tmp_path / "t") as store:
        records = play(store, 4)
        store.add(records[:2])
        store.add([replace(record, scores=(0, 0, 0, 0)) for record in reversed(records)])
        found = {number: record.scores for number, record in store.records()}
        assert [found[number] == records[number].scores for number in range(4)] == [
            True,
            True,
            False,
            False,
        ]


def test_outcomes(tmp_path: Path) -> None:
    with new(tmp_path / "t") as store:
        records = play(store, 8)
        records[5] = replace(records[5], faults=(Fault(2, 17, "time-out", "slow"),))
        store.add(records[4:])
        store.add(records[:4])
        outcomes = store.outcomes()
        assert outcomes.names == ("greedy", "r1", "r2", "r3")
        for line, record in enumerate(records):
            assert [outcomes.names[e] for e in outcomes.entries[line]] == list(record.spec.entries)
            assert tuple(outcomes.ranks[line]) == record.ranks
            assert tuple(outcomes.scores[line]) == record.scores
        assert np.argwhere(outcomes.faults).tolist() == [[5, 2]]
        assert outcomes.blocks.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
        assert outcomes.sides == (0, 1, 2, 3)


def test_no_outcomes_yet(tmp_path: Path) -> None:
    with new(tmp_path / "t") as store:
        assert store.outcomes().entries.shape == (0, 4)


def test_a_million_outcomes_in_seconds(tmp_path: Path) -> None:
    with new(tmp_path / "t", matches=1_000_000) as store:
        store.add(play(store, 1))
    damage(
        tmp_path / "t",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 999999) "
        "INSERT INTO matches SELECT x, printf('b%05d-%d', x / 4, x % 4), "
        "seed, entries, x'', scores, ranks, faults, times FROM n, matches WHERE number = 0",
    )
    with Store.open(tmp_path / "t") as store:
        began = monotonic()
        outcomes = store.outcomes()
        assert monotonic() - began < 10
        assert outcomes.entries.shape == (1_000_000, 4)


def test_an_existing_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ArenaError, match="is not empty"):
        new(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_second_writer_is_told(tmp_path: Path) -> None:
    with new(tmp_path / "t") as store:
        with pytest.raises(ArenaError, match="another run is writing"):
            Store.open(tmp_path / "t", write=True)
        store.add(play(store, 4))
        with Store.open(tmp_path / "t") as reader:
            assert len(reader) == 4
    Store.open(tmp_path / "t", write=True).close()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("PRAGMA user_version = 2", "has format 2 and this arena reads up to 1"),
        ("PRAGMA application_id = 7", "was not written by the arena"),
    ],
)
def test_newer_and_foreign_files_are_refused(tmp_path: Path, statement: str, said: str) -> None:
    new(tmp_path / "t").close()
    damage(tmp_path / "t", statement)
    for write in (False, True):
        with pytest.raises(ArenaError, match=said):
            Store.open(tmp_path / "t", write=write)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match=r"it has no tournament\.json"):
        Store.open(tmp_path)
    new(tmp_path / "t").close()
    (tmp_path / "t" / "matches.sqlite").write_bytes(b"not a database, but long enough" * 40)
    with pytest.raises(ArenaError, match="file is not a database"):
        Store.open(tmp_path / "t", write=True)
    (tmp_path / "t" / "tournament.json").write_text('{"format": 2}')
    with pytest.raises(ArenaError, match="cannot read"):
        Store.open(tmp_path / "t")


def test_a_finished_tournament_is_one_plain_file(tmp_path: Path) -> None:
    """With a write-ahead log it could not be read from a read-only disk."""
    with new(tmp_path / "t") as store:
        run(store, "inline")
    names = {path.name for path in (tmp_path / "t").iterdir()}
    assert names == {"bots", "lock", "matches.sqlite", "tournament.json"}
    header = (tmp_path / "t" / "matches.sqlite").read_bytes()[:100]
    assert header[18:20] == b"\1\1", "2 stands for a write-ahead log"


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from arena.errors import ArenaError
from arena.store import Store
from arena.tournament import run
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
store = Store.open(Path(sys.argv[1]), write=True)
try:
    run(store, "inline")
except ArenaError as error:
    print(error)
"""


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk: SQLite sees a write that fails."""
    folder = tmp_path / "t"
    new(folder, matches=1600).close()
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(folder), "100000"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "matches in it are safe" in done.stdout and f"--resume {folder}" in done.stdout
    with Store.open(folder, write=True) as store:
        assert 0 < len(store) < 1600
        check_resumable(store)
        run(store, "inline")
        assert len(store) == 1600
        assert list(verify(store)) == []


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE matches SET seed = seed + 1 WHERE number = 6", "match b00001-2: seed differ"),
        ("UPDATE matches SET id = 'b00077-0' WHERE number = 6", "match b00001-2: id differ"),
        ("UPDATE matches SET entries = x'0100000003000200' WHERE number = 6", "b00001-2: entries"),
        ("UPDATE matches SET actions = x'00' WHERE number = 6", "match b00001-2: "),
        ("UPDATE matches SET ranks = x'01010101' WHERE number = 6", "match b00001-2: ranks"),
        ("UPDATE matches SET scores = zeroblob(32) WHERE number = 6", "match b00001-2: scores"),
        ("DELETE FROM matches WHERE number = 6", "match b00001-2: it is missing"),
        ("DELETE FROM matches WHERE number = 39", "match b00009-3: it is missing"),
        (
            "UPDATE matches SET number = 40, id = 'b00010-0' WHERE number = 39",
            "b00010-0: it is not",
        ),
        ("UPDATE ended SET matches = 36", "match b00009-0: it is not in the schedule"),
        ("UPDATE matches SET entries = x'01' WHERE number = 6", "after number 5 cannot be read"),
    ],
)
def test_tampering_is_named(tmp_path: Path, statement: str, said: str) -> None:
    folder = tmp_path / "t"
    with new(folder) as store:
        run(store, "inline")
    runner = CliRunner()
    clean = runner.invoke(main, ["verify", str(folder)])
    assert (clean.exit_code, clean.output) == (0, "40 matches verified\n")
    damage(folder, statement)
    found = runner.invoke(main, ["verify", str(folder)])
    assert found.exit_code == 1 and said in found.output


def test_a_tampered_specification_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "t"
    with new(folder) as store:
        run(store, "inline")
    path = folder / "tournament.json"
    path.write_text(path.read_text().replace('"seed": 5', '"seed": 6'))
    found = CliRunner().invoke(main, ["verify", str(folder)])
    assert found.exit_code == 1 and "differ from the schedule" in found.output


def test_export(tmp_path: Path) -> None:
    folder = tmp_path / "t"
    with new(folder) as store:
        run(store, "inline")
        records = [record for _, record in store.records()]
    runner = CliRunner()
    lines = runner.invoke(main, ["export", str(folder)]).output.splitlines()
    assert len(lines) == 1 + 4 * 40
    assert lines[0].startswith("match,block,seed,seat,bot,score,rank,")
    first = records[0]
    assert lines[1].startswith(f"b00000-0,0,{first.spec.seed},0,{first.spec.entries[0]},")
    documents = runner.invoke(main, ["export", str(folder), "--format", "jsonl"]).output
    for line, record in zip(documents.splitlines(), records, strict=True):
        told = json.loads(line)
        assert (told["id"], told["actions"]) == (record.spec.id, list(record.actions))
    refused = runner.invoke(main, ["export", str(folder), "--format", "parquet"])
    assert refused.exit_code == 2 and "--out FILE" in refused.output


def test_export_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", exc_type=ImportError)
    with new(tmp_path / "t") as store:
        run(store, "inline")
        scores = [score for _, record in store.records() for score in record.scores]
    out = tmp_path / "t.parquet"
    done = CliRunner().invoke(
        main, ["export", str(tmp_path / "t"), "--format", "parquet", "--out", str(out)]
    )
    assert done.exit_code == 0, done.output
    assert parquet.read_table(out)["score"].to_pylist() == scores


def test_replay(tmp_path: Path) -> None:
    with new(tmp_path / "t") as store:
        run(store, "inline")
        record = store.record("b00001-2")
    assert record is not None
    runner = CliRunner()
    told = json.loads(
        runner.invoke(main, ["replay", str(tmp_path / "t"), "b00001-2", "--json"]).output
    )
    assert told["scores"] == list(record.scores)
    assert told["events"][-1] == {
        "scores": list(record.scores),
        "ranks": list(record.ranks),
        "type": "end",
    }
    shown = runner.invoke(main, ["replay", str(tmp_path / "t"), "b00001-2", "--show"]).output
    assert "round 1 of 4" in shown and str(record.scores[0]) in shown
    missing = runner.invoke(main, ["replay", str(tmp_path / "t"), "b99999-0"])
    assert missing.exit_code == 2 and "has no match 'b99999-0'" in missing.output
