"""Who met whom: every two at a table, counted once for each table, and the fewest meetings again
that were possible."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.events.entry.services.entry import entry_withdraw
from league.models import Event, Format, Season, Stage, Table
from league.stages.placing.domain import meetings
from league.stages.placing.domain.meetings import MeetingsOfGroup, meetings_of
from league.stages.table.services.walkover import walkover_give
from tests.factories import events

pytestmark = pytest.mark.django_db


def running(season: Season, count: int, **settings: Any) -> Stage:
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, count))
    return events.stage(made, **settings)


def group_of(stage: Stage) -> MeetingsOfGroup:
    (group,) = meetings_of(events.facts(stage))
    return group


def page(client: Client, query: str = "") -> str:
    answer = client.get(reverse("stage-meetings", args=["stern", "night-1", 1]) + query)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_nobody_has_met_anybody_before_the_first_table_is_drawn(
    season: Season, client: Client
) -> None:
    group = group_of(running(season, 4))
    assert (group.pairs, group.again, group.least) == (0, 0, 0)
    assert next(row.times for row in group.rows) == (None, 0, 0, 0)


def test_every_two_at_a_table_have_met_as_often_as_they_sat_together(season: Season) -> None:
    stage = running(season, 8, rounds=3)
    for _ in range(3):
        events.play(events.drawn(stage))
    facts, group = events.facts(stage), group_of(stage)
    met = Counter(
        frozenset(pair) for table in facts.tables for pair in combinations(table.entries, 2)
    )
    for row in group.rows:
        for other, times in zip(group.columns, row.times, strict=True):
            assert times == (
                None if other is row.member else met[frozenset((row.member.entry, other.entry))]
            )
        assert row.others == sum(row.member.entry in pair for pair in met)
        assert {(again.member.entry, again.times) for again in row.again} == {
            (next(iter(pair - {row.member.entry})), times)
            for pair, times in met.items()
            if row.member.entry in pair and times > 1
        }
    assert (group.pairs, group.again) == (len(met), sum(met.values()) - len(met))


def test_than_how_many_no_draw_has_fewer_stands_beside_them(season: Season) -> None:
    """Eight at tables of four meet nine others in three rounds, and there are seven; but four who
    come from two tables are at least two pairs, at each of two tables in two rounds."""
    stage = running(season, 8, rounds=3)
    for _ in range(3):
        events.play(events.drawn(stage))
    assert group_of(stage).least == 8


def test_at_a_table_that_was_given_without_play_nobody_met(season: Season) -> None:
    stage = running(season, 4, format=Format.ROUND_ROBIN, sizes=[2], rounds=3)
    events.drawn(stage)
    facts = events.facts(stage)
    gone = facts.members[facts.tables[0].entries[0]]
    entry_withdraw(entry=stage.event.entries.get(pk=gone.entry), actor=events.ACTOR)
    walkover_give(
        table=Table.objects.get(pk=facts.tables[0].pk), actor=replace(events.ACTOR, reason="gone")
    )
    row = next(row for row in group_of(stage).rows if row.member.entry == gone.entry)
    assert row.others == 0


def test_the_page_shows_a_table_with_a_column_for_each(season: Season, client: Client) -> None:
    stage = running(season, 8, rounds=3)
    for _ in range(3):
        events.play(events.drawn(stage))
    html = page(client)
    assert html.count('<th scope="row"') == 8
    assert html.count('<th scope="col" class="n" title="') == 8
    assert "no draw of these tables has fewer than 8" in html
    assert 'aria-current="page">Who met whom</a>' in html


def test_a_large_group_names_whom_somebody_met_again_and_comes_in_pages(
    season: Season, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meetings, "WIDTH", 7)
    monkeypatch.setattr("league.stages.stage.web.ROWS_PER_PAGE", 5)
    stage = running(season, 8, rounds=3)
    for _ in range(3):
        events.play(events.drawn(stage))
    html = page(client)
    assert html.count('<th scope="row"') == 5
    assert "(2×)" in html
    assert page(client, "?page=2").count('<th scope="row"') == 3
    name = events.facts(stage).group_members(events.facts(stage).groups[0].pk)[6].name
    assert page(client, f"?q={name}").count('<th scope="row"') == 1


def test_a_round_that_is_not_published_tells_nothing(season: Season, client: Client) -> None:
    stage = running(season, 8)
    events.drawn(stage, publish=False)
    assert '<dd> <span class="big">0</span>' in page(client)


def test_before_a_stage_starts_the_page_says_so(season: Season, client: Client) -> None:
    running(season, 4, start=False)
    assert "hasn’t started yet" in page(client)
