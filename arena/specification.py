"""The specification of a tournament: all that decides its records, enough to run it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, TypeAdapter

from arena import __version__, games, loading, protocol
from arena.errors import ArenaError
from arena.game import Game
from arena.loading import Entry
from arena.sandbox import Isolation
from arena.schedule import Schedule, lay_out, lay_out_test
from arena.sprt import Sprt

ENTRY = TypeAdapter(Entry)


class Entered(BaseModel):
    """An entry, its source named by its digest and its files by their names."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    digest: str
    files: tuple[str, ...]
    entry: dict[str, Any]

    @classmethod
    def of(cls, entry: Entry) -> Self:
        """What the specification says of an entry; bundled bots are found by name, not by path."""
        source = entry.source
        told = ENTRY.dump_python(entry, mode="json", exclude={"name": True, "source": {"files"}})
        if source.bundled:
            told["source"]["path"] = source.name
        files = tuple(name for name, _ in source.files)
        return cls(name=entry.name, digest=source.digest, files=files, entry=told)

    def restore(self, contents: Mapping[str, bytes]) -> Entry:
        """The entry, with the contents of its files."""
        files = [(name, contents[name]) for name in self.files]
        source = self.entry["source"] | {"files": files}
        entry = ENTRY.validate_python(self.entry | {"name": self.name, "source": source})
        if entry.source.digest != self.digest:
            raise ArenaError(f"the source of {self.name} is not the one the tournament began with")
        return entry

    def has_changed(self) -> bool:
        """Whether the bot is still where it was found, and has another source now."""
        try:
            now = loading.find(self.entry["source"]["path"])
        except ArenaError:
            return False
        return now.source.digest != self.digest


class Test(BaseModel):
    """A sequential test of the first entry against the second."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    elo0: float
    elo1: float
    alpha: float
    beta: float

    def sprt(self) -> Sprt:
        """The test before its first block."""
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta)


class Specification(BaseModel):
    """What `tournament.json` says."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    arena: str = __version__
    protocol: str = protocol.VERSION
    game: str
    rules: int
    options: dict[str, Any]
    """The options that differ from their defaults."""
    players: int
    entries: tuple[Entered, ...]
    gauntlet: str | None = None
    matches: int
    """The number wished for; the schedule rounds it up."""
    seed: int
    isolation: Isolation = "auto"
    move_time: float | None = None
    time: float | None = None
    """Seconds after which to stop."""
    until_ci: float | None = None
    """Elo points to either side: stop when no interval is wider."""
    test: Test | None = None
    """Stop when the test is decided; it has a schedule of its own."""

    def schedule(self) -> Schedule:
        """The matches."""
        options = tuple(self.options.items())
        names = [entry.name for entry in self.entries]
        told = self.game, options, names, self.players, self.matches, self.seed
        if self.test is not None:
            return lay_out_test(*told, move_time=self.move_time)
        return lay_out(*told, gauntlet=self.gauntlet, move_time=self.move_time)


def specify(
    game: str,
    entries: Sequence[Entry],
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    **rest: Any,
) -> Specification:
    """The specification of a tournament between these entries."""
    kind = games.load(game)
    names = [entry.name for entry in entries]
    if doubled := {name for name in names if names.count(name) > 1}:
        raise ArenaError(f"two entries are called {min(doubled)}; give one a name: NAME=BOT")
    return Specification(
        game=game,
        rules=kind.rules,
        options=dict(options or {}),
        players=_players(kind, options or {}, len(entries)) if players is None else players,
        entries=tuple(map(Entered.of, entries)),
        **rest,
    )


def _players(kind: type[Game[Any, Any]], options: Mapping[str, Any], entries: int) -> int:
    """The usual number of players, or the largest for which there are entries enough."""
    chosen = kind.read_options(options)
    enough = [n for n in kind.allowed(chosen) if len(set(kind.sides(n, chosen))) <= entries]
    usual = kind.usual_players
    return usual if usual in enough else max(enough, default=usual)
