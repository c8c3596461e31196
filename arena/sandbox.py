"""How bots are kept apart: the levels of isolation, the limits, and the command that starts a bot.

`process`: its own process, with limits, an empty environment and a private folder. `sandbox`: the
same inside bubblewrap, which shows it a read-only system, an empty `/tmp` and `/home`, its own
files and processes, and no network.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from arena.errors import ArenaError

Isolation = Literal["auto", "none", "process", "sandbox"]
Level = Literal["none", "process", "sandbox"]

TASKS = 128
"""Processes and threads of a bot together."""
FILE_SIZE = 64 * 2**20
FOLDER_SIZE = 64 * 2**20
LIMITS = {"RLIMIT_NOFILE": 256, "RLIMIT_FSIZE": FILE_SIZE, "RLIMIT_CORE": 0}

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
"""What programs need of the system; of `/etc` only what finds libraries and programs."""
SETTINGS = ("/etc/ld.so.cache", "/etc/alternatives")

PATH = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
INSIDE = Path("/bot")
"""The folder of the bot's files as the sandbox shows it."""
PACKAGE = Path(__file__).resolve().parent


def level_for(isolation: str, bundled: bool) -> Level:
    """The level at which a bot runs."""
    if isolation not in get_args(Isolation):
        raise ArenaError(
            f"unknown isolation {isolation!r}; known: {', '.join(get_args(Isolation))}"
        )
    if isolation == "auto":
        if bundled:
            return "none"
        return "process" if why_no_sandbox() else "sandbox"
    if isolation == "sandbox" and (why := why_no_sandbox()):
        raise ArenaError(f"isolation sandbox: {why}")
    return isolation  # type: ignore[return-value]


def advise(isolation: str, levels: Iterable[Level], note: Callable[[str], None]) -> None:
    """Say once that strangers' bots are less isolated than they could be."""
    if isolation == "auto" and "process" in levels:
        note(f"bots run without a sandbox, as processes with limits: {why_no_sandbox()}")


@cache
def why_no_sandbox() -> str | None:
    """Why bubblewrap cannot be used here, None when it can."""
    if shutil.which("bwrap") is None:
        return "the command bwrap is missing; install the Debian package bubblewrap"
    if why := _failure(_bubblewrap()):
        return f"bubblewrap does not work here: {why}"
    return None


def _failure(arguments: list[str]) -> str | None:
    """Why bubblewrap does not work with these arguments, None when it does."""
    tried = subprocess.run(
        ["bwrap", *arguments, "--", "true"],
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    return (tried.stderr.strip() or "it gives no reason") if tried.returncode else None


@cache
def _strictness() -> list[str]:
    """What forbids further namespaces inside, where bubblewrap can: in a container it may not."""
    strict = ["--disable-userns"]
    return [] if _failure([*_bubblewrap(), *strict]) else strict


def _bubblewrap() -> list[str]:
    """The arguments of bubblewrap for a bare system."""
    size = str(FOLDER_SIZE)
    arguments = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"]
    arguments += ["--uid", "65534", "--gid", "65534", "--hostname", "bot", "--cap-drop", "ALL"]
    for path in SYSTEM:
        # Where /bin is a link into /usr it must stay one.
        if Path(path).is_symlink():
            arguments += ["--symlink", str(Path(path).readlink()), path]
        else:
            arguments += ["--ro-bind-try", path, path]
    for path in SETTINGS:
        arguments += ["--ro-bind-try", path, path]
    for path in ("/tmp", "/home", "/dev/shm"):
        if path == "/dev/shm":
            arguments += ["--dev", "/dev"]
        arguments += ["--perms", "1777", "--size", size, "--tmpfs", path]
    # The arena's user owns what is in /proc: root could write the kernel's settings.
    return [*arguments, "--proc", "/proc", "--remount-ro", "/proc"]


def walls(program: str, files: Path) -> list[str]:
    """The arguments of bubblewrap for a program whose folder is to be seen at `/bot`."""
    arguments = [*_bubblewrap(), *_strictness()]
    visible = list(_visible(program))
    for path in visible:
        arguments += ["--ro-bind", str(path), str(path)]
    for path in _hidden(visible):
        arguments += ["--tmpfs", str(path)]
    arguments += ["--ro-bind", str(files), str(INSIDE), "--chdir", str(INSIDE)]
    return [*arguments, "--remount-ro", "/"]


def python(module: str, *flags: str) -> list[str]:
    """The arena's Python, cut off from the environment, running `main` of a module of the arena."""
    code = f"import sys; sys.path[:0] = {_libraries()}; from {module} import main; main()"
    return [sys.executable, "-I", "-B", *flags, "-c", code]


def _libraries() -> list[str]:
    packages = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    return [str(PACKAGE.parent), *packages]


def program(name: str) -> str:
    """The path of a program that a bot names, or the name when it is a file of the bot."""
    if "/" in name:
        return name
    return shutil.which(name, path=f"{PATH}:{os.environ.get('PATH', '')}") or name


def _visible(program: str) -> Iterator[Path]:
    """What must be seen of the disk, beside the system: the arena's Python, and the program."""
    wanted = [Path(sys.prefix), Path(sys.base_prefix), PACKAGE, *map(Path, _libraries()[1:])]
    if Path(program).is_absolute():
        wanted.append(Path(program))
    shown = [Path(path) for path in SYSTEM]
    for path in wanted:
        for each in dict.fromkeys((path, path.resolve())):
            if each.exists() and not any(each.is_relative_to(one) for one in shown):
                shown.append(each)
                yield each


def _hidden(visible: list[Path]) -> Iterator[Path]:
    """Where the bundled bots of an installed package would be seen, by every link to them."""
    bots = PACKAGE / "agents"
    if bots.is_dir():
        yield bots
        for path in visible:
            if path != path.resolve() and bots.is_relative_to(path.resolve()):
                yield path / bots.relative_to(path.resolve())


def environment(temporary: str, mark: str) -> dict[str, str]:
    """All that a bot's environment holds."""
    return {
        "PATH": PATH,
        "HOME": temporary,
        "TMPDIR": temporary,
        "LANG": "C.UTF-8",
        "ARENA_BOT": mark,
    }
