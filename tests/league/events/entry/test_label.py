"""Clubs and towns of a cup: who plays for which is public, in the log, copied, and forgotten with
the player."""

from __future__ import annotations

import json

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from league.core.log.ledger import ledger_differences
from league.events.entry.actions import EntryAction
from league.events.entry.domain.entry_file import read_entries
from league.events.entry.queries.entry import labels_of, regulars
from league.events.entry.services.entering import EntryWish, NotEntered, entries_add
from league.events.entry.services.entry import entry_add, entry_withdraw
from league.events.entry.services.entry_list import entry_list_enter, entry_list_preview
from league.events.entry.services.label import labels_set
from league.events.event.services import event_change
from league.models import Entry, Event, LogEntry, Role, Season
from league.site.erasure.services.erasure import player_erase
from tests.factories import events
from tests.factories.events import ACTOR
from tests.league.core.frame.api.programs import bearer, code_of, member_key

pytestmark = pytest.mark.django_db
DESK = "/clubs/stern/desk/events/night-1/"
LABELS, ENTRIES = f"{DESK}labels/", f"{DESK}entries/"


@pytest.fixture
def night(season: Season) -> Event:
    return events.event(season)


@pytest.fixture
def entries(night: Event) -> list[Entry]:
    return events.enter(night, events.players(night.club, 4), check_in=False)


def label(entries: list[Entry], name: str) -> int:
    return labels_set(event=entries[0].event, entries=entries, label=name, actor=ACTOR)


def labels(night: Event) -> list[str]:
    return list(
        Entry.objects.filter(event=night).order_by("number").values_list("label", flat=True)
    )


def test_several_get_a_label_at_once_and_each_is_in_the_log(
    night: Event, entries: list[Entry]
) -> None:
    assert label(entries[:3], " Ulm ") == 3
    assert label(entries[1:2], "") == 1
    assert label(entries, "Ulm") == 2, "whom it is new for"
    assert labels(night) == ["Ulm"] * 4
    rows = LogEntry.objects.filter(action=EntryAction.LABELLED).order_by("position")
    assert rows.count() == 6
    assert "Ulm" not in rows[0].payload, (
        "the word stands beside the entry, where it can be forgotten"
    )
    assert list(ledger_differences(night.club_id)) == []


def test_a_label_is_written_as_it_is_there_already(night: Event, entries: list[Entry]) -> None:
    label(entries[:1], "SV Ulm")
    label(entries[1:], "sv ulm")
    assert labels_of(night) == ["SV Ulm"]


@pytest.mark.parametrize("bad", ["x" * 41, "Ulm\u200b", "Ulm\nBonn"])
def test_a_label_that_cannot_be_is_refused(night: Event, entries: list[Entry], bad: str) -> None:
    with pytest.raises(ValidationError) as refused:
        label(entries, bad)
    assert "label" in refused.value.message_dict
    assert labels(night) == [""] * 4


def test_after_the_event_nobody_changes_sides(season: Season, desk: Client) -> None:
    over = events.event(season, "night-2")
    entered = events.enter(over, events.players(season.club, 1, "late"), check_in=False)
    event_change(event=over, actor=ACTOR, status=Event.Status.CANCELLED)
    with pytest.raises(ValidationError, match="This event is over"):
        label(entered, "Ulm")


def test_who_comes_back_plays_for_the_same(night: Event, entries: list[Entry]) -> None:
    label(entries, "Ulm")
    entry_withdraw(entry=entries[0], actor=ACTOR)
    entry_add(event=night, player=entries[0].player, actor=ACTOR, by_organiser=True)
    assert labels(night) == ["Ulm"] * 4
    assert list(ledger_differences(night.club_id)) == []


def test_who_is_erased_plays_for_nobody_and_the_log_has_forgotten_for_whom(
    night: Event, entries: list[Entry]
) -> None:
    label(entries[:2], "Ulm")
    player_erase(player=entries[0].player, actor=ACTOR)
    assert labels(night) == ["", "Ulm", "", ""]
    rows = LogEntry.objects.filter(action=EntryAction.LABELLED).order_by("position")
    assert [row.names is None for row in rows] == [True, False]
    assert list(ledger_differences(night.club_id)) == []


def test_a_list_says_who_plays_for_whom(night: Event) -> None:
    file = read_entries("Name;Verein\nNora;Ulm\nOle;ulm\nPia;\nQuin;" + "x" * 41 + "\n")
    assert [bad.line for bad in entry_list_preview(event=night, file=file).bad] == [5]
    entry_list_enter(event=night, file=file, actor=ACTOR)
    assert labels(night) == ["Ulm", "Ulm", ""]
    assert list(ledger_differences(night.club_id)) == []


def test_as_last_time_each_plays_for_the_same(
    season: Season, night: Event, entries: list[Entry], desk: Client
) -> None:
    label(entries[:2], "Ulm")
    events.event(season, "night-2", starts_at=events.BEGINS.replace(day=10))
    later = Event.objects.get(slug="night-2")
    assert [(regular.was_last, regular.label) for regular in regulars(later)] == [
        (True, "Ulm")
    ] * 2 + [(True, "")] * 2
    ids = [entry.player.public_id for entry in entries]
    answer = desk.post(
        "/clubs/stern/desk/events/night-2/attendance/", {"players": ids, "here": "on"}
    )
    assert answer.status_code == 302
    assert sorted(labels(later)) == ["", "", "Ulm", "Ulm"]


def test_organisers_tick_who_plays_for_a_club(
    night: Event, entries: list[Entry], desk: Client
) -> None:
    ids = [entry.public_id for entry in entries]
    html = desk.get(LABELS).content.decode()
    assert html.count('name="entries"') == 4
    answer = desk.post(LABELS, {"label": "Ulm <b>", "entries": ids[:2]}, follow=True)
    assert "2 players play for Ulm &lt;b&gt;." in answer.content.decode()
    assert labels(night) == ["Ulm <b>", "Ulm <b>", "", ""]
    assert "p1 · Ulm &lt;b&gt;" in answer.content.decode()
    assert "Ulm &lt;b&gt;" in desk.get(ENTRIES).content.decode()
    answer = desk.post(LABELS, {"label": "", "entries": ids[:1]}, follow=True)
    assert "They no longer play for a club or town." in answer.content.decode()
    assert labels(night) == ["", "Ulm <b>", "", ""]
    answer = desk.post(LABELS, {"label": "Ulm"})
    assert "Tick the players who play for it." in answer.content.decode()
    answer = desk.post(LABELS, {"label": "Ulm\u200b", "entries": ids})
    assert "which is invisible" in answer.content.decode()
    assert "Ulm <b>" in desk.get(f"{ENTRIES}entries.csv").content.decode()


def test_a_large_cup_is_ticked_page_by_page(
    night: Event, entries: list[Entry], desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.events.entry.desk.labels.PER_PAGE", 3)
    label(entries[:2], "Ulm")
    assert desk.get(LABELS).content.decode().count('name="entries"') == 3
    answer = desk.post(
        f"{LABELS}?page=2", {"label": "Bonn", "entries": [entries[1].public_id]}, follow=True
    )
    assert "1 player plays for Bonn." in answer.content.decode()
    assert labels(night) == ["Ulm", "Bonn", "", ""]


def test_nobody_has_entered_yet(night: Event, desk: Client) -> None:
    assert "Nobody has entered yet" in desk.get(LABELS).content.decode()


def test_programs_read_and_set_labels(night: Event, entries: list[Entry], client: Client) -> None:
    secret, _ = member_key(night.club, Role.ORGANISER)
    path = "/api/v1/clubs/stern/events/night-1/entries/"

    def send(method: str, address: str, body: object) -> tuple[int, dict[str, object]]:
        answer = client.generic(
            method, address, json.dumps(body), "application/json", headers=bearer(secret)
        )
        return answer.status_code, answer.json()

    status, entry = send("PATCH", f"{path}{entries[0].public_id}/", {"label": "Ulm"})
    assert (status, entry["label"]) == (200, "Ulm")
    status, added = send(
        "POST", path, {"entries": [{"handle": "zoe", "label": "ulm"}], "create_players": True}
    )
    assert status == 200, added
    assert labels(night) == ["Ulm", "", "", "", "Ulm"]
    answer = client.patch(
        f"{path}{entries[0].public_id}/",
        {"label": "x" * 41},
        "application/json",
        headers=bearer(secret),
    )
    assert code_of(answer)[0] == 400
    with pytest.raises(NotEntered):
        entries_add(
            event=night,
            wishes=[EntryWish(handle="y", label="a\u200b")],
            actor=ACTOR,
            create_players=True,
        )
