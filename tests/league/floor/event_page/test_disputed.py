"""A disputed result of an earlier stage marks those who come from it, wherever their ranks stand,
and nobody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from league.core.log.services import Actor
from league.disputes.hearing.services import hearing_open
from league.disputes.objection.services import objection_raise
from league.events.entry.services.label import labels_set
from league.models import Club, Entry, Event, Format, Season, Stage
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import course_take_back, stage_finish, stage_resume
from league.stages.result.services.void import game_void_add
from tests.factories import events
from tests.factories.league import SeasonFactory, UserFactory

pytestmark = pytest.mark.django_db
API = "/api/v1/clubs/stern/events/night-1"


class Evening(NamedTuple):
    """An evening of eight: two tables of four, of which the first two of all go on. `disputed`: the
    ids of the entries at the first table in the order of finish."""

    event: Event
    heat: Stage
    disputed: list[str]


@pytest.fixture
def evening(club: Club) -> Evening:
    season: Season = SeasonFactory.create(club=club, slug="autumn", scoring="placement")
    night = events.event(season, status=Event.Status.RUNNING)
    entries = events.crowd(night, 8)
    for number, entry in enumerate(entries):
        labels_set(event=night, entries=[entry], label=f"town-{number}", actor=events.ACTOR)
    heat = events.stage(night, sizes=[4], rounds=1, label_best=1)
    events.play(events.drawn(heat))
    facts = events.facts(heat)
    disputed = list(facts.ids(facts.tables[0]))
    stage_finish(stage=heat, actor=events.ACTOR)
    return Evening(night, heat, disputed)


def objected(evening: Evening) -> None:
    """Somebody objects to the result of the first table."""
    object_to(first_game(evening.heat))


def object_to(game: Game) -> None:
    objection_raise(game=game, seat=0, word="The last die was a star.", actor=stranger())


def first_game(stage: Stage) -> Game:
    table = events.facts(stage).tables[0]
    games = Game.objects.select_related("season_game__season__club", "season_game__season__ranking")
    return games.get(public_id=table.games[0].game)


def stranger() -> Actor:
    return Actor(UserFactory.create().pk)


def played(evening: Evening, **settings: Any) -> Stage:
    """Play one more stage."""
    stage = events.stage(evening.event, rounds=1, **settings)
    events.play(events.drawn(stage))
    stage_finish(stage=stage, actor=events.ACTOR)
    return stage


def finished(evening: Evening, **settings: Any) -> None:
    """Play a second stage, finish the event, and object."""
    played(evening, **settings)
    event_move(event=evening.event, status=Event.Status.FINISHED, actor=events.ACTOR)
    objected(evening)


def marked(rows: list[dict[str, Any]], entry: Callable[[dict[str, Any]], str]) -> set[str]:
    return {entry(row) for row in rows if row["provisional"]}


def ranking(number: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = Client().get(f"{API}/stages/{number}/ranking/").json()["results"]
    return rows


def marked_entries() -> set[str]:
    entries: list[dict[str, Any]] = Client().get(f"{API}/entries/").json()["results"]
    return marked(entries, lambda row: row["id"])


def marks(html: str, begin: str, end: str) -> int:
    """Count the marks in a part of a page."""
    part = html.partition(begin)[2].partition(end)[0]
    return part.count("provisional")


@pytest.mark.parametrize(
    "rule", [{"takes": 3}, {"carry": True}], ids=["who goes on", "points that count on"]
)
def test_a_later_stage_marks_those_who_come_from_the_disputed_table(
    evening: Evening, rule: dict[str, Any]
) -> None:
    finished(evening, sizes=[4, 3], name="Final", **rule)
    rows = ranking(2)
    there = {row["entry"] for row in rows}
    assert there & set(evening.disputed)
    assert there - set(evening.disputed)
    assert marked(rows, lambda row: row["entry"]) == there & set(evening.disputed)


def test_a_later_stage_that_takes_nothing_over_is_not_marked(evening: Evening) -> None:
    finished(evening, sizes=[4], name="Once more")
    assert marked(ranking(2), lambda row: row["entry"]) == set()
    assert marked(ranking(1), lambda row: row["entry"]) == set(evening.disputed)


def test_an_earlier_stage_is_not_marked_for_a_later_result(evening: Evening) -> None:
    played(evening, sizes=[3], takes=6, name="Semifinal")
    object_to(first_game(played(evening, sizes=[3], takes=3, name="Final")))
    assert marked(ranking(1), lambda row: row["entry"]) == set()
    assert marked(ranking(2), lambda row: row["entry"]) == set()
    assert len(marked(ranking(3), lambda row: row["entry"])) == 3


def test_a_knock_out_marks_the_tables_of_those_who_come_from_it_and_all_behind_them(
    evening: Evening,
) -> None:
    cup = events.stage(
        evening.event, format=Format.SINGLE, sizes=[2], rounds=None, takes=8, name="Cup"
    )
    events.drawn(cup)
    objected(evening)
    tables = Client().get(f"{API}/stages/2/bracket/").json()["tables"]
    for table in tables:
        members = {place["member"]["entry"] for place in table["places"] if place["member"]}
        comes_from_it = bool(members & set(evening.disputed))
        assert table["provisional"] == (comes_from_it or table["round"] > 1)


def test_the_ranking_of_clubs_marks_those_whose_best_sat_there(evening: Evening) -> None:
    objected(evening)
    labels = Client().get(f"{API}/stages/1/labels/").json()["results"]
    expected = set(
        Entry.objects.filter(public_id__in=evening.disputed).values_list("label", flat=True)
    )
    assert marked(labels, lambda row: row["label"]) == expected
    page = Client().get(reverse("stage-ranking", args=["stern", "night-1", 1])).content.decode()
    assert marks(page, 'id="labels-head"', "</section>") == 4


def test_final_ranks_and_the_podium_are_marked_with_those_who_sat_there(evening: Evening) -> None:
    finished(evening, sizes=[4, 3], name="Final", takes=3)
    entries = Client().get(f"{API}/entries/").json()["results"]
    assert marked_entries() == set(evening.disputed)
    page = Client().get(reverse("event", args=["stern", "night-1"])).content.decode()
    assert marks(page, 'id="entries"', "</section>") == 4
    ranks = {row["id"]: row["rank"] for row in entries}
    on_podium = [entry for entry in evening.disputed if ranks[entry] <= 3]
    assert on_podium
    assert marks(page, '<ol class="podium">', "</ol>") == len(on_podium)


def test_a_players_own_day_marks_the_disputed_table_alone(evening: Evening) -> None:
    player = evening.event.entries.get(public_id=evening.disputed[0]).player
    player.user = UserFactory.create()
    player.save()
    client = Client()
    client.force_login(player.user)
    finished(evening, sizes=[4, 3], name="Final", takes=3)
    Event.objects.update(starts_at=timezone.now())
    page = client.get(reverse("my-tables")).content.decode()
    assert page.count("1 of 4") == 1
    assert page.count("provisional") == 1


def test_the_entries_of_another_event_are_not_marked(evening: Evening) -> None:
    objected(evening)
    other = events.event(evening.event.season, slug="night-2", status=Event.Status.RUNNING)
    events.enter(other, [entry.player for entry in evening.event.entries.select_related("player")])
    entries = Client().get("/api/v1/clubs/stern/events/night-2/entries/").json()["results"]
    assert {row["provisional"] for row in entries} == {False}


def test_a_voided_game_marks_nobody_though_its_hearing_is_open(evening: Evening) -> None:
    hearing_open(game=first_game(evening.heat), word="Was it a star?", actor=stranger())
    assert marked_entries() == set(evening.disputed)
    game_void_add(game=first_game(evening.heat), actor=events.ACTOR)
    assert marked_entries() == set()


def test_a_game_of_a_round_that_was_taken_back_marks_nobody(evening: Evening) -> None:
    objected(evening)
    stage_resume(stage=evening.heat, actor=events.ACTOR)
    course_take_back(stage_round=evening.heat.stage_rounds.get(), actor=events.ACTOR)
    assert marked_entries() == set()
    events.play(events.drawn(evening.heat))
    stage_finish(stage=evening.heat, actor=events.ACTOR)
    events.drawn(events.stage(evening.event, sizes=[4, 3], rounds=1, name="Final", takes=3))
    assert marked(ranking(2), lambda row: row["entry"]) == set()
