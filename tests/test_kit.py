"""The kit of a bot's author: `arena new-bot`, `arena check`, `arena submit`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena import games
from arena.cli import main
from arena.kit import LANGUAGES
from arena.loading import bot_class, find

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *args: CliRunner().invoke(main, list(args), catch_exceptions=False)


# arena new-bot


@pytest.mark.parametrize("game", games.names())
def test_a_new_python_bot_is_one_short_file_that_plays_the_game(run: Run, game: str) -> None:
    done = run("new-bot", "my-first", "--game", game)
    assert done.exit_code == 0
    bot = bot_class(find("my-first.py"))
    assert bot.__name__ == "MyFirst" and bot.games == (game,)
    explained = ast.get_docstring(ast.parse(Path("my-first.py").read_text())) or ""
    assert explained.startswith("MyFirst, a bot for ")
    assert 8 <= len(explained.splitlines()) <= 30
    said, check, match = done.stdout.splitlines()
    assert said == "my-first.py is ready. Next:"
    assert check == f"  arena check my-first.py --game {game}"
    assert match.startswith(f"  arena match --game {game} my-first.py random")
    played = run(*match.split()[1:])
    assert played.exit_code == 0 and "fault" not in played.stdout


@pytest.mark.parametrize("language", ["javascript", "cpp"])
def test_a_new_program_is_the_starter_under_its_own_name(run: Run, language: str) -> None:
    done = run("new-bot", "seven.up", "-g", "lasvegas", "--language", language)
    assert done.exit_code == 0
    assert "  arena check seven.up/ --game lasvegas" in done.stdout
    manifest = Path("seven.up/bot.toml").read_text()
    assert 'name = "seven.up"' in manifest and 'games = ["lasvegas"]' in manifest
    (program,) = (path for path in Path("seven.up").iterdir() if path.name != "bot.toml")
    assert 'NAME = "seven.up"' in program.read_text()
    assert not any("starter-" in path.read_text() for path in Path("seven.up").iterdir())


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_overwritten(run: Run, language: str) -> None:
    path = Path("mine.py" if language == "python" else "mine")
    path.write_text("precious")
    done = run("new-bot", "mine", "-g", "lasvegas", "--language", language)
    assert done.exit_code == 2 and f"{path} exists already" in done.stderr
    assert path.read_text() == "precious"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["../mine", "-g", "lasvegas"], "'../mine' cannot be the name of a bot"),
        (["", "-g", "lasvegas"], "'' cannot be the name of a bot"),
        ([".mine", "-g", "lasvegas"], "'.mine' cannot be the name of a bot"),
        (["x" * 65, "-g", "lasvegas"], "cannot be the name of a bot"),
        (["mine", "-g", "lasvegs"], "unknown game 'lasvegs'; did you mean lasvegas?"),
        (
            ["mine", "-g", "lasvegas", "--language", "java"],
            "unknown language 'java'; did you mean javascript? known: cpp, javascript, python",
        ),
    ],
)
def test_mistakes_get_one_clear_sentence(run: Run, args: list[str], sentence: str) -> None:
    done = run("new-bot", *args)
    assert done.exit_code == 2 and sentence in done.stderr and done.stdout == ""
    assert not list(Path().iterdir())


def test_a_name_that_begins_with_a_digit_still_gives_a_class(run: Run) -> None:
    run("new-bot", "3-cats", "-g", "lasvegas")
    assert bot_class(find("3-cats.py")).__name__ == "Bot3Cats"
