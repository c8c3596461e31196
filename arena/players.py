"""The bots of one worker, ready to play match after match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self

from arena import loading, match
from arena.loading import Entry
from arena.match import Record, Spec


class Players:
    """Plays matches between entries; keeps what is costly to start from one match to the next."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self.entries = entries

    def play(self, specs: Sequence[Spec]) -> Iterator[Record]:
        """The record of each match, in the order given."""
        entries = self.entries
        for spec in specs:
            yield match.play(spec, [loading.make(entries[name]) for name in spec.entries])

    def close(self) -> None:
        """End whatever was started."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
