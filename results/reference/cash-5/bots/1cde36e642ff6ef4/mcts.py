"""Grow a tree of what may follow my actions, over imagined matches.

Information-set Monte Carlo tree search: every iteration imagines another match that my view allows
and walks down one tree of action sequences. In the tree each seat picks the action with the best
mixture of its own rank points so far and of how rarely it was tried when it was legal; below the
tree the rollout policy plays on. A node takes part when the policy has passed it often enough.
"""

from math import log, sqrt

from arena import Bot
from arena.search import Rollouts


class Mcts(Bot):
    """Information-set tree search, for any game."""

    quick = False

    def __init__(
        self,
        rollouts: int = 400,
        policy: str = "random",
        horizon: int = 0,
        curiosity: float = 0.5,
        ripe: int = 50,
    ):
        self.rollouts = rollouts
        self.policy = policy
        self.horizon = horizon
        self.curiosity = curiosity
        self.ripe = ripe

    def start(self, match):
        self.search = Rollouts(match, self.rng, self.policy, self.horizon)

    def act(self, view):
        root = Node()
        root.visits = self.ripe
        for _ in range(max(1, self.rollouts)):
            self.iterate(root, self.search.imagine(view))
        return max(view.legal, key=lambda action: root.children[action].visits)

    def iterate(self, root, match):
        """Walk down the tree, play on from where it ends, and learn on the whole path."""
        node, path = root, []
        while match.seat is not None and node.visits >= self.ripe:
            node, seat = node.choose(match.legal(), self.curiosity), match.seat
            path.append((node, seat))
            match.play(node.action)
        points = self.search.play_on(match)
        for node, seat in path:
            node.visits += 1
            node.points += points[seat]


class Node:
    """What is known of an action after those that led to it."""

    __slots__ = ("action", "available", "children", "points", "visits")

    def __init__(self, action=None):
        self.action = action
        self.available = 0
        self.visits = 0
        self.points = 0.0
        self.children = {}

    def choose(self, legal, curiosity):
        """The child to follow: an untried one, or the best by UCB1 over the times it was legal."""
        children = self.children
        for action in legal:
            if action not in children:
                children[action] = Node(action)
            children[action].available += 1

        def promise(action):
            child = children[action]
            if not child.visits:
                return float("inf")
            share = child.points / child.visits
            return share + curiosity * sqrt(log(child.available) / child.visits)

        return children[max(legal, key=promise)]
