"""Every command and every piece of code in the README does what it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line.removeprefix("$ ")
    for kind, text in BLOCKS
    if kind == "console"
    for line in text.splitlines()
    if line.startswith("$ ")
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder with the files that the README tells to save."""
    folder = tmp_path_factory.mktemp("readme")
    saved = re.findall(r"[Ss]ave this as `([\w.]+)`.*?```\w+\n(.*?)```", README, re.DOTALL)
    assert saved
    for name, text in saved:
        (folder / name).write_text(text)
    return folder


def test_the_readme_opens_with_two_commands() -> None:
    assert COMMANDS[:2] == ["pip install .", "arena tournament --game lasvegas"]


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command: str, folder: Path) -> None:
    """Commands run in order, in one folder; what pip and the test run do is for CI to show."""
    words = shlex.split(command, comments=True)
    if words[0] in ("pip", "python", "git", "bash"):
        assert command in {
            "pip install .",
            "pip install '.[test]' && python -m pytest",
        }
        return
    assert words[0] == "arena"
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
