"""What holds for every game, variant and number of players, over random play."""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from arena import games
from arena.errors import ArenaError
from arena.game import Chance, Game
from tests.play import Variant, play_randomly, variants

every_variant = pytest.mark.parametrize("variant", variants(), ids=str)
seeds = st.integers(0, 2**63)
few = settings(max_examples=10, deadline=None)


def after(variant: Variant, seed: int, steps: int) -> Game[Any, Any]:
    """A match some random steps from its start, or at its end."""
    game = variant.new(seed)
    for _ in play_randomly(game, Random(seed), steps):
        pass
    return game


def known(view: Any) -> Any:
    return dataclasses.replace(view, events=())


@every_variant
@few
@given(seed=seeds)
def test_it_ends_and_somebody_can_act_until_then(variant: Variant, seed: int) -> None:
    game = variant.new(seed)
    assert game.seat in range(variant.players) and game.legal()
    for action in play_randomly(game, Random(seed)):
        assert type(game).actions[action.index] is action
        assert (game.seat is None) == (not game.legal())
        assert len(set(game.legal())) == len(game.legal())
        assert game.seat is None or game.seat in range(variant.players)
    assert game.seat is None
    result = game.result()
    assert len(result.scores) == len(result.ranks) == variant.players
    assert min(result.ranks) == 1
    assert game.events is not None and game.events[-1].type == "end"


@every_variant
@few
@given(seed=seeds)
def test_same_seed_and_actions_give_the_same_match(variant: Variant, seed: int) -> None:
    one, two = variant.new(seed), variant.new(seed)
    for action in play_randomly(one, Random(seed)):
        two.play(action)
    assert one.result() == two.result() and one.events == two.events


@every_variant
@few
@given(seed=seeds, steps=st.integers(0, 150))
def test_a_clone_is_independent(variant: Variant, seed: int, steps: int) -> None:
    game = after(variant, seed, steps)
    before = [game.view(seat) for seat in range(variant.players)]
    clone = game.clone(Chance(seed))
    assert [clone.view(seat) for seat in range(variant.players)] == list(map(known, before))
    again = game.clone(Chance(seed))
    for action in play_randomly(clone, Random(seed)):
        again.play(action)
    assert clone.seat is None and clone.result() == again.result()
    assert [game.view(seat) for seat in range(variant.players)] == before


@every_variant
@few
@given(seed=seeds, steps=st.integers(0, 150))
def test_what_is_imagined_looks_the_same(variant: Variant, seed: int, steps: int) -> None:
    game = after(variant, seed, steps)
    for seat in range(variant.players):
        view = game.view(seat)
        imagined = type(game).imagine(view, Chance(seed))
        assert imagined.view(seat) == known(view)
        assert imagined.seat == game.seat
        if seat == game.seat:
            assert imagined.legal() == game.legal()
        for _ in play_randomly(imagined, Random(seed)):
            pass
        assert imagined.seat is None


@every_variant
@few
@given(seed=seeds, steps=st.integers(0, 150))
def test_secret_choices_are_imagined_in_the_place_of_who_made_them(
    variant: Variant, seed: int, steps: int
) -> None:
    """Whoever is asked sees what he may choose from, and the viewer is never asked."""
    game = after(variant, seed, steps)
    for viewer in range(variant.players):
        view = game.view(viewer)

        def choose(imagined: Any, viewer: int = viewer) -> Any:
            assert imagined.seat is not None and imagined.seat != viewer
            legal = imagined.view(imagined.seat).legal
            assert legal == imagined.legal()
            return legal[-1]

        assert type(game).imagine(view, Chance(seed), choose).view(viewer) == known(view)


@every_variant
@few
@given(seed=seeds, steps=st.integers(0, 150))
def test_of_actions_that_are_alike_the_first_stands_for_all(
    variant: Variant, seed: int, steps: int
) -> None:
    """In imagined states, too, for those know no more than the view."""
    game = after(variant, seed, steps)
    legal, distinct = game.legal(), game.distinct()
    assert list(distinct) == [action for action in legal if game.alike(action) == action]
    for action in legal:
        assert game.alike(action) in distinct
        assert legal.index(game.alike(action)) <= legal.index(action)
    if game.seat is not None:
        imagined = type(game).imagine(game.view(game.seat), Chance(seed))
        assert imagined.distinct() == distinct


@every_variant
@few
@given(seed=seeds, steps=st.integers(0, 150))
def test_views_do_not_depend_on_secrets(variant: Variant, seed: int, steps: int) -> None:
    """Imagined states differ from the real one in its secrets alone, and so must their views."""
    game = after(variant, seed, steps)
    for seat in range(variant.players):
        first = type(game).imagine(game.view(seat), Chance(seed))
        other = type(game).imagine(game.view(seat), Chance(seed + 1))
        assert first.view(seat) == other.view(seat)


@every_variant
@few
@given(seed=seeds, steps=st.integers(0, 150))
def test_views_survive_json(variant: Variant, seed: int, steps: int) -> None:
    game = after(variant, seed, steps)
    views = TypeAdapter(type(game).view_type)
    for seat in range(variant.players):
        view = game.view(seat)
        assert views.validate_json(views.dump_json(view)) == view
    events = TypeAdapter(tuple[type(game).event_type, ...])
    assert events.validate_json(events.dump_json(tuple(game.events or ()))) == tuple(
        game.events or ()
    )


@pytest.mark.parametrize("name", games.names())
def test_actions_survive_json(name: str) -> None:
    game = games.load(name)
    actions = TypeAdapter(game.action_type)
    for action in game.actions:
        assert actions.validate_json(actions.dump_json(action)) == action


@pytest.mark.parametrize("name", games.names())
def test_wrong_number_of_players_is_refused(name: str) -> None:
    game = games.load(name)
    for players in (0, 1, 7, *set(range(2, 7)) - set(game.player_counts)):
        with pytest.raises(ArenaError, match=f"{name} is for .* players, not {players}"):
            game(players, Chance(0))


def test_unknown_game_names_the_nearest() -> None:
    with pytest.raises(ArenaError, match="did you mean lasvegas"):
        games.load("lasvegs")
