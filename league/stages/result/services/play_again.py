"""Sealing a game that was played again from a round, as the next revision of the voided one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import override

from games.domain.game import committed_seats
from games.models import Game, PlayAgain
from games.services.game import game_rows, games_append
from league.core.log.services import Actor, club_journal
from league.records.game.services import record_read, sealing_hold, season_game_add
from league.stages.result.services.result import (
    refuse_closed,
    refuse_walkover,
    result_hold,
    results_follow,
)
from league.stages.table.queries.table import sitting_at
from league.standings.ranked_game.actions import GameAction
from league.standings.season.models import SeasonGame


def played_again_enter(
    *, play_again: PlayAgain, line: bytes, account_id: int | None, details: Mapping[str, Any]
) -> Game:
    """Seal a game that was played again as the next revision of the voided game, with the reason of
    the void. `details` are added to the log entry.

    The caller's transaction holds the lock of the sheet and has checked that the sheet isn't
    sealed. Raise `Refused` with the record's own fault, or with `round_closed` or `walkover`.
    """
    game = play_again.void.game
    season = (
        SeasonGame.objects.select_related("season__club", "season__ranking").get(game=game).season
    )
    with override(season.club.language):
        actor = Actor(account_id, play_again.void.why)
    record, verdict = record_read(season, line, places_alone=True)
    with club_journal(season.club_id, actor) as journal:
        table_game = result_hold(game=game)
        assert table_game is not None
        refuse_closed(table_game.table)
        refuse_walkover(sitting_at(table_game.table))
        sealing_hold(journal)
        rows = game_rows(
            record=record,
            verdict=verdict,
            source=game.source,
            entered_at=journal.at,
            entered_by_id=account_id,
            replaces=game,
            reason=actor.reason,
        )
        games_append([rows])
        revision = rows.revision.game
        payload = {
            "replaces": game.public_id,
            "head": rows.revision.head.hex(),
            **committed_seats(record),
            **details,
        }
        season_game_add(journal, season, revision, GameAction.CORRECTED, payload)
        results_follow(journal=journal, game=revision, replaces=game)
    return revision
