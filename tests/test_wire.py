"""Views as bytes: what a bot in its own process reads is what a bot in this one is shown."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from copy import copy, deepcopy
from dataclasses import fields
from random import Random
from typing import Any

import pytest

from arena import protocol, wire
from tests.play import Variant, variants


def shown(variant: Variant, seeds: int = 3) -> Iterator[tuple[Any, bytes]]:
    """Views of whole random matches, and how they are written."""
    for seed in range(seeds):
        game, rng = variant.new(seed), Random(seed)
        write = wire.ViewWriter(game)
        while (seat := game.seat) is not None:
            yield game.view(seat), write(seat)
            game.hear(seat)
            game.play(rng.choice(game.legal()))
        yield from ((game.view(seat), write(seat)) for seat in range(game.players))


@pytest.mark.parametrize("variant", variants(), ids=str)
def test_a_view_is_read_as_it_was_written(variant: Variant) -> None:
    read = wire.view_reader(variant.game)
    for view, text in shown(variant):
        for field in fields(view):
            assert getattr(read(text), field.name) == getattr(view, field.name)
        assert read(text) == view and view == read(text) and repr(read(text)) == repr(view)


@pytest.mark.parametrize("variant", variants(), ids=str)
def test_a_view_is_written_as_its_model_says(variant: Variant) -> None:
    for view, text in shown(variant, 1):
        assert json.loads(text) == protocol.adapter(type(view)).dump_python(view, mode="json")


@pytest.fixture
def read() -> tuple[Any, Any]:
    """A view of a bot in this process, and the same as read by one in its own."""
    view, text = next(shown(Variant("lasvegas", 2, ())))
    return view, wire.view_reader("lasvegas")(text)


def test_legal_actions_are_those_of_the_table(read: tuple[Any, Any]) -> None:
    ours, theirs = read
    assert all(one is two for one, two in zip(ours.legal, theirs.legal, strict=True))


@pytest.mark.parametrize(
    "twin", [copy, deepcopy, lambda view: pickle.loads(pickle.dumps(view))], ids=str
)
def test_a_copy_is_an_ordinary_view(read: tuple[Any, Any], twin: Any) -> None:
    ours, theirs = read
    assert twin(theirs) == ours and type(twin(theirs)) is type(ours)


def test_what_a_bot_changes_stays_changed_in_this_view_alone(read: tuple[Any, Any]) -> None:
    ours, theirs = read
    theirs.bills = ()
    assert theirs.bills == () and theirs != ours
    _, text = next(shown(Variant("lasvegas", 2, ())))
    assert wire.view_reader("lasvegas")(text) == ours


def test_a_field_that_views_do_not_have(read: tuple[Any, Any]) -> None:
    for view in read:
        with pytest.raises(AttributeError, match="'LasVegasView' object has no attribute 'money'"):
            _ = view.money
        with pytest.raises(TypeError, match="unhashable"):
            hash(view)
