"""Where a member of a club is needed: tables without a result with names, and who is missing."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.floor.cockpit.domain.duty import Duty
from league.floor.cockpit.queries.duty import SOON, duties
from league.models import Entry, Event, Format, Role, Season, StageRound
from league.stages.course.services.stage import stage_start
from tests.factories import events, halls
from tests.factories.league import ClubFactory, MembershipFactory

pytestmark = pytest.mark.django_db
NOTHING = "There’s nothing to do"


@pytest.fixture
def night(season: Season) -> Event:
    """An event of eight players whose first round is played."""
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 8))
    events.drawn(events.stage(made))
    return made


def duty_of(event: Event) -> Duty:
    (duty,) = duties([event.club_id], [])
    return duty


def finish_first(event: Event) -> None:
    """Enter the result of the first table that waits."""
    stage = event.stages.get()
    facts = events.facts(stage)
    table = facts.open_tables[0]
    events.finish(table.public_id, facts.ids(table))


def page(client: Client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split()).split("<main")[1]


def member(client: Client, event: Event, role: Role) -> None:
    client.force_login(MembershipFactory.create(club=event.club, role=role).user)


def test_tables_without_a_result_are_told_with_everybody_who_sits_there(night: Event) -> None:
    first, second = duty_of(night).waiting
    assert sorted(first.names + second.names) == [f"p{number}" for number in range(1, 9)]
    finish_first(night)
    (waiting,) = duty_of(night).waiting
    assert (waiting.name, waiting.names) == (second.name, second.names)


def test_what_is_not_published_waits_for_nobody(night: Event) -> None:
    StageRound.objects.filter(stage__event=night).update(status=StageRound.Status.DRAWN)
    assert duty_of(night).waiting == ()


def test_who_has_a_place_and_is_not_there_is_missing(night: Event) -> None:
    Entry.objects.filter(event=night, player__name__in=("p3", "p5")).update(checked_in_at=None)
    assert duty_of(night).missing == ("p3", "p5")
    Entry.objects.filter(event=night, player__name="p5").update(status=Entry.Status.WITHDRAWN)
    assert duty_of(night).missing == ("p3",)


def test_an_event_asks_for_its_helpers_shortly_before_it_begins(season: Season) -> None:
    made = events.event(season)
    for away, count in ((SOON - timedelta(minutes=1), 1), (SOON + timedelta(minutes=1), 0)):
        Event.objects.filter(pk=made.pk).update(starts_at=timezone.now() + away)
        assert len(duties([season.club_id], [])) == count


def test_it_costs_as_many_queries_for_many_as_for_one(
    season: Season, night: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(5):
        duties([season.club_id], [])
    for slug in ("two", "three"):
        made = events.event(season, slug, status=Event.Status.RUNNING)
        events.enter(made, events.players(season.club, 12, prefix=slug))
        events.drawn(events.stage(made))
    with django_assert_num_queries(5):
        assert len(duties([season.club_id], [])) == 3


@pytest.mark.parametrize("role", [Role.SCORER, Role.ORGANISER])
def test_the_first_page_leads_to_the_form_of_a_table(
    client: Client, night: Event, role: Role
) -> None:
    member(client, night, role)
    html = page(client, reverse("home"))
    assert "2 tables are waiting for their results" in html
    form = re.search(r'class="table-tile" href="(/tables/\w+/result/)"', html)
    assert form
    assert client.get(form[1]).status_code == 200
    assert reverse("hall", args=["stern", "night-1"]) in html
    assert (reverse("desk-event", args=["stern", "night-1"]) in html) == (role == Role.ORGANISER)


@pytest.mark.parametrize("role", [Role.SCORER, Role.ORGANISER])
def test_the_first_page_leads_to_the_next_free_table(
    client: Client, season: Season, role: Role
) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    events.crowd(made, 5)
    stage = events.stage(made, start=False, format=Format.FREE, sizes=[4], rounds=None)
    member(client, made, role)
    address = reverse("desk-free-table", args=["stern", "night-1", 1])
    assert address not in page(client, reverse("home")), "it hasn't begun"
    stage_start(stage=stage, actor=events.ACTOR)
    assert address in page(client, reverse("home"))
    assert client.get(address).status_code == 200


def test_others_are_needed_nowhere(client: Client, night: Event) -> None:
    for role, club in (
        (Role.ARBITER, night.club),
        (Role.ORGANISER, ClubFactory.create(slug="other")),
    ):
        client.force_login(MembershipFactory.create(club=club, role=role).user)
        assert "table-tile" not in page(client, reverse("home"))


def test_the_desk_never_says_that_nothing_has_to_be_done_while_tables_wait(
    client: Client, night: Event
) -> None:
    member(client, night, Role.ORGANISER)
    html = page(client, reverse("desk", args=["stern"]))
    assert "2 tables are waiting for their results" in html
    assert NOTHING not in html


def test_a_timetable_and_a_clock_are_told_too(client: Client, night: Event) -> None:
    halls.hall(night, places=1)
    halls.timetable(night, publish=True)
    StageRound.objects.filter(stage__event=night).update(
        minutes=45, clock_started_at=timezone.now()
    )
    member(client, night, Role.SCORER)
    html = page(client, reverse("home"))
    assert "Cellar, spot 1" in html
    assert "until" in html
    assert reverse("clock", args=["stern", "night-1"]) in html


def test_the_cockpit_names_who_sits_where_and_who_is_missing(client: Client, night: Event) -> None:
    finish_first(night)
    Entry.objects.filter(event=night, player__name="p1").update(checked_in_at=None)
    member(client, night, Role.ORGANISER)
    html = page(client, reverse("desk-event", args=["stern", "night-1"]))
    tiles = re.findall(
        r'class="table-tile( over)?"[^>]*> <b>([^<]*)</b> <span class="names">([^<]*)<', html
    )
    assert [(over, name) for over, name, _ in tiles] == [("", "Table 2"), (" over", "Table 1")], (
        "who waits comes first"
    )
    assert sorted(", ".join(names for _, _, names in tiles).split(", ")) == [
        f"p{number}" for number in range(1, 9)
    ]
    assert "<b>Not here yet:</b> p1" in html
    assert reverse("hall", args=["stern", "night-1"]) in html
