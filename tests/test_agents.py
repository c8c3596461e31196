"""The bundled bots: they never fault, repeat themselves, and stand on their ladder."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from arena import games
from arena.bot import Start
from arena.games.lasvegas import NONE, PLACE, LasVegasOptions, LasVegasView
from arena.loading import bot_class, bundled, find, make, parameters, plays
from arena.match import Record, Spec, play
from tests.play import Variant, variants

LADDERS = {
    "cash": ("random", "burglar", "safecracker"),
    "cincinnati": ("random", "tourist", "sharp"),
    "lasvegas": ("random", "greedy", "bookmaker"),
    "trio": ("random", "elephant", "sleuth"),
}
"""The quick bots of each game, each better than the one before."""
SEARCHERS = [name for name in bundled() if "rollouts" in parameters(bot_class(find(name)))]
QUICK = [name for name in bundled() if bot_class(find(name)).quick]


def hasty(name: str, *settings: str) -> str:
    """The bot, with a few rollouts if it searches."""
    chosen = [*settings, "rollouts=2"] if name in SEARCHERS else settings
    return f"{name}:{','.join(chosen)}" if chosen else name


def played(variant: Variant, *names: str, seed: int = 1) -> Record:
    """A match with these bots in the seats, the last of them in all that are left over."""
    last = len(names) - 1
    entries = [find(names[min(seat, last)]) for seat in range(variant.players)]
    seated = tuple(entry.name for entry in entries)
    spec = Spec("test", variant.game, variant.options, seated, seed)
    return play(spec, [make(entry) for entry in entries])


def short(variant: Variant) -> Variant:
    """The variant with few turns, where the game has a limit of turns: searching takes time."""
    if "turn_limit" not in games.load(variant.game).options_type.model_fields:
        return variant
    return replace(variant, options=(*variant.options, ("turn_limit", 8)))


def playing(names: list[str], every: list[Variant]) -> list[Any]:
    return [
        pytest.param(name, variant, id=f"{name}-{variant}")
        for name in names
        for variant in every
        if plays(bot_class(find(name)), variant.game)
    ]


ONE_OF_EACH_GAME = [short(variants(game)[0]) for game in games.names()]


@pytest.mark.parametrize(("name", "variant"), playing(QUICK, variants()))
def test_it_never_faults_and_repeats_itself(name: str, variant: Variant) -> None:
    for seed in range(3):
        first = played(variant, name, "random", seed=seed)
        again = played(variant, name, "random", seed=seed)
        assert first.faults == ()
        assert again.actions == first.actions


@pytest.mark.parametrize(("name", "variant"), playing(SEARCHERS, [short(v) for v in variants()]))
def test_search_never_faults_and_repeats_itself(name: str, variant: Variant) -> None:
    first = played(variant, hasty(name, "horizon=1"), "random")
    assert first.faults == ()
    assert played(variant, hasty(name, "horizon=1"), "random").actions == first.actions


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize(("policy", "variant"), playing(QUICK, ONE_OF_EACH_GAME))
def test_any_quick_bot_can_be_the_policy_of_a_search(
    name: str, policy: str, variant: Variant
) -> None:
    searcher = hasty(name, f"policy={policy}", "horizon=1")
    assert played(variant, searcher, "random").faults == ()


@pytest.mark.parametrize(
    ("game", "lower", "upper"),
    [(game, *pair) for game, rungs in LADDERS.items() for pair in pairwise(rungs)],
)
def test_each_rung_is_above_the_one_below(game: str, lower: str, upper: str) -> None:
    """Alone among the lower ones, the upper one beats clearly more than half of them."""
    (variant, *_) = (each for each in variants(game) if each.players == 4 and not each.options)
    beaten = []
    for seed in range(60):
        for seat in range(4):
            names = [lower] * 4
            names[seat] = upper
            ranks = played(variant, *names, seed=seed).ranks
            others = ranks[:seat] + ranks[seat + 1 :]
            beaten += [(rank > ranks[seat]) + (rank == ranks[seat]) / 2 for rank in others]
    assert sum(beaten) / len(beaten) > 0.6


def last_dice() -> LasVegasView:
    """The end of a match: 60000 to 40000, and the other holds casino 2 (80000) with one die.

    One die of the two can take casino 1 (30000), which loses by 90000 to 120000 unless the last
    die is a 2, or tie at casino 2, which wins whatever the last die shows.
    """
    return LasVegasView(
        seat=0,
        turn=0,
        options=LasVegasOptions(),
        legal=PLACE[:2],
        events=(),
        round=4,
        bills=((30000, 20000), (80000,), (50000,), (50000,), (50000,), (50000,)),
        dice=((0, 0), (0, 1), (0, 2), (0, 2), (2, 2), (4, 3)),
        white=(0,) * 6,
        throw=(1, 1, 0, 0, 0, 0),
        white_throw=NONE,
        left=(2, 0),
        white_left=(0, 0),
        won=((60000,), (40000,)),
        returned=(),
    )


def decides(text: str, view: LasVegasView) -> int:
    """The casino that the bot chooses."""
    bot = make(find(text))
    bot.start(Start("test", "lasvegas", view.options, view.seat, len(view.left), 1, None))
    return int(bot.act(view).value)


def test_greed_takes_what_lies_in_front_of_it() -> None:
    assert decides("greedy", last_dice()) == 1


def test_greed_prefers_another_bill_to_a_better_one() -> None:
    """A second die on casino 2 would turn a tie into 20000; on casino 3, 30000 into 50000."""
    view = replace(
        last_dice(),
        legal=PLACE[1:3],
        bills=((), (20000,), (50000, 30000), (), (), ()),
        dice=((0, 0), (1, 1), (1, 2), (0, 0), (0, 0), (0, 0)),
        throw=(0, 1, 2, 0, 0, 0),
    )
    assert decides("greedy", view) == 2
    better = replace(view, bills=((), (20000,), (60000, 30000), (), (), ()))
    assert decides("greedy", better) == 3


def test_greed_sees_white_dice() -> None:
    """One white die comes along with one's own to casino 1 and spoils it."""
    view = replace(last_dice(), white_throw=(1, 0, 0, 0, 0, 0), dice=((0, 0),) * 6)
    poor = replace(view, bills=((80000,), (10000,), (), (), (), ()))
    assert decides("greedy", poor) == 2


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("horizon", [0, 1])
def test_search_ties_to_win(name: str, policy: str, horizon: int) -> None:
    settings = f"rollouts=40,policy={policy},horizon={horizon}"
    assert decides(f"{name}:{settings}", last_dice()) == 2


@pytest.mark.parametrize("name", SEARCHERS)
def test_search_leaves_its_policy_only_for_a_clear_lead(name: str) -> None:
    """Greed takes casino 1, which still wins with one last die in six."""
    settings = f"{name}:rollouts=40,policy=greedy"
    assert decides(settings, last_dice()) == 2
    assert decides(f"{settings},caution=100", last_dice()) == 1


def test_search_follows_its_policy_where_nothing_matters() -> None:
    """The match is won already."""
    view = replace(
        last_dice(),
        bills=((10000,), (80000,), (), (), (), ()),
        dice=((0, 0),) * 6,
        won=((900000,), (40000,)),
    )
    assert decides("flat:rollouts=40,policy=random", view) == 1
    assert decides("flat:rollouts=40,policy=greedy", view) == 2
