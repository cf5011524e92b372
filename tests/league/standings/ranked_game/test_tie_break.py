"""The tie-breaks of rankings: those of the engine, each with a label, and in the manual."""

import re

import pytest
from django.utils import translation

from engine.scoring.standings import Criterion
from league.models import TieBreak
from league.site.manual.web import page_file
from tests.languages import languages_of


def test_every_criterion_of_the_engine_has_a_label() -> None:
    assert TieBreak.values == list(Criterion)


@pytest.mark.parametrize("language", languages_of("table"))
@pytest.mark.parametrize("tie_break", TieBreak)
def test_a_tie_break_stands_in_the_manual(tie_break: TieBreak, language: str) -> None:
    with translation.override(language):
        name = str(tie_break.label).casefold()
    rows = re.findall(
        r"^\| (.+?) \|", page_file("table", language).read_text().casefold(), re.MULTILINE
    )
    assert name in rows, f"templates/docs/table ({language}): say in its table what {tie_break} is"
