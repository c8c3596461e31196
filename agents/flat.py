"""Try every action in imagined matches, and drop the worse half again and again.

Each trial imagines a match that my view allows and plays it on once for each action still in the
race, with the same secrets and the same luck for all of them: so actions differ by what they are
worth, hardly by chance. The rollouts are shared out evenly over the halvings, until one is left.
"""

from copy import copy

from arena import Bot
from arena.search import Luck, Rollouts


class Flat(Bot):
    """Flat Monte Carlo with successive halving, for any game."""

    quick = False

    def __init__(self, rollouts: int = 400, policy: str = "random", horizon: int = 0):
        self.rollouts = rollouts
        self.policy = policy
        self.horizon = horizon

    def start(self, match):
        self.search = Rollouts(match, self.rng, self.policy, self.horizon)

    def act(self, view):
        race = list(view.legal)
        points = dict.fromkeys(race, 0.0)
        halvings = (len(race) - 1).bit_length()
        for _ in range(halvings):
            for _ in range(max(1, self.rollouts // halvings // len(race))):
                self.trial(view, race, points)
            race.sort(key=points.get, reverse=True)
            del race[(len(race) + 1) // 2 :]
        return race[0]

    def trial(self, view, race, points):
        """Play on once after each action, all from the same position with the same luck."""
        position = self.search.imagine(view)
        luck = Luck.of(self.rng)
        for action in race:
            match = position.clone(copy(luck))
            match.play(action)
            points[action] += self.search.play_on(match)[view.seat]
