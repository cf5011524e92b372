"""Players enter themselves: with an account in one step, without one by a letter's link."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.exceptions import ValidationError
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.frame import limits
from league.core.frame.letter_link import digest_of
from league.events.entry.queries.access import entry_by_mail_for_bearer
from league.events.entry.services.entry import entry_withdraw
from league.events.entry.services.self_entry import (
    entries_by_mail_forget,
    entry_by_mail_ask,
    entry_by_mail_confirm,
    mailbox,
    newcomer_enter,
)
from league.models import Entry, EntryByMail, Event, Player, Season, User
from league.site.erasure.services.erasure import player_erase
from league.standings.player.services import player_link
from tests.factories import events
from tests.factories.events import ACTOR
from tests.factories.league import UserFactory

pytestmark = pytest.mark.django_db
ENTER = "/clubs/stern/events/night-1/enter/"


@pytest.fixture
def night(season: Season) -> Event:
    return events.event(season, capacity=2)


@pytest.fixture
def anna(season: Season, client: Client) -> Player:
    """A player whose account is signed in."""
    (player,) = events.players(season.club, 1, "anna")
    user = UserFactory.create(username="anna")
    player_link(player=player, account=user, actor=ACTOR)
    client.force_login(user)
    return player


def page(client: Client, address: str = ENTER) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def send(client: Client, address: str = ENTER, **fields: str) -> str:
    return " ".join(client.post(address, fields, follow=True).content.decode().split())


def link() -> str:
    """The link of the latest letter."""
    found = re.search(r"/entries/by-mail/\S+", str(mail.outbox[-1].body))
    assert found
    return found[0]


def test_a_player_enters_in_one_step_withdraws_and_comes_back(
    client: Client, night: Event, anna: Player
) -> None:
    assert "2 places are free: you’ll get one." in page(client)
    assert "You have a place. See you there!" in send(client, do="enter")
    entry = Entry.objects.get(event=night, player=anna)
    assert 'class="qr"' in page(client)
    asked = send(client, do="withdraw")
    assert "Your place will be free." in asked
    assert Entry.objects.get(pk=entry.pk).status == Entry.Status.ENTERED
    assert "You have withdrawn" in send(client, do="withdraw", sure="yes")
    assert "You have a place" in send(client, do="enter")
    assert Entry.objects.filter(event=night).count() == 1


def test_the_page_says_which_place_on_the_waiting_list_and_who_moves_up(
    client: Client, night: Event, anna: Player
) -> None:
    send(client, do="enter")
    events.enter(night, events.players(night.club, 2), check_in=False)
    assert "p2 will get your place." in send(client, do="withdraw")
    send(client, do="withdraw", sure="yes")
    assert "you’ll be number 1 on the waiting list" in page(client)
    assert "You’re number 1 on the waiting list" in send(client, do="enter")


@pytest.mark.parametrize(
    ("status", "words"),
    [(Event.Status.RUNNING, "Entries are closed"), (Event.Status.FINISHED, "This event is over")],
)
def test_a_closed_event_says_so_and_has_no_button(
    client: Client, night: Event, anna: Player, status: str, words: str
) -> None:
    Event.objects.filter(pk=night.pk).update(status=status)
    html = page(client)
    assert words in html
    assert 'value="enter"' not in html
    send(client, do="enter")
    assert not Entry.objects.exists()


def test_who_did_not_come_makes_no_withdrawal_of_it(
    client: Client, night: Event, anna: Player
) -> None:
    (entry,) = events.enter(night, [anna], check_in=False)
    entry_withdraw(entry=entry, actor=ACTOR, no_show=True)
    send(client, do="withdraw", sure="on")
    assert not entry_withdraw(entry=entry, actor=ACTOR, by_owner=True)
    entry.refresh_from_db()
    assert entry.status == Entry.Status.NO_SHOW


def test_a_draft_is_seen_by_organisers_alone(client: Client, desk: Client, night: Event) -> None:
    Event.objects.filter(pk=night.pk).update(status=Event.Status.DRAFT)
    assert "Entries aren’t open" in page(desk)
    assert Client().get(ENTER).status_code == 404


@pytest.mark.parametrize("name", ["Nora", "Nora van Dijk", " Nora van Dijk  "])
def test_an_account_without_a_player_becomes_one(client: Client, night: Event, name: str) -> None:
    user = UserFactory.create(username="newcomer")
    client.force_login(user)
    assert "You have a place" in send(client, do="enter", name=name)
    player = Player.objects.get(handle=name.strip())
    assert (player.user, player.entries.get().event) == (user, night)


@pytest.mark.parametrize(
    "name", ["p1", "P1", "рp1x", "ｐ1", "player-2345678923", " ", "a\u200bb", "x" * 65]
)
def test_a_name_like_another_players_takes_nobody_over(
    client: Client, night: Event, name: str
) -> None:
    (known,) = events.players(night.club, 1)
    client.force_login(UserFactory.create())
    send(client, do="enter", name=name)
    known.refresh_from_db()
    assert known.user is None
    assert Player.objects.count() == 1 + Entry.objects.count()
    assert (
        not Player.objects.filter(handle__iexact=name.strip()).exclude(pk=known.pk).exists()
        or name == "ｐ1"
    )


def test_a_lookalike_of_a_name_is_refused(night: Event) -> None:
    (known,) = events.players(night.club, 1, "Karl")
    Player.objects.filter(pk=known.pk).update(name="Paul")
    for name in ("karl1", "Кarl1", "paul", "РАUL"):
        with pytest.raises(ValidationError):
            newcomer_enter(event=night, account=UserFactory.create(), name=name)


def test_one_account_has_one_entry(night: Event) -> None:
    account = UserFactory.create()
    newcomer_enter(event=night, account=account, name="Nora")
    with pytest.raises(ValidationError, match="already"):
        newcomer_enter(event=night, account=account, name="Nora again")
    assert Entry.objects.count() == 1


@pytest.mark.usefixtures("mail_server")
def test_without_an_account_the_link_of_a_letter_confirms_and_leads_back(
    client: Client, night: Event
) -> None:
    assert "Sign in" in page(client)
    assert "Check your email" in send(client, do="enter", name="Nora", email="Nora@example.org")
    assert not Entry.objects.exists()
    address = link()
    assert "2 places are free" in page(client, address)
    assert not Entry.objects.exists()
    assert "You have a place" in send(client, address, do="enter", name="Nora")
    entry = Entry.objects.get(event=night)
    assert (entry.player.name, entry.player.user) == ("Nora", None)
    assert 'class="qr"' in page(client, address)
    send(client, address, do="withdraw")
    send(client, address, do="withdraw", sure="yes")
    entry.refresh_from_db()
    assert entry.status == Entry.Status.WITHDRAWN
    assert "You have a place" in send(client, address, do="enter")


def test_a_name_that_was_taken_meanwhile_is_chosen_anew_at_the_link(
    client: Client, night: Event
) -> None:
    send(client, do="enter", name="Nora", email="nora@example.org")
    events.players(night.club, 1, "nora")
    Player.objects.update(name="Nora")
    address = link()
    assert "Somebody in the club already has this name" in send(
        client, address, do="enter", name="Nora"
    )
    assert "You have a place" in send(client, address, do="enter", name="Nora van Dijk")


def test_one_mailbox_has_one_entry_and_all_its_links(night: Event) -> None:
    first, _ = entry_by_mail_ask(event=night, name="Nora", email="nora@example.org")
    second, _ = entry_by_mail_ask(event=night, name="Nora B.", email="Nora+2@Example.org")
    asked = EntryByMail.objects.get()
    assert (asked.name, asked.email) == ("Nora B.", "Nora+2@Example.org")
    assert asked.digests == [digest_of(second), digest_of(first)]
    assert mailbox(" A.B+c@X.org") == "a.b@x.org"
    entry = entry_by_mail_confirm(by_mail=asked, name=asked.name)
    assert entry_by_mail_confirm(by_mail=asked, name="Someone else") == entry
    third, address = entry_by_mail_ask(event=night, name="Mallory", email="nora@example.org")
    assert address == "Nora+2@Example.org"
    again = EntryByMail.objects.get(digests__contains=[digest_of(third)])
    assert (again.entry, again.name) == (entry, "Nora B.")
    assert Entry.objects.count() == 1


def test_a_link_that_is_unknown_or_too_old_opens_nothing_and_asking_again_ends_none(
    client: Client, night: Event
) -> None:
    old, _ = entry_by_mail_ask(event=night, name="Nora", email="nora@example.org")
    new, _ = entry_by_mail_ask(event=night, name="Nora", email="nora@example.org")
    assert client.get(reverse("entry-by-mail", args=[old])).status_code == 200
    assert client.get(reverse("entry-by-mail", args=["damaged"])).status_code == 404
    assert client.get(reverse("entry-by-mail", args=[new])).status_code == 200
    EntryByMail.objects.update(asked_at=timezone.now() - timedelta(days=3))
    assert client.get(reverse("entry-by-mail", args=[new])).status_code == 404


def test_addresses_are_forgotten_in_time(night: Event) -> None:
    for email in ("late@example.org", "in-time@example.org", "confirmed@example.org"):
        entry_by_mail_ask(event=night, name=email.partition("@")[0], email=email)
    asked = EntryByMail.objects.get(email="confirmed@example.org")
    entry_by_mail_confirm(by_mail=asked, name="Nora")
    EntryByMail.objects.exclude(email="in-time@example.org").update(
        asked_at=Now() - timedelta(days=3)
    )
    entries_by_mail_forget()
    assert set(EntryByMail.objects.values_list("email", flat=True)) == {
        "in-time@example.org",
        "confirmed@example.org",
    }
    Event.objects.update(starts_at=timezone.now() - timedelta(days=31))
    entries_by_mail_forget()
    assert not EntryByMail.objects.exists()


def test_few_letters_go_to_one_address(client: Client, night: Event, settings: Any) -> None:
    settings.RATE_LIMITS = {"letters": (2, 3600)}
    for _ in range(3):
        answer = send(client, do="enter", name="Nora", email="flooded@example.org")
    assert "Too many emails were sent to this address today" in answer
    assert [message.to for message in mail.outbox] == [["flooded@example.org"]] * 2


def test_who_asks_too_often_is_held_up(client: Client, night: Event, settings: Any) -> None:
    settings.RATE_LIMITS = {"enter_event": (2, 3600)}
    codes = [
        client.post(ENTER, {"do": "enter", "name": f"n{n}", "email": f"n{n}@example.org"})
        for n in range(3)
    ]
    assert [answer.status_code for answer in codes] == [200, 200, 429]


def test_no_address_is_on_a_page(
    client: Client, desk: Client, night: Event, organiser: User
) -> None:
    token, _ = entry_by_mail_ask(event=night, name="Nora", email="nora@example.org")
    entry = entry_by_mail_confirm(by_mail=EntryByMail.objects.get(), name="Nora")
    args = [night.club.slug, night.slug]
    for address in (
        reverse("entry-by-mail", args=[token]),
        reverse("entry", args=[entry.public_id]),
        reverse("desk-entries", args=args),
        reverse("desk-entry", args=[*args, entry.public_id]),
        reverse("desk-entries-file", args=args),
        reverse("desk-check-in", args=args),
        reverse("desk-entries-print", args=args),
    ):
        answer = desk.get(address)
        assert answer.status_code == 200, address
        assert "nora@example.org" not in answer.content.decode()


def test_an_erased_player_leaves_no_address_and_no_name(night: Event) -> None:
    entry_by_mail_ask(event=night, name="Nora", email="nora@example.org")
    entry = entry_by_mail_confirm(by_mail=EntryByMail.objects.get(), name="Nora")
    entry_by_mail_ask(event=night, name="Nora", email="other@example.org")
    entry_by_mail_ask(event=night, name="Somebody else", email="third@example.org")
    player_erase(player=entry.player, actor=ACTOR)
    assert list(EntryByMail.objects.values_list("email", flat=True)) == ["third@example.org"]
    entry.refresh_from_db()
    assert entry.player.name == entry.player.pseudonym


def test_the_link_of_an_entry_goes_to_the_address_it_was_confirmed_by(
    client: Client, night: Event
) -> None:
    token, address = entry_by_mail_ask(event=night, name="Nora", email="nora@example.org")
    assert address == "nora@example.org"
    entry_by_mail_confirm(by_mail=entry_by_mail_for_bearer(token), name="Nora")
    ask = {"do": "enter", "name": "Mallory", "email": "nora+mallory@example.org"}
    assert client.post("/clubs/stern/events/night-1/enter/", ask).status_code == 200
    assert [letter.to for letter in mail.outbox] == [["nora@example.org"]]


def test_a_mailbox_gets_so_many_letters_whatever_stands_behind_a_plus(
    client: Client, night: Event, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RATE_LIMITS = {
        **settings.RATE_LIMITS,
        "letters": (3, 86400),
        "enter_event": (30, 3600),
    }
    monkeypatch.setattr(limits, "time", lambda: 86400.0)
    for number in range(6):
        ask = {"do": "enter", "name": "Otto", "email": f"otto+{number}@example.org"}
        page = client.post("/clubs/stern/events/night-1/enter/", ask)
    assert len(mail.outbox) == 3
    assert "Too many emails were sent to this address today" in page.content.decode()


@pytest.mark.parametrize("email", ["a" * 250 + "@example.org", "+tag@example.org"])
def test_an_address_that_cannot_be_one_is_said_to_be_so(
    client: Client, night: Event, email: str
) -> None:
    page = client.post(
        "/clubs/stern/events/night-1/enter/", {"do": "enter", "name": "Otto", "email": email}
    )
    assert page.status_code == 200
    assert 'aria-invalid="true"' in page.content.decode()
    assert not mail.outbox
