"""An entry of the log states the rows that it changed, as the database has them when it is
written."""

import json
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.record.club_log import commitment
from league.core.club.actions import ClubAction
from league.core.club.models import CLUB
from league.core.log.columns import columns_of
from league.core.log.erasure import entry_texts_forget, log_forget
from league.core.log.ledger import cell_differences, ledger_differences
from league.core.log.nouns import NOUNS, columns_at
from league.core.log.services import Actor, club_journal
from league.core.log.statements import ROWS, payload_fold
from league.core.log.texts import naming, texts_back
from league.core.member.models.member import ROLE
from league.core.member.services.member import member_add, member_change
from league.core.player.actions import PlayerAction
from league.core.player.models import PLAYER
from league.disputes.objection.models import OBJECTION
from league.models import Club, LogEntry, Player, Ranking, Role, User
from league.site.erasure.services.erasure import player_erase
from league.standings.season.models import SEASON
from tests.factories.league import PlayerFactory, UserFactory

pytestmark = pytest.mark.django_db


def last_entry(club: Club) -> LogEntry:
    return LogEntry.objects.filter(club=club).latest("position")


def stated(club: Club) -> dict[str, Any]:
    rows: dict[str, Any] = json.loads(last_entry(club).payload)[ROWS]
    return rows


def test_a_new_row_is_stated_with_all_cells_and_its_texts_as_commitments(club: Club) -> None:
    user = UserFactory.create()
    player = PlayerFactory.create(club=club, handle="anna", name="Anna", user=user)
    entry = LogEntry.objects.get(club=club, action=PlayerAction.CREATED)
    payload = json.loads(entry.payload)
    assert payload[ROWS] == {"player": {player.public_id: {"account": None}}}
    place = f"player/{player.public_id}/name"
    assert entry.names is not None
    salt, word = entry.names[place]
    assert word == "Anna"
    assert payload[place] == commitment(bytes.fromhex(salt), "Anna")
    assert stated(club) == {"player": {player.public_id: {"account": user.public_id}}}


def test_a_change_by_update_is_stated_with_the_columns_that_are_named(club: Club) -> None:
    with club_journal(club.pk) as journal:
        journal.add(ClubAction.CHANGED, club.public_id)
        journal.record(CLUB, [club], ["currency", "no column of the log"])
        Club.objects.filter(pk=club.pk).update(currency="CHF", listed=False)
    assert stated(club) == {"club": {club.public_id: {"currency": "CHF"}}}


def test_rows_that_are_gone_are_stated_by_name(club: Club) -> None:
    user: User = UserFactory.create()
    for role in (Role.ORGANISER, Role.SCORER):
        member_add(club=club, user=user, role=role, actor=Actor())
    member_add(club=club, user=UserFactory.create(), role=Role.ORGANISER, actor=Actor())
    member_change(club=club, user=user, roles=[Role.SCORER], actor=Actor())
    assert stated(club) == {"role": {f"{user.public_id} organiser": None}}


def test_many_rows_are_read_in_one_query_and_stand_at_their_own_entries(club: Club) -> None:
    players = [PlayerFactory.create(club=club) for _ in range(3)]
    with (
        CaptureQueriesContext(
            connection,
        ) as queries,
        club_journal(club.pk) as journal,
    ):
        for player in players:
            journal.add(PlayerAction.LINKED, player.public_id)
            journal.record(PLAYER, [player])
    assert len([query for query in queries if 'FROM "league_player"' in query["sql"]]) == 1
    assert list(stated(club)["player"]) == [players[2].public_id]


def test_rows_are_stated_at_the_next_entry_where_there_is_none_before(club: Club) -> None:
    with club_journal(club.pk) as journal:
        journal.record(CLUB, [club], ["listed"])
        journal.add(ClubAction.CHANGED, club.public_id)
    assert stated(club) == {"club": {club.public_id: {"listed": True}}}


def test_rows_without_an_entry_are_refused(club: Club) -> None:
    with pytest.raises(ValueError, match="no entry tells"), club_journal(club.pk) as journal:
        journal.record(CLUB, [club])


def test_a_row_that_was_deleted_after_it_was_stated_is_gone(club: Club) -> None:
    user = UserFactory.create()
    with club_journal(club.pk) as journal:
        membership = club.memberships.create(user=user, role=Role.SCORER)
        journal.add(ClubAction.CHANGED, club.public_id)
        journal.record(ROLE, [membership.pk])
        journal.record_removal(ROLE, [membership.pk])
        membership.delete()
    assert stated(club) == {"role": {f"{user.public_id} scorer": None}}


def test_what_a_log_says_is_the_last_statement_of_each_cell() -> None:
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    payload_fold(
        rows,
        {
            ROWS: {"event": {"a": {"fee": 1, "status": "draft"}, "b": {"fee": 2}}},
            "event/a/name": "One",
        },
    )
    payload_fold(rows, {ROWS: {"event": {"a": {"fee": 3}, "b": None}}})
    payload_fold(rows, {"before": {"fee": 3}, "after": {"fee": 4}})
    assert rows == {"event": {"a": {"fee": 3, "status": "draft", "name": "One"}}}


def test_texts_of_a_row_are_forgotten_with_the_row_whose_entry_it_stands_at(club: Club) -> None:
    player: Player = PlayerFactory.create(club=club, handle="anna", name="Anna")
    with club_journal(club.pk) as journal:
        journal.add(ClubAction.CHANGED, club.public_id)
        journal.record(PLAYER, [player])
    log_forget(club.pk, {player.public_id}, naming(["somebody else"]))
    entry = last_entry(club)
    assert entry.names is None
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    payload_fold(rows, texts_back(json.loads(entry.payload), entry.names))
    assert len(rows["player"][player.public_id]["name"]) == 64, "the commitment stays"


def test_entries_that_name_a_row_without_its_texts_stay_as_they_are(club: Club) -> None:
    player: Player = PlayerFactory.create(club=club, handle="anna", name="Anna")
    with club_journal(club.pk, Actor(reason="It is said here.")) as journal:
        journal.add(ClubAction.CHANGED, club.public_id)
        journal.record(PLAYER, [player], ["account"])
    entry_texts_forget(club.pk, PlayerAction.CREATED, [player.public_id], "name")
    assert last_entry(club).why == "It is said here."
    assert LogEntry.objects.get(club=club, action=PlayerAction.CREATED).names is None


def test_columns_of_another_row_are_stated_by_the_way_to_it_with_the_marks_they_have_there() -> (
    None
):
    assert columns_at("ranking", Ranking) == {
        name: f"ranking__{name}" for name in ("scoring", "tie_breaks", "rated")
    }
    assert SEASON.columns[-3:] == ("scoring", "tie_breaks", "rated")
    assert OBJECTION.more["end_role"] == "end__role"
    assert OBJECTION.texts == {"word", "reason"}


def test_a_noun_may_leave_the_marks_of_its_model_to_another_one() -> None:
    noun = replace(PLAYER, name="a noun of this test", marked=False, more={"word": "handle"})
    del NOUNS[noun.name]
    assert noun.columns == ("word",)


def test_marks_are_read_in_the_order_of_their_declaration() -> None:
    assert columns_of(Club, "text") == ("slug", "name", "about")
    assert columns_of(Player, "logged") == ("handle", "name", "user")
    assert PLAYER.columns == ("handle", "name", "account")


def test_a_cell_that_no_entry_states_yet_holds_what_all_rows_held_before(club: Club) -> None:
    stored = CLUB.of_club(club.pk)[club.public_id]
    logged = {column: value for column, value in stored.items() if column != "currency"}
    assert list(cell_differences(CLUB, club.public_id, stored, logged)) == []
    (difference,) = cell_differences(CLUB, club.public_id, {**stored, "currency": "CHF"}, logged)
    assert (difference.column, difference.true_value) == ("currency", "EUR")


def test_a_name_behind_the_log_s_back_is_found_though_the_player_is_erased(club: Club) -> None:
    player: Player = PlayerFactory.create(club=club, handle="anna", name="Anna")
    player_erase(player=player, actor=Actor())
    assert list(ledger_differences(club.pk)) == []
    Player.objects.filter(pk=player.pk).update(name="Anna")
    (difference,) = ledger_differences(club.pk)
    assert (difference.column, difference.true_value) == ("name", player.pseudonym)
