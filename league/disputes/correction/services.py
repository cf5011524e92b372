"""Corrections. A correction is a new fact that names the one it replaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.record import Record
from engine.record.verdict import Verdict
from games.domain.correction import GameChanges, game_changes
from games.domain.game import committed_seats
from games.models import Game
from games.queries.game import sealed_record
from games.queries.void import game_void
from games.services.game import game_known, game_seal
from league.core.log.services import Actor, club_journal
from league.core.player.queries.player import players_of_handles
from league.core.player.services.player import players_at_table, players_missing
from league.disputes.correction.queries.event import EventEffect, result_effect
from league.disputes.correction.queries.ranking import RankingEffect, game_effects
from league.disputes.objection.models import ObjectionEnd
from league.disputes.objection.services import game_acting_role, objections_close
from league.records.game.services import read_for, sealing_hold, season_game_add
from league.stages.adjustment.queries import adjustments_carried
from league.stages.adjustment.services.adjusting import adjustments_follow
from league.stages.result.services.result import result_hold, results_follow
from league.standings.ranked_game.actions import GameAction
from league.standings.season.models import Season, SeasonGame

UNCHANGED: Final = Illegal("unchanged", say("the game already has this content"))


@dataclass(frozen=True, slots=True)
class CorrectionPreview:
    """The changes that a correction would make: in the game, in each ranking that counts it, and in
    the event at whose table it was played. `new_players`: the handles that are new in the club."""

    changes: GameChanges
    effects: tuple[RankingEffect, ...]
    new_players: tuple[str, ...]
    event: EventEffect | None


def game_correct(
    *, game: Game, line: bytes, reason: str, entered_by_id: int | None = None, role: str = ""
) -> Game:
    """Seal a record as the next revision of a game, and call the jobs that compute its rankings
    again.

    The record has the game's id. The revision before stays readable, and no longer counts. `role`:
    the role in which the actor corrects the game; by default their role in the club or at the
    event.

    Raise `Refused` with the record's own fault, or with `wrong_id`, `reason_needed`,
    `reason_too_long`, `conflict` (somebody corrected the game first), `unchanged` (the newest
    revision has this content), `voided`."""
    season, record, verdict = _read_correction(game, line)
    actor = Actor(entered_by_id).with_reason(reason)
    with club_journal(season.club_id, actor) as journal:
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
            reason=actor.reason,
        )
        if not sealed.created:
            raise Refused(UNCHANGED)
        players_at_table(journal, record.seats)
        payload = {"replaces": game.public_id, "head": sealed.head.hex(), **committed_seats(record)}
        season_game_add(journal, season, sealed.game, GameAction.CORRECTED, payload)
        adjustments_follow(journal=journal, game=sealed.game, replaces=game)
        results_follow(journal=journal, game=sealed.game, replaces=game)
        role = role or game_acting_role(game, actor.account_id)
        objections_close(journal=journal, game=game, way=ObjectionEnd.Way.CORRECTED, role=role)
    return sealed.game


def correction_preview(*, game: Game, line: bytes) -> CorrectionPreview:
    """Return what `game_correct` would change with a record; write nothing. Raise `Refused` if it
    would refuse the record."""
    season, record, verdict = _read_correction(game, line)
    _refuse_void(game)
    if game_known(record=record, source=game.source, replaces=game):
        raise Refused(UNCHANGED)
    new_players = players_missing(season.club_id, record.seats)
    players = players_of_handles(season.club_id, record.seats)
    ending = verdict.ending
    adjustments = adjustments_carried(game, players, ending)
    event = result_effect(game=game, players=players, ending=ending, adjustments=adjustments)
    effects = game_effects(
        game=game, record=record, players=players, ending=ending, adjustments=adjustments
    )
    sealed, _ = sealed_record(game)
    return CorrectionPreview(
        changes=game_changes(sealed, record),
        effects=effects,
        new_players=new_players,
        event=event,
    )


def _read_correction(game: Game, line: bytes) -> tuple[Season, Record, Verdict]:
    season_games = SeasonGame.objects.select_related("season__club", "season__ranking")
    season = season_games.get(game=game).season
    record, verdict, error = read_for(season, line)
    if error is not None and error.path == "outcome.points" and _knows_places_alone(game):
        # A game of which no points were known may be corrected without points.
        record, verdict, error = read_for(season, line, places_alone=True)
    if record is None or error is not None:
        raise Refused(error or Illegal("bad_record", say("this isn't a record")))
    if record.record_id != game.external_id:
        message = say(
            "this is the record of {id}, not {wanted}",
            id=record.record_id,
            wanted=game.external_id,
        )
        raise Refused(Illegal("wrong_id", message, path="id"))
    return season, record, verdict


def _knows_places_alone(game: Game) -> bool:
    record, _ = sealed_record(game)
    return record.outcome is not None and record.outcome.points is None


def _refuse_void(game: Game) -> None:
    if game_void(game) is not None:
        raise Refused(Illegal("voided", say("this game is void: restore it, then correct it")))
