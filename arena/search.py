"""What search bots share: luck that can be repeated, and matches played on and judged."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from itertools import combinations, tee
from math import log, sqrt, tanh
from operator import gt
from random import Random
from typing import Any, Self

from arena import games, loading
from arena.bot import Start
from arena.game import Chance, Game

LOOKS = 12
"""Matches played on to the end at each decision, to learn how leads last."""

Policy = Callable[[Game[Any, Any]], Any]
"""Chooses among the legal actions of the seat to decide."""


class Luck(Chance):
    """Chance that can be repeated: a copy brings the same numbers as its original."""

    __slots__ = ("_stream",)

    def __init__(self, stream: Iterator[float]) -> None:
        self._stream, numbers = tee(stream)
        self._random = numbers.__next__

    @classmethod
    def of(cls, rng: Random) -> Self:
        """Luck that nobody has seen yet."""
        return cls(iter(rng.random, None))

    def __copy__(self) -> Self:
        return type(self)(self._stream)


class Rollouts:
    """Matches that policies play on from a position, to learn what the position is worth.

    A policy is `random`, or names a bot, which must then decide by its view alone. Of several,
    joined by `+`, the seat that searches plays by the first, and so does its partner; each of the
    others by any of them, drawn for each match anew, because who they are is a secret like their
    cards, of which their actions tell. A match is left when somebody has gained `horizon` times;
    0 plays it to the end.
    """

    def __init__(self, match: Start, rng: Random, policy: str, horizon: int) -> None:
        self.game = games.load(match.game)
        self.sides = self.game.sides(match.players, match.options)
        self.seat = match.seat
        self.horizon = horizon
        self.rng = rng
        names = policy.split("+")
        self.has_favourite = names[0] != "random"
        self.policies = [
            random_policy(rng) if name == "random" else bot_policy(name, match, rng)
            for name in names
        ]
        own = self.sides[match.seat]
        counts = [1 if side == own else len(names) for side in self.sides]
        self.odds = [[1 / count] * count for count in counts]
        """For each seat how likely it is to play by each of the policies."""
        self.table = self.policies[:1] * match.players
        """The policy of each seat."""
        self._before: Any = None
        self.judge = Judge(self.sides)

    def imagine(self, view: Any) -> Game[Any, Any]:
        """A match as it may stand, for all that the view tells, and who may play it on."""
        if len(self.policies) > 1:
            self.table = [
                self.rng.choices(self.policies[: len(odds)], odds)[0] for odds in self.odds
            ]
        return self.game.imagine(view, Luck.of(self.rng), self._choose)

    def _choose(self, game: Game[Any, Any]) -> Any:
        """What the policy of the seat to decide would do."""
        assert game.seat is not None
        return self.table[game.seat](game)

    def begin(self, view: Any) -> tuple[tuple[Any, ...], Any]:
        """The actions to choose from, of those that are alike only the first, and the favourite.

        That is what my policy would do, or None if it has no opinion, because it plays at random.
        """
        if len(self.policies) > 1 and self._before is not None:
            self._recognise(view.events)
        self._before = view
        game = self.imagine(view)
        favourite = game.alike(self.policies[0](game)) if self.has_favourite else None
        self.look_ahead(view)
        return game.distinct(), favourite

    def _recognise(self, events: tuple[Any, ...]) -> None:
        """Learn who the others are from what they have done since my last decision.

        Whoever does what a policy would have done, in matches imagined as of then, is likelier to
        play by it.
        """
        agreed: dict[tuple[int, int], list[float]] = {}
        for _ in range(LOOKS):
            for at, game, action in retrace(self.imagine(self._before), events, Luck.of(self.rng)):
                if len(self.odds[game.seat]) > 1:
                    tally = agreed.setdefault((at, game.seat), [0.5] * len(self.policies))
                    for number, policy in enumerate(self.policies):
                        tally[number] += policy(game) == action
        for (_, seat), tally in agreed.items():
            odds = [old * agreement for old, agreement in zip(self.odds[seat], tally, strict=True)]
            self.odds[seat] = [chance / sum(odds) for chance in odds]

    def look_ahead(self, view: Any) -> None:
        """Learn from a few whole matches how leads at the horizon last to the end."""
        for _ in range(LOOKS if self.horizon else 0):
            game = self.imagine(view)
            self._play(game, self.horizon)
            then = game.result().scores
            self._play(game, 0)
            self.judge.learn(then, game.result().scores)

    def play_on(self, game: Game[Any, Any]) -> list[float]:
        """Let the policies play to the horizon; the rank points of each seat there."""
        self._play(game, self.horizon)
        return self.judge.points(game)

    def _play(self, game: Game[Any, Any], gains: int) -> None:
        """Let the policies play until somebody has gained so often; 0 is to the end."""
        scores = game.result().scores
        table = self.table
        while game.seat is not None:
            legal = game.legal()
            game.play(legal[0] if len(legal) == 1 else table[game.seat](game))
            if gains:
                then, scores = scores, game.result().scores
                if scores != then and any(map(gt, scores, then)):
                    gains -= 1
                    if not gains:
                        break


class Judge:
    """Rank points: for each seat the share of its opponents that it beats, a tie counting half.

    In a match that is not over, a lead counts by the odds that it lasts, if what is to come swings
    as much as it did in the matches learnt from.
    """

    def __init__(self, sides: tuple[int, ...]) -> None:
        seats = combinations(range(len(sides)), 2)
        self._pairs = [(one, two) for one, two in seats if sides[one] != sides[two]]
        self._opponents = [sum(side != other for other in sides) for side in sides]
        self._swings: deque[int] = deque(maxlen=LOOKS * len(self._pairs))

    def learn(self, then: tuple[int, ...], at_end: tuple[int, ...]) -> None:
        """Note how the leads changed from some scores to those at the end."""
        for one, two in self._pairs:
            self._swings.append(at_end[one] - at_end[two] - then[one] + then[two])
        self._deviation = sqrt(sum([swing * swing for swing in self._swings]) / len(self._swings))

    def points(self, game: Game[Any, Any]) -> list[float]:
        """The points of each seat, as the match stands."""
        result = game.result()
        points = [0.0] * len(result.ranks)
        over = game.seat is None
        for one, two in self._pairs:
            if over:
                lead = result.ranks[two] - result.ranks[one]
                share = 0.5 + 0.5 * ((lead > 0) - (lead < 0))
            else:
                share = self._lasting(result.scores[one] - result.scores[two])
            points[one] += share
            points[two] += 1 - share
        return [point / count for point, count in zip(points, self._opponents, strict=True)]

    def _lasting(self, lead: int) -> float:
        """The odds that a lead lasts: a normal distribution, nearly."""
        deviation = self._deviation
        return 0.5 + 0.5 * tanh(0.8 * lead / deviation) if deviation else 0.5


def retrace(
    game: Game[Any, Any], events: tuple[Any, ...], luck: Luck
) -> Iterator[tuple[int, Any, Any]]:
    """What was decided, for as long as events tell it, and the match goes as it did there.

    Given is the match before these events. For each decision: how many events there were before,
    the match as it stood, and the action, which is the one that begins with the next event, or the
    only one without any.
    """
    at = 0
    while game.seat is not None and at < len(events):
        legal = game.legal()
        silent = []
        for action in legal:
            then = game.clone(copy(luck))
            told: list[Any] = []
            then.events = told
            then.play(action)
            then.events = None
            if not told:
                silent.append((action, then))
            elif told[0] == events[at]:
                break
        else:
            if len(silent) != 1:
                return
            ((action, then),) = silent
            told = []
        if len(legal) > 1:
            yield at, game, action
        if tuple(told) != events[at : at + len(told)]:
            return
        at += len(told)
        game = then


def lucky_lead(actions: int) -> float:
    """About how many standard errors the best of so many equal actions is ahead by luck alone."""
    return sqrt(2 * log(actions))


def random_policy(rng: Random) -> Policy:
    """Any legal action, each equally likely."""
    random = rng.random

    def choose(game: Game[Any, Any]) -> Any:
        legal = game.legal()
        return legal[int(random() * len(legal))]

    return choose


def bot_policy(name: str, match: Start, rng: Random) -> Policy:
    """What the bot of that name would do."""
    entry = loading.find(name)
    acts = []
    for seat in range(match.players):
        bot = loading.make(entry)
        bot.seed = rng.getrandbits(63)
        bot.start(replace(match, seat=seat, seed=bot.seed))
        acts.append(bot.act)

    def choose(game: Game[Any, Any]) -> Any:
        assert game.seat is not None
        return acts[game.seat](game.view(game.seat))

    return choose
