"""Try every action in imagined matches, and halve the field until one is left.

Each trial imagines a match that my view allows and plays it on once for each action still in the
race, with the same secrets and the same luck for all of them: so actions differ by what they are
worth, hardly by chance. The race has heats with equally many rollouts; after each the better half
goes on (sequential halving, a bandit that looks for the best action and not for points on the way),
less those that are behind the best by more than chance explains, so that what they would cost goes
to the others. What the rollout policy itself would do is the favourite: it goes on, and wins, for
as long as it is not that far behind.
"""

from copy import copy
from math import sqrt
from operator import sub

from arena import Bot
from arena.search import Luck, Rollouts, lucky_lead


class Flat(Bot):
    """Flat Monte Carlo as a race of all actions, for any game.

    `caution` multiplies the lead that chance explains.
    """

    quick = False

    def __init__(
        self,
        rollouts: int = 400,
        policy: str = "random",
        horizon: int = 0,
        caution: float = 1,
    ):
        self.rollouts = rollouts
        self.policy = policy
        self.horizon = horizon
        self.caution = caution

    def start(self, match):
        self.search = Rollouts(match, self.rng, self.policy, self.horizon)

    def act(self, view):
        race, favourite = self.search.begin(view)
        points = {action: [] for action in race}
        lucky = self.caution * lucky_lead(len(race))
        left = self.rollouts
        while len(race) > 1:
            heats = (len(race) - 1).bit_length()
            trials = max(1, left // heats // len(race))
            left -= trials * len(race)
            for _ in range(trials):
                self.trial(view, race, points)
            half = (len(race) + 1) // 2
            best = max(race, key=lambda action: sum(points[action]))
            race = [one for one in race if one == best or lead(points[best], points[one]) < lucky]
            race.sort(key=lambda one: (one == favourite, sum(points[one])), reverse=True)
            del race[half:]
        return race[0]

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

    A trial without a difference is added, so that a few that agree do not pass for certainty.
    """
    differences = [*map(sub, ahead, behind), 0.0]
    trials = len(differences)
    mean = sum(differences) / trials
    squares = sum([(difference - mean) ** 2 for difference in differences])
    return mean / sqrt(squares / (trials - 1) / trials) if squares else 0.0
