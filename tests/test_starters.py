"""The starters, treated as any bot: they pass the vectors and the check."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import takewhile
from typing import Any

import pytest

from arena import games, protocol
from arena.check import Check
from arena.loading import find
from arena.sandbox import level_for
from arena.vectors import Verdict, verdicts
from tests.dialogue import V1, dialogue

STARTERS = V1 / "starters"
LANGUAGES = {"python": "python3", "javascript": "node", "cpp": "g++"}
FILES = ["messages", *games.names()]
VERDICTS = list(verdicts(V1 / "vectors"))

Talk = Callable[[list[str]], tuple[list[Any], int]]


def needed(program: str) -> None:
    """Skip where a language is not installed, but never in CI."""
    if shutil.which(program) is None:
        assert not os.environ.get("CI"), f"CI must have {program}"
        pytest.skip(f"{program} is not installed")


@pytest.fixture(scope="module", params=LANGUAGES)
def talk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Talk:
    """Says lines to a starter; what it answers, and its exit code."""
    language = request.param
    needed(LANGUAGES[language])
    folder = STARTERS / language
    command = {"python": [sys.executable, "bot.py"], "javascript": ["node", "bot.js"]}.get(language)
    if command is None:
        program = str(tmp_path_factory.mktemp("cpp") / "bot")
        flags = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Wshadow", "-Werror"]
        subprocess.run(["g++", *flags, "-o", program, "bot.cpp"], cwd=folder, check=True)
        command = [program]

    def say(lines: list[str]) -> tuple[list[Any], int]:
        text = "".join(line + "\n" for line in lines).encode()
        done = subprocess.run(
            command, cwd=folder, input=text, capture_output=True, timeout=60, check=False
        )
        return [json.loads(line) for line in done.stdout.splitlines()], done.returncode

    return say


def arena_lines(file: str) -> list[Verdict]:
    return [
        verdict
        for verdict in VERDICTS
        if verdict.place.startswith(f"{file}.") and verdict.vector.sender == "arena"
    ]


@pytest.mark.parametrize("file", FILES)
def test_what_is_valid_is_answered(talk: Talk, file: str) -> None:
    lines = [verdict.vector.line for verdict in arena_lines(file) if verdict.vector.valid]
    answers, code = talk(lines)
    assert code == 0
    asked = [json.loads(line) for line in lines]
    asked = [message for message in asked if message["type"] in ("hello", "decide", "finish")]
    for message, answer in zip(asked, answers, strict=True):
        protocol.adapter(protocol.BotMessage).validate_python(answer)
        if message["type"] == "hello":
            assert answer["type"] == "hello" and set(answer["games"]) >= set(games.names())
            continue
        assert answer["match"] == message["match"]
        if message["type"] == "decide":
            assert answer["number"] == message["number"]
            assert answer["action"] in message["view"]["legal"]
        else:
            assert answer["type"] == "finish"


@pytest.mark.parametrize("file", FILES)
def test_what_is_invalid_is_refused(talk: Talk, file: str) -> None:
    before: list[str] = []
    for verdict in arena_lines(file):
        if verdict.vector.valid:
            before.append(verdict.vector.line)
            continue
        answers, code = talk([*before, verdict.vector.line])
        assert answers[-1]["type"] == "error" and code == 1, verdict.vector.why
        assert [answer["type"] for answer in answers].count("error") == 1


@pytest.mark.parametrize("name", games.names())
def test_all_starters_play_the_dialogue_of_the_spec(talk: Talk, name: str) -> None:
    said = list(dialogue(name))
    answers, _ = talk([line for who, line in said if who == "arena"])
    expected = [json.loads(line) for who, line in said if who == "bot"]
    assert answers[1:] == expected[1:]
    assert answers[0]["type"] == "hello"


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize(
    "language", ["python", "javascript", pytest.param("cpp", marks=pytest.mark.slow)]
)
def test_a_starter_passes_the_check(language: str, name: str) -> None:
    needed(LANGUAGES[language])
    entry = find(f"{STARTERS / language}/")
    check = Check(entry, name, level_for("auto", bundled=False), 1.0, matches=1)
    for step in check.run():
        assert step.verdict == "Passed", (step, check.output)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_starter_explains_itself_in_thirty_lines(language: str) -> None:
    (program,) = (
        path
        for path in (STARTERS / language).iterdir()
        if path.stem == "bot" and path.suffix != ".toml"
    )
    text = program.read_text(encoding="utf-8")
    if language == "python":
        lines = (ast.get_docstring(ast.parse(text)) or "").splitlines()
    else:
        lines = list(takewhile(lambda line: line.startswith("//"), text.splitlines()))
    assert 15 <= len(lines) <= 30
