"""The kit of a bot's author: `arena new-bot`, `arena check`, `arena submit`."""

from __future__ import annotations

import ast
import errno
import json
import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from textwrap import indent
from threading import Barrier
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena import games, kit
from arena.check import Check
from arena.cli import main
from arena.errors import ArenaError
from arena.kit import LANGUAGES
from arena.loading import Source, bot_class, find, folder_of
from arena.sandbox import Level
from tests.dialogue import V1
from tests.isolated import available

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


# arena check

HEAD = """from arena import Bot


class Mine(Bot):
    games = ("lasvegas",)

    def act(self, view):
"""
STARTER = (V1 / "starters" / "python" / "bot.py").read_text(encoding="utf-8")


def write_class(body: str) -> str:
    """A Python bot whose decisions are made so."""
    Path("mine.py").write_text(HEAD + indent(body, "        "))
    return "mine.py"


def write_program(old: str, new: str) -> str:
    """The Python starter as a folder, with one change."""
    assert STARTER.count(old) == 1
    Path("mine").mkdir()
    Path("mine/bot.py").write_text(STARTER.replace(old, new))
    manifest = 'name = "mine"\ncommand = ["python3", "bot.py"]\ngames = ["lasvegas"]\n'
    Path("mine/bot.toml").write_text(manifest)
    return "mine/"


def wrap(script: str) -> None:
    """Have the program be run by a shell script."""
    Path("mine/run.sh").write_text(script)
    manifest = Path("mine/bot.toml")
    manifest.write_text(manifest.read_text().replace('["python3", "bot.py"]', '["sh", "run.sh"]'))


DAEMON = """import os, time
if os.fork() == 0:
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
"""


def checked(bot: str, level: Level = "process", move_time: float = 1.0) -> Check:
    """The check of a bot of Las Vegas that plays one match of each variant."""
    return Check(find(bot), "lasvegas", level, move_time, matches=1)


def failure(bot: str, move_time: float = 1.0) -> tuple[str, str, str]:
    """The step that fails, why, and the bot's own output."""
    check = checked(bot, move_time=move_time)
    steps = list(check.run())
    assert [step.number for step in steps] == list(range(1, 9))
    (failed,) = (step for step in steps if step.verdict == "Failed")
    assert all(step.verdict == "Passed" for step in steps[: failed.number - 1]) or (
        failed.title == "keeps its time"
    )
    assert all(step.verdict == "Skipped" for step in steps[failed.number :])
    return failed.title, failed.reason, check.output


@pytest.mark.parametrize("game", games.names())
def test_a_new_bot_passes_the_check(run: Run, game: str) -> None:
    run("new-bot", "mine", "-g", game)
    check = Check(find("mine.py"), game, "process", 1.0, matches=1)
    assert [step.verdict for step in check.run()] == ["Passed"] * 8, check.output


@pytest.mark.usefixtures("run")
class TestWhatIsWrongWithABot:
    def test_it_cannot_be_loaded(self) -> None:
        Path("mine.py").write_text("import sys\nprint('so far')\n1 / 0\n")
        title, reason, output = failure("mine.py")
        assert title == "loads" and "ZeroDivisionError: division by zero" in reason
        assert "so far" in output and "line 3" in output

    def test_it_cannot_be_started(self) -> None:
        bot = write_program("import json\n", "import jason\n")
        title, reason, output = failure(bot)
        assert (title, reason) == ("loads", "its process ended with exit code 1")
        assert "No module named 'jason'" in output

    def test_it_speaks_another_protocol(self) -> None:
        bot = write_program('"protocol": "1.0"', '"protocol": "2.0"')
        assert failure(bot)[:2] == ("says hello", "speaks protocol 2.0, not 1.0")

    def test_it_does_not_play_the_game(self) -> None:
        bot = write_program('"games": list(RULES)', '"games": ["chess"]')
        assert failure(bot)[:2] == ("says hello", "does not play lasvegas; it plays chess")

    def test_its_manifest_does_not_name_the_game(self) -> None:
        bot = write_program('NAME = "starter-python"', 'NAME = "mine"')
        manifest = Path("mine/bot.toml")
        manifest.write_text(manifest.read_text().replace("lasvegas", "trio"))
        wanted = "does not play lasvegas; it plays trio"
        assert failure(bot)[:2] == ("says hello", wanted)
        command = ["match", "--game", "lasvegas", bot, "random", "--isolation", "process"]
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 2 and f"mine {wanted}" in done.stderr

    def test_it_answers_what_is_no_action(self) -> None:
        title, reason, _ = failure(write_class("return 'three'\n"))
        assert title == "plays legal actions" and "is not an action of lasvegas" in reason

    def test_it_raises_an_exception(self) -> None:
        bot = write_class("print('thinking')\nraise ValueError('no idea')\n")
        title, reason, output = failure(bot)
        assert title == "plays legal actions" and "act raised ValueError: no idea" in reason
        assert "thinking" in output
        trace = output.partition("thinking")[2].splitlines()
        assert trace[2].startswith('  File "mine.py", line ') and trace[2].endswith(", in act")
        assert trace[-1] == "ValueError: no idea"
        command = reason.splitlines()[-1].removeprefix("in: ").split()
        assert command[:4] == ["arena", "match", "--game", "lasvegas"]
        played = CliRunner().invoke(main, [*command[1:], "--isolation", "process", "--json"])
        (fault,) = json.loads(played.stdout)["faults"]
        assert fault["reason"] == "act raised ValueError: no idea"

    def test_it_prints_on_standard_output(self) -> None:
        bot = write_program(
            '    if kind == "decide":\n', '    if kind == "decide":\n        print("hm")\n'
        )
        title, reason, _ = failure(bot)
        assert title == "plays legal actions" and "in the line 'hm'" in reason

    def test_it_is_moody(self) -> None:
        bot = write_class("import random\nreturn random.choice(view.legal)\n")
        title, reason, _ = failure(bot)
        assert title == "repeats a match"
        assert "plays the same match in another way from action" in reason

    def test_it_thinks_for_too_long(self) -> None:
        bot = write_class("while True:\n    pass\n")
        title, reason, _ = failure(bot, move_time=0.1)
        assert title == "keeps its time" and "took more than 0.1 s for a decision" in reason

    def test_it_can_play_only_one_match(self) -> None:
        bot = write_program(
            '    if kind == "start":\n',
            '    if kind == "start":\n        assert not matches, "one at a time"\n',
        )
        title, reason, _ = failure(bot)
        assert title == "plays several matches at once" and "one at a time" in reason

    def test_it_minds_unknown_fields(self) -> None:
        bot = write_program(
            '    kind = message["type"]\n',
            '    kind = message["type"]\n    assert "unknown" not in message, "what is this?"\n',
        )
        title, reason, _ = failure(bot)
        assert title == "ignores unknown fields" and "what is this?" in reason

    def test_it_does_not_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("arena.conversation.PATIENCE", 0.5)
        title, reason, _ = failure(write_program("        sys.exit()\n", "        return None\n"))
        assert title == "ends and leaves no process behind"
        assert reason == "did not end within 0.5 s after bye"

    @pytest.mark.parametrize("level", ["process", "sandbox"])
    @pytest.mark.parametrize("wrapped", [False, True])
    @pytest.mark.parametrize(
        ("code", "named"),
        [
            (DAEMON, "python3"),
            ("import subprocess\nsubprocess.Popen(['sleep', '1000'])\n", "sleep"),
            ("import subprocess\nsubprocess.Popen(['sh', '-c', 'sleep 60; :'])\n", "sleep"),
            (
                "import subprocess\n[subprocess.Popen(['sleep', '9']) for _ in 'ab']\n",
                "sleep, sleep",
            ),
        ],
        ids=["orphan", "child", "grandchild", "children"],
    )
    def test_it_leaves_a_process_behind(
        self, code: str, named: str, wrapped: bool, level: Level
    ) -> None:
        available(level)
        bot = write_program("import json\n", f"import json\n{code}")
        if wrapped:
            wrap("python3 bot.py; exit $?")
        *_, last = checked(bot, level).run()
        assert (last.verdict, last.reason) == ("Failed", f"left processes behind: {named}")

    def test_it_is_told_what_it_did_wrong(self) -> None:
        bot = write_program(
            '    if kind == "decide":\n', '    if kind == "decide":\n        print("hm")\n'
        )
        _, reason, output = failure(bot)
        assert output.strip() == f"the arena says: {reason}"


@pytest.mark.parametrize("level", ["process", "sandbox"])
@pytest.mark.parametrize("script", ["exec python3 bot.py", "python3 bot.py; exit $?"])
@pytest.mark.usefixtures("run")
def test_a_wrapper_is_honest(script: str, level: Level) -> None:
    """A shell script that becomes the bot, or waits for it."""
    available(level)
    bot = write_program("import json\n", "import json  # unchanged\n")
    wrap(script)
    assert [step.reason for step in checked(bot, level).run() if step.verdict != "Passed"] == []


def test_the_command_tells_the_steps_and_the_answer(run: Run) -> None:
    run("new-bot", "mine", "-g", "lasvegas")
    done = run("check", "mine.py", "-g", "lasvegas", "--isolation", "process")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert len(lines) == 9 and all("Passed" in line for line in lines[:8])
    assert lines[-1] == "mine is ready for lasvegas."


def test_a_failed_check_shows_the_reason_and_the_bots_own_output(run: Run) -> None:
    bot = write_class("print('thinking')\nraise ValueError('no idea')\n")
    done = run("check", bot, "-g", "lasvegas", "--isolation", "process")
    assert done.exit_code == 1
    assert "3. plays legal actions                Failed\n   act raised ValueError" in done.stdout
    assert "4. repeats a match                    Skipped" in done.stdout
    assert "The bot's own output:\n   thinking" in done.stdout
    done = run("check", bot, "-g", "lasvegas", "--isolation", "process", "--json")
    assert done.exit_code == 1
    document = json.loads(done.stdout)
    assert document["passed"] is False and "thinking" in document["output"]
    assert [step["verdict"] for step in document["steps"]][:4] == [
        "Passed",
        "Passed",
        "Failed",
        "Skipped",
    ]


def test_a_check_needs_a_process(run: Run) -> None:
    done = run("check", "random", "-g", "lasvegas", "--isolation", "none")
    assert done.exit_code == 2 and "--isolation process or sandbox" in done.stderr


# arena submit


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of bots of its own, where the arena looks for them."""
    folder = tmp_path / "agents"
    bundled = folder_of("agents", "agents")
    shutil.copytree(bundled, folder)
    monkeypatch.setattr(
        "arena.loading.folder_of", lambda name, inside: folder if name == "agents" else V1.parent
    )
    return folder


def submit(run: Run, *args: str) -> Result:
    return run("submit", *args, "--isolation", "process")


@pytest.mark.usefixtures("agents")
def test_a_submitted_class_can_be_named_and_listed_and_is_not_trusted(run: Run) -> None:
    run("new-bot", "mine", "-g", "lasvegas")
    digest = find("mine.py").source.digest
    done = submit(run, "mine.py")
    assert done.exit_code == 0, done.stdout
    assert done.stdout.splitlines()[-1].startswith(f"mine {digest} is now in ")
    Path("mine.py").unlink()
    source = find("mine").source
    assert source.digest == digest and not source.bundled
    assert "mine" in run("match", "-g", "lasvegas", "mine", "random").stdout
    (row,) = (bot for bot in json.loads(run("bots", "--json").stdout) if bot["name"] == "mine")
    assert row["games"] == ["lasvegas"] and row["digest"] == digest
    listed = json.loads(run("bots", "--game", "trio", "--json").stdout)
    assert "mine" not in {bot["name"] for bot in listed}


def test_a_submitted_program_is_its_files_under_its_digest(run: Run, agents: Path) -> None:
    bot = write_program('NAME = "starter-python"', 'NAME = "mine"')
    source = find(bot).source
    assert submit(run, bot).exit_code == 0
    folder = agents / f"mine-{source.digest}"
    assert (folder / "bot.py").read_bytes() == Path("mine/bot.py").read_bytes()
    assert find("mine").source.files == source.files
    assert not list(agents.glob(".new-*"))


def test_a_name_is_taken_by_another_digest_unless_it_is_replaced(run: Run, agents: Path) -> None:
    write_class("return view.legal[0]\n")
    first = find("mine.py").source.digest
    assert submit(run, "mine.py").exit_code == 0
    assert submit(run, "mine.py").exit_code == 0, "the same bot again changes nothing"
    write_class("return view.legal[-1]\n")
    second = find("mine.py").source.digest
    done = submit(run, "mine.py")
    assert done.exit_code == 2 and "there is another bot mine" in done.stderr
    assert find("mine").source.digest == first
    assert submit(run, "mine.py", "--replace").exit_code == 0
    assert find("mine").source.digest == second
    assert [path.name for path in agents.glob("mine-*")] == [f"mine-{second}"]


@pytest.mark.usefixtures("agents")
def test_a_bundled_bot_cannot_be_replaced(run: Run) -> None:
    write_class("return view.legal[0]\n")
    Path("mine.py").rename("random.py")
    done = submit(run, "./random.py", "--replace")
    assert done.exit_code == 2 and "random is a bundled bot" in done.stderr


def test_a_bot_that_fails_is_not_submitted(run: Run, agents: Path) -> None:
    before = sorted(agents.iterdir())
    done = submit(run, write_class("raise ValueError('no idea')\n"))
    assert done.exit_code == 1 and "no idea" in done.stdout
    Path("mine.py").write_text("1 / 0\n")
    done = submit(run, "mine.py")
    assert done.exit_code == 1 and "mine does not start: " in done.stdout
    assert sorted(agents.iterdir()) == before


def test_a_submitted_bot_that_does_not_start_is_shown_with_its_own_output(run: Run) -> None:
    Path("folder").mkdir()
    Path("mine.py").write_text("weights = 1 / 0\n")
    done = submit(run, "mine.py", "--agents", "folder")
    assert done.exit_code == 1
    assert "ZeroDivisionError: division by zero" in done.stdout
    assert 'File "mine.py", line 1' in done.stdout


def test_a_file_is_submitted_as_a_whole(run: Run) -> None:
    Path("folder").mkdir()
    write_class("return view.legal[0]\n")
    done = submit(run, "mine.py:Mine", "--agents", "folder")
    assert done.exit_code == 2
    assert done.stderr == (
        "arena: mine.py:Mine: a file is submitted as a whole, with one bot in it; leave out :Mine\n"
    )


def test_what_a_bot_writes_does_nothing_to_the_terminal(run: Run) -> None:
    loud = write_class("print('\\a thinking')\nraise ValueError('no\\a \\u202eidea')\n")
    for command in ("check", "match"):
        done = run(command, "-g", "lasvegas", loud, *["random"] * (command == "match"))
        assert "no\\x07 \\u202eidea" in done.output
        assert all(sign.isprintable() or sign == "\n" for sign in done.output)
    Path("mine.py").write_text("raise ValueError('\\a')\n")
    done = run("match", "-g", "lasvegas", "mine.py", "random")
    assert "ValueError: \\x07" in done.output and "\a" not in done.output


def test_another_folder_of_bots(run: Run, tmp_path: Path) -> None:
    write_class("return view.legal[0]\n")
    folder = tmp_path / "elsewhere"
    assert submit(run, "mine.py", "--agents", str(folder)).exit_code == 2
    folder.mkdir()
    assert submit(run, "mine.py", "--agents", str(folder)).exit_code == 0
    (made,) = folder.iterdir()
    assert sorted(path.name for path in made.iterdir()) == [".games", "mine.py"]


def test_of_two_submits_at_once_the_later_is_refused(run: Run, agents: Path) -> None:
    """Both were free to go when they began to check."""
    write_class("return view.legal[0]\n")
    first = find("mine.py").source
    write_class("return view.legal[-1]\n")
    kit.submit(first, ["lasvegas"], agents)
    with pytest.raises(ArenaError, match="there is another bot mine"):
        kit.submit(find("mine.py").source, ["lasvegas"], agents)
    assert [path.name for path in agents.glob("*mine*")] == [f"mine-{first.digest}"]
    assert not list(agents.glob(".new-*"))


def test_of_many_submits_at_once_one_succeeds(
    run: Run, agents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_free = kit.check_free

    def look_and_dawdle(*given: Any) -> None:
        check_free(*given)
        time.sleep(0.05)

    monkeypatch.setattr(kit, "check_free", look_and_dawdle)
    sources = []
    for place in range(8):
        write_class(f"return view.legal[{place} % len(view.legal)]\n")
        sources.append(find("mine.py").source)
    together = Barrier(len(sources))

    def attempt(source: Source) -> str | None:
        together.wait()
        with suppress(ArenaError):
            return kit.submit(source, ["lasvegas"], agents).name
        return None

    with ThreadPoolExecutor(len(sources)) as pool:
        made = [name for name in pool.map(attempt, sources) if name]
    assert [path.name for path in agents.glob("*mine*")] == made
    assert not list(agents.glob(".new-*"))


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "somewhere")


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_a_full_disk_leaves_no_half_of_a_new_bot(
    run: Run, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "write_text", full)
    done = run("new-bot", "mine", "-g", "trio", "--language", language)
    assert done.exit_code == 2
    assert done.stderr == "arena: somewhere: No space left on device\n"
    assert not list(Path().iterdir())


def test_a_full_disk_leaves_no_half_of_a_submitted_bot(
    run: Run, agents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_class("return view.legal[0]\n")
    source = find("mine.py").source
    before = sorted(agents.iterdir())
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        kit.submit(source, ["lasvegas"], agents)
    assert sorted(agents.iterdir()) == before


def test_a_file_that_cannot_be_read_is_one_sentence(run: Run) -> None:
    Path("mine.py").symlink_to("mine.py")
    for command in (["check", "mine.py", "-g", "trio"], ["submit", "mine.py"]):
        done = run(*command)
        assert done.exit_code == 2 and len(done.stderr.splitlines()) == 1
