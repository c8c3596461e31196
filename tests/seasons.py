"""The reference seasons: play them anew with `python -m tests.seasons [SEASON …]`."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "results" / "reference"
LEADERBOARD = "leaderboard.md"


def commands() -> dict[str, list[str]]:
    """By season: the words after `arena tournament` of the command that plays it."""
    text = (REFERENCE / "README.md").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = re.findall(r"^\$ arena tournament (.*)$", text, re.MULTILINE)
    seasons = [shlex.split(line) for line in lines]
    return {Path(words[words.index("--out") + 1]).name: words for words in seasons}


def main(wanted: list[str]) -> None:
    for season, words in commands().items():
        if wanted and season not in wanted:
            continue
        folder = REFERENCE / season
        shutil.rmtree(folder, ignore_errors=True)
        command = [sys.executable, "-m", "arena", "tournament", *words]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
        (folder / LEADERBOARD).write_bytes(done.stdout)
        (folder / "lock").unlink()
        print(season, done.stdout.decode(), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
