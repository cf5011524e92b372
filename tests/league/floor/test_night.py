"""An event from the first entry to the last result, by the services that pages and the API call."""

import pytest
from django.core.exceptions import ValidationError

from league.models import Draw, Event, Format, LogEntry, Season, TableScore
from league.stages.course.services.stage import stage_finish
from league.stages.result.domain.result import group_ranking
from tests.factories import events

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(season: Season) -> Season:
    season.ranking.scoring = "placement"
    season.ranking.save()
    return season


def test_a_night_of_three_rounds_meets_nobody_twice(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 16))
    stage = events.stage(night)
    met: set[frozenset[int]] = set()
    for number in (1, 2, 3):
        events.play(events.drawn(stage))
        for table in events.facts(stage).tables:
            if table.round_number == number:
                pairs = {frozenset((a, b)) for a in table.entries for b in table.entries if a < b}
                assert not pairs & met
                met |= pairs
    stage_finish(stage=stage, actor=events.ACTOR)
    facts = events.facts(stage)
    rows = group_ranking(facts, facts.groups[0].pk)
    assert rows[0].rank == 1
    assert len(rows) == 16
    assert Draw.objects.count() == 3
    assert TableScore.objects.count() == 12


def test_a_knock_out_ends_with_one_winner(season: Season) -> None:
    cup = events.event(season, "cup", status=Event.Status.RUNNING)
    events.enter(cup, events.players(season.club, 11))
    stage = events.stage(cup, format=Format.SINGLE, sizes=[2], rounds=None)
    for _ in range(4):
        events.play(events.drawn(stage))
    with pytest.raises(ValidationError, match="over"):
        events.drawn(stage)
    assert LogEntry.objects.filter(action="round.drawn").count() == 4
