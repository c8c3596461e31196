"""A match: its specification, its course, its record, and the replay of a record."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from time import perf_counter
from typing import Any, Literal

from arena import games
from arena.bot import Bot, Finish, Start
from arena.game import Chance, Game, Result
from arena.seeds import derive

FaultKind = Literal["exception", "illegal action", "wrong answer", "time-out", "dead process"]


@dataclass(frozen=True, slots=True)
class Spec:
    """All that decides how a match goes, but for the bots' own code."""

    id: str
    game: str
    options: tuple[tuple[str, Any], ...]
    """The options that differ from their defaults, by name."""
    entries: tuple[str, ...]
    """The name of the entry in each seat."""
    seed: int
    move_time: float | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """What a bot did wrong; from then on a substitute played its seat."""

    seat: int
    action: int
    """How many actions had been played when the substitute took over."""
    kind: FaultKind
    reason: str


@dataclass(frozen=True, slots=True)
class Record:
    """The outcome of a match and everything needed to replay it."""

    spec: Spec
    rules: int
    actions: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[Fault, ...]
    times: tuple[float, ...]
    """Seconds each seat spent; the only field that differs between two plays of one match."""


class Unknown:
    """An answer that is no action of the game, as JSON."""

    def __init__(self, action: Any) -> None:
        self.text = json.dumps(action, separators=(",", ":"), ensure_ascii=False, default=str)

    def __repr__(self) -> str:
        return self.text


class Match:
    """A match in progress: says which seat must decide next, takes the answers, keeps the record.

    After a fault the seat is played by a substitute, which draws legal actions from the match's
    seed, so that the others lose nothing; the faulty side is ranked last.
    """

    __slots__ = ("_actions", "_held", "_substitutes", "faults", "game", "spec", "times")

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.game = new_game(spec)
        self.faults: list[Fault] = []
        self.times = [0.0] * len(spec.entries)
        self._actions: list[int] = []
        self._substitutes: dict[int, Random] = {}
        self._held: dict[int, tuple[FaultKind, str]] = {}

    def start(self, seat: int) -> Start:
        """What the bot in `seat` is told before the match."""
        spec = self.spec
        players = len(spec.entries)
        seed = derive(spec.seed, "bot", seat)
        return Start(spec.id, spec.game, self.game.options, seat, players, seed, spec.move_time)

    @property
    def number(self) -> int:
        """The number of the next decision: how many actions have been played."""
        return len(self._actions)

    def ask(self) -> int | None:
        """Play all that needs no bot; then the seat whose bot must decide, None at the end."""
        game = self.game
        while (seat := game.seat) is not None:
            legal = game.legal()
            if len(legal) == 1:
                action = legal[0]
            elif seat in self._substitutes:
                action = legal[int(self._substitutes[seat].random() * len(legal))]
            elif seat in self._held:
                self._replace(seat)
                continue
            else:
                return seat
            self._actions.append(action.index)
            game.play(action)
        return None

    def answer(self, action: Any) -> None:
        """Play the action of the seat that was asked, or take note that it is not legal."""
        game = self.game
        seat = game.seat
        assert seat is not None
        legal = game.legal()
        for shown in legal:
            if shown is action:
                break
        else:
            if action not in legal:
                if action in game.actions:
                    self.fault(seat, "illegal action", f"{action} is not among the legal actions")
                else:
                    text = _short(repr(foreign(game, action)))
                    self.fault(seat, "wrong answer", f"{text} is not an action of {game.name}")
                return
            action = legal[legal.index(action)]
        game.hear(seat)
        self._actions.append(action.index)
        game.play(action)

    def fault(self, seat: int, kind: FaultKind, reason: str) -> None:
        """Note the first fault of a seat.

        It takes effect when the seat is next to decide, however early it became known, so that
        a match does not depend on when that was; known only after the last action, it is in the
        record and changes nothing.
        """
        if seat not in self._substitutes:
            self._held.setdefault(seat, (kind, reason))

    def _replace(self, seat: int) -> None:
        kind, reason = self._held.pop(seat)
        self.faults.append(Fault(seat, len(self._actions), kind, reason))
        self._substitutes[seat] = substitute(self.spec, seat)

    def is_faulty(self, seat: int) -> bool:
        """Whether the bot of this seat has committed a fault; it is then told nothing more."""
        return seat in self._substitutes or seat in self._held

    def finish(self) -> Finish:
        """What the bots are told at the end."""
        result = self.result()
        reasons = {fault.seat: fault.reason for fault in reversed(self.faults)}
        seats = range(self.game.players)
        return Finish(result.scores, result.ranks, tuple(map(reasons.get, seats)))

    def result(self) -> Result:
        """The outcome, with the faulty sides last."""
        return judge(self.game, self.faults, len(self._actions))

    def record(self) -> Record:
        """The record of a match that is over."""
        for seat in sorted(self._held):
            self._replace(seat)
        result = self.result()
        return Record(
            self.spec,
            self.game.rules,
            tuple(self._actions),
            result.scores,
            result.ranks,
            tuple(self.faults),
            tuple(self.times),
        )


def play(spec: Spec, bots: Sequence[Bot]) -> Record:
    """Play a match between bots that live in this process."""
    match = Match(spec)
    for seat, bot in enumerate(bots):
        begin(match, seat, bot)
    ask = match.ask
    while (deciding := ask()) is not None:
        decide(match, deciding, bots[deciding])
    if any(type(bot).finish is not Bot.finish for bot in bots):
        told = match.finish()
        for seat, bot in enumerate(bots):
            conclude(match, seat, bot, told)
    return match.record()


def begin(match: Match, seat: int, bot: Bot) -> None:
    """Tell a bot of this process that the match begins."""
    start = match.start(seat)
    bot.seed = start.seed
    if type(bot).start is not Bot.start:
        _guarded(match, seat, "start", bot.start, start)


def decide(match: Match, seat: int, bot: Bot) -> None:
    """Let a bot of this process take the decision that its seat was asked for."""
    shown = match.game.view(seat)
    began = perf_counter()
    try:
        action = bot.act(shown)
    except (Exception, SystemExit) as error:
        match.fault(seat, "exception", describe("act", error))
    else:
        match.answer(action)
    finally:
        match.times[seat] += perf_counter() - began


def conclude(match: Match, seat: int, bot: Bot, told: Finish) -> None:
    """Tell a bot of this process that the match is over."""
    if type(bot).finish is not Bot.finish and not match.is_faulty(seat):
        _guarded(match, seat, "finish", bot.finish, told)


def _guarded(match: Match, seat: int, where: str, call: Any, told: Start | Finish) -> None:
    began = perf_counter()
    try:
        call(told)
    except (Exception, SystemExit) as error:
        match.fault(seat, "exception", describe(where, error))
    match.times[seat] += perf_counter() - began


def describe(where: str, error: BaseException) -> str:
    """The reason of a fault by exception, the same wherever the bot runs."""
    return f"{where} raised {type(error).__name__}: {error}"[:500]


def foreign(game: Game[Any, Any] | type[Game[Any, Any]], answer: Any) -> Unknown:
    """What a bot answered that is no action of the game, the same wherever the bot runs.

    A Python value is shown as far as that is the same in every process.
    """
    if isinstance(answer, Unknown):
        return answer
    if type(answer) in set(map(type, game.actions)):
        names = (field.name for field in dataclasses.fields(answer))
        return Unknown({name: getattr(answer, name) for name in names})
    plain = answer is None or isinstance(answer, bool | int | float | str)
    return Unknown({"python": repr(answer) if plain else type(answer).__name__})


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:200] + "…"


def substitute(spec: Spec, seat: int) -> Random:
    """The randomness of the substitute for a seat."""
    return Random(derive(spec.seed, "substitute", seat))


def judge(game: Game[Any, Any], faults: Sequence[Fault], actions: int) -> Result:
    """The result of the game, with the sides that faulted before the last action shared last."""
    result = game.result()
    sides = game.sides(game.players, game.options)
    faulty = {sides[fault.seat] for fault in faults if fault.action < actions}
    if not faulty:
        return result
    honest = [rank for rank, side in zip(result.ranks, sides, strict=True) if side not in faulty]
    ranks = tuple(
        len(honest) + 1 if side in faulty else 1 + sum(other < rank for other in honest)
        for rank, side in zip(result.ranks, sides, strict=True)
    )
    return Result(result.scores, ranks)


def new_game(spec: Spec) -> Game[Any, Any]:
    """The game of a match before its first action."""
    game = games.load(spec.game)
    return game(len(spec.entries), Chance(spec.seed), read_options(spec.game, spec.options))


@cache
def read_options(game: str, options: tuple[tuple[str, Any], ...]) -> Any:
    """The options of a game; all matches with the same options share one object."""
    return games.load(game).read_options(dict(options))


class ReplayError(Exception):
    """A record that the rules do not confirm: one sentence says where."""


def replay(record: Record) -> Game[Any, Any]:
    """Play a record's actions again, without its bots; the game at its end.

    Confirms that every action was legal, that substitutes played what the seed says, and that
    scores and ranks are those of the game.
    """
    game = new_game(record.spec)
    for _ in retrace(record, game):
        pass
    if game.seat is not None:
        raise ReplayError(f"the match is not over after its {len(record.actions)} actions")
    result = judge(game, record.faults, len(record.actions))
    if result.scores != record.scores:
        raise ReplayError(f"scores {list(record.scores)} recorded, {list(result.scores)} replayed")
    if result.ranks != record.ranks:
        raise ReplayError(f"ranks {list(record.ranks)} recorded, {list(result.ranks)} replayed")
    return game


def retrace(record: Record, game: Game[Any, Any]) -> Iterator[tuple[int, Any]]:
    """Play a record's actions on a new game, yielding the seat and action after each."""
    if record.rules != game.rules:
        raise ReplayError(f"played under rules {record.rules}, but these are rules {game.rules}")
    faults = {fault.action: fault.seat for fault in record.faults}
    substitutes: dict[int, Random] = {}
    for number, index in enumerate(record.actions):
        if number in faults:
            substitutes[faults[number]] = substitute(record.spec, faults[number])
        if (seat := game.seat) is None:
            raise ReplayError(f"over after {number} actions, but {len(record.actions)} recorded")
        legal = game.legal()
        action = game.actions[index] if index in range(len(game.actions)) else None
        if action not in legal:
            raise ReplayError(f"action {number} ({action or index}) is not legal for seat {seat}")
        if len(legal) > 1 and seat in substitutes:
            drawn = legal[int(substitutes[seat].random() * len(legal))]
            if drawn is not action:
                raise ReplayError(f"action {number} is not the one that the substitute drew")
        game.play(action)
        yield seat, action
