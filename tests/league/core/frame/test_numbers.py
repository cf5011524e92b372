"""A number from an address is small and plain, or none."""

import pytest
from django.test import Client

from league.core.frame.numbers import whole_number
from league.models import Role, Season
from league.standings.ranking.web.ranking import page_number
from tests.factories import events
from tests.factories.league import MembershipFactory


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), ("999999999", 999_999_999)])
def test_a_whole_number_is_read(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", " 1", "1\n", "1.5", "²", "١٢", "1_000", "9" * 10, "9" * 5000]
)
def test_another_text_is_none(text: str) -> None:
    assert whole_number(text) is None
    assert page_number(text) == 1


def test_a_page_of_0_is_the_first() -> None:
    assert page_number("0") == 1
    assert page_number("3") == 3


@pytest.mark.django_db
@pytest.mark.parametrize("number", ["999999999", "9" * 5000, "²", "١"])
def test_no_page_and_no_hidden_number_is_an_error(
    client: Client, season: Season, number: str
) -> None:
    assert (
        client.get(f"/clubs/{season.club.slug}/{season.slug}/", {"page": number}).status_code == 200
    )
    events.event(season, "night")
    client.force_login(MembershipFactory.create(club=season.club, role=Role.ORGANISER).user)
    asked = f"/clubs/{season.club.slug}/desk/events/night/entries/asked/"
    assert client.get(asked).status_code == 200
    assert client.post(asked, {"asked": number}).status_code == 404
