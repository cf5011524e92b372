"""Who plans an evening by the defaults alone reads of the same winner at the event and in the
season."""

import re
from random import Random
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from league.floor.event_page.queries import podium
from league.models import Event, FinalRank, Format, Season, Stage, StageRound
from league.stages.bracket.domain.bracket import bracket
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.stages.stage.desk.stage_form import StageForm
from league.standings.ranking.services.counting import ranking_count
from league.standings.standing.queries.standing import table_part
from tests.factories import events

pytestmark = pytest.mark.django_db


def defaults(event: Event, stage_format: str) -> dict[str, Any]:
    """The settings of a stage whose form is sent as it opens."""
    form = StageForm(event, stage_format, None, number=1, count=7)
    sent = QueryDict(mutable=True)
    for field in form:
        value = field.value()
        if value not in (None, False):
            sent.setlist(
                field.html_name, list(map(str, value)) if isinstance(value, list) else [str(value)]
            )
    bound = StageForm(event, stage_format, sent, number=1, count=7)
    assert bound.is_valid(), bound.errors
    return bound.settings()


def evening(season: Season, stage_format: str, count: int) -> Stage:
    """So many who are there, at a stage that is planned by the defaults."""
    made = events.event(season, status=Event.Status.RUNNING)
    events.crowd(made, count)
    return events.stage(made, **defaults(made, stage_format))


def play(stage_round: StageRound, random: Random) -> None:
    """Enter a result of chance for every table of a round."""
    facts = events.facts(stage_round.stage)
    for table in facts.tables:
        if table.round_number == stage_round.number:
            ids = [facts.members[entry].entry_id for entry in table.entries]
            events.finish(table.public_id, random.sample(ids, len(ids)))


def group_of(stage: Stage) -> int:
    return events.facts(stage).groups[0].pk


def finish(stage: Stage) -> Event:
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=stage.event, status=Event.Status.FINISHED, actor=events.ACTOR)
    ranking_count(ranking_id=stage.event.season.ranking_id)
    return Event.objects.select_related("season__ranking").get(pk=stage.event_id)


@pytest.mark.parametrize("chance", range(3))
@pytest.mark.parametrize("stage_format", [Format.SWISS, Format.PODS])
def test_event_and_season_have_the_same_winner(
    season: Season, stage_format: str, chance: int
) -> None:
    stage = evening(season, stage_format, 7)
    assert not stage.adjusted
    random = Random(chance)
    for _ in range(stage.rounds or 0):
        play(events.drawn(stage), random)
    event = finish(stage)
    ranks = FinalRank.objects.filter(event=event).values_list("entry__player__handle", "rank")
    assert dict(ranks) == {row.handle: row.rank for row in table_part(event.season.ranking).rows}


def test_other_tie_breaks_of_the_season_leave_those_of_the_format(season: Season) -> None:
    season.ranking.tie_breaks = ["points", "average_rank"]
    season.ranking.save()
    made = events.event(season)
    assert defaults(made, Format.SWISS)["tie_breaks"] == [
        "head_to_head",
        "wins",
        "opponents_score",
        "lots",
    ]


def test_a_stage_that_was_there_before_counts_as_it_was_set_to(season: Season) -> None:
    made = events.event(season)
    assert events.stage(made, start=False).adjusted


def test_the_podium_of_a_cup_shows_no_points_as_they_don_t_make_its_places(
    client: Client, season: Season
) -> None:
    stage = evening(season, Format.SINGLE, 8)
    for _ in range(3):
        events.play(events.drawn(stage))
    event = finish(stage)
    steps = podium(event, [stage])
    assert not any(step.points for step in steps)
    html = client.get(reverse("event", args=["stern", "night-1"])).content.decode()
    assert "points tonight" not in html
    assert html.count("3 wins") == 1


def test_a_finished_evening_says_which_points_it_shows(client: Client, season: Season) -> None:
    stage = evening(season, Format.SWISS, 4)
    first, second, third, last = [
        member.entry_id for member in events.facts(stage).group_members(group_of(stage))
    ]
    for _ in range(3):
        events.play(events.drawn(stage), best=[first, second, third, last])
    finish(stage)
    html = " ".join(
        client.get(reverse("event", args=["stern", "night-1"])).content.decode().split()
    )
    assert html.count("9 points tonight") == 2, "on the podium and in the list"
    assert "9 points tonight · 3 wins" in html
    assert "0 points tonight · 0 wins" in html


@pytest.mark.parametrize(("stage_format", "rounds"), [(Format.SINGLE, 2), (Format.DOUBLE, 4)])
def test_who_wins_the_final_has_won_and_does_not_go_on(
    season: Season, stage_format: str, rounds: int
) -> None:
    stage = evening(season, stage_format, 4)
    first = ""
    for _ in range(rounds + 1):
        facts = events.facts(stage)
        first = first or min(facts.members.values(), key=lambda member: member.seed).entry_id
        picture = bracket(facts)
        assert picture is not None
        final = next(card for card in picture.cards if card.label == "final")
        if final.state == "finished":
            break
        events.play(events.drawn(stage), best=[first])
    assert picture is not None
    assert [(line.on, line.won) for line in final.lines] == [(False, True), (False, False)]
    before = [card for card in picture.cards if card.label != "final" and card.side == "winners"]
    assert [line.on for line in before[0].lines] == [True, False]


def test_before_anybody_has_played_there_are_no_ranks_and_no_points(
    client: Client, season: Season
) -> None:
    stage = evening(season, Format.SWISS, 7)
    stage_round = events.drawn(stage)
    for name, *more in (("event",), ("stage-ranking", 1), ("hall",)):
        html = client.get(reverse(name, args=["stern", "night-1", *more])).content.decode()
        assert "Nobody has played yet." in html, name
        assert "Why here?" not in html, name
    events.play(stage_round)
    assert (
        "Nobody has played yet."
        not in client.get(reverse("event", args=["stern", "night-1"])).content.decode()
    )


def test_the_event_tells_wins_and_what_separates_those_who_are_level(
    client: Client, season: Season
) -> None:
    stage = evening(season, Format.SWISS, 7)
    events.play(events.drawn(stage))
    html = " ".join(
        client.get(reverse("event", args=["stern", "night-1"])).content.decode().split()
    )
    assert "Points tonight" in html
    assert 'data-label="Wins">1</td>' in html
    assert 'data-label="Wins">0</td>' in html
    assert re.search("level with p[0-9], decided by: wins", html)
    finish(stage)
    html = " ".join(
        client.get(reverse("event", args=["stern", "night-1"])).content.decode().split()
    )
    assert "2 points tonight · 1 win" in html
    assert "1 point tonight · 0 wins" in html
    assert len(re.findall("level with p[0-9], decided by: wins", html)) == 1, "at who won nothing"
