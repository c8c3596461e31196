"""The process between the arena and a bot: it starts the bot, holds its limits and ends it.

Being the reaper of all the bot's orphans, it finds every process the bot has left anywhere. It
lives as long as the arena holds the other end of its control socket: whatever happens to the
arena, the bot's processes and its folder go. It imports next to nothing, to start quickly.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import shutil
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from arena.proc import Tree, proportional, stat, unnamed

LOOK_EVERY = 0.02
FILES_EVERY = 5
"""Looks from one at the open files to the next."""
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def main() -> NoReturn:
    """Start the command that the first argument describes, and watch over it to its end."""
    if os.fork():
        # As an orphan it is not killed with the children of the arena's process, as Ray does.
        os._exit(0)
    order = json.loads(sys.argv[1])
    control = socket.socket(fileno=order["control"])
    control.set_inheritable(False)
    control.sendall(b"%d\n" % os.getpid())
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    tree = Tree(os.getpid())
    bot, error = _start(order)
    reason = f"it could not be started: {error}" if error else _watch(order, control, tree, bot)
    _end(tree)
    remove(Path(order["folder"]))
    with suppress(OSError):
        control.sendall(reason.encode())
    # At once, so that the arena sees the socket close when nothing of this process is left.
    os._exit(0)


def _prctl(option: int, value: int) -> None:
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _start(order: dict[str, Any]) -> tuple[int, str]:
    """The bot's process, and why it could not be started, if so."""
    failed, tell = os.pipe()
    keeper = os.getpid()
    bot = os.fork()
    if bot == 0:
        try:
            _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != keeper:
                os._exit(1)
            for name, limit in order["limits"].items():
                _, most = resource.getrlimit(getattr(resource, name))
                limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
                resource.setrlimit(getattr(resource, name), (limit, limit))
            os.chdir(order["cwd"])
            command = _boxed(order["walls"]) + order["command"]
            os.execvpe(command[0], command, order["environment"])
        except BaseException as error:
            os.write(tell, str(error).encode())
        os._exit(1)
    os.close(tell)
    for standard in range(3):
        os.dup2(os.open(os.devnull, os.O_RDWR), standard)
    with os.fdopen(failed, "rb") as pipe:
        return bot, pipe.read().decode()


def _boxed(walls: list[str]) -> list[str]:
    """The beginning of a command that runs in bubblewrap, which can be read inside: not `walls`."""
    if not walls:
        return []
    reader, writer = os.pipe()
    os.write(writer, b"\0".join(os.fsencode(wall) for wall in walls))
    os.close(writer)
    os.set_inheritable(reader, True)
    return ["bwrap", "--args", str(reader), "--"]


def _watch(order: dict[str, Any], control: socket.socket, tree: Tree, bot: int) -> str:
    """Wait until the bot ends, breaks a limit or is no longer wanted; say which."""
    ended = os.pidfd_open(bot)
    looks = 0
    while True:
        looks += 1
        ready, _, _ = select.select([control.fileno(), ended], [], [], LOOK_EVERY)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == bot:
                return _last_words(os.waitstatus_to_exitcode(status))
            if pid == 0:
                break
        if control.fileno() in ready:
            return "it was ended by the arena"
        if reason := _excess(order, tree, files=looks % FILES_EVERY == 0):
            return reason


def _last_words(code: int) -> str:
    if code < 0:
        return f"its process was killed by {signal.Signals(-code).name}"
    if code > 128 and code - 128 in signal.valid_signals():
        return f"its process was killed by {signal.Signals(code - 128).name}"
    return f"its process ended with exit code {code}"


def _excess(order: dict[str, Any], tree: Tree, files: bool) -> str:
    """The limit that the bot is over, or nothing."""
    members = tree.members()
    seen = [state for pid in members if (state := stat(pid))]
    if sum(state.tasks for state in seen) > order["tasks"]:
        return f"it has more than {order['tasks']} processes and threads"
    memory = order["memory"]
    taken = sum(state.resident for state in seen)
    if (taken > memory and sum(map(proportional, members)) > memory) or (
        files and unnamed(members) > memory
    ):
        return f"it uses more than {memory // 2**20} MB of memory"
    return ""


def _end(tree: Tree) -> None:
    """Kill every process of the tree."""
    while tree.kill(signal.SIGKILL):
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.001)


def remove(folder: Path) -> None:
    """Delete a folder, even one that was made hard to delete."""
    for path, folders, _ in os.walk(folder):
        for inner in (Path(path) / name for name in folders):
            if not inner.is_symlink():
                with suppress(OSError):
                    inner.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
