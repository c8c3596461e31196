"""What the tests of isolated bots share: the levels, and that nothing is left behind."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import proc, sandbox


def available(level: str) -> str:
    """The level, if it can be tested here; in CI it must be."""
    if level == "sandbox" and (why := sandbox.why_no_sandbox()):
        assert "CI" not in os.environ, why
        pytest.skip(why)
    return level


@pytest.fixture(params=["process", "sandbox"])
def isolation(request: pytest.FixtureRequest) -> str:
    """Each level at which bots are isolated."""
    return available(request.param)


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The test ends without a process or a folder of any bot."""
    prefix = f"arena-bot-{uuid.uuid4().hex[:8]}-"
    monkeypatch.setattr("arena.process.PREFIX", prefix)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    yield
    assert left(prefix) == []
    assert not list(tmp_path.glob(f"{prefix}*"))


def left(prefix: str) -> list[bytes]:
    """The processes, by their commands, of bots whose folder's name begins so."""
    found = []
    for pid in proc.pids():
        try:
            marked = f"ARENA_BOT={prefix}".encode() in Path(f"/proc/{pid}/environ").read_bytes()
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if marked or prefix.encode() in command:
            found.append(command)
    return found
