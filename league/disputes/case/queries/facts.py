"""The facts about a sealed game, for the timeline of its case: one function for each kind."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from django.urls import reverse
from django.utils.text import Truncator

from games.models import Game, PlayAgain, Void
from league.core.log.models import LogEntry
from league.disputes.agreement.models import Agreement, Proposal
from league.disputes.appeal.actions import AppealAction
from league.disputes.appeal.models import Appeal
from league.disputes.case.domain import CaseFact
from league.disputes.case.queries.witness import witness_facts
from league.disputes.hearing.actions import HearingAction
from league.disputes.hearing.models import Hearing
from league.disputes.objection.models import Objection, ObjectionEnd
from league.disputes.ruling.actions import RulingAction
from league.disputes.ruling.models import Ruling
from league.disputes.statement.actions import StatementAction
from league.disputes.statement.models import Statement
from league.records.photo.actions import PhotoAction
from league.records.photo.models import Photo
from league.standings.adjustment.models import Penalty, SetOrder
from league.standings.ranked_game.actions import GameAction, ObjectionAction, ProposalAction

EXCERPT: Final = 200
"""The characters of a statement that the timeline shows; another page shows all of it."""


def case_facts(club_id: int, revisions: Sequence[Game]) -> list[CaseFact]:
    """Return all facts about a game, and further evidence about it, in the order of time. Twenty
    queries at most."""
    games = {game.pk: game for game in revisions}
    facts = [_sealed_or_corrected(game) for game in revisions]
    for facts_of in FACTS_OF_GAMES:
        facts += facts_of(games)
    facts += witness_facts(revisions)

    positions = _log_positions(club_id, {fact.subject for fact in facts})
    with_position = [
        replace(fact, position=positions.get((fact.action, fact.at))) for fact in facts
    ]
    return sorted(with_position, key=lambda fact: (fact.at, fact.position or 0))


def _sealed_or_corrected(game: Game) -> CaseFact:
    if game.replaces_id is None:
        return CaseFact(game.entered_at, GameAction.SEALED, game, game.entered_by)
    return CaseFact(
        game.entered_at,
        GameAction.CORRECTED,
        game,
        game.entered_by,
        words=game.why,
        path=reverse("game-difference", args=[game.public_id]),
    )


def _voids(games: dict[int, Game]) -> list[CaseFact]:
    voids = Void.objects.filter(game__in=games).select_related("made_by")
    return [
        CaseFact(
            void.made_at,
            GameAction.VOIDED if void.stands else GameAction.RESTORED,
            games[void.game_id],
            void.made_by,
            role=void.role,
            words=void.why,
        )
        for void in voids.order_by("game", "number")
    ]


def _penalties(games: dict[int, Game]) -> list[CaseFact]:
    penalties = Penalty.objects.filter(game__in=games, follows=None).select_related("made_by")
    return [
        CaseFact(
            penalty.made_at,
            GameAction.PENALTY_LIFTED if penalty.lifts_id else GameAction.PENALIZED,
            games[penalty.game_id],
            penalty.made_by,
            role=penalty.role,
            seat=penalty.seat,
            path=_adjustments_path(games[penalty.game_id]),
        )
        for penalty in penalties
    ]


def _set_orders(games: dict[int, Game]) -> list[CaseFact]:
    orders = SetOrder.objects.filter(game__in=games, follows=None).select_related("made_by")
    return [
        CaseFact(
            order.made_at,
            GameAction.ORDER_LIFTED if order.ranks is None else GameAction.ORDER_SET,
            games[order.game_id],
            order.made_by,
            role=order.role,
            path=_adjustments_path(games[order.game_id]),
        )
        for order in orders
    ]


def _adjustments_path(game: Game) -> str:
    return reverse("game", args=[game.public_id]) + "#adjustments"


def _played_again(games: dict[int, Game]) -> list[CaseFact]:
    rows = PlayAgain.objects.filter(void__game__in=games).select_related(
        "open_game", "void__made_by"
    )
    return [
        CaseFact(
            row.void.made_at,
            GameAction.PLAY_AGAIN,
            games[row.void.game_id],
            row.void.made_by,
            role=row.void.role,
            path=reverse("open-game", args=[row.open_game.public_id]),
        )
        for row in rows
    ]


def _objections(games: dict[int, Game]) -> list[CaseFact]:
    facts = []
    rows = Objection.objects.filter(game__in=games).select_related("raised_by", "end__ended_by")
    for objection in rows:
        game = games[objection.game_id]
        raised = CaseFact(
            objection.raised_at,
            ObjectionAction.RAISED,
            game,
            objection.raised_by,
            role=objection.role,
            seat=objection.seat,
            words=objection.why,
        )
        facts.append(raised)
        if hasattr(objection, "end"):
            facts.append(_objection_end(objection, objection.end, game))
    return facts


def _objection_end(objection: Objection, end: ObjectionEnd, game: Game) -> CaseFact:
    way_and_reason = str(ObjectionEnd.Way(end.way).label)
    if end.reason:
        way_and_reason = f"{way_and_reason}: {end.reason}"
    return CaseFact(
        end.ended_at,
        ObjectionAction.ENDED,
        game,
        end.ended_by,
        role=end.role,
        seat=objection.seat,
        words=way_and_reason,
        way=end.way,
    )


def _proposals(games: dict[int, Game]) -> list[CaseFact]:
    facts = []
    for proposal in Proposal.objects.filter(game__in=games):
        path = reverse("proposal", args=[proposal.public_id])
        facts.append(
            CaseFact(proposal.made_at, ProposalAction.MADE, games[proposal.game_id], path=path)
        )
    agreements = Agreement.objects.filter(proposal__game__in=games).select_related(
        "agreed_by", "proposal"
    )
    for agreement in agreements:
        agreed = CaseFact(
            agreement.agreed_at,
            ProposalAction.AGREED,
            games[agreement.proposal.game_id],
            agreement.agreed_by,
            role=agreement.role,
            seat=agreement.seat,
            path=reverse("proposal", args=[agreement.proposal.public_id]),
        )
        facts.append(agreed)
    return facts


def _photos(games: dict[int, Game]) -> list[CaseFact]:
    photos = Photo.objects.filter(game__in=games).defer("content").select_related("added_by")
    return [
        CaseFact(
            photo.added_at,
            PhotoAction.ADDED,
            games[photo.game_id],
            photo.added_by,
            path=reverse("game-photos", args=[games[photo.game_id].public_id]),
            about=photo.public_id,
        )
        for photo in photos
    ]


def _hearings(games: dict[int, Game]) -> list[CaseFact]:
    hearings = Hearing.objects.filter(game__in=games).select_related("opened_by")
    return [
        CaseFact(
            hearing.opened_at,
            HearingAction.OPENED,
            games[hearing.game_id],
            hearing.opened_by,
            role=hearing.role,
            words=hearing.question,
        )
        for hearing in hearings
    ]


def _rulings(games: dict[int, Game]) -> list[CaseFact]:
    rulings = Ruling.objects.filter(game__in=games).select_related("ruled_by")
    return [
        CaseFact(
            ruling.ruled_at,
            RulingAction.MADE,
            games[ruling.outcome_id],
            ruling.ruled_by,
            role=ruling.role,
            seat=ruling.seat,
            words=f"{ruling.get_verb_display()}: {ruling.why}",
            path=reverse("ruling", args=[ruling.public_id]),
        )
        for ruling in rulings
    ]


def _appeals(games: dict[int, Game]) -> list[CaseFact]:
    facts = []
    appeals = Appeal.objects.filter(ruling__game__in=games).select_related(
        "ruling", "raised_by", "end__ended_by"
    )
    for appeal in appeals:
        game = games[appeal.ruling.outcome_id]
        raised = CaseFact(
            appeal.raised_at,
            AppealAction.RAISED,
            game,
            appeal.raised_by,
            role=appeal.role,
            seat=appeal.seat,
            words=appeal.why,
        )
        facts.append(raised)
        if hasattr(appeal, "end"):
            end = appeal.end
            facts.append(CaseFact(end.ended_at, AppealAction.ENDED, game, end.ended_by))
    return facts


def _statements(games: dict[int, Game]) -> list[CaseFact]:
    facts = []
    for statement in Statement.objects.filter(game__in=games).select_related("made_by"):
        game = games[statement.game_id]
        page = reverse("game-statements", args=[game.public_id])
        fact = CaseFact(
            statement.made_at,
            StatementAction.MADE,
            game,
            statement.made_by,
            role=statement.role,
            seat=statement.seat,
            words=Truncator(statement.word).chars(EXCERPT),
            path=f"{page}#statement-{statement.public_id}",
            about=statement.public_id,
        )
        facts.append(fact)
    return facts


def _log_positions(club_id: int, subjects: Collection[str]) -> dict[tuple[str, datetime], int]:
    entries = LogEntry.objects.filter(club=club_id, subject__in=subjects)
    rows = entries.values_list("action", "at", "position")
    return {(action, at): position for action, at, position in rows}


FACTS_OF_GAMES: Final = (
    _voids,
    _penalties,
    _set_orders,
    _played_again,
    _objections,
    _proposals,
    _photos,
    _hearings,
    _rulings,
    _appeals,
    _statements,
)
"""The functions that read facts about the revisions of a game, given by row id."""
