"""What can go wrong in a way the user can mend."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ArenaError(Exception):
    """One clear sentence for the user; the command line prints it and exits with 2."""


def unknown(kind: str, name: str, known: Iterable[str]) -> ArenaError:
    """The error for a name nobody knows, with the nearest known names first."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    listing = ", ".join(names) if names else "none"
    return ArenaError(f"unknown {kind} {name!r}; {hint}known: {listing}")
