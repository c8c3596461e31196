"""Grow a tree of what may follow my actions, over imagined matches.

Information-set Monte Carlo tree search: every iteration imagines another match that my view allows
and walks down one tree of action sequences. In the tree each seat picks the action with the best
mixture of its own rank points so far and of how rarely it was tried when it was legal; below the
tree the rollout policy plays on. A node takes part when the policy has passed it often enough. In
the end I do what the policy would do, unless the action most tried is ahead of it by more than
chance explains.
"""

from math import inf, log, sqrt

from arena import Bot
from arena.search import Rollouts, lucky_lead


class Mcts(Bot):
    """Information-set tree search, for any game.

    `curiosity` is the weight of what was rarely tried, `ripe` how often a node is passed before it
    takes part, and `caution` multiplies the lead that an action needs over that of the policy.
    """

    quick = False

    def __init__(
        self,
        rollouts: int = 400,
        policy: str = "random",
        horizon: int = 0,
        curiosity: float = 0.5,
        ripe: int = 50,
        caution: float = 1,
    ):
        self.rollouts = rollouts
        self.policy = policy
        self.horizon = horizon
        self.curiosity = curiosity
        self.ripe = ripe
        self.caution = caution

    def start(self, match):
        self.search = Rollouts(match, self.rng, self.policy, self.horizon)

    def act(self, view):
        actions, favourite = self.search.begin(view)
        root = Node()
        root.visits = self.ripe
        for _ in range(max(1, self.rollouts)):
            self.iterate(root, self.search.imagine(view))
        most_tried = max(root.children.values(), key=lambda child: child.visits)
        policy = root.children.get(favourite, most_tried)
        needed = self.caution * lucky_lead(len(actions))
        return most_tried.action if most_tried.lead(policy) >= needed else policy.action

    def iterate(self, root, match):
        """Walk down the tree, play on from where it ends, and learn on the whole path."""
        node, path = root, []
        while match.seat is not None and node.visits >= self.ripe:
            node, seat = node.choose(match.distinct(), self.curiosity), match.seat
            path.append((node, seat))
            match.play(node.action)
        points = self.search.play_on(match)
        for node, seat in path:
            node.visits += 1
            node.points += points[seat]
            node.squares += points[seat] ** 2


class Node:
    """What is known of an action after those that led to it."""

    __slots__ = ("action", "available", "children", "points", "squares", "visits")

    def __init__(self, action=None):
        self.action = action
        self.available = 0
        self.visits = 0
        self.points = 0.0
        self.squares = 0.0
        self.children = {}

    @property
    def share(self):
        """The rank points for a visit."""
        return self.points / self.visits

    @property
    def error(self):
        """The square of the standard error of the share."""
        return (self.squares / self.visits - self.share**2) / self.visits

    def lead(self, other):
        """By how many standard errors its share is ahead of another's."""
        if not other.visits:
            return inf
        return (self.share - other.share) / sqrt(max(self.error + other.error, 1e-12))

    def choose(self, actions, curiosity):
        """The child to follow: an untried one, or the best by UCB1 over the times it was legal."""
        children = self.children
        for action in actions:
            if action not in children:
                children[action] = Node(action)
            children[action].available += 1

        def promise(action):
            child = children[action]
            if not child.visits:
                return inf
            return child.share + curiosity * sqrt(log(child.available) / child.visits)

        return children[max(actions, key=promise)]
