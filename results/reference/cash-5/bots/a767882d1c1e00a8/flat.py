"""Try every action in imagined matches, and halve the field until one is left.

Each trial imagines a match that my view allows and plays it on once for each action still in the
race, with the same secrets and the same luck for all of them: so actions differ by what they are
worth, hardly by chance. The race has heats with equally many rollouts; after each the better half
goes on (sequential halving, a bandit that looks for the best action and not for points on the way).
What the rollout policy itself would do is the favourite: it is in every heat, and is done unless
the winner is ahead of it by more than chance explains, which is the more the larger the field was.
"""

from copy import copy
from math import inf, sqrt
from operator import sub

from arena import Bot
from arena.search import Luck, Rollouts, lucky_lead


class Flat(Bot):
    """Flat Monte Carlo as a race of all actions, for any game.

    `caution` multiplies the lead that the winner needs.
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
        favourite = self.search.favourite(view)
        race = list(view.legal)
        points = {action: [] for action in race}
        heats = (len(race) - 1).bit_length()
        for heat in range(heats):
            if heat:
                race = self.better_half(race, favourite)
            for _ in range(max(1, self.rollouts // heats // len(race))):
                self.trial(view, race, points)
            # Of equals the favourite is the first.
            race.sort(key=lambda action: (sum(points[action]), action == favourite), reverse=True)
        winner = race[0]
        needed = self.caution * lucky_lead(len(view.legal))
        if favourite in race and lead(points[winner], points[favourite]) < needed:
            return favourite
        return winner

    def better_half(self, race, favourite):
        """The first half; the favourite takes the last place in it if it has none."""
        size = (len(race) + 1) // 2
        if favourite in race[size:]:
            return [*race[: size - 1], favourite]
        return race[:size]

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
