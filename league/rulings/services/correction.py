"""Corrections: a new fact that names the one it replaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.record import Record
from engine.record.verdict import Verdict
from engine.scoring.natural import natural
from games.domain.correction import GameChanges, game_changes
from games.domain.game import committed_seats
from games.models import Game
from games.queries.game import sealed_record
from games.queries.void import game_void
from games.services.game import Conflict, game_known, game_seal
from league.clubs.models import User
from league.clubs.services.player import NoTable, players_at_table, players_missing, players_of_handles
from league.log.services import Actor, club_journal
from league.rankings.actions import GameAction
from league.rankings.domain.game import UNTIMED
from league.rankings.seats import seats_for_others
from league.records.services.game import read_for, sealing_hold, season_game_add
from league.rulings.models import ObjectionEnd
from league.rulings.queries.event import EventEffect, result_effect
from league.rulings.queries.ranking import RankingEffect, ranking_effect
from league.rulings.services.objection import game_acting_role, objections_close
from league.seasons.models import Season, SeasonGame
from league.seasons.queries.ranking import rankings_of
from league.tables.services.result import NoResult, result_hold, results_follow

REASON_LENGTH: Final = Game._meta.get_field("reason").max_length or 0
"""Characters that a reason may have."""
UNCHANGED: Final = Illegal("unchanged", say("the game has this content already"))


class NoCorrection(Refused):
    """This can't replace that game; `illegal` says why."""


@dataclass(frozen=True, slots=True)
class CorrectionPreview:
    """All that a correction would do: to the game, to each ranking that counts it, and to the event at whose table it
    was played. `new_players`: their handles."""

    changes: GameChanges
    effects: tuple[RankingEffect, ...]
    new_players: tuple[str, ...]
    event: EventEffect | None


def game_correct(*, game: Game, line: bytes, reason: str, entered_by: User | None = None) -> Game:
    """Seal a record as the next revision of a game and call for the rankings to be computed with it.

    The record has the game's id and stands by itself; the revision before stays readable and no longer counts.
    Raises `NoCorrection` with the record's own fault, or with `wrong_id`, `reason_needed`, `reason_too_long`,
    `conflict` (somebody corrected it first), `unchanged` (the newest revision has this content), `voided`.
    """
    season, record, verdict = _read(game, line)
    reason = reason.strip()
    if not reason:
        raise NoCorrection(Illegal("reason_needed", say("say why the game is corrected")))
    if len(reason) > REASON_LENGTH:
        message = say("a reason has at most {most} characters", most=REASON_LENGTH)
        raise NoCorrection(Illegal("reason_too_long", message))
    try:
        with club_journal(season.club_id, Actor(entered_by.pk if entered_by else None, reason)) as journal:
            result_hold(game=game)
            sealing_hold(journal)
            _refuse_void(game)
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
                raise NoCorrection(UNCHANGED)
            players_at_table(journal, record.seats, create=True)
            payload = {"replaces": game.public_id, "head": sealed.head.hex(), **committed_seats(record)}
            season_game_add(journal, season, sealed.game, GameAction.CORRECTED, payload)
            results_follow(journal=journal, game=sealed.game, replaces=game)
            role = game_acting_role(game, journal.actor.account_id)
            objections_close(journal=journal, game=game, way=ObjectionEnd.Way.CORRECTED, role=role)
    except Conflict as conflict:
        raise _no_longer_newest(conflict) from conflict
    except (NoTable, NoResult) as refused:
        raise NoCorrection(refused.illegal) from refused
    return sealed.game


def correction_preview(*, game: Game, line: bytes) -> CorrectionPreview:
    """Return what `game_correct` would do with a record. Nothing is written. Raises `NoCorrection` as that would."""
    season, record, verdict = _read(game, line)
    _refuse_void(game)
    try:
        if game_known(record=record, source=game.source, replaces=game):
            raise NoCorrection(UNCHANGED)
        new_players = players_missing(season.club_id, record.seats, create=True)
    except Conflict as conflict:
        raise _no_longer_newest(conflict) from conflict
    except NoTable as refused:
        raise NoCorrection(refused.illegal) from refused
    players = players_of_handles(season.club_id, record.seats)
    try:
        event = result_effect(game=game, players=players, ending=verdict.ending)
    except NoResult as refused:
        raise NoCorrection(refused.illegal) from refused
    stand_ins = seats_for_others([game.pk]).get(game.pk, {})
    effects = [
        ranking_effect(
            ranking_id=ranking_id,
            game_id=game.pk,
            handles=record.seats,
            players=players,
            stand_ins=stand_ins if ranking_id == season.ranking_id else {},
            ending=verdict.ending,
            place=(record.instant or UNTIMED, natural(record.record_id)),
        )
        for ranking_id in rankings_of(season)
    ]
    return CorrectionPreview(game_changes(sealed_record(game)[0], record), tuple(effects), new_players, event)


def _read(game: Game, line: bytes) -> tuple[Season, Record, Verdict]:
    """The season of a game, and the record that is to replace it with the verdict on it. Raises `NoCorrection`."""
    season = SeasonGame.objects.select_related("season__club", "season__ranking").get(game=game).season
    record, verdict, error = read_for(season, line)
    if error is not None and error.path == "outcome.points" and _tells_places_alone(game):
        record, verdict, error = read_for(season, line, places_alone=True)
    if record is None or error is not None:
        raise NoCorrection(error or Illegal("bad_record", say("this is no record")))
    if record.record_id != game.external_id:
        message = say("this is the record of {id}, not {wanted}", id=record.record_id, wanted=game.external_id)
        raise NoCorrection(Illegal("wrong_id", message, path="id"))
    return season, record, verdict


def _tells_places_alone(game: Game) -> bool:
    """True if only the end of a game is known, and not its points: it may stay so when it is corrected."""
    outcome = sealed_record(game)[0].outcome
    return outcome is not None and outcome.points is None


def _refuse_void(game: Game) -> None:
    """Raise `NoCorrection` (`voided`) for a game that is void."""
    if game_void(game) is not None:
        raise NoCorrection(Illegal("voided", say("this game is void: restore it, then correct it")))


def _no_longer_newest(conflict: Conflict) -> NoCorrection:
    message = say("revision {number} is the newest one", number=conflict.game.revision)
    return NoCorrection(Illegal("conflict", message))
