"""The golden playthroughs: a difference means that the rules changed."""

import pytest

from tests.golden.playthrough import path_of, playthrough
from tests.play import Variant, variants


@pytest.mark.parametrize("variant", variants(), ids=str)
def test_playthrough_is_as_committed(variant: Variant) -> None:
    assert playthrough(variant) == path_of(variant).read_text()


def test_no_playthrough_without_a_variant() -> None:
    folder = path_of(variants()[0]).parent
    assert set(folder.glob("*.txt")) == {path_of(variant) for variant in variants()}


def test_playthroughs_stay_readable() -> None:
    assert all(path_of(variant).read_text().count("\n") <= 200 for variant in variants())
