"""Corrections: a new fact that names the one it replaces."""

from __future__ import annotations

from django.db import transaction

from engine.illegal import Illegal
from engine.record.check import check
from engine.record.record import read
from games.models import Game
from games.services.game import Conflict, game_seal
from league.clubs.models import User
from league.clubs.services.player import NoTable, players_at_table
from league.imports.services.record import disproved, misfit, season_game_link
from league.jobs import call_on_commit
from league.rankings.models import SeasonGame


class NoCorrection(Exception):
    """This can't replace that game; `illegal` says why."""

    def __init__(self, illegal: Illegal) -> None:
        super().__init__(illegal.message)
        self.illegal = illegal


def game_correct(*, game: Game, line: bytes, reason: str, entered_by: User | None = None) -> Game:
    """Seal a record as the next revision of a game and call for the table to be computed with it.

    The record has the game's id and stands by itself; the revision before stays readable and no longer counts.
    Raises `NoCorrection` with the record's own fault, or with `wrong_id`, `reason_needed`, `conflict` (somebody
    corrected it first), `unchanged`.
    """
    record = read(line)
    if isinstance(record, Illegal):
        raise NoCorrection(record)
    verdict = check(record)
    season = SeasonGame.objects.select_related("season__club").get(game=game).season
    if error := verdict.error or disproved(record) or misfit(season, record):
        raise NoCorrection(error)
    if record.id != game.external_id:
        raise NoCorrection(Illegal("wrong_id", f"this is the record of {record.id}, not {game.external_id}", path="id"))
    if not reason.strip():
        raise NoCorrection(Illegal("reason_needed", "say why the game is corrected"))
    try:
        with transaction.atomic():
            sealed = game_seal(
                record=record,
                verdict=verdict,
                source=game.source,
                entered_by_id=entered_by.pk if entered_by else None,
                replaces=game,
                reason=reason,
            )
            if not sealed.created or sealed.outbox is None:
                raise NoCorrection(Illegal("unchanged", "a revision of this game has this content already"))
            players, _ = players_at_table(season.club, record.seats, create=True)
            season_game_link(season, sealed.game, sealed.seats, players)
            call_on_commit("rankings.tasks.count_game", sealed.outbox.pk)
    except Conflict as conflict:
        raise NoCorrection(Illegal("conflict", f"revision {conflict.game.revision} is the newest one")) from conflict
    except NoTable as refused:
        raise NoCorrection(refused.illegal) from refused
    return sealed.game
