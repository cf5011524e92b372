"""The desk's list shows how long each objection, hearing and appeal has waited, and marks those
that waited long."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Game
from league.disputes.reminder.models import DisputeCase
from league.models import Event, User
from tests.factories.rows import copies
from tests.league.disputes.reminder.cases import appeal, draft, hearing

pytestmark = pytest.mark.django_db
LONG: Final = "over 3 days"
OVERDUE: Final = "over 7 days"
DRAFTED: Final = "An arbiter has drafted a decision. A second one has to agree."


def desk_after(user: User, case: DisputeCase, days: float, *, of_event: bool = False) -> str:
    """The desk's list of a club, or of the event, so many days after a case began."""
    moment = case.reminder.since + timedelta(days=days)
    event = Event.objects.select_related("club").get()
    address = reverse("desk-objections", args=[event.club.slug])
    if of_event:
        address = reverse("desk-event-objections", args=[event.club.slug, event.slug])
    with patch("django.utils.timezone.now", return_value=moment):
        client = Client()
        client.force_login(user)
        answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


@pytest.mark.parametrize("of_event", [False, True])
@pytest.mark.parametrize(
    ("days", "age", "mark"),
    [
        (0.5, "waiting for less than a day", None),
        (1, "waiting for 1 day ", None),
        (2.99, "waiting for 2 days", None),
        (3, "waiting for 3 days", LONG),
        (6.99, "waiting for 6 days", LONG),
        (7, "waiting for 7 days", OVERDUE),
        (40, "waiting for 40 days", OVERDUE),
    ],
)
def test_each_has_its_age_and_long_ones_a_mark(
    case: DisputeCase, ruler: User, days: float, age: str, mark: str | None, of_event: bool
) -> None:
    html = desk_after(ruler, case, days, of_event=of_event)
    assert age in html
    assert [text for text in (LONG, OVERDUE) if text in html] == ([mark] if mark else [])


def test_an_appeal_says_that_a_draft_waits_for_a_second_arbiter(
    played: Game, ruler: User, second: User
) -> None:
    case = appeal(played, ruler)
    assert DRAFTED not in desk_after(ruler, case, 1)
    draft(case, ruler)
    assert DRAFTED in desk_after(ruler, case, 1)


def many_cases(played: Game, ruler: User, count: int) -> None:
    """So many open hearings about a game, and so many open appeals against rulings on it."""
    first_appeal = appeal(played, ruler)
    ruling = first_appeal.ruling
    rulings = copies(
        ruling,
        count,
        number=lambda number: ruling.number + number - 1,
        key=lambda number: uuid4(),
    )
    appeals = copies(
        first_appeal,
        count,
        ruling=lambda number: rulings[number - 1],
        word=lambda number: f"Appeal {number}.",
    )
    for row in appeals[: min(count, 3)]:
        draft(row, ruler)
    copies(
        hearing(played, ruler),
        count,
        number=lambda number: number,
        word=lambda number: f"Question {number}?",
    )


def desk_page(user: User, parameters: str = "") -> str:
    client = Client()
    client.force_login(user)
    club = Event.objects.select_related("club").get().club
    address = reverse("desk-objections", args=[club.slug])
    return " ".join(client.get(address + parameters).content.decode().split())


def test_each_list_has_pages_of_its_own(
    monkeypatch: pytest.MonkeyPatch, played: Game, ruler: User
) -> None:
    monkeypatch.setattr("league.disputes.objection.desk.CASES_PER_PAGE", 2)
    many_cases(played, ruler, 5)
    first = desk_page(ruler)
    assert "Appeal 2." in first
    assert "Appeal 3." not in first
    assert "Question 2?" in first
    assert "Question 3?" not in first
    assert first.count("Page 1 of 3") == 2

    second = desk_page(ruler, "?appeals=2")
    assert "Appeal 3." in second
    assert "Appeal 2." not in second
    assert "Question 2?" in second
    assert "?appeals=2&amp;hearings=2" in second


@pytest.mark.parametrize("number", ["0", "-1", "99", "x", "٣", ""])
def test_a_page_that_is_not_there_leads_to_one_that_is(
    played: Game, ruler: User, number: str
) -> None:
    many_cases(played, ruler, 1)
    page = desk_page(ruler, f"?page={number}&appeals={number}&hearings={number}")
    assert "Open hearings" in page
    assert "Appeal against ruling" in page


def test_an_empty_desk_says_so(played: Game, ruler: User) -> None:
    page = desk_page(ruler, "?hearings=2")
    assert "No objections" in page
    assert "Open hearings" not in page


@pytest.mark.parametrize("count", [1, 3, 60])
def test_the_desk_asks_as_often_for_many_cases_as_for_one(
    played: Game, ruler: User, count: int
) -> None:
    many_cases(played, ruler, count)
    desk_page(ruler)
    client = Client()
    client.force_login(ruler)
    club = Event.objects.select_related("club").get().club
    with CaptureQueriesContext(connection) as captured:
        client.get(reverse("desk-objections", args=[club.slug]))
    assert len(captured) == 13
