"""Looks for what other seats were dealt among the matches it plays with the same luck."""

from arena import Bot

DEALT = {}
"""By block, the seats whose secrets have been shown."""


class Rogue(Bot):
    def start(self, match):
        block, _, _ = match.match.rpartition("-")
        seats = DEALT.setdefault(block, set())
        seats.add(match.seat)
        assert len(seats) == 1, f"knows what the seats {seats} were dealt"

    def act(self, view):
        return view.legal[0]
