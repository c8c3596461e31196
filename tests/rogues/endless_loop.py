"""Never comes back from a decision."""

from arena import Bot


class Rogue(Bot):
    def act(self, view):
        while True:
            pass
