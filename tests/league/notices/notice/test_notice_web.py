"""The page of one's own notices, and the one from which organisers write."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.events.event.services import event_change
from league.models import Club, Event, EventMessage, LogEntry, Notice, Player, Role, Season, User
from league.notices.message.services import MOST_A_DAY, message_send
from league.notices.notice.services.notice import KEPT, notices_forget
from league.site.erasure.services.erasure import player_erase
from tests.factories import events, notices
from tests.factories.league import MembershipFactory

pytestmark = pytest.mark.django_db
MESSAGE = {"subject": "Bring cups", "text": "We are short of <b>cups</b>."}


@pytest.fixture
def night(season: Season) -> Event:
    return events.event(season)


@pytest.fixture
def player(night: Event) -> Player:
    (player,) = notices.people(night.club, 1)
    events.enter(night, [player], check_in=False)
    notices.read(night.club)
    return player


@pytest.fixture
def desk(night: Event, client: Client) -> str:
    organiser: User = MembershipFactory.create(club=night.club, role=Role.ORGANISER).user
    client.force_login(organiser)
    return reverse("desk-event-notices", args=[night.club.slug, night.slug])


def test_nothing_yet_says_what_will_be_here(client: Client, scorer: User) -> None:
    client.force_login(scorer)
    assert "No notifications yet" in client.get("/me/notices/").content.decode()


def test_one_sees_the_own_notices_and_no_others(
    client: Client, night: Event, player: Player
) -> None:
    assert player.user
    client.force_login(player.user)
    assert "You have a place: Night-1" in client.get("/me/notices/").content.decode()
    stranger = notices.with_account(events.players(night.club, 1, "other")[0])
    client.force_login(stranger)
    assert "Night-1" not in client.get("/me/notices/").content.decode()


def test_notices_are_marked_as_seen(client: Client, player: Player) -> None:
    assert player.user
    client.force_login(player.user)
    assert "Mark all as seen" in client.get("/me/notices/").content.decode()
    client.post("/me/notices/")
    assert Notice.objects.get().seen_at
    assert "Mark all as seen" not in client.get("/me/notices/").content.decode()


@pytest.mark.parametrize(
    "address", ["/", "/clubs/stern/", "/clubs/stern/autumn/", "/clubs/stern/events/night-1/"]
)
def test_every_page_says_how_many_notices_are_new(
    client: Client, night: Event, player: Player, address: str
) -> None:
    assert player.user
    client.force_login(player.user)
    first = client.get(address)
    assert "1 new notification" in " ".join(first.content.decode().split())
    message_send(event=night, subject="Bring cups", text="cups", actor=events.ACTOR)
    notices.read(night.club)
    notices.read(night.club)
    again = client.get(address, headers={"If-None-Match": first.headers.get("ETag", "")})
    assert "2 new notifications" in " ".join(again.content.decode().split()), (
        "and no older page is kept"
    )
    client.post("/me/notices/", {"notice": Notice.objects.earliest("pk").public_id})
    assert "1 new notification" in " ".join(client.get(address).content.decode().split())
    client.post("/me/notices/")
    assert "new notification" not in client.get(address).content.decode()
    assert "new notification" not in Client().get(address).content.decode()


def test_notices_that_are_forgotten_are_no_longer_new(player: Player) -> None:
    assert player.user
    Notice.objects.update(created_at=timezone.now() - KEPT - timedelta(days=1))
    notices_forget()
    player.user.refresh_from_db()
    assert (Notice.objects.count(), player.user.unseen) == (0, 0)


def test_nobody_marks_anothers_notice(client: Client, player: Player, scorer: User) -> None:
    client.force_login(scorer)
    client.post("/me/notices/", {"notice": Notice.objects.get().public_id})
    assert Notice.objects.get().seen_at is None


def test_organisers_see_what_goes_out_and_to_how_many_before_it_does(
    client: Client, night: Event, player: Player, desk: str
) -> None:
    events.enter(night, events.players(night.club, 2, "guest"), check_in=False)
    html = client.post(desk, MESSAGE).content.decode()
    assert "3 players have a place" in html
    assert "reaches 1 of them" in html
    assert "&lt;b&gt;cups" in html
    assert not EventMessage.objects.exists()
    assert "Bring cups" in client.post(desk, MESSAGE | {"back": "yes"}).content.decode()
    client.post(desk, MESSAGE | {"sure": "yes"})
    assert EventMessage.objects.get().subject == "Bring cups"
    assert "Bring cups" in client.get(desk).content.decode()
    entry = LogEntry.objects.get(action="event.message")
    assert '"people":3' in entry.payload
    assert "short of" not in entry.payload, "it could name somebody"
    assert [notice.occasion for notice in notices.read(night.club)] == ["entered", "message"]


def test_only_so_many_go_out_in_a_day(
    client: Client, night: Event, player: Player, desk: str
) -> None:
    for _ in range(MOST_A_DAY):
        client.post(desk, MESSAGE | {"sure": "yes"})
    html = client.post(desk, MESSAGE | {"sure": "yes"}).content.decode()
    assert f"{MOST_A_DAY} messages went out" in html
    assert EventMessage.objects.count() == MOST_A_DAY


def test_a_message_that_reaches_nobody_is_refused(night: Event) -> None:
    events.enter(night, events.players(night.club, 2, "guest"), check_in=False)
    with pytest.raises(ValidationError, match="has an account"):
        message_send(event=night, actor=events.ACTOR, **MESSAGE)


@pytest.mark.parametrize("status", [Event.Status.DRAFT, Event.Status.CANCELLED])
def test_nobody_is_written_to_about_a_draft_or_a_cancelled_event(
    night: Event, player: Player, status: str
) -> None:
    Event.objects.update(status=status)
    with pytest.raises(ValidationError, match="draft"):
        message_send(event=night, actor=events.ACTOR, **MESSAGE)


def test_a_message_says_something(client: Client, player: Player, desk: str) -> None:
    client.post(desk, {"subject": "", "text": "", "sure": "yes"})
    assert not EventMessage.objects.exists()


@pytest.mark.parametrize("role", [Role.SCORER, Role.PLAYER])
def test_only_organisers_write(client: Client, night: Event, player: Player, role: Role) -> None:
    client.force_login(MembershipFactory.create(club=night.club, role=role).user)
    assert (
        client.get(reverse("desk-event-notices", args=[night.club.slug, night.slug])).status_code
        == 404
    )


def test_who_is_erased_leaves_no_notice_and_no_message_with_the_name(
    night: Event, player: Player, club: Club
) -> None:
    message_send(
        event=night, subject="Cups", text=f"{player.name} brings cups.", actor=events.ACTOR
    )
    message_send(event=night, subject="Dice", text="Who brings dice?", actor=events.ACTOR)
    notices.read(club)
    player_erase(player=player, actor=events.ACTOR)
    assert not Notice.objects.exists()
    assert sorted(EventMessage.objects.values_list("text", flat=True)) == ["", "Who brings dice?"]


def test_an_account_that_goes_takes_its_notices_and_devices_along(player: Player) -> None:
    assert player.user
    notices.device(player.user, "https://fcm.googleapis.com/1")
    player.user.delete()
    assert not Notice.objects.exists()


@pytest.mark.parametrize("venue", ["0001-01-01", "20250607", "2026-11-22T20:00:00"])
def test_a_place_is_told_as_it_was_written_though_it_reads_like_a_date(
    night: Event, client: Client, venue: str
) -> None:
    (player,) = notices.people(night.club, 1)
    events.enter(night, [player], check_in=False)
    event_change(event=night, actor=events.ACTOR, venue=venue)
    notices.read(night.club)
    assert player.user
    client.force_login(player.user)
    assert f"Venue: {venue} (before: –)." in client.get("/me/notices/").content.decode()
