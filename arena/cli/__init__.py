"""The command `arena`: one module per command, found by looking, loaded when used.

The modules import only what is light; the work's imports are inside the commands, so that
`arena --help` is quick.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from typing import Any

import click

from arena import __version__
from arena.cli._common import plain
from arena.errors import ArenaError


class Commands(click.Group):
    """The commands are the modules of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        names = (module.name for module in pkgutil.iter_modules(__path__))
        return sorted(name.replace("_", "-") for name in names if not name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"{__name__}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ArenaError as error:
            click.echo(plain(f"arena: {error}"), err=True)
            ctx.exit(2)
        except BrokenPipeError:
            # The reader of our output has gone, as `arena … | head` does.
            sys.stderr.close()
            ctx.exit(0)
        except OSError as error:
            # A disk that is full, a file that may not be read: the user can mend it.
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"arena: {where}{error.strerror or error}", err=True)
            ctx.exit(2)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="arena")
def main() -> None:
    """Tournaments of bots that play tabletop games."""
