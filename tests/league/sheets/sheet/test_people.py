"""Who sits at an open game is somebody of the club: renamed, merged and erased there as at a sealed
one."""

import pytest

from games.models import Game, OpenSeat
from league.core.player.services.player import player_rename
from league.models import Player, Table
from league.sheets.sheet.queries.verification import verify_open_games
from league.sheets.sheet.services.open_game import open_game_seal, table_game_open
from league.site.erasure.services.erasure import player_erase
from league.standings.player.services import player_merge
from tests.factories import events
from tests.factories.league import PlayerFactory
from tests.league.sheets.sheet.logged import SCRIBE, finished_season_game, finished_sheet

pytestmark = pytest.mark.django_db


def seated(table: Table) -> Player:
    return Player.objects.select_related("club").get(
        entries__seats__table=table, entries__seats__seat=0
    )


def test_a_new_handle_leaves_the_game_open(table: Table) -> None:
    row = table_game_open(table=table)
    player_rename(player=seated(table), name="Rosa", handle="rosa", actor=events.ACTOR)
    assert table_game_open(table=table) == row


def test_who_is_merged_into_somebody_plays_on_as_that_one(table: Table) -> None:
    row = table_game_open(table=table)
    other = PlayerFactory.create(club=table.stage_round.stage.event.club, handle="other")
    player_merge(kept_player=other, merged=seated(table), actor=events.ACTOR)
    assert table_game_open(table=table) == row


def test_an_erased_player_leaves_no_name_in_an_open_game_and_every_digest_holds(
    table: Table,
) -> None:
    row = finished_sheet(table)
    player = seated(table)
    handle = player.handle
    assert OpenSeat.objects.filter(handle=handle).exists()
    assert player_erase(player=player, actor=events.ACTOR)
    assert not OpenSeat.objects.filter(handle=handle).exists()
    assert verify_open_games(player.club, {}).differences == []
    open_game_seal(row=row, length=1, writer=SCRIBE)
    assert not Game.objects.get().seats.filter(handle=handle).exists()
    assert verify_open_games(player.club, {}).differences == []


def test_who_sits_at_a_game_without_a_table_is_renamed_merged_and_erased_like_anybody(
    table: Table,
) -> None:
    row = finished_season_game(table)
    first, second = (
        seat.handle for seat in OpenSeat.objects.filter(open_game=row.open_game).order_by("number")
    )
    one, other = (
        Player.objects.select_related("club").get(handle=handle) for handle in (first, second)
    )
    player_rename(player=one, name="Rosa", handle="rosa", actor=events.ACTOR)
    kept = PlayerFactory.create(club=one.club, handle="kept")
    player_merge(kept_player=kept, merged=one, actor=events.ACTOR)
    assert player_erase(player=other, actor=events.ACTOR)
    assert not OpenSeat.objects.filter(handle=second).exists()
    assert verify_open_games(kept.club, {}).differences == []
    game = open_game_seal(row=row, length=1, writer=SCRIBE)
    assert game is not None
    assert [seat.handle for seat in game.seats.order_by("number")] == [
        first,
        f"player-{other.public_id}",
    ]
    assert verify_open_games(kept.club, {}).differences == []
