"""One name for a table wherever it is named, and beside it where it stands."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Event, Role, Season
from league.stages.stage.domain.table_name import table_where
from league.stages.stage.format import Format
from league.stages.table.services.table import table_set_up
from tests.factories import events, halls
from tests.factories.league import MembershipFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("number", "place", "words"),
    [
        (3, "3", ""),
        (3, "", ""),
        (3, "3 · Cellar", "Cellar"),
        (3, "1 · Cellar", "Cellar, spot 1"),
        (3, "1", "spot 1"),
        (3, "1 · Bar · back", "Bar · back, spot 1"),
    ],
)
def test_where_a_table_stands_is_told_as_far_as_its_number_does_not(
    number: int, place: str, words: str
) -> None:
    assert table_where(number, place) == words


def test_with_a_timetable_every_table_of_a_round_has_one_number_on_every_page(
    client: Client, season: Season
) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 16))
    stage = events.stage(night, sizes=[4])
    events.drawn(stage)
    facts = events.facts(stage)
    for table in facts.tables[:2]:
        events.finish(table.public_id, facts.ids(table))
    halls.hall(night, places=2)
    halls.timetable(night, publish=True)
    client.force_login(MembershipFactory.create(club=season.club, role=Role.ORGANISER).user)
    four = [f"Table {number}" for number in (1, 2, 3, 4)]
    pages = {
        reverse("hall", args=["stern", "night-1"]): r"<h3>(Table [^<✓]*)",
        reverse("stage-round", args=["stern", "night-1", 1, 1]): r'/tables/\w+/">(Table [^<]*)<',
        reverse("desk-event", args=["stern", "night-1"]): r"<b>(Table [^<]*)</b>",
        reverse("desk-round", args=["stern", "night-1", 1, 1]): r"<h3> (Table [^<]*)</h3>",
    }
    for address, names in pages.items():
        html = " ".join(client.get(address).content.decode().split())
        assert sorted(name.strip() for name in re.findall(names, html)) == four, address
    hall = client.get(reverse("hall", args=["stern", "night-1"])).content.decode()
    assert hall.count("card over") == 2, "finished ones are marked"
    for table in events.facts(stage).tables:
        answer = client.get(f"/api/v1/tables/{table.public_id}/").json()
        assert (answer["name"], answer["number"]) == (f"Table {table.number}", table.number)
        page = " ".join(client.get(f"/tables/{table.public_id}/").content.decode().split())
        assert f'<span class="table-number">{table.number}</span>' in page
    assert [table.where for table in events.facts(stage).tables] == [
        "",
        "",
        "Cellar, spot 1",
        "Cellar, spot 2",
    ]


def test_a_table_of_a_ladder_goes_by_the_number_of_its_round(season: Season) -> None:
    ladder = events.event(season, status=Event.Status.RUNNING)
    entries = events.enter(ladder, events.players(season.club, 4))
    stage = events.stage(ladder, format=Format.LADDER, sizes=[2], rounds=None)
    for pair in (entries[:2], entries[2:]):
        table_set_up(stage=stage, players=[entry.public_id for entry in pair], actor=events.ACTOR)
    assert [table.name for table in events.facts(stage).tables] == ["Table 1", "Table 2"]
