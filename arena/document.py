"""A match as one JSON document: its record, its events, and who played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from arena import __version__, games
from arena.errors import ArenaError
from arena.match import Fault, Record, ReplayError, Spec, replay
from arena.protocol import VERSION, adapter


class Document(BaseModel):
    """The shape of what `arena match --json` prints."""

    model_config = ConfigDict(extra="forbid")

    match: str
    game: str
    options: dict[str, Any]
    seed: int
    move_time: float | None
    entries: list[dict[Literal["name", "digest"], str]]
    actions: list[int]
    scores: list[int]
    ranks: list[int]
    faults: list[Fault]
    events: list[dict[str, Any]]
    versions: dict[str, str | int]
    times: list[float]


def write(record: Record, digests: Mapping[str, str]) -> dict[str, Any]:
    """The document of a match; `digests` gives the digest of each entry's bot."""
    spec = record.spec
    game = replay(record)
    return Document(
        match=spec.id,
        game=spec.game,
        options=dict(spec.options),
        seed=spec.seed,
        move_time=spec.move_time,
        entries=[{"name": name, "digest": digests[name]} for name in spec.entries],
        actions=list(record.actions),
        scores=list(record.scores),
        ranks=list(record.ranks),
        faults=list(record.faults),
        events=adapter(list[game.event_type]).dump_python(game.events, mode="json"),  # type: ignore[name-defined]
        versions={"arena": __version__, "rules": record.rules, "protocol": VERSION},
        times=[round(seconds, 6) for seconds in record.times],
    ).model_dump(mode="json")


def read(text: str | bytes) -> tuple[Record, dict[str, str]]:
    """The record in a document, confirmed by a replay that gives the same events; and digests."""
    try:
        document = Document.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the document"
        raise ArenaError(f"not the JSON of a match: {where}: {first['msg']}") from None
    spec = Spec(
        document.match,
        document.game,
        tuple(document.options.items()),
        tuple(entry["name"] for entry in document.entries),
        document.seed,
        document.move_time,
    )
    record = Record(
        spec,
        int(document.versions["rules"]),
        tuple(document.actions),
        tuple(document.scores),
        tuple(document.ranks),
        tuple(document.faults),
        tuple(document.times),
    )
    events = adapter(list[games.load(spec.game).event_type])  # type: ignore[misc]
    if events.dump_python(replay(record).events, mode="json") != document.events:
        raise ReplayError("the events are not those of its actions")
    return record, {entry["name"]: entry["digest"] for entry in document.entries}
