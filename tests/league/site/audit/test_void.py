"""A void that somebody undid or did behind the log's back is named; the reason of one loses a name
that is erased."""

from __future__ import annotations

from typing import Final

import pytest
from django.urls import reverse

from engine.record.verify import verify_line
from games.models import Game, Void
from games.queries.game import game_export
from league.core.log.queries import log_chunks
from league.core.log.services import Actor
from league.models import LogEntry, Player, Season
from league.site.erasure.queries import player_mentions
from league.site.erasure.services.erasure import player_erase
from league.stages.result.services.void import game_restore, game_void_add
from league.standings.ranked_game.actions import GameAction
from tests.database import TRIGGERS_OFF, connect_as_owner
from tests.factories.counted import count, counted_season
from tests.factories.records import bluff_record
from tests.league.site.audit.differences import club_differences

WHY: Final = Actor(reason="Zacharias entered it twice.")


def voided(season: Season) -> Game:
    game = Game.objects.earliest("pk")
    game_void_add(game=game, actor=WHY)
    count(season)
    return game


def named(season: Season) -> set[tuple[str, str]]:
    return {
        (difference.table, difference.column) for difference in club_differences(season.club_id)
    }


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("statement", "cell"),
    [
        ("DELETE FROM games_void", ("void", "row")),
        ("UPDATE games_void SET stands = false", ("void", "stands")),
        ("UPDATE games_void SET role = 'player'", ("void", "role")),
        ("UPDATE games_void SET reason = 'Nothing.'", ("void", "reason")),
        ("UPDATE games_void SET reason = ''", ("void", "reason")),
        (
            "INSERT INTO games_void (game_id, number, stands, reason, role, made_at)"
            " SELECT id, 1, true, 'Why.', 'organiser', now()"
            " FROM games_game ORDER BY id DESC LIMIT 1",
            ("void", "row"),
        ),
        ("UPDATE league_rankedgame SET voided = false WHERE voided", ("game", "voided")),
    ],
)
def test_what_was_done_behind_the_logs_back_is_named(statement: str, cell: tuple[str, str]) -> None:
    season = counted_season([bluff_record(1), bluff_record(2)])
    voided(season)
    assert named(season) == set()
    with connect_as_owner(TRIGGERS_OFF) as owner:
        owner.execute(statement)
    assert cell in named(season)


@pytest.mark.django_db
def test_the_reason_of_a_void_is_removed_with_the_person_whom_it_names() -> None:
    season = counted_season(
        [bluff_record(1, seats=("zacharias", "ben")), bluff_record(2, seats=("cleo", "ben"))]
    )
    game = voided(season)
    game_restore(game=game, actor=Actor(reason="It counts."))
    game_void_add(game=game, actor=Actor(reason="No, zacharias was right."))
    player = Player.objects.get(handle="zacharias")
    mentions = [mention for mention in player_mentions(player) if mention.noun == "void"]
    assert [mention.url for mention in mentions] == [reverse("game", args=[game.public_id])]
    player_erase(player=player, actor=Actor())
    assert list(Void.objects.order_by("number").values_list("reason", flat=True)) == [
        "",
        "It counts.",
        "",
    ]
    removed = LogEntry.objects.filter(action=GameAction.VOID_REASON_REMOVED)
    assert removed.count() == 2
    count(season)
    assert named(season) == set()
    line = game_export(game)
    assert b"acharias" not in line
    assert verify_line(line).ok
    assert b"acharias" not in b"".join(log_chunks(season.club_id))
