"""A game is written down at its table: entry by entry, by whoever may, and then it is a game like
any other."""

import json
import threading
from datetime import timedelta
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Device, Game, OpenSheet, SheetBranch, SheetEntry
from league.core.log.queries import log_end
from league.core.log.services import Actor
from league.events.event.services import event_change
from league.models import Event, LogEntry, Role, Season, Table, TableDevice, TableGame, Visibility
from league.sheets.device.services.device import device_make, device_revoke
from league.stages.round.services import round_take_back
from league.standings.ranking.services.counting import ranking_count
from tests.factories import events
from tests.league.core.frame.api.programs import code_of, member_key
from tests.league.floor.api.conftest import Ask, asker

pytestmark = pytest.mark.django_db

ROUND = {"moves": ["2x4", "!"], "count": 2}


def scorer(table: Table) -> Ask:
    """Ask as a scorer of the club."""
    return asker(member_key(table.stage_round.stage.event.club, Role.SCORER)[0])


def phone(table: Table) -> Ask:
    """Ask as a phone with a key of this table."""
    _, key = device_make(subject=table, actor=Actor())
    return by_key(key)


def by_key(key: str) -> Ask:
    def ask(path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Device {key}"}
        if body is None:
            return Client().get(f"/api/v1{path}", headers=headers)
        content = json.dumps(body)
        return Client().generic(
            "POST", f"/api/v1{path}", content, content_type="application/json", headers=headers
        )

    return ask


def opened(ask: Ask, table: Table) -> Any:
    answer = ask(f"/tables/{table.public_id}/open-game/", {})
    assert answer.status_code == 200, answer.content
    return answer.json()


def write(
    ask: Ask, game: Any, length: int, act: str = "close", value: Any = ROUND, **more: Any
) -> Any:
    body = {"key": str(uuid4()), "length": length, "act": act, "value": value, **more}
    return ask(f"/open-games/{game['id']}/entries/", body)


def written(ask: Ask, game: Any, *values: Any) -> int:
    for length, value in enumerate(values):
        assert write(ask, game, length, value=value).status_code == 201
    return len(values)


def whole_game(table: Table) -> list[dict[str, Any]]:
    """Rounds after which one seat is left."""
    seats = table.seats.count()
    return [
        {"losses": [0 if seat == 0 else 1 if seat == loser else 0 for seat in range(seats)]}
        for loser in range(1, seats)
        for _ in range(5)
    ]


def test_two_who_open_get_the_same_game(table: Table) -> None:
    game = opened(scorer(table), table)
    assert opened(phone(table), table)["id"] == game["id"]
    assert (game["number"], game["length"], game["closed"], game["over"], game["sealed"]) == (
        1,
        0,
        0,
        False,
        None,
    )
    assert [seat["handle"] for seat in game["seats"]] == list(
        table.seats.order_by("seat").values_list("entry__player__handle", flat=True)
    )


def test_a_phone_writes_at_a_table_that_members_alone_see(table: Table, look: Ask) -> None:
    ask = phone(table)
    Season.objects.update(visibility=Visibility.MEMBERS)
    game = opened(ask, table)
    assert write(ask, game, 0).status_code == 201
    assert ask(f"/open-games/{game['id']}/entries/").json()["entries"]
    other = phone(Table.objects.exclude(pk=table.pk).get())
    assert [reader(f"/open-games/{game['id']}/").status_code for reader in (ask, look, other)] == [
        200,
        404,
        404,
    ]
    assert write(other, game, 1).status_code == 404
    device_revoke(device=TableDevice.objects.get(table=table), actor=Actor())
    assert ask(f"/open-games/{game['id']}/").status_code == 404, (
        "a key that has ended shows nothing"
    )
    assert code_of(write(ask, game, 1)) == (403, "key_ended"), (
        "what it sends is kept beside the sheet"
    )


def test_an_entry_tells_what_the_table_has_come_to(table: Table, look: Ask) -> None:
    ask = phone(table)
    game = opened(ask, table)
    answer = write(ask, game, 0, "note", {"bid": "2x4"})
    assert answer.status_code == 201
    assert answer.json()["state"]["notes"] == [{"bid": "2x4", "seat": 0}]
    assert write(ask, game, 1).json()["closed"] == 1
    shown = look(f"/open-games/{game['id']}/").json()
    assert (shown["length"], shown["closed"], shown["state"]["notes"]) == (2, 1, [])


def test_the_same_key_again_is_the_same_entry(table: Table) -> None:
    ask = phone(table)
    game = opened(ask, table)
    key = str(uuid4())
    assert [write(ask, game, 0, key=key).status_code for _ in range(3)] == [201, 200, 200]
    assert SheetEntry.objects.count() == 1
    assert code_of(write(ask, game, 0, value={"losses": [1, 0, 0, 0]}, key=key)) == (
        422,
        "key_reused",
    )


def test_who_did_not_look_gets_what_came_in_between(table: Table) -> None:
    ask = phone(table)
    game = opened(ask, table)
    assert write(ask, game, 0).status_code == 201
    answer = write(phone(table), game, 0, "note", {"bid": "1x1"})
    assert code_of(answer) == (409, "overtaken")
    assert [entry["act"] for entry in answer.json()["entries"]] == ["close"]
    assert answer.json()["length"] == 1


def test_an_entry_that_breaks_a_rule_is_refused_with_its_place(table: Table) -> None:
    ask = phone(table)
    game = opened(ask, table)
    answer = write(ask, game, 0, value={"moves": ["2x4", "1x1", "!"], "count": 1})
    assert code_of(answer) == (422, "not_a_raise")
    assert answer.json()["errors"][0]["path"] == "value.moves[1]"
    assert SheetEntry.objects.count() == 0


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"key": "x", "length": 0, "act": "close", "value": {}},
        {"key": str(uuid4()), "length": -1, "act": "close", "value": {}},
        {"key": str(uuid4()), "length": 0, "act": "cheat", "value": {}},
        {"key": str(uuid4()), "length": 0, "act": "close", "value": []},
        {"key": str(uuid4()), "length": 0, "act": "close", "value": {}, "name": "Karla"},
    ],
)
def test_a_body_that_is_no_entry_is_refused(table: Table, body: Any) -> None:
    ask = phone(table)
    game = opened(ask, table)
    assert code_of(ask(f"/open-games/{game['id']}/entries/", body)) == (400, "bad_value")


def test_the_finished_sheet_becomes_the_game_that_a_file_would_be(table: Table) -> None:
    ask = phone(table)
    game = opened(ask, table)
    length = written(ask, game, *whole_game(table))
    answer = ask(f"/open-games/{game['id']}/seal/", {"length": length})
    assert answer.status_code == 200, answer.content
    sealed = Game.objects.get()
    assert answer.json()["sealed"] == f"/api/v1/games/{sealed.public_id}/"
    assert ask(f"/open-games/{game['id']}/seal/", {"length": length}).status_code == 200
    assert TableGame.objects.get().number == 1
    table.refresh_from_db()
    assert table.finished
    open_seals = list(sealed.sealed_sheet.sheet.open_game.seats.values_list("handle", "seal"))
    assert [
        (handle, bytes(seal)) for handle, seal in sealed.seats.values_list("handle", "seal")
    ] == [(handle, bytes(seal)) for handle, seal in open_seals]
    assert bytes(sealed.digest) == bytes(sealed.sealed_sheet.sheet.open_game.digest)
    assert code_of(write(ask, game, length)) == (422, "sealed")


def test_the_log_tells_the_head_of_the_sheet_and_which_device_sealed_it(table: Table) -> None:
    ask = phone(table)
    game = opened(ask, table)
    length = written(ask, game, *whole_game(table))
    ask(f"/open-games/{game['id']}/seal/", {"length": length})
    entry = LogEntry.objects.get(club=table.stage_round.stage.event.club, action="game.sealed")
    payload = json.loads(entry.payload)
    sheet = OpenSheet.objects.get()
    assert payload["sheet"] == {
        "open_game": game["id"],
        "length": length,
        "link": bytes(sheet.link).hex(),
    }
    assert payload["by"] == {"device": Device.objects.get().public_id}


def test_a_sheet_that_is_not_over_or_was_written_on_is_not_sealed(table: Table) -> None:
    ask = phone(table)
    game = opened(ask, table)
    assert code_of(ask(f"/open-games/{game['id']}/seal/", {"length": 0})) == (422, "not_over")
    length = written(ask, game, *whole_game(table))
    assert code_of(ask(f"/open-games/{game['id']}/seal/", {"length": length - 1})) == (
        409,
        "overtaken",
    )


def test_a_result_that_came_in_otherwise_leaves_the_sheet_unsealed(table: Table) -> None:
    ask = phone(table)
    game = opened(ask, table)
    length = written(ask, game, *whole_game(table))
    events.finish(table.public_id, list(table.seats.values_list("entry__public_id", flat=True)))
    assert code_of(ask(f"/open-games/{game['id']}/seal/", {"length": length}))[0] == 422
    assert Game.objects.count() == 1


def test_a_table_taken_back_refuses_the_game_and_not_the_entries(table: Table) -> None:
    ask = phone(table)
    game = opened(ask, table)
    length = written(ask, game, *whole_game(table)[:-1])
    round_take_back(stage_round=table.stage_round, actor=Actor(reason="Two tables were mixed up."))
    assert write(ask, game, length, value=whole_game(table)[-1]).status_code == 201
    assert code_of(ask(f"/open-games/{game['id']}/seal/", {"length": length + 1})) == (
        422,
        "round_closed",
    )


def test_who_may_not_enter_results_writes_nothing(table: Table, look: Ask) -> None:
    game = opened(scorer(table), table)
    path = f"/open-games/{game['id']}/entries/"
    body = {"key": str(uuid4()), "length": 0, "act": "close", "value": ROUND}
    assert code_of(look(path, body))[0] == 401
    assert code_of(by_key("no such key")(path, body)) == (401, "authentication_failed")


def test_a_key_is_good_for_its_own_table_alone(table: Table) -> None:
    other = Table.objects.exclude(pk=table.pk).select_related("stage_round__stage__event").first()
    assert other is not None
    game = opened(scorer(table), table)
    assert code_of(write(phone(other), game, 0)) == (403, "other_table")


def test_a_key_that_was_revoked_writes_no_more(table: Table) -> None:
    device, key = device_make(subject=table, actor=Actor())
    ask = by_key(key)
    game = opened(ask, table)
    row = TableDevice.objects.select_related("device", "table__stage_round__stage__event").get(
        device=device
    )
    assert write(ask, game, 0).status_code == 201
    assert device_revoke(device=row, actor=Actor())
    assert not device_revoke(device=row, actor=Actor())
    assert code_of(write(ask, game, 1)) == (403, "key_ended")
    assert code_of(ask(f"/tables/{table.public_id}/open-game/", {})) == (403, "key_ended")
    assert code_of(ask(f"/open-games/{game['id']}/seal/", {"length": 1})) == (403, "key_ended")


def test_a_clock_that_is_a_day_off_changes_nothing_but_its_note(table: Table) -> None:
    ask = phone(table)
    game = opened(ask, table)
    tomorrow = (timezone.now() + timedelta(days=1)).isoformat()
    assert write(ask, game, 0, at=tomorrow).status_code == 201
    entry = SheetEntry.objects.get()
    assert entry.device_at is not None
    assert entry.device_at > entry.made_at


def test_others_who_sit_there_now_get_a_game_of_their_own(table: Table) -> None:
    first = opened(scorer(table), table)
    seat = table.seats.order_by("-seat").first()
    assert seat is not None
    seat.delete()
    second = opened(scorer(table), table)
    assert second["id"] != first["id"]
    assert len(second["seats"]) == len(first["seats"]) - 1


def test_an_entry_costs_the_same_in_a_long_game(table: Table) -> None:
    ask = phone(table)
    game = opened(ask, table)
    costs = []
    for length in range(30):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert (
                write(ask, game, length, value={"void": True, "moves": ["1x1"]}).status_code == 201
            )
        costs.append(len(queries))
    assert costs[1] == costs[-1] <= 14


def test_an_event_that_is_hidden_shows_no_game(table: Table, look: Ask) -> None:
    game = opened(scorer(table), table)
    Event.objects.filter(pk=table.stage_round.stage.event_id).update(status=Event.Status.DRAFT)
    assert look(f"/open-games/{game['id']}/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_five_who_send_the_same_at_once_make_one_entry(table: Table) -> None:
    ask = phone(table)
    game = opened(ask, table)
    key, answers = str(uuid4()), []

    def send() -> None:
        answers.append(write(ask, game, 0, key=key).status_code)
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 200, 200, 200, 201]
    assert SheetEntry.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_who_write_at_once_one_is_told_of_the_other(table: Table) -> None:
    ask = phone(table)
    game = opened(ask, table)
    answers = []

    def send() -> None:
        answers.append(write(ask, game, 0).status_code)
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [201, 409]


def late(
    ask: Ask, game: Any, after: int, *bids: str, key: str = "", at: str = "2026-11-25T19:30:00Z"
) -> Any:
    """Say what was written after so many entries, and came too late."""
    entries = [
        {"key": str(UUID(int=number)), "act": "note", "value": {"bid": bid}, "at": at}
        for number, bid in enumerate(bids)
    ]
    return ask(
        f"/open-games/{game['id']}/branches/",
        {"key": key or str(uuid4()), "after": after, "entries": entries},
    )


def test_what_came_too_late_is_kept_and_shown_beside_the_sheet(
    table: Table, client: Client
) -> None:
    ask, other = phone(table), phone(table)
    game = opened(ask, table)
    written(ask, game, ROUND)
    key = str(uuid4())
    answer = late(other, game, 0, "3x5", key=key)
    assert (answer.status_code, answer.json()["after"]) == (200, 0)
    assert late(other, game, 0, "3x5", key=key).json()["id"] == answer.json()["id"], "twice is once"
    assert OpenSheet.objects.get().length == 1, "the sheet is as it was"
    page = client.get(f"/open-games/{game['id']}/").content.decode()
    assert "What another phone wrote in the meantime" in page
    assert "Phone 2" in page
    assert LogEntry.objects.latest("position").subject == answer.json()["id"]


def test_what_came_too_late_is_kept_once_the_game_is_sealed(table: Table) -> None:
    ask = phone(table)
    game = opened(ask, table)
    length = written(ask, game, *whole_game(table))
    assert ask(f"/open-games/{game['id']}/seal/", {"length": length}).status_code == 200
    assert late(phone(table), game, 0, "1x5").status_code == 200


@pytest.mark.parametrize(
    ("after", "bids", "code"),
    [(9, ["3x5"], "no_such_entry"), (0, ["3x5", "2x2"], "not_a_raise"), (0, ["9z9"], "bad_record")],
)
def test_what_cannot_have_been_written_is_not_kept(
    table: Table, after: int, bids: list[str], code: str
) -> None:
    ask = phone(table)
    game = opened(ask, table)
    written(ask, game, ROUND)
    answer = late(ask, game, after, *bids)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert not SheetBranch.objects.exists()


def test_the_key_of_a_branch_is_no_other_ones(table: Table) -> None:
    ask, key = phone(table), str(uuid4())
    game = opened(ask, table)
    assert late(ask, game, 0, "3x5", key=key).status_code == 200
    answer = late(ask, game, 0, "3x4", key=key)
    assert (answer.status_code, answer.json()["code"]) == (422, "key_reused")


def test_what_one_sheet_takes_has_an_end(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """An amendment folds the whole game, a branch is kept for ever: who has a key may not send them
    without end."""
    monkeypatch.setattr("games.services.open_game.AMENDMENTS", 1)
    monkeypatch.setattr("games.services.open_game.BRANCHES", 1)
    ask = phone(table)
    game = opened(ask, table)
    written(ask, game, ROUND)
    amendment = {"number": 1, "reason": "miscounted", "round": {"moves": ["2x4", "!"], "count": 1}}
    assert write(ask, game, 1, "amend", amendment).status_code == 201
    answer = write(ask, game, 2, "amend", amendment)
    assert (answer.status_code, answer.json()["code"]) == (422, "too_many_entries")
    amending = {
        "key": str(uuid4()),
        "act": "amend",
        "value": amendment,
        "at": "2026-11-25T19:30:00Z",
    }
    two = [amending, {**amending, "key": str(uuid4())}]
    answer = ask(
        f"/open-games/{game['id']}/branches/", {"key": str(uuid4()), "after": 1, "entries": two}
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "too_many_entries")
    assert late(ask, game, 0, "3x5").status_code == 200
    answer = late(ask, game, 0, "3x4")
    assert (answer.status_code, answer.json()["code"]) == (422, "too_many_branches")
    assert SheetBranch.objects.count() == 1


def test_nobody_else_keeps_anything_beside_a_sheet(table: Table, look: Ask) -> None:
    game = opened(phone(table), table)
    assert late(look, game, 0, "3x5").status_code == 401
    assert late(by_key("no such key"), game, 0, "3x5").status_code == 401


def test_a_sealed_game_tells_what_it_changed_once_it_is_counted(table: Table, look: Ask) -> None:
    ask = phone(table)
    game = opened(ask, table)
    assert game["games"] == table.stage_round.stage.games
    path = f"/open-games/{game['id']}/gains/"
    assert ask(path).json() == {"rankings": [], "following": []}
    length = written(ask, game, *whole_game(table))
    assert ask(f"/open-games/{game['id']}/seal/", {"length": length}).status_code == 200
    assert ask(path).json()["rankings"] == []
    season = table.stage_round.stage.event.season
    ranking_count(ranking_id=season.ranking_id)
    (ranking,) = ask(path).json()["rankings"]
    assert ranking["name"] == season.name
    winner = ranking["seats"][0]
    assert (winner["seat"], winner["rank_before"], winner["rank"]) == (0, None, 1)
    assert winner["points"] == winner["total"] > 0
    assert look(path).json()["rankings"] == [ranking], "whoever sees the table sees it"
    Season.objects.update(visibility=Visibility.MEMBERS)
    assert (ask(path).status_code, look(path).status_code) == (200, 404)


def test_an_answer_that_was_read_while_the_event_changed_is_not_taken_for_the_new_one(
    table: Table,
) -> None:
    ask = phone(table)
    game = opened(ask, table)
    event = table.stage_round.stage.event

    def end_after_a_change(club_id: int) -> int:
        event_change(event=event, actor=Actor(), confirmation="arbiter")
        return log_end(club_id)

    with patch("league.stages.stage.api.view.log_end", end_after_a_change):
        before = ask(f"/open-games/{game['id']}/")
    assert before.json()["confirmation"] != "arbiter"
    after = ask(f"/open-games/{game['id']}/")
    assert after.json()["confirmation"] == "arbiter"
    assert after["ETag"] != before["ETag"]
