from dataclasses import replace

import pytest

from engine.scoring.stage import sentences, tie_breaks
from engine.scoring.stage.registry import TIE_BREAKS
from engine.scoring.stage.rules import StageTieBreak


def test_every_tie_break_is_in_the_registry_in_the_order_of_its_name() -> None:
    assert list(TIE_BREAKS) == list(StageTieBreak)
    assert all(entry.name is name for name, entry in TIE_BREAKS.items())


@pytest.mark.parametrize("name", StageTieBreak)
def test_every_tie_break_has_its_own_functions_with_definition_and_source(
    name: StageTieBreak,
) -> None:
    entry = TIE_BREAKS[name]
    function = entry.figure or entry.figure_among
    assert function is getattr(tie_breaks, name)
    assert entry.sentence is getattr(sentences, name)
    words = " ".join((function.__doc__ or "").split())
    sources = ("FIDE C.07", "WBC", "MTR", "House rule")
    assert any(source in words for source in sources)


def test_labels_are_all_different() -> None:
    assert len({str(entry.label) for entry in TIE_BREAKS.values()}) == len(TIE_BREAKS)


def test_a_tie_break_has_figures_of_one_kind() -> None:
    with pytest.raises(ValueError, match="wins has either"):
        replace(TIE_BREAKS[StageTieBreak.WINS], figure=None)
    with pytest.raises(ValueError, match="wins has either"):
        replace(TIE_BREAKS[StageTieBreak.WINS], figure_among=tie_breaks.head_to_head)
