"""A sealed seat and a handle are somebody's for good: only an erasure that the log tells takes the
name away."""

from __future__ import annotations

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction
from psycopg.rows import TupleRow

from games.models import Seat
from league.core.log.services import Actor, Journal, club_journal
from league.core.player.actions import PlayerAction
from league.core.player.models import ERASED_NOW, Handle, Player
from league.core.player.services.player import player_rename
from league.models import LogEntry, Season
from league.site.erasure.services.erasure import player_erase
from league.standings.player.services import player_merge
from tests.factories.counted import add_games, counted_season
from tests.factories.records import bluff_record
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db

IMITATION = """
    UPDATE games_seat SET handle = %(to)s, seal = CASE length(seal) WHEN 32 THEN seal ELSE
        sha256(convert_to('cups-up/name/1', 'UTF8') || '\\x0a' || seal || convert_to(handle, 'UTF8')) END
    WHERE lower(handle) = lower(%(of)s)
"""
"""Does to seats what an erasure does, in favour of another handle."""


@pytest.fixture
def season() -> Season:
    return counted_season([bluff_record(seed, seats=("karla", "rosa", "ben")) for seed in range(2)])


def player(handle: str) -> Player:
    return Player.objects.get(handle=handle)


def refused(statement: str, **parameters: str | int) -> bool:
    """Whether the database refuses what the service's role tries."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, parameters)
    except DatabaseError:
        return True
    return False


def log_erasure(journal: Journal, erased: Player) -> None:
    """Tell the log of an erasure, as the service does first."""
    journal.add(PlayerAction.ERASED, erased.public_id)
    journal.write()


def seats_of(handle: str) -> int:
    return Seat.objects.filter(handle=handle).count()


@pytest.mark.parametrize("to", ["rosa", "ben", "somebody", ""])
def test_no_seat_takes_another_handle(season: Season, to: str) -> None:
    assert refused(IMITATION, of="karla", to=to)
    assert seats_of("karla") == 2


def test_no_seat_takes_a_pseudonym_of_who_is_not_erased(season: Season) -> None:
    for handle in ("karla", "rosa"):
        assert refused(IMITATION, of="karla", to=player(handle).pseudonym)


def test_no_seat_takes_the_pseudonym_of_somebody_else_who_is_erased(season: Season) -> None:
    rosa = player("rosa")
    player_erase(player=rosa, actor=Actor())
    assert refused(IMITATION, of="karla", to=rosa.pseudonym)
    with club_journal(season.club_id) as journal:
        log_erasure(journal, rosa)
        assert refused(IMITATION, of="karla", to=rosa.pseudonym)


def test_a_seat_of_who_is_erased_goes_to_nobody_else(season: Season) -> None:
    rosa = player("rosa")
    player_erase(player=rosa, actor=Actor())
    assert refused(IMITATION, of=rosa.pseudonym, to="karla")
    with club_journal(season.club_id) as journal:
        log_erasure(journal, player("karla"))
        assert refused(IMITATION, of=rosa.pseudonym, to=player("karla").pseudonym)


@pytest.mark.django_db(transaction=True)
def test_an_erasure_that_was_told_before_opens_nothing(season: Season) -> None:
    with club_journal(season.club_id) as journal:
        log_erasure(journal, player("karla"))
    assert refused(IMITATION, of="karla", to=player("karla").pseudonym)


def test_a_handle_finds_its_player_for_good(season: Season) -> None:
    karla, rosa = player("karla"), player("rosa")
    assert refused(
        "UPDATE league_handle SET player_id = %(to)s WHERE player_id = %(of)s",
        of=karla.pk,
        to=rosa.pk,
    )
    assert refused("DELETE FROM league_handle WHERE player_id = %(of)s", of=karla.pk)
    assert refused(
        "UPDATE league_handle SET handle = 'carla' WHERE player_id = %(of)s", of=karla.pk
    )
    assert refused("UPDATE league_handle SET handle = NULL WHERE player_id = %(of)s", of=karla.pk)
    assert not refused(
        "UPDATE league_handle SET handle = 'KARLA' WHERE player_id = %(of)s", of=karla.pk
    )


def test_a_player_stays_who_it_is(season: Season) -> None:
    assert refused("UPDATE league_player SET public_id = '2222222222' WHERE handle = 'karla'")


def test_a_handle_finds_nobody_of_another_club(season: Season) -> None:
    other = counted_season([bluff_record(9, seats=("karla", "zoe"))])
    zoe = player("zoe")
    with pytest.raises(DatabaseError), transaction.atomic():
        Handle.objects.create(club=season.club, player=zoe, handle="zoe")
    assert other.club != season.club


def test_all_handles_of_merged_players_are_forgotten(season: Season) -> None:
    player_rename(player=player("karla"), actor=Actor(), handle="carla")
    player_merge(kept_player=player("carla"), merged=_newcomer(season, "minchen"), actor=Actor())
    karla = player("carla")
    player_erase(player=karla, actor=Actor())
    pseudonyms = {karla.pseudonym, Player.objects.get(merged_into=karla).pseudonym}
    assert set(Handle.objects.filter(club=season.club).words()) == {"rosa", "ben", *pseudonyms}
    codes = {difference.code for difference in club_differences(season.club_id)}
    assert not codes & {"seat.seal", "player.erased_at", "player.same_as"}


def test_a_seat_that_came_without_salt_is_no_difference_but_its_name_is_forgotten(
    season: Season,
) -> None:
    names = [{"commitment": "ab" * 32}, {"salt": "cd" * 16}]
    add_games(season, [bluff_record(5, seats=("karla", "ben"), names=names)])
    assert LogEntry.objects.filter(payload__contains='"committed":[0]').count() == 1
    assert list(club_differences(season.club_id)) == []
    player_erase(player=player("karla"), actor=Actor())
    assert seats_of("karla") == 0
    assert list(club_differences(season.club_id)) == []


def test_a_seat_that_lost_its_salt_is_named(
    season: Season, forger: psycopg.Connection[TupleRow]
) -> None:
    forger.execute(IMITATION, {"of": "karla", "to": "rosa"})
    named = [
        difference
        for difference in club_differences(season.club_id)
        if difference.code == "seat.seal"
    ]
    assert len(named) == 2


def test_who_is_erased_in_the_log_alone_is_named(season: Season) -> None:
    karla = player("karla")
    with club_journal(season.club_id) as journal:
        log_erasure(journal, karla)
        assert not refused(IMITATION, of="karla", to=karla.pseudonym)
    assert "player.erased_at" in {
        difference.code for difference in club_differences(season.club_id)
    }


def _newcomer(season: Season, handle: str) -> Player:
    add_games(season, [bluff_record(30, seats=(handle, "ben"))])
    return player(handle)


def test_each_erased_seat_finds_the_entry_of_its_player_by_an_index(season: Season) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"EXPLAIN SELECT FROM league_player player WHERE {ERASED_NOW}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "using log_of_subject" in plan
