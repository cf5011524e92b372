"""A stage's version tells that something of it has changed: its pages are told apart by it."""

from __future__ import annotations

import pytest

from league.models import Season, Stage
from league.stages.stage.services.version import version_raise
from tests.factories import events

pytestmark = pytest.mark.django_db


def test_a_change_raises_the_version_of_the_stages_that_it_concerns_and_of_no_other(
    season: Season,
) -> None:
    event = events.event(season)
    first, second = events.stage(event, start=False), events.stage(event, start=False)

    def versions() -> list[int]:
        return list(Stage.objects.order_by("pk").values_list("version", flat=True))

    before = versions()
    version_raise(pk=first.pk)
    assert versions() == [before[0] + 1, before[1]]
    version_raise(event=event)
    assert versions() == [before[0] + 2, before[1] + 1]
    assert second.event_id == event.pk
