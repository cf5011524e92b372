"""Corrections: a new fact that names the one it replaces."""

from __future__ import annotations

from engine.illegal import Illegal
from engine.messages import say
from games.models import Game
from games.services.game import Conflict, game_seal
from league.clubs.models import User
from league.clubs.services.player import NoTable, players_at_table
from league.imports.services.record import read_for, season_game_add
from league.log.models import Action
from league.log.services import Actor, club_journal
from league.rankings.models import SeasonGame


class NoCorrection(Exception):
    """This can't replace that game; `illegal` says why."""

    def __init__(self, illegal: Illegal) -> None:
        super().__init__(illegal.message)
        self.illegal = illegal


def game_correct(*, game: Game, line: bytes, reason: str, entered_by: User | None = None) -> Game:
    """Seal a record as the next revision of a game and call for the rankings to be computed with it.

    The record has the game's id and stands by itself; the revision before stays readable and no longer counts.
    Raises `NoCorrection` with the record's own fault, or with `wrong_id`, `reason_needed`, `conflict` (somebody
    corrected it first), `unchanged`.
    """
    season = SeasonGame.objects.select_related("season__club").get(game=game).season
    record, verdict, error = read_for(season, line)
    if record is None or error is not None:
        raise NoCorrection(error or Illegal("bad_record", say("this is no record")))
    if record.id != game.external_id:
        message = say("this is the record of {id}, not {wanted}", id=record.id, wanted=game.external_id)
        raise NoCorrection(Illegal("wrong_id", message, path="id"))
    if not reason.strip():
        raise NoCorrection(Illegal("reason_needed", say("say why the game is corrected")))
    try:
        with club_journal(season.club_id, Actor(entered_by.pk if entered_by else None, reason)) as journal:
            sealed = game_seal(
                record=record,
                verdict=verdict,
                source=game.source,
                entered_at=journal.at,
                entered_by_id=journal.actor.account_id,
                replaces=game,
                reason=reason,
            )
            if not sealed.created:
                raise NoCorrection(Illegal("unchanged", say("a revision of this game has this content already")))
            players_at_table(journal, record.seats, create=True)
            payload = {"replaces": game.public_id, "head": sealed.head.hex()}
            season_game_add(journal, season, sealed.game, Action.GAME_CORRECTED, payload)
    except Conflict as conflict:
        message = say("revision {number} is the newest one", number=conflict.game.revision)
        raise NoCorrection(Illegal("conflict", message)) from conflict
    except NoTable as refused:
        raise NoCorrection(refused.illegal) from refused
    return sealed.game
