"""Fees: one tap says who has paid; whatever becomes of an entry, what came in stays, and nobody
else learns of it."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from league.core.club.services import club_change
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.events.entry.actions import EntryAction
from league.events.entry.models import FeeStatus
from league.events.entry.services.entry import entry_add, entry_withdraw
from league.events.event.services import event_change
from league.events.fee.queries import FeeTotals, fee_totals, owing
from league.events.fee.services import fees_set
from league.models import Entry, Event, Player, Role, Season
from league.site.erasure.services.merge import person_merge
from tests.factories import events
from tests.factories.events import ACTOR
from tests.factories.league import MembershipFactory, UserFactory
from tests.league.core.frame.api.programs import bearer, member_key

pytestmark = pytest.mark.django_db
DESK = "/clubs/stern/desk/events/night-1/"
CHECK_IN, FEES = f"{DESK}check-in/", f"{DESK}fees/"
PAID, FREE, OPEN = FeeStatus.PAID, FeeStatus.FREE, FeeStatus.OPEN


@pytest.fixture
def night(season: Season) -> Event:
    return events.event(season, fee=500)


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def entered(night: Event, count: int = 3) -> list[Entry]:
    return events.enter(night, events.players(night.club, count), check_in=False)


def pay(entry: Entry, fee: FeeStatus = PAID) -> int:
    return fees_set(event=entry.event, entries=[entry], fee=fee, actor=ACTOR)


def test_one_tap_at_check_in_says_who_has_paid_and_another_undoes_it(
    desk: Client, night: Event
) -> None:
    entry, *_ = entered(night)
    html = text(desk.get(CHECK_IN))
    assert html.count('value="paid"') == 3
    assert "€5.00" in html
    html = text(desk.post(CHECK_IN, {"entry": entry.public_id, "do": "paid"}, follow=True))
    assert html.count('value="paid"') == 2
    assert html.count('value="open"') == 1
    entry.refresh_from_db()
    assert (entry.fee, entry.payment, entry.checked_in_at) == ("paid", 500, None)
    desk.post(CHECK_IN, {"entry": entry.public_id, "do": "open"})
    entry.refresh_from_db()
    assert (entry.fee, entry.payment) == ("open", None)
    noted = LogEntry.objects.filter(
        action=EntryAction.FEE_CHANGED, subject=entry.public_id
    ).order_by("position")
    assert [json.loads(row.payload)["after"] for row in noted] == [
        {"fee": "paid", "payment": 500},
        {"fee": "open", "payment": None},
    ]
    assert {row.actor and row.actor.username for row in noted} == {"organiser"}


def test_a_scorer_takes_the_money_and_sees_no_totals(night: Event, client: Client) -> None:
    entry, *_ = entered(night)
    client.force_login(MembershipFactory.create(club=night.club, role=Role.SCORER).user)
    client.post(CHECK_IN, {"entry": entry.public_id, "do": "paid"})
    entry.refresh_from_db()
    assert entry.fee == PAID
    assert client.get(FEES).status_code == client.get(f"{FEES}fees.csv").status_code == 404


def test_an_event_without_an_amount_shows_no_fee_and_takes_none(
    desk: Client, season: Season
) -> None:
    night = events.event(season)
    entry, *_ = entered(night)
    assert 'value="paid"' not in text(desk.get(CHECK_IN))
    with pytest.raises(ValidationError, match="is free"):
        pay(entry)
    assert "This event is free" in text(
        desk.post(CHECK_IN, {"entry": entry.public_id, "do": "paid"}, follow=True)
    )


def test_what_was_paid_stays_as_it_was_paid(night: Event) -> None:
    first, second, third = entered(night)
    assert pay(first) == 1
    assert pay(first) == 0, "twice is once"
    event_change(event=night, actor=ACTOR, fee=800)
    night.refresh_from_db()
    second.event = night
    pay(second)
    pay(third, FREE)
    assert fee_totals(night) == FeeTotals(paid=2, free=1, debtors=0, total=1300, owed=0)
    event_change(event=night, actor=ACTOR, fee=None)
    pay(first, OPEN)
    assert fee_totals(Event.objects.get(pk=night.pk)) == FeeTotals(
        paid=1, free=1, debtors=1, total=800, owed=0
    )


def test_a_withdrawal_keeps_the_payment_and_a_return_too(night: Event) -> None:
    first, second, _ = entered(night)
    pay(first)
    for entry in (first, second):
        entry_withdraw(entry=entry, actor=ACTOR)
    assert fee_totals(night) == FeeTotals(paid=1, free=0, debtors=1, total=500, owed=500)
    again = entry_add(event=night, player=first.player, actor=ACTOR)
    assert (again.pk, again.fee, again.payment) == (first.pk, PAID, 500)


def test_a_merge_keeps_the_payment_and_nobody_pays_twice(desk: Client, night: Event) -> None:
    first, second, _ = entered(night)
    pay(first)
    entry_withdraw(entry=first, actor=ACTOR)
    person_merge(kept_player=second.player, merged=first.player, actor=ACTOR)
    assert [entry.player.handle for entry in owing(night)] == ["p3"]
    assert fee_totals(night) == FeeTotals(paid=1, free=0, debtors=1, total=500, owed=500)
    assert text(desk.get(CHECK_IN)).count('value="paid"') == 1
    entry_withdraw(entry=second, actor=ACTOR)
    again = entry_add(event=night, player=Player.objects.get(handle="p2"), actor=ACTOR)
    assert again.fee == PAID, "of two entries that one comes back that was paid"


def test_the_cockpit_names_who_has_not_paid_and_blocks_nothing(desk: Client, night: Event) -> None:
    events.stage(night, start=False)
    first, *others = entered(night, 20)
    pay(first)
    html = text(desk.get(DESK))
    assert "Not paid yet:" in html
    assert "and 7 more" in html
    assert "Start the event" in html
    fees_set(event=night, entries=others, fee=FREE, actor=ACTOR)
    assert "Nobody owes a fee." in text(desk.get(DESK))


def test_the_treasurer_gets_a_file_without_formulas(desk: Client, night: Event) -> None:
    player = events.players(night.club, 1, "=HYPERLINK")[0]
    entry, *_ = events.enter(night, [player, *events.players(night.club, 2)], check_in=False)
    desk.post(FEES, {"entry": entry.public_id, "do": "paid"})
    answer = desk.get(f"{FEES}fees.csv")
    assert answer["Cache-Control"] == "private, no-store"
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [row["fee"] for row in rows] == ["paid", "open", "open"]
    first = rows[0]
    assert (first["name"], first["amount"], first["currency"]) == ("'=HYPERLINK1", "5.00", "EUR")
    assert first["noted_by"] == "organiser"
    assert first["noted_at"]


def test_the_treasurer_s_file_names_who_noted_the_fee_not_who_changed_the_entry_later(
    desk: Client, night: Event
) -> None:
    entry, unpaid, _ = entered(night)
    helper = UserFactory.create()
    desk.post(FEES, {"entry": entry.public_id, "do": "paid"})
    for row in (entry, unpaid):
        entry_withdraw(entry=row, actor=Actor(helper.pk))
    rows = csv.DictReader(io.StringIO(desk.get(f"{FEES}fees.csv").content.decode()))
    notes = [(row["status"], row["noted_by"], row["noted_at"] != "") for row in rows]
    assert notes == [("withdrawn", "organiser", True), ("entered", "", False)]


def test_the_page_of_fees_tells_the_sum_and_notes_who_need_not_pay(
    desk: Client, night: Event
) -> None:
    club_change(club=night.club, actor=ACTOR, currency="CHF")
    entry, *_ = entered(night)
    html = text(desk.post(FEES, {"entry": entry.public_id, "do": "free"}, follow=True))
    assert "free of charge" in html
    assert "CHF\u00a010.00 outstanding".replace("\u00a0", " ") in html.replace("\u00a0", " ")
    assert desk.post(FEES, {"entry": entry.public_id, "do": "gold"}).status_code == 404
    page = f"{DESK}entries/{entry.public_id}/"
    assert "free of charge" in text(desk.get(page))
    answer = desk.post(FEES, {"entry": entry.public_id, "do": "open", "back": "entry"})
    assert answer["Location"] == page


@pytest.mark.parametrize("amount", ["5", "5,00", "5.00 €"])
def test_the_amount_is_written_as_people_do(desk: Client, season: Season, amount: str) -> None:
    fields = {
        "objection_hours": "24",
        "move_seconds": "60",
        "bank_seconds": "120",
        "confirmation": "alone",
        "confirmation_minutes": "0",
        "name": "Night 2",
        "slug": "night-2",
        "starts_at": "2099-12-03T19:30",
        "fee": amount,
    }
    desk.post(f"/clubs/stern/desk/events/new/?season={season.slug}", fields)
    assert Event.objects.get(slug="night-2").fee == 500
    html = text(
        desk.get("/clubs/stern/desk/events/night-2/settings/", headers={"accept-language": "de"})
    )
    assert 'value="5,00 €"' in html


@pytest.mark.parametrize("amount", ["5,0x", "-5", "1e3", "5,005", "five"])
def test_what_is_no_amount_is_refused_and_stays_in_the_form(
    desk: Client, season: Season, amount: str
) -> None:
    fields = {
        "objection_hours": "24",
        "move_seconds": "60",
        "bank_seconds": "120",
        "confirmation": "alone",
        "confirmation_minutes": "0",
        "name": "Night 2",
        "slug": "night-2",
        "starts_at": "2099-12-03T19:30",
        "fee": amount,
    }
    html = text(desk.post(f"/clubs/stern/desk/events/new/?season={season.slug}", fields))
    assert "Write the amount as 5 or as" in html
    assert f'value="{amount}"' in html
    assert not Event.objects.filter(slug="night-2").exists()


def test_nobody_else_learns_who_has_paid(night: Event, secret: str) -> None:
    entry, *_ = entered(night)
    pay(entry)
    own = Client()
    own.force_login(UserFactory.create())
    public = [
        reverse("event", args=["stern", "night-1"]),
        "/api/v1/clubs/stern/events/night-1/entries/",
    ]
    for client in (Client(), own):
        for address in public:
            html = client.get(address).content.decode()
            assert entry.player.name in html
            assert '"paid"' not in html
            assert ">paid" not in html
    scorer = Client().get(public[1], headers=bearer(secret)).json()["results"]
    assert {row["fee"] for row in scorer} == {None}
    for address in ("/clubs/stern/log/", "/clubs/stern/log/log.jsonl"):
        assert own.get(address).status_code == 404


def test_programs_of_organisers_note_fees_and_read_the_sum(night: Event, secret: str) -> None:
    first, second, _ = entered(night)
    headers = bearer(member_key(night.club, Role.ORGANISER)[0])
    address = "/api/v1/clubs/stern/events/night-1/entries/fees/"
    body = {"entries": [first.public_id], "fee": "paid"}
    answer = Client().post(address, body, content_type="application/json", headers=headers)
    assert [row["fee"] for row in answer.json()["results"]] == ["paid"]
    assert Client().get(address, headers=headers).json() == {
        "fee": 500,
        "currency": "EUR",
        "total": 500,
        "owed": 1000,
        "paid": 1,
        "free": 0,
        "debtors": 2,
    }
    body = {"entries": [second.public_id], "fee": "free"}
    assert (
        Client()
        .post(address, body, content_type="application/json", headers=bearer(secret))
        .status_code
        == 403
    )
    assert Client().get(address, headers=bearer(secret)).status_code == 404
    assert Client().get(address).status_code == 404
    event = Client().get("/api/v1/clubs/stern/events/night-1/").json()
    assert (event["fee"], event["currency"]) == (500, "EUR")
