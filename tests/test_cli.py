"""The command line as a person uses it: answers, and one clear sentence for a mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena import games
from arena.cli import main


def run(*args: str) -> Result:
    return CliRunner().invoke(main, list(args), catch_exceptions=False)


def refused(*args: str) -> str:
    """What is said to a command that is wrong; nothing may be printed on standard output."""
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    return result.stderr


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


A_BOT = """from arena import Bot
class {}(Bot):
    def act(self, view):
        return view.legal[-1]
"""


def test_games_json_has_the_shape_of_the_contract() -> None:
    listing = json.loads(run("games", "--json").stdout)
    assert [game["name"] for game in listing] == list(games.names())
    for game in listing:
        assert set(game) == {"name", "players", "options", "actions"}
        assert set(game["players"]) == {"min", "max", "default"}
        assert game["options"]["type"] == "object" and game["actions"] > 0


def test_bots_json_lists_the_bundled_bots_of_a_game() -> None:
    listing = json.loads(run("bots", "--game", "lasvegas", "--json").stdout)
    assert {"random", "greedy"} <= {bot["name"] for bot in listing}
    assert all("lasvegas" in bot["games"] and len(bot["digest"]) == 16 for bot in listing)


def test_tables_for_people() -> None:
    assert "lasvegas" in run("games").stdout
    assert "greedy" in run("bots").stdout


def test_match_json_is_the_same_twice_but_for_times() -> None:
    args = [
        "match",
        "--game",
        "lasvegas",
        "random",
        "greedy",
        "random",
        "greedy",
        "--seed",
        "7",
        "--json",
    ]
    once, again = json.loads(run(*args).stdout), json.loads(run(*args).stdout)
    assert len(once.pop("times")) == len(again.pop("times")) == 4
    assert once == again
    assert once["events"][0]["type"] == "round" and once["events"][-1]["type"] == "end"


def test_match_result_and_show() -> None:
    assert "score" in run("match", "-g", "lasvegas", "random", "greedy").stdout
    shown = run(
        "match", "-g", "lasvegas", "random", "greedy", "-o", "neutral=true", "--show"
    ).stdout
    assert "round 4 of 4" in shown and "white" in shown and "(greedy): place value=" in shown


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--game", "lasvegs", "random"], "unknown game 'lasvegs'; did you mean lasvegas?"),
        (["--game", "lasvegas", "random", "gredy"], "unknown bot 'gredy'; did you mean greedy"),
        (["--game", "lasvegas", "random", ""], "unknown bot ''"),
        (["--game", "lasvegas", "random"], "lasvegas is for 2, 3, 4 or 5 players, not 1"),
        (
            ["--game", "lasvegas", *["random"] * 5, "-o", "neutral=true"],
            "lasvegas with neutral=true is for 2, 3 or 4 players, not 5",
        ),
        (
            ["--game", "lasvegas", "random", "random", "-o", "netral=true"],
            "unknown option of lasvegas 'netral'; did you mean neutral?",
        ),
        (
            ["--game", "lasvegas", "random", "random", "-o", "neutral=maybe"],
            "option neutral=maybe of lasvegas: Input should be a valid boolean",
        ),
        (["--game", "lasvegas", "random", "random", "-o", "neutral"], "write -o KEY=VALUE"),
        (["--game", "lasvegas", "random", "random", "--seed", "seven"], "'seven' is not a valid"),
        (["--game", "lasvegas", "random", "random:rolls=3"], "random takes no parameters"),
        (["--game", "lasvegas", "random", "no/such/bot.py"], "there is no"),
    ],
)
def test_mistakes_get_one_clear_sentence(args: list[str], sentence: str) -> None:
    assert sentence in refused("match", *args)


def test_a_file_that_is_not_a_bot(tmp_path: Path) -> None:
    path = write(tmp_path, "notes.py", "x = 1\n")
    assert "is not a bot: it has no subclass of arena.Bot" in refused(
        "match", "-g", "lasvegas", path, path
    )


def test_a_bot_file_that_raises_shows_its_own_traceback(tmp_path: Path) -> None:
    path = write(tmp_path, "broken.py", "from arena import Bot\n\n1 / 0\n")
    said = refused("match", "-g", "lasvegas", path, "random")
    assert (
        "broken.py" in said and "line 3" in said and "ZeroDivisionError: division by zero" in said
    )
    assert "loading.py" not in said


def test_two_bots_in_one_file_need_a_class(tmp_path: Path) -> None:
    path = write(tmp_path, "two.py", A_BOT.format("One") + A_BOT.format("Two"))
    said = refused("match", "-g", "lasvegas", path, "random")
    assert f"has 2 bots; say which: {path}:One or {path}:Two" in said
    assert "two" in run("match", "-g", "lasvegas", f"{path}:Two", "random").stdout
    assert "did you mean" in refused("match", "-g", "lasvegas", f"{path}:Twoo", "random")


def test_a_bot_of_another_game(tmp_path: Path) -> None:
    text = A_BOT.format("Elsewhere") + "    games = ('chess',)\n"
    path = write(tmp_path, "elsewhere.py", text)
    assert "does not play lasvegas; it plays chess" in refused(
        "match", "-g", "lasvegas", path, "random"
    )


def test_parameters_are_typed_by_the_constructor(tmp_path: Path) -> None:
    text = (
        A_BOT.format("Picky")
        + "    def __init__(self, depth: int = 2):\n        assert depth == 3\n"
    )
    path = write(tmp_path, "picky.py", text)
    assert "picky:depth=3" in run("match", "-g", "lasvegas", f"{path}:depth=3", "random").stdout
    assert "depth=deep of picky: Input should be a valid integer" in refused(
        "match", "-g", "lasvegas", f"{path}:depth=deep", "random"
    )
    assert "did you mean depth" in refused("match", "-g", "lasvegas", f"{path}:dept=3", "random")


def test_an_entry_can_be_given_another_name() -> None:
    document: dict[str, Any] = json.loads(
        run("match", "-g", "lasvegas", "mine=greedy", "greedy", "greedy", "--json").stdout
    )
    assert [entry["name"] for entry in document["entries"]] == ["mine", "greedy", "greedy#2"]


def test_bench_prints_every_layer_and_its_ratio() -> None:
    listing = json.loads(run("bench", "-g", "lasvegas", "--seconds", "0.1", "--json").stdout)
    layers = {row["layer"]: row for row in listing["layers"]}
    assert {"rules", "match", "clone", "imagine"} <= set(layers)
    assert layers["rules"]["of_rules"] == 1 and 0 < layers["match"]["of_rules"] < 1


def test_a_match_written_as_json_replays(tmp_path: Path) -> None:
    text = run("match", "-g", "lasvegas", "random", "greedy", "--seed", "7", "--json").stdout
    path = write(tmp_path, "match.json", text)
    assert json.loads(run("replay", path, "--json").stdout) == json.loads(text)
    assert "greedy" in run("replay", path).stdout
    tampered = write(tmp_path, "other.json", text.replace('"seed": 7', '"seed": 8'))
    result = run("replay", tampered)
    assert result.exit_code == 1 and "does not replay" in result.stdout
    assert "not the JSON of a match" in refused("replay", write(tmp_path, "no.json", "{}"))
    assert "cannot read" in refused("replay", str(tmp_path / "nowhere.json"))
