"""Voiding a game that should never have been entered, so that it counts for nothing; and restoring
it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext

from engine.illegal import Refused
from games.models import Game, Void
from games.services.void import play_again_hold, void_append
from league.core.hooks import Hook
from league.core.jobs import call_on_commit
from league.core.log.services import Actor, Journal, club_journal
from league.records.game.services import sealing_hold
from league.stages.result.services.result import result_hold, void_follows
from league.stages.table.models import TableGame
from league.stages.table.queries.table import acting_role_at
from league.standings.ranked_game.actions import GameAction
from league.standings.season.models import VOID, SeasonGame
from league.standings.season.queries.season import rankings_of

game_voided: Final = Hook[[Journal, Game, str], object]()
"""Called when a game was voided, with the journal and the role of the person who voided it."""


def game_void_add(*, game: Game, actor: Actor, role: str = "") -> Void:
    """Void the newest revision of a game: it counts nowhere, and stays readable, with a mark.
    `role` is the role in which it is voided, if it isn't one in the club or at the event.

    Raise `Refused` with `reason_needed`, `reason_too_long`, `conflict` (a correction replaces it)
    or `voided`.
    """
    return _void_add(game, actor, stands=True, role=role)


def game_restore(*, game: Game, actor: Actor, role: str = "") -> Void:
    """Let a voided game count again, as if it had never been void. If it was to be played again, it
    no longer is. `role` as for `game_void_add`.

    Raise `Refused` with `reason_needed`, `reason_too_long`, `conflict`, `not_voided`,
    `played_again` (its new sheet has entries), or `walkover` or `table_finished` for a game of a
    table that was given, or has played all its games, without it.
    """
    return _void_add(game, actor, stands=False, role=role)


def table_games_void(*, games: Collection[str], among: QuerySet[TableGame], actor: Actor) -> None:
    """Void the games with these public ids, at tables whose round is about to be taken back, in the
    caller's transaction, which holds the lock of the event. All of them must be `among` the given
    games.

    Raise `ValidationError` if a game isn't one of them or can't be voided, or if there is no
    reason.
    """
    rows = list(among.filter(game__public_id__in=games).select_related("game").order_by("game"))
    if len(rows) < len(set(games)):
        raise ValidationError(
            {"void": gettext("One of the games wasn’t played at the tables being taken back.")}
        )
    for row in rows:
        try:
            game_void_add(game=row.game, actor=actor)
        except Refused as refused:
            field = "reason" if refused.illegal.code.startswith("reason") else "void"
            raise ValidationError({field: refused.illegal.message.translated(gettext)}) from refused


def _void_add(game: Game, actor: Actor, role: str, *, stands: bool) -> Void:
    """Void a game (`stands`) or restore it: store the fact, and update its table, its rankings and
    the log. Raise `Refused` as `game_void_add` and `game_restore` do."""
    # It raises `reason_needed` or `reason_too_long`.
    actor = actor.with_reason(actor.reason)
    season = SeasonGame.objects.select_related("season__ranking").get(game=game).season
    with club_journal(season.club_id, actor) as journal:
        play_again_hold(game)
        table_game = result_hold(game=game)
        sealing_hold(journal)
        role = role or acting_role_at(season.club_id, table_game, actor.account_id)
        void = void_append(
            game=game,
            stands=stands,
            reason=actor.reason,
            role=role,
            at=journal.at,
            by_id=actor.account_id,
        )
        if table_game is not None:
            void_follows(table_game=table_game, stands=stands)

        action = GameAction.VOIDED if stands else GameAction.RESTORED
        payload = {"season": season.public_id, "number": void.number, "role": role}
        journal.add(action, game.public_id, payload)
        journal.record(VOID, [void])
        if stands:
            game_voided(journal, game, role)
        for ranking_id in rankings_of(season):
            call_on_commit("standings.ranking.tasks.count_ranking", ranking_id)
    return void
