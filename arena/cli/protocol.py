"""`arena protocol`."""

from __future__ import annotations

from pathlib import Path

import click

from arena.errors import ArenaError


@click.group()
def command() -> None:
    """The files of the protocol: their schemas and test vectors."""


@command.command()
@click.option("--write", is_flag=True, help="Write the schema files anew.")
@click.option("--check", is_flag=True, help="Exit with 1 when a file differs from the models.")
@click.argument("folder", type=click.Path(path_type=Path), required=False)
def schemas(write: bool, check: bool, folder: Path | None) -> None:
    """List the JSON Schemas, made from the models; FOLDER holds their files."""
    from arena import protocol
    from arena.loading import folder_of

    folder = folder or folder_of("protocol", "protocol_files") / "v1" / "schemas"
    if write:
        folder.mkdir(parents=True, exist_ok=True)
        for stale in protocol.stale_schemas(folder):
            (folder / stale).unlink(missing_ok=True)
        for name, text in protocol.schemas():
            (folder / name).write_text(text, encoding="utf-8")
    elif not folder.is_dir():
        raise ArenaError(f"there is no folder {folder}")
    stale_names = protocol.stale_schemas(folder)
    for name, _ in protocol.schemas():
        click.echo(f"{folder / name}{'  differs from the models' if name in stale_names else ''}")
    if check and stale_names:
        click.echo(f"{len(stale_names)} differ; run: arena protocol schemas --write", err=True)
        raise click.exceptions.Exit(1)


@command.command()
@click.argument("folder", type=click.Path(path_type=Path), required=False)
def vectors(folder: Path | None) -> None:
    """List the test vectors; exit with 1 when the models disagree with one."""
    from arena.loading import folder_of
    from arena.vectors import verdicts

    folder = folder or folder_of("protocol", "protocol_files") / "v1" / "vectors"
    if not folder.is_dir():
        raise ArenaError(f"there is no folder {folder}")
    listing = list(verdicts(folder))
    for verdict in listing:
        vector = verdict.vector
        valid = "valid" if vector.valid else "invalid"
        click.echo(f"{verdict.place:20} {vector.sender:5} {valid:7} {vector.why}")
    wrong = [verdict for verdict in listing if not verdict.agrees]
    for verdict in wrong:
        said = verdict.refusal or "they take the line"
        click.echo(f"{verdict.place}: the models disagree: {said}", err=True)
    if wrong or not listing:
        raise click.exceptions.Exit(1)
