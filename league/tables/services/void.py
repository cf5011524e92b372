"""Voids: a game that should never have been entered counts for nothing; and it is restored in the same way."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.models import Game, Void
from games.queries.void import game_void
from games.services.void import OutOfTurn, void_append
from league.clubs.queries.author import acting_role
from league.events.queries.helper import event_acting_role
from league.jobs import call_on_commit
from league.log.services import Actor, club_journal
from league.rankings.actions import GameAction
from league.records.services.game import sealing_hold
from league.seasons.models import SeasonGame
from league.seasons.queries.ranking import rankings_of
from league.tables.models import TableGame
from league.tables.services.result import NoResult, result_hold, void_follows
from league.tables.signals import game_voided

REASON_LENGTH: Final = Void._meta.get_field("reason").max_length or 0
"""Characters that a reason may have."""
MESSAGES: Final[dict[str, Message]] = {
    "voided": say("this game is void already"),
    "not_voided": say("this game isn't void"),
    "conflict": say("this game was corrected: its newest revision is the one to void or to restore"),
}


class NoVoid(Refused):
    """This game can't be voided, or restored; `illegal` says why."""


def game_void_add(*, game: Game, actor: Actor) -> Void:
    """Take the newest revision of a game out of all that is counted; it stays readable, with a mark.

    Raises `NoVoid` with `reason_needed`, `reason_too_long`, `conflict` (a correction replaces it) or `voided`.
    """
    return _add(game, actor, stands=True)


def game_restore(*, game: Game, actor: Actor) -> Void:
    """Let a voided game count again, as if it had never been void.

    Raises `NoVoid` with `reason_needed`, `reason_too_long`, `conflict`, `not_voided`, or, for a game of a table that
    was given or played out without it, `walkover` or `table_finished`.
    """
    return _add(game, actor, stands=False)


def table_games_void(*, games: Collection[str], among: QuerySet[TableGame], actor: Actor) -> None:
    """Void games, by their public ids, of tables whose round is about to be taken back: those that may be named are
    `among` these. In the caller's transaction, which holds the event.

    Raises `ValidationError`: a game isn't one of them, one can't be voided, or there is no reason.
    """
    rows = list(among.filter(game__public_id__in=games).select_related("game").order_by("game"))
    if len(rows) < len(set(games)):
        raise ValidationError({"void": gettext("A game isn’t of the tables that are taken back.")})
    for row in rows:
        try:
            game_void_add(game=row.game, actor=actor)
        except NoVoid as refused:
            field = "reason" if refused.illegal.code.startswith("reason") else "void"
            raise ValidationError({field: refused.illegal.message.translated(gettext)}) from refused


def refuse_out_of_turn(*, game: Game, stands: bool) -> None:
    """Raise `NoVoid` (`conflict`, `voided`, `not_voided`) for a game that can't be voided, or (unless `stands`)
    restored, as it is now."""
    code = "voided" if stands else "not_voided"
    if Game.objects.filter(replaces=game).exists():
        code = "conflict"
    elif stands != (game_void(game) is not None):
        return
    raise NoVoid(Illegal(code, MESSAGES[code]))


def _add(game: Game, actor: Actor, *, stands: bool) -> Void:
    """Add the fact, note it, and let the table and the rankings follow."""
    reason = actor.reason.strip()
    if not reason:
        raise NoVoid(Illegal("reason_needed", say("say why: everybody can read it")))
    if len(reason) > REASON_LENGTH:
        raise NoVoid(Illegal("reason_too_long", say("a reason has at most {most} characters", most=REASON_LENGTH)))
    season = SeasonGame.objects.select_related("season__ranking").get(game=game).season
    try:
        with club_journal(season.club_id, Actor(actor.account_id, reason, actor.request_id)) as journal:
            table_game = result_hold(game=game)
            sealing_hold(journal)
            role = acting_role(season.club_id, actor.account_id)
            if table_game is not None:
                role = event_acting_role(table_game.table.stage_round.stage.event, actor.account_id)
            void = void_append(
                game=game, stands=stands, reason=reason, role=role, at=journal.at, by_id=actor.account_id
            )
            if table_game is not None:
                void_follows(table_game=table_game, stands=stands)
            action = GameAction.VOIDED if stands else GameAction.RESTORED
            journal.add(action, game.public_id, {"season": season.public_id, "number": void.number, "role": role})
            if stands:
                game_voided.send(Void, journal=journal, game=game, role=role)
            for ranking_id in rankings_of(season):
                call_on_commit("rankings.tasks.count_ranking", ranking_id)
    except OutOfTurn as refused:
        raise NoVoid(Illegal(refused.code, MESSAGES[refused.code])) from refused
    except NoResult as refused:
        raise NoVoid(refused.illegal) from refused
    return void
