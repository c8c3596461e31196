"""The bots of one worker, ready to play match after match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self

from arena import loading, match, sandbox
from arena.errors import ArenaError
from arena.greeting import declared, greet, why_not
from arena.host import Host
from arena.loading import Entry
from arena.match import Record, Spec


class Players:
    """Plays matches between entries; keeps what is costly to start from one match to the next."""

    def __init__(
        self,
        entries: Mapping[str, Entry],
        isolation: str = "none",
        note: Callable[[str], None] | None = None,
    ) -> None:
        self.entries = entries
        self.levels = {
            name: sandbox.level_for(isolation, entry.source.bundled)
            for name, entry in entries.items()
        }
        if note is not None:
            sandbox.advise(isolation, self.levels.values(), note)
        self._host = Host(entries, self.levels)

    def check(self, game: str) -> None:
        """Refuse an entry whose bot does not start or does not play the game."""
        for name, level in self.levels.items():
            entry = self.entries[name]
            if level == "none":
                said: list[Sequence[str]] = [loading.make(entry).games]
            else:
                said = declared(entry, greet(entry, level))
            if why := why_not(game, said):
                raise ArenaError(f"{name} {why}")

    def play(self, specs: Iterable[Spec]) -> Iterator[Record]:
        """The record of each match, in the order given."""
        if any(level != "none" for level in self.levels.values()):
            yield from self._host.play(specs)
            return
        recipes = {name: loading.recipe(entry) for name, entry in self.entries.items()}
        for spec in specs:
            seated = [recipes[name] for name in spec.entries]
            yield match.play(spec, [kind(**params) for kind, params in seated])

    def close(self) -> None:
        """End whatever was started."""
        self._host.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
