"""The desk's list shows how long each objection, hearing and appeal has waited, and marks those
that waited long."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from unittest.mock import patch

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from league.disputes.reminder.models import DisputeCase
from league.models import Event, User
from tests.league.disputes.reminder.cases import appeal, draft

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
