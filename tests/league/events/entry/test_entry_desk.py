"""Organisers keep the entries: by name, by a list, at the door."""

import csv
import io
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries as MaxQueries

from league.events.entry.domain.entry_file import MOST_BYTES, FileRefused, decoded, read_entries
from league.models import Apart, Club, Entry, Event, Player, Season, Visibility
from league.standings.player.services import player_link
from tests.factories import events
from tests.factories.events import ACTOR
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory, UserFactory

pytestmark = pytest.mark.django_db
DESK = "/clubs/stern/desk/events/night-1/"
ENTRIES, CHECK_IN, LIST = f"{DESK}entries/", f"{DESK}check-in/", f"{DESK}entries/list/"


@pytest.fixture
def night(season: Season) -> Event:
    return events.event(season, capacity=3)


def page(desk: Client, address: str) -> str:
    answer = desk.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def send(desk: Client, address: str, **fields: object) -> str:
    return " ".join(desk.post(address, fields, follow=True).content.decode().split())


def upload(desk: Client, content: bytes | str) -> str:
    raw = content if isinstance(content, bytes) else content.encode()
    return send(desk, LIST, file=SimpleUploadedFile("list.csv", raw, "text/csv"))


def test_a_player_of_the_club_is_looked_for_and_entered(desk: Client, night: Event) -> None:
    anna, _ = events.players(night.club, 2, "anna")
    html = page(desk, f"{ENTRIES}?who=ANNA1")
    assert f'value="{anna.public_id}"' in html
    assert "anna1 has a place." in send(desk, ENTRIES, player=anna.public_id)
    assert "This player has already entered." in send(desk, ENTRIES, player=anna.public_id)
    assert Entry.objects.get().player == anna


def test_somebody_new_is_entered_as_a_guest_and_never_as_somebody_known(
    desk: Client, night: Event
) -> None:
    events.players(night.club, 1)
    assert "Nora has a place." in send(desk, ENTRIES, name="Nora", guest="on")
    assert Entry.objects.get().guest
    assert "This handle belongs to a player" in send(desk, ENTRIES, name="P1")
    assert Entry.objects.count() == 1


def test_the_page_says_who_waits_and_if_there_are_more_than_places(
    desk: Client, night: Event
) -> None:
    events.enter(night, events.players(night.club, 5), check_in=False)
    html = page(desk, ENTRIES)
    assert "3 of 3 places taken" in html
    assert "2 are waiting" in html
    assert "on the waiting list 2" in html
    assert page(desk, f"{ENTRIES}?status=waiting").count('class="row-link"') == 2
    Event.objects.filter(pk=night.pk).update(capacity=2)
    assert "1 more player has entered than there are places." in page(desk, ENTRIES)


def test_an_entry_is_withdrawn_entered_again_and_given_a_place(desk: Client, night: Event) -> None:
    entries = events.enter(night, events.players(night.club, 4), check_in=False)
    first, last = (f"{ENTRIES}{entry.public_id}/" for entry in (entries[0], entries[3]))
    assert "p4 moves up from the waiting list." in page(desk, f"{first}withdraw/")
    send(desk, f"{first}withdraw/")
    assert list(Entry.objects.order_by("number").values_list("status", flat=True))[::3] == [
        "withdrawn",
        "entered",
    ]
    send(desk, f"{first}return/")
    assert "number 1 on the waiting list" in page(desk, first)
    assert "More players will then have a place than there are places." in page(
        desk, f"{first}admit/"
    )
    send(desk, f"{first}admit/")
    send(desk, f"{last}no-show/")
    assert list(Entry.objects.order_by("number").values_list("status", flat=True))[::3] == [
        "entered",
        "no_show",
    ]
    assert desk.get(f"{first}dance/").status_code == 404


def test_an_entry_counts_for_somebody_else_or_for_nothing(desk: Client, night: Event) -> None:
    first, second = events.players(night.club, 2)
    (entry,) = events.enter(night, [first], check_in=False)
    address = f"{ENTRIES}{entry.public_id}/counts/"
    send(desk, address, guest="on", substitutes="P2")
    entry.refresh_from_db()
    assert (entry.guest, entry.substitutes and entry.substitutes.handle) == (True, "p2")
    assert "No player in the club has that name." in send(desk, address, substitutes="nobody")
    assert "Players can’t substitute for themselves" in send(desk, address, substitutes="p1")
    send(desk, address, guest="on", substitutes="")
    events.enter(night, [second], check_in=False)
    assert "p2 already has a place." in send(desk, address, substitutes="p2")
    send(desk, address)
    entry.refresh_from_db()
    assert (entry.guest, entry.substitutes) == (False, None)


def test_players_are_meant_by_their_names_too(desk: Client, night: Event) -> None:
    first, second, third = events.players(night.club, 3)
    Player.objects.filter(pk=second.pk).update(name="Bea Ümit")
    entry, _ = events.enter(night, [first, third], check_in=False)
    send(desk, f"{ENTRIES}{entry.public_id}/counts/", substitutes=" bea ümit ")
    entry.refresh_from_db()
    assert entry.substitutes == second
    Player.objects.filter(pk=third.pk).update(name="Cleo K.")
    send(desk, f"{ENTRIES}{entry.public_id}/", other="Cleo K.", how="never")
    assert Apart.objects.get().must
    Player.objects.filter(pk=second.pk).update(name="Cleo K.")
    html = send(desk, f"{ENTRIES}{entry.public_id}/counts/", substitutes="cleo k.")
    assert "Several people in the club have that name. Enter the handle instead." in html


def test_two_are_kept_apart_and_may_sit_together_again(desk: Client, night: Event) -> None:
    entry, _ = events.enter(night, events.players(night.club, 2), check_in=False)
    address = f"{ENTRIES}{entry.public_id}/"
    send(desk, address, other="p2", how="wish")
    assert not Apart.objects.get().must
    send(desk, address, other="p2", how="never")
    assert Apart.objects.get().must
    assert "Choose two entries" in send(desk, address, other="p1", how="never")
    assert "Nobody with that name has entered" in send(desk, address, other="p9", how="never")
    send(desk, address, other="p2", how="again")
    assert not Apart.objects.exists()


def test_a_list_says_first_what_it_would_do(desk: Client, night: Event) -> None:
    known = events.players(night.club, 2)
    events.enter(night, known[:1], check_in=False)
    text = (
        "handle,name,guest\np1,P One,\nP2,P Two,yes\nnew,Nora,\n"
        "NEW,Nora again,\n,,x\nрl,Paula,\nz,Zoe,maybe\n"
    )
    html = upload(desk, text)
    for words in (
        "2 players get a place. 1 goes on the waiting list.",
        "Players of the club: 1",
        "Unknown, so added as new players: 2",
        "Already entered, unchanged: 1",
        "Listed twice and skipped: 1",
        "Unreadable and skipped: 2",
        "New handles that look like others (are they the same people?): 1",
    ):
        assert words in html, words
    assert Entry.objects.count() == 1
    assert "3 players entered from the list." in send(desk, LIST, text=text, sure="yes")
    assert list(
        Entry.objects.order_by("number").values_list("player__name", "status", "guest")
    ) == [
        ("p1", "entered", False),
        ("p2", "entered", True),
        ("Nora", "entered", False),
        ("Paula", "waiting", False),
    ]
    assert "0 players entered from the list." in send(desk, LIST, text=text, sure="yes")
    assert Entry.objects.count() == 4


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "The submitted file is empty."),
        (b"handle,name\n", "There are no names below the first line."),
        (b"who\nanna\n", "The first line has to name the columns"),
        (b"handle\n\xff\xfe\xfd\n", "isn’t text in UTF-8"),
        (b"PK\x03\x04\x00\x00handle\n", "isn’t a text file"),
        (b"handle\n" + b"a\n" * 10_002, "more than 10,000 lines"),
        (b"handle\r" + b"a\r" * 10_002, "more than 10,000 lines"),
        (b'handle\n"' + b"a" * 200_000, "can’t be read"),
    ],
)
def test_a_file_that_is_no_list_is_refused_with_what_to_do(
    desk: Client, night: Event, content: bytes, words: str
) -> None:
    assert words in upload(desk, content)
    assert not Entry.objects.exists()


def test_a_list_comes_as_spreadsheets_write_it() -> None:
    wanted = [("anna", "Anna B", True, "")]
    for raw in (
        "\ufeffHandle;Name;Gast\r\nanna;Anna B;ja\r\n".encode(),
        "handle\tname\tguest\nanna\tAnna B\tx\n".encode("utf-16"),
        b'name,paid,handle,guest\n"Anna B",5,anna,1\n\n',
    ):
        assert [tuple(row)[1:] for row in read_entries(decoded(raw)).rows] == wanted
    assert [row.handle for row in read_entries("name\n'=SUM(A1)\n").rows] == ["=SUM(A1)"]
    with pytest.raises(FileRefused, match="2 MB"):
        decoded(b"a" * (MOST_BYTES + 1))


def test_a_large_list_is_few_queries(
    desk: Client, season: Season, django_assert_max_num_queries: MaxQueries
) -> None:
    events.event(season)
    text = "handle\n" + "".join(f"player number {number}\n" for number in range(2000))
    with django_assert_max_num_queries(60):
        desk.post(LIST, {"text": text, "sure": "yes"})
    assert Entry.objects.count() == 2000


def test_the_file_of_entries_can_be_entered_elsewhere_and_hides_formulas(
    desk: Client, season: Season
) -> None:
    night, other = events.event(season), events.event(season, slug="night-2")
    send(desk, ENTRIES, name="=HYPERLINK(1)")
    events.enter(night, events.players(night.club, 1), check_in=False)
    answer = desk.get(f"{ENTRIES}entries.csv")
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert rows[1][2:4] == ["'=HYPERLINK(1)", "'=HYPERLINK(1)"]
    desk.post(LIST.replace("night-1", "night-2"), {"text": answer.content.decode(), "sure": "yes"})
    assert Player.objects.count() == 2
    assert Entry.objects.filter(event=other).count() == 2


def test_check_in_is_one_tap_each_and_can_be_undone(desk: Client, night: Event) -> None:
    entry, *_ = events.enter(night, events.players(night.club, 4), check_in=False)
    send(desk, CHECK_IN, entry=entry.public_id, do="in")
    html = page(desk, CHECK_IN)
    assert "1 of 3 are here" in html
    assert "Waiting list" in html
    send(desk, CHECK_IN, entry=entry.public_id, do="out")
    assert "0 of 3 are here" in page(desk, CHECK_IN)


def test_all_are_checked_in_or_the_rest_did_not_come(desk: Client, night: Event) -> None:
    entries = events.enter(night, events.players(night.club, 3), check_in=False)
    assert "no-show" not in page(desk, CHECK_IN)
    send(desk, CHECK_IN, entry=entries[0].public_id, do="in")
    Event.objects.filter(pk=night.pk).update(check_in_until=timezone.now() - timedelta(minutes=1))
    assert "2 players who have a place and aren’t here" in page(desk, f"{CHECK_IN}no-show/")
    send(desk, f"{CHECK_IN}no-show/")
    assert Entry.objects.filter(status="no_show").count() == 2
    send(desk, f"{ENTRIES}{entries[1].public_id}/return/")
    send(desk, f"{CHECK_IN}all/")
    assert Entry.objects.filter(checked_in_at__isnull=False).count() == 2


def test_an_organiser_who_scans_a_code_checks_in_with_one_tap(desk: Client, night: Event) -> None:
    (entry,) = events.enter(night, events.players(night.club, 1), check_in=False)
    assert f'action="{CHECK_IN}"' in page(desk, f"/entries/{entry.public_id}/")
    html = send(desk, CHECK_IN, entry=entry.public_id, do="in", back="entry")
    assert "Checked in" in html
    assert Entry.objects.get().checked_in_at is not None


def test_a_code_opens_for_its_player_and_organisers_alone(client: Client, night: Event) -> None:
    (player,) = events.players(night.club, 1)
    (entry,) = events.enter(night, [player], check_in=False)
    address = f"/entries/{entry.public_id}/"
    assert client.get(address).url == f"/accounts/login/?next={address}"  # type: ignore[attr-defined]
    client.force_login(UserFactory.create())
    assert client.get(address).status_code == 404
    user = UserFactory.create()
    player_link(player=player, account=user, actor=ACTOR)
    client.force_login(user)
    assert "You have a place" in page(client, address)
    assert "desk" not in client.get(address).content.decode().split("<main")[1]
    assert client.post(CHECK_IN, {"entry": entry.public_id, "do": "in"}).status_code == 404


def test_other_clubs_and_events_stay_closed(desk: Client, night: Event) -> None:
    other = ClubFactory.create(slug="other")
    season = SeasonFactory.create(club=other, slug="autumn")
    theirs = events.event(season)
    (entry,) = events.enter(theirs, events.players(other, 1), check_in=False)
    for address in (
        "/clubs/other/desk/events/night-1/entries/",
        "/clubs/other/desk/events/night-1/entries/entries.csv",
        "/clubs/other/desk/events/night-1/check-in/",
        f"{ENTRIES}{entry.public_id}/",
        f"{ENTRIES}{entry.public_id}/withdraw/",
    ):
        assert desk.get(address).status_code == 404
    assert desk.post(CHECK_IN, {"entry": entry.public_id, "do": "in"}).status_code == 404


def test_entries_of_a_members_season_are_nobody_elses(client: Client, club: Club) -> None:
    events.event(SeasonFactory.create(club=club, slug="secret", visibility=Visibility.MEMBERS))
    address = "/clubs/stern/events/night-1/enter/"
    assert client.get(address).status_code == 404
    client.force_login(MembershipFactory.create(club=club, role="player").user)
    assert client.get(address).status_code == 200
