"""Bots are found without running their code, and every mistake gets a sentence."""

from __future__ import annotations

import os
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from arena import loading
from arena.errors import ArenaError
from arena.loading import Entry, bot_class, find, make

MANIFEST = 'name = "mine"\ncommand = ["./bot", "-q"]\ngames = ["lasvegas"]\n'


def folder(path: Path, manifest: str = MANIFEST) -> str:
    (path / "lib").mkdir()
    (path / "bot.toml").write_text(manifest)
    (path / "bot").write_bytes(b"\x7fELF")
    (path / "lib" / "weights").write_bytes(b"123")
    (path / ".git").mkdir()
    (path / ".git" / "config").write_text("secret")
    (path / "__pycache__").mkdir()
    (path / "__pycache__" / "bot.pyc").write_text("old")
    return str(path)


def test_a_folder_with_a_manifest(tmp_path: Path) -> None:
    entry = find(folder(tmp_path))
    source = entry.source
    assert entry.name == source.name == "mine" and not source.bundled
    assert source.manifest is not None
    assert source.manifest.command == ("./bot", "-q")
    assert (source.manifest.games, source.manifest.memory) == (("lasvegas",), 512)
    assert [name for name, _ in source.files] == ["bot", "bot.toml", "lib/weights"]
    assert find(f"other={tmp_path}").name == "other"


def test_the_digest_is_of_all_files(tmp_path: Path) -> None:
    first = find(folder(tmp_path)).source.digest
    assert find(str(tmp_path)).source.digest == first
    (tmp_path / "lib" / "weights").write_bytes(b"124")
    assert find(str(tmp_path)).source.digest != first


@pytest.mark.parametrize(
    ("manifest", "complaint"),
    [
        (MANIFEST + "memry = 100", "unknown key 'memry'; did you mean memory"),
        (MANIFEST.replace("name", "nmae"), "the key 'name' is missing|unknown key 'nmae'"),
        (MANIFEST.replace('["./bot", "-q"]', "[]"), r"command = \[\]"),
        (MANIFEST.replace('["./bot", "-q"]', '"./bot"'), "command = './bot'"),
        (MANIFEST + "memory = 1", "memory = 1: .*greater than or equal to 16"),
        (MANIFEST + "memory = 100000", "memory = 100000: .*less than or equal to 4096"),
        (MANIFEST + 'memory = "100"', "memory = '100'"),
        (MANIFEST + "startup = 1000", "startup = 1000: .*less than or equal to 60"),
        (MANIFEST.replace("mine", "../mine"), r"name = '\.\./mine'"),
        ("name = ", "cannot read .*bot.toml"),
        (MANIFEST.replace("mine", "m\u00efne"), "name = 'm\u00efne': write letters, digits and"),
        (MANIFEST.replace('["./bot", "-q"]', '"./bot"'), "it must be a list of strings"),
        (MANIFEST.replace('["./bot", "-q"]', "[]"), "it must not be empty"),
    ],
)
def test_a_wrong_manifest_is_refused(tmp_path: Path, manifest: str, complaint: str) -> None:
    with pytest.raises(ArenaError, match=complaint) as error:
        find(folder(tmp_path, manifest))
    assert "bot.toml" in str(error.value)


def test_what_is_no_bot(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match=r"is not a bot: it has no bot\.toml"):
        find(f"{tmp_path}/")
    (tmp_path / "bot.txt").write_text("")
    with pytest.raises(ArenaError, match=r"neither a Python file.* nor a folder with"):
        find(f"{tmp_path}/bot.txt")
    with pytest.raises(ArenaError, match="there is no file"):
        find(f"{tmp_path}/other.py")
    with pytest.raises(ArenaError, match="unknown bot 'gredy'; did you mean greedy"):
        find("gredy")


def test_only_plain_files_travel(tmp_path: Path) -> None:
    text = folder(tmp_path)
    (tmp_path / "passwords").symlink_to("/etc/passwd")
    with pytest.raises(ArenaError, match="passwords is not a plain file"):
        find(text)
    (tmp_path / "passwords").unlink()
    (tmp_path / "settings").symlink_to("/etc")
    with pytest.raises(ArenaError, match="settings is not a plain folder"):
        find(text)


def test_the_name_of_a_file_must_be_text(tmp_path: Path) -> None:
    """It is part of the digest, and travels."""
    text = folder(tmp_path)
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")).touch()
    with pytest.raises(ArenaError, match=r"\\xff\.txt' is not a name in UTF-8"):
        find(text)


def test_a_bot_may_not_be_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "MOST_BYTES", 100)
    text = folder(tmp_path)
    (tmp_path / "weights").write_bytes(bytes(101))
    with pytest.raises(ArenaError, match="holds more than"):
        find(text)
    (tmp_path / "bot.py").write_bytes(bytes(101))
    with pytest.raises(ArenaError, match=r"bot\.py holds more than"):
        find(f"{tmp_path}/bot.py")


def test_a_program_takes_no_parameters_and_cannot_be_loaded(tmp_path: Path) -> None:
    text = folder(tmp_path)
    with pytest.raises(ArenaError, match="is a program, not a Python class"):
        find(f"{text}:depth=3")
    with pytest.raises(ArenaError, match="it needs --isolation process or sandbox"):
        make(find(text))


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with a bot, whose code says when it is run."""
    home = tmp_path / "clever_bots"
    (home / "deep").mkdir(parents=True)
    (home / "__init__.py").write_text("raise RuntimeError('the package was run')\n")
    (home / "deep" / "__init__.py").write_text("")
    (home / "deep" / "player.py").write_text("raise RuntimeError('the bot was run')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint("clever", "clever_bots.deep.player:Clever", "arena.bots")
    monkeypatch.setattr(loading, "installed", lambda: {"clever": point})
    return home


def test_an_installed_bot_is_found_without_running_it(package: Path) -> None:
    entry = find("clever:depth=3")
    assert (entry.name, entry.class_name) == ("clever:depth=3", "Clever")
    assert entry.source.module == "clever_bots.deep.player"
    assert [name for name, _ in entry.source.files] == [
        "clever_bots/__init__.py",
        "clever_bots/deep/__init__.py",
        "clever_bots/deep/player.py",
    ]
    assert "clever_bots" not in sys.modules


def test_an_installed_bot_is_loaded(package: Path) -> None:
    (package / "__init__.py").write_text("DEPTH = 7\n")
    (package / "deep" / "player.py").write_text(
        "from arena import Bot\nfrom .. import DEPTH\nclass Clever(Bot):\n    depth = DEPTH\n"
    )
    try:
        assert bot_class(find("clever")).depth == 7  # type: ignore[attr-defined]
    finally:
        for name in [name for name in sys.modules if name.startswith("clever_bots")]:
            del sys.modules[name]


def test_an_entry_point_to_nowhere(package: Path) -> None:
    (package / "deep" / "player.py").unlink()
    with pytest.raises(
        ArenaError, match=r"should be in clever_bots\.deep\.player, which is missing"
    ):
        find("clever")


def test_finding_a_file_does_not_run_it(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("raise RuntimeError('run')")
    entry = find(str(path))
    assert isinstance(entry, Entry)
    with pytest.raises(ArenaError, match="raised an error when it was loaded"):
        bot_class(entry)
