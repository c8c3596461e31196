"""Lists the processes of the machine."""

from pathlib import Path

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline")]
        if any(b"pytest" in command for command in commands):
            raise RuntimeError("saw the arena")
        return view.legal[0]
