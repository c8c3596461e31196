"""Try every action in imagined matches, and drop those that fall behind.

Each trial imagines a match that my view allows and plays it on once for each action still in the
race, with the same secrets and the same luck for all of them: so actions differ by what they are
worth, hardly by chance. Whatever is behind the leader by more than chance explains leaves the race,
and the rollouts go to those that are left. What the rollout policy itself would do is the
favourite: it leads until another action is ahead of it by more than chance explains.
"""

from copy import copy
from math import inf, sqrt
from operator import sub

from arena import Bot
from arena.search import Luck, Rollouts

BATCH = 8
"""Trials between two looks at the race."""


class Flat(Bot):
    """Flat Monte Carlo as a race of all actions, for any game.

    `caution` is how many standard errors chance explains.
    """

    quick = False

    def __init__(
        self,
        rollouts: int = 400,
        policy: str = "random",
        horizon: int = 0,
        caution: float = 3,
    ):
        self.rollouts = rollouts
        self.policy = policy
        self.horizon = horizon
        self.caution = caution

    def start(self, match):
        self.search = Rollouts(match, self.rng, self.policy, self.horizon)

    def act(self, view):
        favourite = self.search.favourite(view)
        # Of equal sums the first is the largest: so the favourite is behind nothing but more.
        race = sorted(view.legal, key=lambda action: action != favourite)
        points = {action: [] for action in race}
        leader, left = race[0], max(self.rollouts, len(race))
        while len(race) > 1 and left >= len(race):
            trials = min(BATCH, left // len(race))
            left -= trials * len(race)
            for _ in range(trials):
                self.trial(view, race, points)
            leader = max(race, key=lambda action: sum(points[action]))
            if favourite in race and lead(points[leader], points[favourite]) < self.caution:
                leader = favourite
            race = [action for action in race if self.stays(points, leader, action, favourite)]
        return leader

    def stays(self, points, leader, action, favourite):
        """Whether an action is still in the race; the favourite may be twice as far behind."""
        allowed = 2 * self.caution if action == favourite else self.caution
        return action == leader or lead(points[leader], points[action]) < allowed

    def trial(self, view, race, points):
        """Play on once after each action, all from the same position with the same luck."""
        position = self.search.imagine(view)
        luck = Luck.of(self.rng)
        for action in race:
            match = position.clone(copy(luck))
            match.play(action)
            points[action].append(self.search.play_on(match)[view.seat])


def lead(ahead, behind):
    """By how many standard errors some points are ahead of others, compared trial by trial.

    Points that always differ by the same, be it nothing, are told apart for certain.
    """
    trials = len(ahead)
    if trials < 2:
        return 0.0
    differences = list(map(sub, ahead, behind))
    mean = sum(differences) / trials
    squares = sum([(difference - mean) ** 2 for difference in differences])
    if squares < 1e-12:
        return inf if mean >= 0 else -inf
    return mean / sqrt(squares / (trials - 1) / trials)
