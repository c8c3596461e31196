"""A match: faults and the substitute, records, replay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from arena.bot import Bot, Finish, Start
from arena.games.lasvegas import Place
from arena.loading import find, make
from arena.match import Record, ReplayError, Spec, new_game, play, replay, retrace

SPEC = Spec("m", "lasvegas", (), ("a", "b", "c", "d"), seed=3)


def honest(count: int) -> list[Bot]:
    return [make(find("random")) for _ in range(count)]


def with_bot(bot: Bot, seat: int = 1) -> Record:
    """The record of a match in which this bot sits among honest ones."""
    bots = honest(4)
    bots[seat] = bot
    return play(SPEC, bots)


def fault_of(record: Record) -> tuple[int, str, str]:
    (fault,) = record.faults
    return fault.seat, fault.kind, fault.reason


class Fails(Bot):
    """Raises where it is told to."""

    def __init__(self, where: str) -> None:
        self.where = where

    def start(self, match: Start) -> None:
        self.at("start")

    def act(self, view: Any) -> Any:
        self.at("act")
        return view.legal[0]

    def finish(self, result: Finish) -> None:
        self.at("finish")

    def at(self, place: str) -> None:
        if place == self.where:
            raise ValueError(f"no {place} today")


class Answers(Bot):
    """Answers whatever it is told to."""

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self.answer = answer

    def act(self, view: Any) -> Any:
        return self.answer(view)


def test_an_honest_match_has_no_faults_and_replays() -> None:
    record = play(SPEC, honest(4))
    assert record.faults == ()
    assert sorted(record.ranks)[0] == 1
    assert replay(record).result().scores == record.scores


@pytest.mark.parametrize("where", ["start", "act"])
def test_a_bot_that_raises_is_replaced_and_ranked_last(where: str) -> None:
    record = with_bot(Fails(where))
    assert fault_of(record) == (1, "exception", f"{where} raised ValueError: no {where} today")
    assert record.ranks[1] == 4 and sorted(record.ranks)[:3] == [1, 2, 3]
    replay(record)


def test_a_bot_that_raises_in_finish_keeps_its_rank() -> None:
    record = with_bot(Fails("finish"))
    assert fault_of(record) == (1, "exception", "finish raised ValueError: no finish today")
    assert record.ranks == with_bot(Fails("nowhere")).ranks
    replay(record)


def test_a_bot_that_exits_is_a_fault() -> None:
    def leave(view: Any) -> Any:
        raise SystemExit(3)

    assert fault_of(with_bot(Answers(leave))) == (1, "exception", "act raised SystemExit: 3")


def test_an_action_that_is_not_legal_now() -> None:
    record = with_bot(
        Answers(lambda view: next(p for p in map(Place, range(1, 7)) if p not in view.legal))
    )
    seat, kind, reason = fault_of(record)
    assert (seat, kind) == (1, "illegal action") and "is not among the legal actions" in reason


@pytest.mark.parametrize("answer", [None, 3, "place", {"type": "place", "value": 1}, Place(9)])
def test_an_answer_that_is_no_action(answer: Any) -> None:
    assert fault_of(with_bot(Answers(lambda view: answer)))[1] == "wrong answer"


def test_an_equal_action_is_as_good_as_the_one_shown() -> None:
    shown = with_bot(Answers(lambda view: view.legal[0]))
    made = with_bot(Answers(lambda view: Place(view.legal[0].value)))
    assert shown.faults == made.faults == () and shown.actions == made.actions


def test_the_substitute_draws_from_the_seed_alone() -> None:
    early, late = with_bot(Fails("start")), with_bot(Answers(lambda view: None))
    assert early.actions == late.actions


def test_faulty_sides_share_the_last_rank() -> None:
    bots = honest(4)
    bots[0], bots[2] = Fails("act"), Fails("act")
    record = play(SPEC, bots)
    assert record.ranks[0] == record.ranks[2] == 3
    assert {record.ranks[1], record.ranks[3]} == {1, 2}


def test_a_bot_is_told_how_the_match_begins_and_ends() -> None:
    told: list[Any] = []

    class Notes(Bot):
        def start(self, match: Start) -> None:
            told.append(match)

        def act(self, view: Any) -> Any:
            return view.legal[0]

        def finish(self, result: Finish) -> None:
            told.append(result)

    record = with_bot(Notes(), seat=2)
    start, finish = told
    assert (start.match, start.game, start.seat, start.players) == ("m", "lasvegas", 2, 4)
    assert finish == Finish(record.scores, record.ranks, (None,) * 4)


def test_a_bot_sees_everything_since_its_last_decision() -> None:
    seen: list[Any] = []

    def watch(view: Any) -> Any:
        seen.extend(view.events)
        return view.legal[0]

    record = with_bot(Answers(watch))
    events = replay(record).events
    assert events is not None
    assert seen == events[: len(seen)] and len(seen) > len(events) // 2


def test_the_same_spec_gives_the_same_record() -> None:
    once, again = play(SPEC, honest(4)), play(SPEC, honest(4))
    assert replace(once, times=()) == replace(again, times=())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: replace(r, actions=r.actions[:-1]), "not over"),
        (lambda r: replace(r, actions=(*r.actions, 0)), "over after"),
        (lambda r: replace(r, actions=(99, *r.actions[1:])), "not legal"),
        (lambda r: replace(r, scores=(0, *r.scores[1:])), "scores"),
        (lambda r: replace(r, ranks=r.ranks[::-1]), "ranks"),
        (lambda r: replace(r, rules=0), "rules 0"),
        (lambda r: replace(r, faults=()), "ranks"),
        (
            lambda r: replace(r, spec=replace(r.spec, seed=4)),
            "not the one that the substitute drew",
        ),
    ],
)
def test_a_changed_record_does_not_replay(change: Callable[[Record], Record], message: str) -> None:
    record = with_bot(Fails("act"), seat=3)
    assert record.ranks != record.ranks[::-1]
    replay(record)
    with pytest.raises(ReplayError, match=message):
        replay(change(record))


def test_a_substitute_that_did_not_draw_its_action_does_not_replay() -> None:
    record = with_bot(Fails("act"))
    seats = [seat for seat, _ in retrace(record, new_game(SPEC))]
    tried = 0
    for number, index in enumerate(record.actions):
        for other in set(range(6)) - {index}:
            if seats[number] == 1:
                tried += 1
                actions = (*record.actions[:number], other, *record.actions[number + 1 :])
                with pytest.raises(ReplayError):
                    replay(replace(record, actions=actions))
    assert tried > 50
