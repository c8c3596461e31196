"""Any legal action, each equally likely."""

from arena import Bot


class Random(Bot):
    """Play any legal action."""

    def act(self, view):
        return self.rng.choice(view.legal)
