"""The files of the protocol: vectors, schemas and SPEC.md say the same as the models."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from arena import games, protocol
from arena.cli import main
from arena.vectors import Verdict, verdicts
from tests.dialogue import QUOTED, SPEC, V1, Said, dialogue, refreshed, section, unwrap, whole

VERDICTS = list(verdicts(V1 / "vectors"))
TEXT = SPEC.read_text(encoding="utf-8")
every_game = pytest.mark.parametrize("name", games.names())


def schema(name: str) -> Any:
    return json.loads((V1 / "schemas" / f"{name}.json").read_text(encoding="utf-8"))


def fits(document: Any, name: str) -> bool:
    return jsonschema.Draft202012Validator(schema(name)).is_valid(document)


def members(name: str) -> dict[str, set[str]]:
    """The fields of each message, action or event of a schema, by its type."""
    found = schema(name)
    choices = found.get("oneOf") or found.get("anyOf") or [found]
    kinds = [found["$defs"][choice["$ref"].split("/")[-1]] if "$ref" in choice else choice
             for choice in choices]  # fmt: skip
    fields = [kind["properties"] for kind in kinds]
    return {each["type"]["const"]: set(each) - {"type"} for each in fields}


def test_the_schema_files_are_those_of_the_models() -> None:
    assert protocol.stale_schemas(V1 / "schemas") == []


# Vectors


@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda verdict: verdict.place)
def test_the_models_agree_with_the_vectors(verdict: Verdict) -> None:
    assert verdict.agrees, verdict.refusal or "the models take the line"


@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda verdict: verdict.place)
def test_the_schemas_agree_with_the_vectors(verdict: Verdict) -> None:
    vector, game = verdict.vector, verdict.place.partition(".")[0]
    try:
        message = json.loads(vector.line)
    except ValueError:
        assert not vector.valid
        return
    fit = fits(message, f"messages-from-{vector.sender}")
    if fit and game in games.names():
        for field, kind in (("view", "view"), ("action", "action"), ("options", "options")):
            fit = fit and (field not in message or fits(message[field], f"{game}-{kind}"))
    # What only code can say: versions, and which values of a field an action table holds.
    beyond = "another major version" in vector.why or '"action"' in vector.line
    assert fit == vector.valid or (fit and beyond)


def test_the_vectors_cover_every_message_and_action() -> None:
    assert len(VERDICTS) >= 60
    seen = {valid: {(v.vector.sender, kind(v)) for v in VERDICTS if v.vector.valid == valid}
            for valid in (True, False)}  # fmt: skip
    arena = {("arena", kind) for kind in members("messages-from-arena")}
    bot = {("bot", kind) for kind in members("messages-from-bot")}
    assert arena | bot <= seen[True] and bot <= seen[False]


def kind(verdict: Verdict) -> str | None:
    try:
        return str(json.loads(verdict.vector.line)["type"])
    except (ValueError, KeyError, TypeError):
        return None


@every_game
def test_the_vectors_of_a_game_cover_its_actions(name: str) -> None:
    lines = [v.vector for v in VERDICTS if v.place.startswith(f"{name}.")]
    answers = [json.loads(v.line)["action"] for v in lines if v.valid and '"action"' in v.line]
    assert {action["type"] for action in answers} == set(members(f"{name}-action"))
    assert sum(not vector.valid for vector in lines) >= 5
    assert any('"view"' in vector.line for vector in lines)


def test_the_command_shows_the_vectors_and_notices_a_wrong_one(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["protocol", "vectors"])
    assert done.exit_code == 0 and len(done.stdout.splitlines()) == len(VERDICTS)
    line = {"from": "bot", "line": '{"type":"bye"}', "valid": True, "why": "a mistake"}
    (tmp_path / "messages.jsonl").write_text(json.dumps(line) + "\n")
    done = CliRunner().invoke(main, ["protocol", "vectors", str(tmp_path)])
    assert done.exit_code == 1
    assert "messages.jsonl:1: the models disagree" in done.stderr


# SPEC.md


def test_the_lines_quoted_in_the_spec_are_those_said_now() -> None:
    assert refreshed(TEXT) == TEXT, "run: python -m tests.dialogue"


@every_game
def test_the_whole_dialogue_is_a_file_whose_lines_fit_the_schemas(name: str) -> None:
    text = (V1 / "dialogues" / f"{name}.txt").read_text(encoding="utf-8")
    assert text == whole(name), "run: python -m tests.dialogue"
    assert f"[dialogues/{name}.txt](dialogues/{name}.txt)" in section(TEXT, name)
    checks = {
        kind: jsonschema.Draft202012Validator(schema(kind))
        for kind in ("messages-from-arena", "messages-from-bot", f"{name}-view", f"{name}-action")
    }
    types = []
    for line in text.splitlines()[1:]:
        message = json.loads(line[2:])
        types.append(message["type"])
        checks["messages-from-arena" if line[0] == ">" else "messages-from-bot"].validate(message)
        for field in message.keys() & {"view", "action"}:
            checks[f"{name}-{field}"].validate(message[field])
    assert types[:3] == ["hello", "hello", "start"]
    assert types[-3:] == ["finish", "finish", "bye"]


@every_game
def test_a_dialogue_in_the_spec_runs_from_hello_to_bye_and_marks_what_it_leaves_out(
    name: str,
) -> None:
    said = list(dialogue(name))
    part = section(TEXT, name)
    quoted = list(QUOTED.finditer(part))
    places = [said.index(unwrap(line)) for line in quoted]
    assert places[0] == 0 and places[-1] == len(said) - 1
    assert places == sorted(set(places))
    for (one, two), (before, after) in zip(pairwise(quoted), pairwise(places), strict=True):
        assert part[one.end() : two.start()].count("    …\n") == (after > before + 1)
    shown = {said[place] for place in places}
    assert questions(said) == questions(shown)


def questions(said: Any) -> set[tuple[str, ...]]:
    """The kinds of decision in some lines: which types of action there are to choose from."""
    lines: list[Said] = list(said)
    messages = [json.loads(line) for who, line in lines if who == "arena"]
    return {
        tuple(sorted({action["type"] for action in message["view"]["legal"]}))
        for message in messages
        if message["type"] == "decide"
    }


def rows(part: str, head: str) -> dict[str, set[str]]:
    """A table of the spec: the words in `code` of each row, by the one that begins it."""
    _, found, rest = part.partition(f"| {head} | |\n|---|---|\n")
    assert found, head
    table = rest.partition("\n\n")[0]
    words = [re.findall(r"`(\w+)`", row) for row in table.splitlines()]
    return {first: set(others) for first, *others in words}


@every_game
def test_the_spec_describes_every_field_of_a_game(name: str) -> None:
    part = section(TEXT, name)
    common = {"seat", "turn", "options", "legal", "events"}
    assert set(rows(part, "view")) == set(schema(f"{name}-view")["properties"]) - common
    for head in ("action", "event"):
        described = rows(part, head)
        fields = members(f"{name}-{head}")
        assert set(described) == set(fields)
        for kind, names in fields.items():
            assert names <= described[kind], kind
    for option in schema(f"{name}-options").get("properties", {}):
        assert f"`{option}`" in part


@pytest.mark.parametrize("sender", ["arena", "bot"])
def test_the_spec_describes_every_message(sender: str) -> None:
    _, _, part = TEXT.partition(f"From the {sender}:\n")
    table = part.strip().partition("\n\n")[0]
    for kind, fields in members(f"messages-from-{sender}").items():
        (row,) = (line for line in table.splitlines() if line.startswith(f"| `{kind}` |"))
        assert fields <= set(re.findall(r"`(\w+)`", row)), kind
