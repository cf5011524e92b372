"""A sheet is sealed by the one whose word the event asks for: the writer's own, another's there, an
arbiter's."""

import json
import threading
from typing import Any

import pytest
from django.db import connection

from games.models import Device, Game
from league.core.log.services import Actor
from league.models import Event, LogEntry, Player, Role, Table, User
from league.sheets.device.services.device import device_make
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.floor.api.conftest import Ask, asker
from tests.league.sheets.sheet.test_open_game import (
    by_key,
    opened,
    phone,
    scorer,
    whole_game,
    write,
    written,
)

pytestmark = pytest.mark.django_db


def setting(table: Table, **settings: Any) -> None:
    """Let the event say so."""
    event = table.stage_round.stage.event
    Event.objects.filter(pk=event.pk).update(**settings)
    for name, value in settings.items():
        setattr(event, name, value)


def member(table: Table, role: Role) -> tuple[Ask, User]:
    """A member of the club with a key, and how they ask."""
    secret, key = member_key(table.stage_round.stage.event.club, role)
    return asker(secret), key.user


def sitter(table: Table, seat: int) -> tuple[Ask, User]:
    """Somebody who sits at the table, counted from 0, with an account."""
    ask, user = member(table, Role.PLAYER)
    Player.objects.filter(entries__seats__table=table, entries__seats__seat=seat).update(user=user)
    return ask, user


def phone_of(table: Table, account: User) -> Ask:
    """Ask as a phone whose key this account made."""
    return by_key(device_make(subject=table, actor=Actor(account.pk))[1])


def seat_phone(table: Table, seat: int) -> Ask:
    """Ask as a phone with the key of who sits there, counted from 0."""
    return by_key(device_make(subject=table, actor=Actor(), seat=seat)[1])


def seal(ask: Ask, game: Any, length: int) -> Any:
    return ask(f"/open-games/{game['id']}/seal/", {"length": length})


def finished(ask: Ask, table: Table) -> tuple[Any, int]:
    """A game that somebody has written to its end, and how long its sheet is."""
    game = opened(ask, table)
    return game, written(ask, game, *whole_game(table))


def test_where_nothing_else_is_said_whoever_writes_seals(table: Table) -> None:
    ask = phone(table)
    game, length = finished(ask, table)
    assert game["confirmation"] == "alone"
    assert seal(ask, game, length).status_code == 200
    assert "confirmation" not in json.loads(LogEntry.objects.get(action="game.sealed").payload)


def test_a_seat_that_wrote_nothing_confirms(table: Table) -> None:
    setting(table, confirmation="seat")
    ask, other = phone(table), seat_phone(table, 2)
    game, length = finished(ask, table)
    assert game["confirmation"] == "seat"
    assert code_of(seal(ask, game, length)) == (422, "not_confirmed")
    assert not Game.objects.exists()
    table.refresh_from_db()
    assert not table.finished, "for the draw it is as if nobody had played"
    assert code_of(seal(other, game, length - 1)) == (409, "overtaken")
    assert seal(other, game, length).status_code == 200
    writer, confirmer = Device.objects.order_by("pk").values_list("public_id", flat=True)
    payload = json.loads(LogEntry.objects.get(action="game.sealed").payload)
    assert payload["confirmation"] == {"of": "seat", "writer": {"device": writer}}
    assert payload["by"] == {"device": confirmer}
    assert payload["sheet"]["length"] == length


def test_a_second_key_of_a_scorer_is_no_seat(table: Table) -> None:
    setting(table, confirmation="seat")
    account = member(table, Role.SCORER)[1]
    game, length = finished(phone_of(table, account), table)
    for ask in (phone(table), phone_of(table, account), scorer(table)):
        assert code_of(seal(ask, game, length)) == (422, "not_confirmed")
    assert seal(sitter(table, 2)[0], game, length).status_code == 200


def test_who_wrote_anything_of_the_sheet_doesn_t_confirm_it(table: Table) -> None:
    setting(table, confirmation="seat")
    first, second, third = (seat_phone(table, seat) for seat in (0, 1, 2))
    game = opened(first, table)
    *rounds, last = whole_game(table)
    length = written(first, game, *rounds)
    assert write(second, game, length, value=last).status_code == 201
    for ask in (first, second, seat_phone(table, 0)):
        assert code_of(seal(ask, game, length + 1)) == (422, "not_confirmed")
    assert seal(third, game, length + 1).status_code == 200


def test_where_every_seat_wrote_another_than_wrote_last_confirms(table: Table) -> None:
    setting(table, confirmation="seat")
    phones = [seat_phone(table, seat) for seat in range(4)]
    game = opened(phones[0], table)
    rounds = whole_game(table)
    for length, value in enumerate(rounds):
        assert write(phones[length % 4], game, length, value=value).status_code == 201
    last = (len(rounds) - 1) % 4
    assert code_of(seal(phones[last], game, len(rounds))) == (422, "not_confirmed")
    assert seal(phones[last - 1], game, len(rounds)).status_code == 200


@pytest.mark.parametrize("role", [Role.ARBITER, Role.ORGANISER])
def test_an_arbiter_who_wrote_nothing_confirms_in_a_seat_s_place(table: Table, role: Role) -> None:
    setting(table, confirmation="seat")
    game, length = finished(phone(table), table)
    assert seal(member(table, role)[0], game, length).status_code == 200


def test_an_organiser_who_wrote_it_doesn_t_confirm_it(table: Table) -> None:
    setting(table, confirmation="seat")
    ask, _ = member(table, Role.ORGANISER)
    game, length = finished(ask, table)
    assert code_of(seal(ask, game, length)) == (422, "not_confirmed")


def test_a_player_and_the_phones_whose_keys_they_made_are_one_seat(table: Table) -> None:
    setting(table, confirmation="seat")
    (own, player), (rival, _) = sitter(table, 1), sitter(table, 2)
    game, length = finished(phone_of(table, player), table)
    for ask in (phone_of(table, player), own, seat_phone(table, 1)):
        assert code_of(seal(ask, game, length)) == (422, "not_confirmed")
    assert seal(rival, game, length).status_code == 200


def test_who_doesn_t_sit_there_and_has_no_role_confirms_nothing(table: Table) -> None:
    setting(table, confirmation="seat")
    stranger, _ = member(table, Role.PLAYER)
    game, length = finished(phone(table), table)
    assert code_of(seal(stranger, game, length)) == (403, "permission_denied")


@pytest.mark.parametrize("role", [Role.ARBITER, Role.ORGANISER])
def test_an_arbiter_confirms_where_the_event_says_so(table: Table, role: Role) -> None:
    setting(table, confirmation="arbiter")
    ask = phone(table)
    game, length = finished(ask, table)
    player, _ = sitter(table, 2)
    for one in (ask, phone(table), scorer(table), player):
        assert code_of(seal(one, game, length)) == (422, "not_confirmed")
    arbiter, account = member(table, role)
    assert seal(arbiter, game, length).status_code == 200
    entry = LogEntry.objects.get(action="game.sealed")
    assert entry.actor_id == account.pk
    assert json.loads(entry.payload)["confirmation"]["of"] == "arbiter"


def test_an_arbiter_confirms_and_writes_nothing(table: Table) -> None:
    setting(table, confirmation="arbiter")
    arbiter, _ = member(table, Role.ARBITER)
    game = opened(phone(table), table)
    assert code_of(write(arbiter, game, 0)) == (403, "permission_denied")
    setting(table, confirmation="alone")
    assert code_of(seal(arbiter, game, 0)) == (403, "permission_denied")


def test_a_game_that_is_not_over_is_confirmed_by_nobody(table: Table) -> None:
    setting(table, confirmation="seat")
    game = opened(phone(table), table)
    assert code_of(seal(seat_phone(table, 1), game, 0)) == (422, "not_over")


def outcome(table: Table) -> dict[str, Any]:
    entries = table.seats.order_by("seat").values_list("entry__public_id", flat=True)
    return {"finishes": [{"entry": entry, "rank": rank} for rank, entry in enumerate(entries, 1)]}


@pytest.mark.parametrize(
    "settings", [{"players_enter": False}, {"confirmation": "seat"}, {"confirmation": "arbiter"}]
)
def test_a_player_doesn_t_enter_a_result_alone_where_the_event_wants_more(
    table: Table, settings: dict[str, Any]
) -> None:
    setting(table, **settings)
    player, _ = sitter(table, 1)
    path = f"/tables/{table.public_id}/outcome/"
    assert code_of(player(path, outcome(table))) == (403, "permission_denied")
    assert scorer(table)(path, outcome(table)).status_code == 200, "who has a role still does"


def test_a_player_enters_the_result_of_the_own_table_where_nothing_else_is_said(
    table: Table,
) -> None:
    player, _ = sitter(table, 1)
    assert player(f"/tables/{table.public_id}/outcome/", outcome(table)).status_code == 200


def test_where_players_enter_nothing_they_write_no_sheet_and_seal_none(table: Table) -> None:
    player, account = sitter(table, 1)
    own_phone = phone_of(table, account)
    game, length = finished(own_phone, table)
    setting(table, players_enter=False)
    assert code_of(write(player, game, length, "undo", {})) == (403, "permission_denied")
    assert code_of(seal(own_phone, game, length)) == (422, "not_confirmed")
    _, by_role = member(table, Role.SCORER)
    assert seal(phone_of(table, by_role), game, length).status_code == 200


def test_players_write_where_somebody_else_confirms(table: Table) -> None:
    setting(table, players_enter=False, confirmation="seat")
    player, _ = sitter(table, 1)
    game, length = finished(player, table)
    assert seal(sitter(table, 2)[0], game, length).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_two_who_confirm_at_once_seal_one_game(table: Table) -> None:
    setting(table, confirmation="seat")
    game, length = finished(phone(table), table)
    others, answers = [seat_phone(table, 1), seat_phone(table, 2)], []

    def confirm(ask: Ask) -> None:
        answers.append(seal(ask, game, length).json()["sealed"])
        connection.close()

    threads = [threading.Thread(target=confirm, args=[ask]) for ask in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(answers)) == 1
    assert Game.objects.count() == 1
