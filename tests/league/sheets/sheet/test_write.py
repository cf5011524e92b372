"""Who may enter a table's result gives keys to phones, sees them, and takes them back."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Device, Game
from league.core.frame.letter_link import digest_of
from league.core.log.services import Actor
from league.models import ClaimCode, Player, Role, StageRound, Table, TableDevice
from league.sheets.device.services.device import device_make
from tests.factories import events
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.sheets import Scorer
from tests.league.sheets.confirmation.test_confirmation import setting

pytestmark = pytest.mark.django_db


def page(table: Table) -> str:
    return f"/tables/{table.public_id}/write/"


def slips(table: Table) -> str:
    event = table.stage_round.stage.event
    return f"/clubs/{event.club.slug}/desk/events/{event.slug}/stages/1/rounds/1/slips/"


def test_a_key_for_this_phone_stands_behind_the_hash_alone(desk: Client, table: Table) -> None:
    answer = desk.post(page(table), {"here": ""})
    assert answer.status_code == 302
    path, _, key = answer["Location"].partition("#")
    assert path == f"/score/{table.public_id}/"
    device = TableDevice.objects.select_related("device").get(table=table).device
    assert device.key_digest == digest_of(key)
    assert key not in desk.get(page(table)).content.decode()


def test_a_key_for_another_phone_is_shown_once_as_a_code(desk: Client, table: Table) -> None:
    shown = desk.post(page(table), {"other": ""})
    (key,) = set(re.findall(rf"/score/{table.public_id}/#([\w-]+)", shown.content.decode()))
    assert 'class="qr"' in shown.content.decode()
    assert Device.objects.get().key_digest == digest_of(key)
    assert shown["Cache-Control"].count("no-store")


def test_scorers_say_whose_phone_it_is_and_players_take_their_own(
    desk: Client, client: Client, table: Table
) -> None:
    player = table.seats.get(seat=2).entry.player
    assert f'<option value="2">{player.name}</option>' in desk.get(page(table)).content.decode()
    desk.post(page(table), {"other": "", "seat": "2"})
    assert TableDevice.objects.get().player == player
    assert f"Key 1 · {player.name}" in " ".join(desk.get(page(table)).content.decode().split())
    assert desk.post(page(table), {"other": "", "seat": "9"}).context["form"].errors["seat"]
    own = table.seats.get(seat=1).entry.player
    own.user = UserFactory.create()
    own.save()
    client.force_login(own.user)
    assert 'name="seat"' not in client.get(page(table)).content.decode()
    client.post(page(table), {"here": ""})
    client.post(page(table), {"here": "", "seat": "2"})
    assert [device.player for device in TableDevice.objects.order_by("pk")] == [player, own]


def test_the_page_lists_keys_and_takes_one_back(desk: Client, table: Table) -> None:
    device, _ = device_make(subject=table, actor=Actor())
    content = desk.get(page(table)).content.decode()
    end = f"{page(table)}{device.public_id}/end/"
    assert end in content
    assert desk.get(end).status_code == 405
    assert desk.post(end).status_code == 302
    assert Device.objects.get().revoked_at is not None
    assert end not in desk.get(page(table)).content.decode()


def test_a_device_of_another_table_is_not_found(desk: Client, table: Table) -> None:
    other = Table.objects.exclude(pk=table.pk).select_related("stage_round__stage__event").first()
    assert other is not None
    device, _ = device_make(subject=other, actor=Actor())
    assert desk.post(f"{page(table)}{device.public_id}/end/").status_code == 404


def test_who_sits_at_the_table_may_write_and_others_may_not(client: Client, table: Table) -> None:
    club = table.stage_round.stage.event.club
    stranger = MembershipFactory.create(club=club, role=Role.PLAYER).user
    assert client.get(page(table)).status_code == 302, "first one signs in"
    client.force_login(stranger)
    assert client.get(page(table)).status_code == 404
    seat = table.seats.select_related("entry__player").get(seat=0)
    seat.entry.player.user = stranger
    seat.entry.player.save(update_fields=["user"])
    assert client.get(page(table)).status_code == 200
    assert page(table) in client.get(f"/tables/{table.public_id}/").content.decode()


def test_a_finished_table_gives_no_more_keys(desk: Client, table: Table) -> None:
    events.finish(table.public_id, list(table.seats.values_list("entry__public_id", flat=True)))
    assert desk.post(page(table), {"here": ""})["Location"] == f"/tables/{table.public_id}/"
    assert not Device.objects.exists()


def test_slips_are_made_when_they_are_sent_for_one_a_table(desk: Client, table: Table) -> None:
    assert 'class="qr"' not in desk.get(slips(table)).content.decode()
    assert not Device.objects.exists()
    content = desk.post(slips(table)).content.decode()
    tables = list(Table.objects.filter(stage_round=table.stage_round))
    assert TableDevice.objects.filter(table__in=tables).count() == len(tables) == 2
    assert content.split("For players at the tables")[0].count('class="qr"') == len(tables)
    for name in table.seats.values_list("entry__player__name", flat=True):
        assert name in content


def test_slips_are_two_a_table_where_two_write_unseen(desk: Client, table: Table) -> None:
    setting(table, confirmation="double")
    assert "Two for each table" in desk.get(slips(table)).content.decode()
    content = desk.post(slips(table)).content.decode()
    assert content.split("For players at the tables")[0].count('class="qr"') == 4
    assert content.count('class="qr"') == 4 + 8, "a seat has one code"


def test_each_seat_without_an_account_has_a_slip_of_its_own(desk: Client, table: Table) -> None:
    member = MembershipFactory.create(
        club=table.stage_round.stage.event.club, role=Role.PLAYER
    ).user
    Player.objects.filter(entries__seats__table=table, entries__seats__seat=0).update(user=member)
    content = desk.post(slips(table)).content.decode()
    own = content.split("For players at the tables")[1]
    codes = ClaimCode.objects.in_bulk(field_name="player_id")
    assert len(codes) == 7
    for code in codes.values():
        assert f"{code.code[:4]} {code.code[4:]}" in own
    assert desk.post(slips(table)).content.decode().split("For players at the tables")[1] == own, (
        "they stay good"
    )
    assert "For players at the tables" not in desk.get(slips(table)).content.decode()


def test_with_the_code_of_its_slip_another_seat_confirms_without_an_account(
    desk: Client, table: Table
) -> None:
    setting(table, confirmation="seat")
    desk.post(slips(table))
    scorer = Scorer(table)
    scorer.finish()
    phone, sitter = Client(), table.seats.get(seat=2).entry.player
    confirm = f"/open-games/{scorer.row.open_game.public_id}/confirm/"
    assert phone.post(confirm, {"length": scorer.length}).status_code == 302
    assert not Game.objects.exists(), "who isn't known is asked to sign in"
    phone.post(f"/claim/{ClaimCode.objects.get(player=sitter).code}/")
    sitter.refresh_from_db()
    assert sitter.user is not None
    phone.post(confirm, {"length": scorer.length})
    assert Game.objects.get().entered_by == sitter.user


def test_slips_are_for_organisers_and_published_rounds(
    desk: Client, client: Client, table: Table
) -> None:
    StageRound.objects.update(status=StageRound.Status.DRAWN)
    assert desk.get(slips(table)).status_code == 404
    StageRound.objects.update(status=StageRound.Status.PUBLISHED)
    other = Client()
    other.force_login(
        MembershipFactory.create(club=table.stage_round.stage.event.club, role=Role.PLAYER).user
    )
    assert other.get(slips(table)).status_code == 404


def test_a_round_that_is_over_has_no_slips(desk: Client, table: Table) -> None:
    events.play(table.stage_round)
    assert desk.post(slips(table)).status_code == 404
    assert "No slips to print" in desk.get(slips(table)).content.decode()


def test_a_key_lasts_over_the_next_day(table: Table) -> None:
    device, _ = device_make(subject=table, actor=Actor())
    assert device.ends_at - timezone.now() > timedelta(hours=47)
