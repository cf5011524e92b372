"""The chat of a private table: for its seats alone, and gone when it should be."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.models import ChatLine, ChatReport, Club, OnlineTable, Role
from league.play.chat.services import MOST, lines_forget
from league.play.online_table.services.lobby import online_table_open
from league.site.erasure.services.erasure import player_erase
from league.site.own_data.queries import own_data
from tests.factories.league import MembershipFactory, PlayerFactory
from tests.league.play.online_table.test_game import (
    RULES,
    SETTINGS,
    guest_at,
    host_of,
    page_of,
    started,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(club: Club) -> OnlineTable:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    return online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)


@pytest.fixture
def organiser(table: OnlineTable) -> Client:
    client = Client()
    client.force_login(MembershipFactory.create(club=table.club, role=Role.ORGANISER).user)
    return client


def tell(table: OnlineTable, client: Client, text: str) -> int:
    return client.post(reverse("chat-say", args=[table.public_id]), {"text": text}).status_code


def send(table: OnlineTable, client: Client, name: str, **fields: object) -> int:
    return client.post(reverse(name, args=[table.public_id]), fields).status_code


def test_seats_read_a_line_and_nobody_else_does(table: OnlineTable, organiser: Client) -> None:
    host, guest = host_of(table), guest_at(table)
    for begun in (False, True):
        if begun:
            started(table)
        assert tell(table, guest, f"Are you there? {begun}") == 302
        for client in (host, guest):
            assert f"Are you there? {begun}" in page_of(table, client)
        for client in (Client(), organiser):
            page = page_of(table, client)
            assert "Are you there?" not in page
            assert "chat-head" not in page
    assert tell(table, Client(), "Hello") == 404
    assert "Are you there?" not in str(list(LogEntry.objects.values_list("payload", "names")))


def test_a_table_on_the_club_s_page_has_the_phrases_alone(table: OnlineTable) -> None:
    OnlineTable.objects.update(listed=True)
    host = host_of(table)
    assert "chat-head" not in page_of(table, host)
    tell(table, host, "Hello")
    assert not ChatLine.objects.exists()


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("  two\n words ", "two words"),
        ("\u202eturned\u202c", "turned"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("👩\u200d👧 שלום", "👩\u200d👧 שלום"),
        ("x" * 200, "x" * 200),
        ("x" * 201, None),
        (" \u200b\x00 ", None),
        ("", None),
    ],
)
def test_a_line_has_200_signs_at_most_and_none_that_breaks_the_page(
    table: OnlineTable, text: str, stored: str | None
) -> None:
    guest = guest_at(table, "אבג 🎲")
    tell(table, guest, text)
    assert ChatLine.objects.values_list("text", flat=True).first() == stored
    page = page_of(table, host_of(table))
    assert "<script>alert" not in page
    assert ("<bdi>" in page) == (stored is not None)


def test_a_seat_says_five_lines_in_twenty_seconds_at_most(table: OnlineTable) -> None:
    host, guest = host_of(table), guest_at(table)
    for number in range(MOST + 2):
        tell(table, guest, f"line {number}")
    assert ChatLine.objects.count() == MOST
    tell(table, host, "another seat may")
    assert ChatLine.objects.count() == MOST + 1
    ChatLine.objects.update(said_at=timezone.now() - timedelta(minutes=1))
    tell(table, guest, "later")
    assert ChatLine.objects.count() == MOST + 2


def test_a_seat_mutes_another_one_for_itself_alone_and_reads_it_again(table: OnlineTable) -> None:
    host, guest, other = host_of(table), guest_at(table), guest_at(table, "Other")
    tell(table, guest, "blah blah")
    assert send(table, host, "chat-mute", seat=1, muted="yes") == 302
    assert "blah blah" not in page_of(table, host)
    assert "Unmute Gust" in page_of(table, host)
    assert "blah blah" in page_of(table, other)
    send(table, host, "chat-mute", seat=1)
    assert "blah blah" in page_of(table, host)
    assert [send(table, host, "chat-mute", seat=seat, muted="yes") for seat in (9, "x", "")] == [
        404
    ] * 3
    send(table, host, "chat-mute", seat=0, muted="yes")
    tell(table, host, "my own")
    assert "my own" in page_of(table, host)


def test_a_reported_line_is_read_by_organisers_with_those_around_it_and_removed_or_left(
    table: OnlineTable, organiser: Client
) -> None:
    host, guest = host_of(table), guest_at(table)
    for text in ("before", "the bad one", "after"):
        tell(table, guest, text)
    line = ChatLine.objects.get(text="the bad one")
    reports = reverse("desk-chat-reports", args=[table.club.slug])
    assert "No reported messages" in organiser.get(reports).content.decode()
    for _ in range(2):
        send(table, host, "chat-report", line=line.public_id)
    send(table, guest, "chat-report", line=line.public_id)
    assert ChatReport.objects.count() == 1, "once, and not of oneself"
    page = organiser.get(reports).content.decode()
    assert [text in page for text in ("before", "the bad one", "after")] == [True] * 3
    assert host.get(reports).status_code == 404
    end = reverse("chat-report-end", args=[table.club.slug, line.public_id])
    assert host.post(end, {"do": "remove"}).status_code == 404
    organiser.post(end, {"do": "leave"})
    assert ChatLine.objects.filter(pk=line.pk).exists()
    assert organiser.post(end, {"do": "remove"}).status_code == 404, "nobody reports it any more"
    send(table, host, "chat-report", line=line.public_id)
    organiser.post(end, {"do": "remove"})
    assert not ChatLine.objects.filter(pk=line.pk).exists()
    assert send(table, host, "chat-report", line="0" * 10) == 404


def test_lines_go_after_thirty_days(table: OnlineTable) -> None:
    guest = guest_at(table)
    for text in ("old", "new"):
        tell(table, guest, text)
    ChatLine.objects.filter(text="old").update(said_at=timezone.now() - timedelta(days=31))
    for _ in range(2):
        lines_forget()
    assert list(ChatLine.objects.values_list("text", flat=True)) == ["new"]


def test_the_lines_of_an_erased_person_go_at_once_and_those_that_tell_the_name(club: Club) -> None:
    user = MembershipFactory.create(club=club, role=Role.SCORER).user
    player = PlayerFactory.create(club=club, handle="wilhelmine", user=user)
    table = online_table_open(club=club, user=user, rules=RULES, settings=SETTINGS)
    host, guest = host_of(table), guest_at(table)
    tell(table, host, "mine")
    tell(table, guest, "Wilhelmine, are you there?")
    tell(table, guest, "of the guest")
    assert [row["text"] for row in own_data(user)["of_the_account"]["league.chatline.user"]] == [
        "mine"
    ]
    assert player_erase(player=player, actor=Actor())
    assert list(ChatLine.objects.values_list("text", flat=True)) == ["of the guest"]
    guest.post(reverse("online-table-erase", args=[table.public_id]), {"seat": 1})
    assert not ChatLine.objects.exists()
