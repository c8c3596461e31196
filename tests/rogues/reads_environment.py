"""Looks for secrets in its environment."""

import os

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        if "SECRET" in os.environ:
            raise RuntimeError("found a secret")
        return view.legal[0]
