"""A bot plays the same match whichever way it runs, and leaves nothing behind."""

from __future__ import annotations

import ast
import errno
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena import proc, process, sandbox
from arena.errors import ArenaError
from arena.greeting import greet
from arena.loading import Entry, Manifest, Source, find
from arena.match import Record, Spec
from arena.players import Players
from arena.process import Clock
from tests.isolated import available, isolation, left, nothing_is_left
from tests.play import variants

SPEAK = Path(__file__).parent / "rogues" / "speak.py"

__all__ = ["isolation", "nothing_is_left"]


def entries(*texts: str) -> dict[str, Entry]:
    return {entry.name: entry for entry in map(find, texts)}


def written(name: str, body: str) -> Entry:
    """A bot of a few lines."""
    code = "from arena import Bot\nclass Written(Bot):\n" + textwrap.indent(
        textwrap.dedent(body), "    "
    )
    return Entry(name, Source(name, f"{name}.py", ((f"{name}.py", code.encode()),)))


def played(players: dict[str, Entry], specs: list[Spec], isolation: str) -> list[Record]:
    with Players(players, isolation) as table:
        return [replace(record, times=()) for record in table.play(specs)]


def test_every_variant_gives_the_same_records(isolation: str) -> None:
    seats = [f"bot{seat}" for seat in range(max(variant.players for variant in variants()))]
    players = entries(*(f"{name}=random" for name in seats))
    # Each with a luck of its own, or each would be played by processes of its own.
    specs = [
        Spec(f"m{seed}", variant.game, variant.options, tuple(seats[: variant.players]), seed)
        for seed, variant in enumerate([*variants()] * 2)
    ]
    assert played(players, specs, isolation) == played(players, specs, "none")


def test_one_entry_in_several_seats(isolation: str) -> None:
    players = entries("random")
    specs = [Spec(f"m{seed}", "lasvegas", (), ("random",) * 3, seed) for seed in range(3)]
    assert played(players, specs, isolation) == played(players, specs, "none")


FAULTY = {
    "start": "def start(self, match): raise KeyError(match)",
    "act": "def act(self, view): raise ValueError(view)",
    "events": "def act(self, view): raise ValueError(view.events)",
    "views": """
        def act(self, view):
            import dataclasses
            empty = dataclasses.replace(view, events=())
            raise ValueError((view.events, repr(empty), empty == view, empty.events))
    """,
    "late": """
        def act(self, view):
            if view.round == 3:
                raise ValueError(view.throw)
            return view.legal[-1]
    """,
    "finish": """
        def finish(self, result): raise OSError(result)
        def act(self, view): return self.rng.choice(view.legal)
    """,
    "exits": "def act(self, view): raise SystemExit(3)",
    "none": "def act(self, view): pass",
    "number": "def act(self, view): return 1",
    "text": "def act(self, view): return 'place'",
    "dict": "def act(self, view): return {'type': 'place', 'value': view.legal[0].value}",
    "object": "def act(self, view): return object()",
    "list": "def act(self, view): return list(view.legal)",
    "unknown": "def act(self, view): return type(view.legal[0])(9)",
    "illegal": """
        def act(self, view):
            from arena.games.lasvegas import PLACE
            return next((action for action in PLACE if action not in view.legal), PLACE[0])
    """,
    "index": """
        def act(self, view):
            if any(action.index != action.value - 1 for action in view.legal):
                raise ValueError("no index")
            raise ValueError([action.index for action in view.legal])
    """,
}


def test_faults_are_the_same(isolation: str) -> None:
    players = {name: written(name, body) for name, body in FAULTY.items()}
    everyone = players | entries("greedy", "random")
    specs = [
        Spec(f"m{seed}", "lasvegas", (), ("greedy", name, "random"), seed)
        for seed, name in enumerate([*players] * 2)
    ]
    records = played(everyone, specs, isolation)
    assert records == played(everyone, specs, "none")
    assert all([fault.seat for fault in record.faults] == [1] for record in records)


@pytest.mark.parametrize("shut", ["sys.stderr.close()", "os.close(2)"])
def test_an_error_needs_no_standard_error(shut: str, isolation: str) -> None:
    body = f"def act(self, view):\n    import os, sys\n    {shut}\n    raise ValueError('no idea')"
    players = {"mute": written("mute", body)} | entries("random")
    (record,) = played(players, [Spec("m", "lasvegas", (), ("mute", "random"), 1, 1.0)], isolation)
    assert [fault.reason for fault in record.faults] == ["act raised ValueError: no idea"]


def test_a_class_that_takes_too_long_to_be_imported(
    isolation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurried = process.HOSTED.model_copy(update={"startup": 0.5})
    monkeypatch.setattr(process, "HOSTED", hurried)
    players = {"late": written("late", "__import__('time').sleep(600)")} | entries("random")
    (record,) = played(players, [Spec("m", "lasvegas", (), ("late", "random"), 1)], isolation)
    assert [fault.kind for fault in record.faults] == ["time-out"]


CRASHES = """
    def start(self, match):
        number = int(match.match)
        self.crash = number % 3 == 0
        self.late = number % 2

    def act(self, view):
        if self.crash and view.round > self.late:
            import os
            os._exit(9)
        return self.rng.choice(view.legal)
"""


def test_a_crash_is_the_fault_of_its_match_alone(isolation: str) -> None:
    """The same records with all matches in flight as with each played by itself."""
    players = {"crashes": written("crashes", CRASHES)} | entries("other=random", "greedy")
    line_up = ("crashes", "other", "greedy")
    specs = [Spec(str(number), "lasvegas", (), line_up, number, 1.0) for number in range(8)]
    together = played(players, specs, isolation)
    assert together[:2] == [played(players, [spec], isolation)[0] for spec in specs[:2]]
    for number, record in enumerate(together):
        faults = [(fault.seat, fault.reason) for fault in record.faults]
        crash = [(0, "its process ended with exit code 9")]
        assert faults == (crash if number % 3 == 0 else [])


def test_a_bot_that_fails_only_in_company_has_no_faults() -> None:
    """What a process does wrong because it has played other matches is nobody's fault."""
    once = """
        begun = 0
        def start(self, match):
            import os
            Written.begun += 1
            if Written.begun > 1:
                os._exit(1)
        def act(self, view):
            return view.legal[0]
    """
    players = {"once": written("once", once)} | entries("random")
    specs = [Spec(f"m{seed}", "lasvegas", (), ("once", "random"), seed, 1.0) for seed in range(4)]
    assert [record.faults for record in played(players, specs, "process")] == [()] * 4


def test_a_program_may_end_between_matches(isolation: str) -> None:
    code = """
        import speak
        for message in speak.messages():
            if message["type"] == "decide":
                speak.answer(message)
            elif message["type"] == "finish":
                speak.send({"type": "finish", "match": message["match"]})
                break
    """
    files = (("bot.py", textwrap.dedent(code).encode()), ("speak.py", SPEAK.read_bytes()))
    manifest = Manifest(name="short", command=("python3", "bot.py"), games=())
    program = Entry("short", Source("short", "short", files, manifest=manifest))
    same = written("short", "def act(self, view): return view.legal[0]")
    specs = [Spec(f"m{seed}", "lasvegas", (), ("greedy", "short"), seed, 1.0) for seed in range(3)]
    with Players({"short": program} | entries("greedy"), isolation) as players:
        one_by_one = [record for spec in specs[:2] for record in players.play([spec])]
        records = [*one_by_one, *players.play(specs)]
    expected = played({"short": same} | entries("greedy"), specs, "none")
    assert [replace(record, times=()) for record in records] == expected[:2] + expected


OFFENCES = {
    "bad line": ("print('hm', flush=True)", "sent Invalid JSON"),
    "not asked": ("speak.answer(message, number=99)", "answered decision 99 of match m"),
}


@pytest.mark.parametrize("name", OFFENCES)
def test_a_bot_hears_why_it_is_ended(
    name: str, isolation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    offence, reason = OFFENCES[name]
    code = f"""
        import speak, sys
        for message in speak.messages():
            if message["type"] == "decide":
                {offence}
            elif message["type"] == "error":
                print(message, file=sys.stderr, flush=True)
    """
    heard: list[str] = []
    end = process.BotProcess.close

    def end_later(self: process.BotProcess, patience: float = 0) -> None:
        wait_until(lambda: self.drain() or b"}" in self.output)
        heard.append(self.output.decode())
        end(self, patience)

    monkeypatch.setattr(process.BotProcess, "close", end_later)
    files = (("bot.py", textwrap.dedent(code).encode()), ("speak.py", SPEAK.read_bytes()))
    manifest = Manifest(name="bad", command=("python3", "bot.py"), games=())
    bad = Entry("bad", Source("bad", "bad", files, manifest=manifest))
    spec = Spec("m", "lasvegas", (), ("bad", "random"), 1, 1.0)
    with Players({"bad": bad} | entries("random"), isolation) as players:
        players.levels["random"] = "none"
        (record,) = players.play([spec])
    (fault,) = record.faults
    assert reason in fault.reason
    assert ast.literal_eval(heard[0]) == {"type": "error", "match": "m", "message": fault.reason}


class Sleeper:
    """A tree of processes as a test wants it."""

    def __init__(self, busy: float, runnable: bool) -> None:
        self.busy = busy
        self.runnable = runnable
        self.used = 0.0

    def mark(self) -> None:
        self.used = 0.0

    def cpu(self) -> float:
        return self.used

    def is_runnable(self) -> bool:
        return self.runnable


@pytest.mark.parametrize(
    ("busy", "runnable", "seconds"),
    [
        (1.0, True, 1.0),
        (0.1, True, 10.0),
        (0.0, True, None),
        (0.0, False, 3.0),
        (0.5, False, 2.0),
    ],
    ids=["alone", "busy machine", "never gets a processor", "asleep", "half asleep"],
)
def test_time_is_processor_time_and_sleep(
    busy: float, runnable: bool, seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a limit of 1 s: waiting for a processor is free, sleep counts for a third."""
    now = [0.0]
    monkeypatch.setattr(process, "monotonic", lambda: now[0])
    tree = Sleeper(busy, runnable)
    clock = Clock(tree)  # type: ignore[arg-type]
    over = None
    while over is None and now[0] < 20:
        now[0] += 0.02
        tree.used += 0.02 * busy
        over = now[0] if clock.is_over(1.0) else None
    if seconds is None:
        assert over is None
    else:
        assert over == pytest.approx(seconds + process.FIRST_LOOK, abs=0.1)


def test_auto_keeps_bundled_bots_here_and_isolates_strangers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    players = {"stranger": written("stranger", "def act(self, view): return view.legal[0]")}
    players |= entries("greedy")
    notes: list[str] = []
    monkeypatch.setattr(sandbox, "why_no_sandbox", lambda: None)
    levels = Players(players, "auto", notes.append).levels
    assert levels == {"stranger": "sandbox", "greedy": "none"} and not notes
    monkeypatch.setattr(sandbox, "why_no_sandbox", lambda: "bwrap is missing")
    levels = Players(players, "auto", notes.append).levels
    assert levels == {"stranger": "process", "greedy": "none"}
    assert notes == ["bots run without a sandbox, as processes with limits: bwrap is missing"]
    notes.clear()
    assert Players(entries("greedy"), "auto", notes.append) and not notes


def test_a_sandbox_that_is_missing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_: None)
    sandbox.why_no_sandbox.cache_clear()
    try:
        with pytest.raises(ArenaError, match="install the Debian package bubblewrap"):
            Players(entries("greedy"), "sandbox")
    finally:
        sandbox.why_no_sandbox.cache_clear()
    with pytest.raises(ArenaError, match="unknown isolation 'jail'; known: auto, none"):
        Players(entries("greedy"), "jail")


WAYS_OUT = {
    "the kernel's settings": """
        from pathlib import Path
        setting = Path("/proc/sys/vm/swappiness")
        setting.write_text(setting.read_text())
    """,
    "a namespace of its own": """
        import ctypes
        if ctypes.CDLL(None).unshare(0x10000000):
            raise OSError
    """,
}


@pytest.mark.parametrize("way", WAYS_OUT)
def test_the_sandbox_is_closed_for_root_too(way: str) -> None:
    """The arena's user is root in CI, and then root outside is who the bot is inside."""
    attempt = textwrap.indent(textwrap.dedent(WAYS_OUT[way]), "        ")
    body = f"""
def act(self, view):
    try:
{attempt}
    except OSError:
        return view.legal[0]
    raise RuntimeError("it is open")
"""
    players = {"rogue": written("rogue", body)} | entries("random")
    spec = Spec("m", "lasvegas", (), ("rogue", "random"), 1, 1.0)
    (record,) = played(players, [spec], available("sandbox"))
    assert record.faults == ()


def test_bundled_bots_are_hidden_by_whatever_link_they_are_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a virtual environment with the installed package is used through a link."""
    available("sandbox")
    real, link, files = tmp_path / "real", tmp_path / "link", tmp_path / "files"
    (real / "arena" / "agents").mkdir(parents=True)
    (real / "arena" / "agents" / "greedy.py").touch()
    link.symlink_to(real)
    files.mkdir()
    monkeypatch.setattr(sandbox, "PACKAGE", real / "arena")
    monkeypatch.setattr(sys, "prefix", str(link))
    shown = [str(path / "arena") for path in (real, link)]
    command = ["bwrap", *sandbox.walls("find", files), "--", "find", *shown]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert found == [path for home in shown for path in (home, f"{home}/agents")]


def test_memory_that_is_hidden_counts_as_resident(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process may forbid to look at its pages, but not to count them."""

    def forbidden(*_: object) -> str:
        raise PermissionError

    monkeypatch.setattr(Path, "read_text", forbidden)
    assert proc.proportional(os.getpid()) > 2**20


KILLED = """
import sys
from threading import Thread
from time import sleep
from arena import process
from arena.match import Spec
from arena.players import Players
from tests.test_isolation import entries, written

process.PREFIX = sys.argv[1]
daemon = '''
    def act(self, view):
        import os, time
        if os.fork() == 0:
            os.setsid()
        print("thinking", flush=True)
        time.sleep(600)
'''
players = {"daemon": written("daemon", daemon)} | entries("random")
table = Players(players, sys.argv[2])
match = Spec("m", "lasvegas", (), ("daemon", "random"), 1)
Thread(target=lambda: list(table.play([match]))).start()
while not any(b"thinking" in bot.output for bot in list(table._host._processes.values())):
    sleep(0.05)
print("ready", flush=True)
"""


def test_the_arena_is_killed(isolation: str, tmp_path: Path) -> None:
    """Nobody is there to close anything, and still nothing is left."""
    prefix = f"arena-bot-killed-{Random().getrandbits(32):x}-"
    command = [sys.executable, "-c", KILLED, prefix, isolation]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env=os.environ | {"TMPDIR": str(tmp_path)}
    ) as arena:
        assert arena.stdout and arena.stdout.readline() == b"ready\n"
        assert len(left(prefix)) > 4
        arena.send_signal(signal.SIGKILL)
    wait_until(lambda: not left(prefix) and not list(tmp_path.glob(f"{prefix}*")))


def wait_until(condition) -> None:  # type: ignore[no-untyped-def]
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_full_disk_leaves_nothing_of_a_bot_that_could_not_be_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ArenaError, match="cannot start random: No space left on device"):
        greet(find("random"), "process")
    assert not list(tmp_path.iterdir())
