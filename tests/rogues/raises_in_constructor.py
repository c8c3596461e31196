"""Cannot be made."""

from arena import Bot


class Rogue(Bot):
    def __init__(self):
        raise ValueError("no luck when made")

    def act(self, view):
        return view.legal[0]
