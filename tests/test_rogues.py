"""Bots that do wrong, one file per sin: each gets its fault, or cannot do it, and harms nobody."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from arena import sandbox
from arena.loading import Entry, Manifest, Source, find
from arena.match import Record, Spec
from arena.players import Players
from arena.specification import specify
from arena.store import Store
from arena.tournament import run
from arena.verification import verify
from tests.isolated import isolation, nothing_is_left

__all__ = ["isolation", "nothing_is_left"]

ROGUES = Path(__file__).parent / "rogues"
MOVE_TIME = 0.2
PROGRAM = Manifest(name="rogue", command=("python3", "rogue.py"), games=(), memory=64, startup=5)


@dataclass(frozen=True)
class Expected:
    """What a sin comes to. `kind` None: no fault, because it does no harm or is impossible."""

    kind: str | None = None
    reason: str = ""
    at_end: bool = False


HARMLESS = Expected()


def fault(kind: str, reason: str, at_end: bool = False) -> Expected:
    return Expected(kind, reason, at_end)


TOO_LONG = fault("time-out", r"took more than 0\.2 s for a decision")

EVERYWHERE = {
    "endless_loop": TOO_LONG,
    "sleep": TOO_LONG,
    "stops_itself": TOO_LONG,
    "flood_stderr": TOO_LONG,
    "no_newline": TOO_LONG,
    "memory": fault("dead process", "it uses more than 64 MB of memory"),
    "hides_memory": fault("dead process", "it uses more than 64 MB of memory"),
    "forks": fault("dead process", "it has more than 128 processes and threads"),
    "fork_tree": fault("dead process", "it has more than 128 processes and threads"),
    "flood_stdout": fault("wrong answer", "sent Invalid JSON.*'spam'"),
    "long_line": fault("wrong answer", "sent a line of more than 65536 bytes"),
    "bad_utf8": fault("wrong answer", "sent Invalid JSON: invalid unicode"),
    "bad_json": fault("wrong answer", "sent Invalid JSON.*'I place the sixes'"),
    "extra_field": fault("wrong answer", "comment: Extra inputs are not permitted"),
    "illegal_action": fault("illegal action", "Place.* is not among the legal actions"),
    "other_game": fault("wrong answer", '"castle".* is not an action of lasvegas'),
    "stale_number": fault("wrong answer", r"answered decision -?\d+ of match m0, which was not"),
    "invented_number": fault(
        "wrong answer", "answered decision 1000000 of match m0, which was not"
    ),
    "other_match": fault("wrong answer", r"answered decision \d+ of match final, which was not"),
    "wrong_version": fault("wrong answer", r"speaks protocol 2\.0, not 1\.0"),
    "gives_up": fault("exception", "gave up: I am tired"),
    "raises_at_import": fault("exception", "loading raised ValueError: no luck at import"),
    "raises_in_constructor": fault("exception", "__init__ raised ValueError: no luck when made"),
    "raises_in_start": fault("exception", "start raised ValueError: no luck in start"),
    "raises_in_act": fault("exception", "act raised ValueError: no luck in act"),
    "raises_in_finish": fault("exception", "finish raised ValueError: no luck in finish", True),
    "sys_exit": fault("exception", "act raised SystemExit: 3"),
    "os_exit": fault("dead process", "its process ended with exit code 3"),
    "kills_itself": fault("dead process", "its process was killed by SIGKILL"),
    "closes_pipes": fault("dead process", "it closed its standard output"),
    "closes_output": fault("dead process", "it closed its standard output"),
    "slow_start": fault("time-out", r"took more than 0\.5 s to start"),
    "prints": HARMLESS,
    "reserves_memory": HARMLESS,
    "leaves_daemon": HARMLESS,
    "changes_view": HARMLESS,
    "searches_memory": HARMLESS,
    "remembers_deals": HARMLESS,
    "reads_environment": HARMLESS,
}
ONLY_IN_THE_SANDBOX = {
    "kills_parent": fault("dead process", "its keeper was killed"),
    "writes_outside": fault("exception", "wrote outside"),
    "reads_tournament": fault("exception", "read the tournament"),
    "reads_bots": fault("exception", "read another bot"),
    "reads_arena": fault("exception", "read the arena"),
    "opens_network": fault("exception", "reached the network"),
    "lists_processes": fault("exception", "saw the arena"),
}
"""What `process` cannot prevent; the sandbox makes it impossible."""


def test_every_rogue_is_expected() -> None:
    files = {path.stem for path in ROGUES.glob("*.py")} - {"__init__", "speak"}
    assert files == EVERYWHERE.keys() | ONLY_IN_THE_SANDBOX.keys()


@pytest.fixture
def secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """What a rogue would like to reach, by the marks in its source."""
    folder = tmp_path / "tournament"
    folder.mkdir()
    (folder / "tournament.json").write_text("{}")
    monkeypatch.setenv("SECRET", "1")
    with socket.create_server(("127.0.0.1", 0)) as server:
        agents = str(Path(find("greedy").source.path).parent)
        port = str(server.getsockname()[1])
        arena = str(os.getpid())
        yield {"@FOLDER@": str(folder), "@AGENTS@": agents, "@PORT@": port, "@ARENA@": arena}


def rogue(name: str, secrets: dict[str, str]) -> Entry:
    """The rogue as an entry: a Python class, or a program that speaks the protocol itself."""
    path = ROGUES / f"{name}.py"
    text = path.read_text()
    for mark, secret in secrets.items():
        text = text.replace(mark, secret)
    if "import speak" not in text:
        return Entry("rogue", Source(name, str(path), ((path.name, text.encode()),)))
    files = (("rogue.py", text.encode()), ("speak.py", (ROGUES / "speak.py").read_bytes()))
    manifest = PROGRAM.model_copy(update={"startup": 0.5}) if name == "slow_start" else PROGRAM
    return Entry("rogue", Source(name, str(path), files, manifest=manifest))


def play(entry: Entry, isolation: str, move_time: float = MOVE_TIME) -> Record:
    """The rogue in the middle seat between honest bots that run in this process."""
    entries = {"rogue": entry} | {name: find(name) for name in ("greedy", "random")}
    line_up = ("greedy", "rogue", "random")
    with Players(entries, isolation) as players:
        (record,) = players.play([Spec("m0", "lasvegas", (), line_up, 0, move_time)])
        return record


def reference(body: str) -> Record:
    """The match as it goes when the middle seat plays so."""
    code = f"from arena import Bot\nclass Reference(Bot):\n    def act(self, view): {body}\n"
    entry = Entry("rogue", Source("reference", "reference.py", (("r.py", code.encode()),)))
    return play(entry, "none")


def expected_of(name: str, isolation: str) -> Expected:
    """What a sin comes to at this level."""
    if isolation == "sandbox" and name in ONLY_IN_THE_SANDBOX:
        return HARMLESS
    if isolation == "sandbox" and name in ("closes_pipes", "closes_output"):
        # Bubblewrap itself keeps the pipes open.
        return TOO_LONG
    return (EVERYWHERE | ONLY_IN_THE_SANDBOX)[name]


@pytest.mark.parametrize("name", sorted(EVERYWHERE.keys() | ONLY_IN_THE_SANDBOX.keys()))
def test_rogue(
    name: str, isolation: str, secrets: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if isolation == "process":
        monkeypatch.setattr(sandbox, "why_no_sandbox", lambda: "it is not wanted here")
    monkeypatch.setattr("arena.process.HOSTED", PROGRAM.model_copy(update={"memory": 512}))
    expected = expected_of(name, isolation)
    # Starting processes costs processor time too; here their number is to be the first limit.
    move_time = 5.0 if "fork" in name else MOVE_TIME
    record = play(rogue(name, secrets), "auto", move_time)
    quits = expected.kind is not None and not expected.at_end
    normal = reference("raise ValueError" if quits else "return view.legal[0]")
    assert (record.actions, record.scores, record.ranks) == (
        normal.actions,
        normal.scores,
        normal.ranks,
    )
    if expected.kind is None:
        assert record.faults == ()
        return
    (found,) = record.faults
    assert (found.seat, found.kind) == (1, expected.kind)
    assert re.search(expected.reason, found.reason)
    first = normal.faults[0].action if quits else len(record.actions)
    assert found.action == first


def test_no_process_is_dealt_the_same_luck_twice(isolation: str) -> None:
    """A block is one seed: who has sat in two of its seats knows what others hold."""
    entries = {"rogue": rogue("remembers_deals", {}), "greedy": find("greedy")}
    line_ups = [("greedy", "rogue", "rogue"), ("rogue", "greedy", "rogue")]
    specs = [
        Spec(f"b{seed}-{number}", "lasvegas", (), line_up, seed, 1.0)
        for seed in range(3)
        for number, line_up in enumerate(line_ups)
    ]
    with Players(entries, isolation) as players:
        records = [*players.play(specs[:3]), *players.play(specs[3:])]
    assert [record.faults for record in records] == [()] * len(specs)


@pytest.mark.slow
def test_a_tournament_of_rogues(
    isolation: str, secrets: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them against an honest bot: every record is there, every fault where it belongs."""
    if isolation == "process":
        monkeypatch.setattr(sandbox, "why_no_sandbox", lambda: "it is not wanted here")
    monkeypatch.setattr("arena.process.HOSTED", PROGRAM.model_copy(update={"memory": 512}))
    names = sorted(EVERYWHERE.keys() | ONLY_IN_THE_SANDBOX.keys())
    entries = [find("greedy"), *(replace(rogue(name, secrets), name=name) for name in names)]
    told = specify(
        "lasvegas",
        entries,
        players=2,
        matches=2 * len(names),
        seed=1,
        gauntlet="greedy",
        move_time=MOVE_TIME,
    )
    with Store.create(tmp_path / "played", told, entries) as store:
        run(store, "inline")
        assert len(store) == 2 * len(names)
        assert list(verify(store)) == []
        for _, record in store.records():
            seat = 1 - record.spec.entries.index("greedy")
            name = record.spec.entries[seat]
            kinds = {fault.seat: fault.kind for fault in record.faults}
            wanted = {expected_of(name, isolation).kind}
            if "fork" in name:
                # Which of several limits is the first depends on the time they are given.
                wanted |= {"time-out", None}
            assert kinds.keys() <= {seat}
            assert kinds.get(seat) in wanted, (name, record.faults)
