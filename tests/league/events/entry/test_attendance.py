"""Who comes: names as people type them, regulars of the last dates, entered and checked in at
once."""

from datetime import timedelta

import pytest
from django.test import Client

from league.events.entry.domain.entry_file import read_names
from league.events.entry.queries.entry import regulars
from league.events.entry.services.entry_list import handles_of
from league.events.event.services import event_create
from league.models import Entry, Event, Player, Season
from tests.factories import events
from tests.factories.league import PlayerFactory

pytestmark = pytest.mark.django_db
PAGE = "/clubs/stern/desk/events/night-2/attendance/"


@pytest.mark.parametrize(
    "text",
    [
        "Anna\nBjörn\nCleo van Dijk",
        "Anna, Björn; Cleo van Dijk",
        "1. Anna\r\n2. Björn\r\n3) Cleo van Dijk\r\n",
        "- Anna\n• Björn\n\n  * Cleo van Dijk  ",
        "Anna\tBjörn\tCleo van Dijk",
        "1.Anna\n(2) Björn\n3 - Cleo van Dijk",
        "#1 Anna\n#2: Björn\n3️⃣ Cleo van Dijk",
        "1\tAnna\n2\tBjörn\n12\tCleo van Dijk",
    ],
)
def test_names_are_read_as_people_write_them(text: str) -> None:
    assert [row.handle for row in read_names(text).rows] == ["Anna", "Björn", "Cleo van Dijk"]


@pytest.mark.parametrize("name", ["4711er", "2 Fast", "1.5er", "Peter 2", "🎲🎲", "<b>Anna</b>"])
def test_a_name_keeps_what_is_no_number_of_a_list(name: str) -> None:
    assert [row.handle for row in read_names(name).rows] == [name]


def nights(season: Season) -> tuple[list[Player], Event]:
    """Two nights, the first with three players and the second with one of them; and a third to
    come."""
    players = [
        PlayerFactory.create(club=season.club, handle=handle) for handle in ("anna", "bert", "cleo")
    ]
    for number, people in ((0, players), (1, players[1:2])):
        night = events.event(
            season, f"night-{number}", starts_at=events.BEGINS + timedelta(days=7 * number)
        )
        events.enter(night, people)
    return players, events.event(season, "night-2", starts_at=events.BEGINS + timedelta(days=14))


def test_regulars_are_those_of_the_last_dates_and_who_was_there_last_is_ticked(
    season: Season,
) -> None:
    players, night = nights(season)
    assert regulars(night) == [
        (players[0], False, ""),
        (players[1], True, ""),
        (players[2], False, ""),
    ]
    events.enter(night, players[:1], check_in=False)
    assert regulars(night) == [(players[1], True, ""), (players[2], False, "")]


def test_before_the_first_date_of_a_season_those_of_the_club_are_offered_and_nobody_is_ticked(
    season: Season,
) -> None:
    players, _ = nights(season)
    cup = event_create(
        club=season.club,
        actor=events.ACTOR,
        kind={"kind": "bluff"},
        slug="cup",
        name="Cup",
        starts_at=events.BEGINS + timedelta(days=30),
    )
    assert regulars(cup) == [(player, False, "") for player in players]


def test_regulars_ask_few_queries(season: Season, django_assert_max_num_queries: object) -> None:
    _, night = nights(season)
    with django_assert_max_num_queries(3):  # type: ignore[operator]
        regulars(night)


def test_a_display_name_finds_the_player_unless_two_have_it(season: Season) -> None:
    PlayerFactory.create(club=season.club, handle="rosa", name="Rosa Blum")
    for handle in ("max", "moritz"):
        PlayerFactory.create(club=season.club, handle=handle, name="Max Moritz")
    rows = handles_of(season.club_id, read_names("ROSA BLUM\nMax Moritz\nNobody")).rows
    assert [row.handle for row in rows] == ["rosa", "Max Moritz", "Nobody"]


def test_who_is_ticked_or_typed_is_entered_and_there(desk: Client, season: Season) -> None:
    players, night = nights(season)
    form = desk.get(PAGE).context["form"]
    assert form["players"].value() == [players[1].public_id]
    ticked = [player.public_id for player in players[:2]]
    answer = desk.post(
        PAGE, {"players": ticked, "names": "1. Zoë\n2. CLEO", "here": "on"}, follow=True
    )
    assert "4 players are checked in." in answer.content.decode()
    there = Entry.objects.filter(event=night).exclude(checked_in_at=None)
    assert sorted(there.values_list("player__handle", flat=True)) == ["Zoë", "anna", "bert", "cleo"]
    again = desk.post(PAGE, {"names": "zoë", "here": "on"}, follow=True)
    assert "1 player is checked in." in again.content.decode(), "twice is once"
    assert Entry.objects.filter(event=night).count() == 4


def test_who_only_says_that_they_come_is_entered_and_not_there(
    desk: Client, season: Season
) -> None:
    players, night = nights(season)
    desk.post(PAGE, {"players": [players[0].public_id]})
    assert Entry.objects.get(event=night).checked_in_at is None


def test_a_name_that_looks_like_a_known_one_is_asked_about_first(
    desk: Client, season: Season
) -> None:
    _, night = nights(season)
    PlayerFactory.create(club=season.club, handle="ines", name="Ines")
    sent = {"names": "іnes", "here": "on"}  # with a Cyrillic letter
    asked = desk.post(PAGE, sent)
    assert asked.status_code == 200
    assert "look like others" in asked.content.decode()
    assert not Entry.objects.filter(event=night).exists()
    desk.post(PAGE, {**sent, "sure": "yes"})
    assert Entry.objects.get(event=night).player.handle == "іnes"


@pytest.mark.parametrize(
    "sent", [{}, {"names": " \n , ;"}, {"players": ["nobody"]}, {"names": "x" * 600_000}]
)
def test_nobody_and_nonsense_are_refused_with_a_sentence(
    desk: Client, season: Season, sent: dict[str, object]
) -> None:
    _, night = nights(season)
    answer = desk.post(PAGE, {**sent, "here": "on"})
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert not Entry.objects.filter(event=night).exists()


def test_who_has_left_a_running_event_is_back_by_a_tap(desk: Client, season: Season) -> None:
    night = events.event(season, "night-2", status=Event.Status.RUNNING)
    entry, *_ = events.enter(night, events.players(season.club, 3))
    page = "/clubs/stern/desk/events/night-2/check-in/"
    assert "Mark as left" in desk.get(page).content.decode()
    desk.post(page, {"entry": entry.public_id, "do": "left"})
    entry.refresh_from_db()
    assert entry.status == Entry.Status.WITHDRAWN
    assert "Mark as back" in desk.get(page).content.decode()
    desk.post(page, {"entry": entry.public_id, "do": "back"})
    entry.refresh_from_db()
    assert (entry.status, entry.checked_in_at is None) == (Entry.Status.ENTERED, False)


@pytest.mark.parametrize(
    "typed", ["Pat O’Brien", "pat o'brien", "PAT O‘BRIEN", "“Pat O’Brien”", "Pat\u00a0O'Brien"]
)
def test_a_name_is_found_with_either_apostrophe(season: Season, typed: str) -> None:
    for handle, name in (("pat", "Pat O’Brien"), ("pam", "Pam O'Neil")):
        PlayerFactory.create(club=season.club, handle=handle, name=name)
    (row,) = handles_of(season.club_id, read_names(typed)).rows
    assert row.handle == "pat"


def test_an_accent_is_no_slip_where_somebody_is_entered(season: Season) -> None:
    """A search forgives it; José and Jose may be two people."""
    PlayerFactory.create(club=season.club, handle="jose1", name="José")
    (row,) = handles_of(season.club_id, read_names("Jose")).rows
    assert row.handle == "Jose"
