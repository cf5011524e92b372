"""The facts about a sealed game, for the timeline of its case: one function for each kind."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db.models import Prefetch
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
from league.disputes.statement.queries.statement import FILES
from league.records.photo.actions import PhotoAction
from league.records.photo.models import Photo
from league.records.photo.queries import without_pictures
from league.standings.adjustment.models import Penalty, SetOrder
from league.standings.ranked_game.actions import GameAction, ObjectionAction, ProposalAction

EXCERPT: Final = 200
"""The characters of a statement that the timeline shows; another page shows all of it."""


HISTORY: Final = (
    Prefetch("voids", Void.objects.select_related("made_by", "play_again__open_game")),
    Prefetch("penalties", Penalty.objects.select_related("made_by")),
    Prefetch("set_orders", SetOrder.objects.select_related("made_by")),
    Prefetch("objections", Objection.objects.select_related("raised_by", "end__ended_by")),
    Prefetch("proposals", Proposal.objects.order_by("pk")),
    Prefetch("proposals__agreements", Agreement.objects.select_related("agreed_by")),
    Prefetch("photos", without_pictures(Photo.objects.all())),
    Prefetch("hearings", Hearing.objects.select_related("opened_by", "ruling")),
    Prefetch(
        "rulings",
        Ruling.objects.select_related(
            "ruled_by", "seconded_by", "decides", "appeal__raised_by", "appeal__end__ended_by"
        ),
    ),
    Prefetch("statements", Statement.objects.select_related("made_by").prefetch_related(FILES)),
)
"""Everything that was done with a game after it was sealed, to prefetch with its revisions. Eleven
queries at most."""


def case_facts(club_id: int, revisions: Sequence[Game]) -> list[CaseFact]:
    """Return all facts about a game, fetched with `HISTORY`, and further evidence about it, in the
    order of time. Seven queries at most."""
    games = {game.pk: game for game in revisions}
    facts = [_sealed_or_corrected(game) for game in revisions]
    for game in revisions:
        for facts_of in FACTS_OF_GAME:
            facts += facts_of(game)
        facts += _rulings(game, games)
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


def _voids(game: Game) -> list[CaseFact]:
    facts = []
    for void in game.voids.all():
        made = CaseFact(
            void.made_at,
            GameAction.VOIDED if void.stands else GameAction.RESTORED,
            game,
            void.made_by,
            role=void.role,
            words=void.why,
        )
        facts.append(made)
        if hasattr(void, "play_again"):
            facts.append(_played_again(game, void, void.play_again))
    return facts


def _played_again(game: Game, void: Void, play_again: PlayAgain) -> CaseFact:
    return CaseFact(
        void.made_at,
        GameAction.PLAY_AGAIN,
        game,
        void.made_by,
        role=void.role,
        path=reverse("open-game", args=[play_again.open_game.public_id]),
    )


def _penalties(game: Game) -> list[CaseFact]:
    return [
        CaseFact(
            penalty.made_at,
            GameAction.PENALTY_LIFTED if penalty.lifts_id else GameAction.PENALIZED,
            game,
            penalty.made_by,
            role=penalty.role,
            seat=penalty.seat,
            path=_adjustments_path(game),
        )
        for penalty in game.penalties.all()
        if penalty.follows_id is None
    ]


def _set_orders(game: Game) -> list[CaseFact]:
    return [
        CaseFact(
            order.made_at,
            GameAction.ORDER_LIFTED if order.ranks is None else GameAction.ORDER_SET,
            game,
            order.made_by,
            role=order.role,
            path=_adjustments_path(game),
        )
        for order in game.set_orders.all()
        if order.follows_id is None
    ]


def _adjustments_path(game: Game) -> str:
    return reverse("game", args=[game.public_id]) + "#adjustments"


def _objections(game: Game) -> list[CaseFact]:
    facts = []
    for objection in game.objections.all():
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


def _proposals(game: Game) -> list[CaseFact]:
    facts = []
    for proposal in game.proposals.all():
        path = reverse("proposal", args=[proposal.public_id])
        facts.append(CaseFact(proposal.made_at, ProposalAction.MADE, game, path=path))
        for agreement in proposal.agreements.all():
            agreed = CaseFact(
                agreement.agreed_at,
                ProposalAction.AGREED,
                game,
                agreement.agreed_by,
                role=agreement.role,
                seat=agreement.seat,
                path=path,
            )
            facts.append(agreed)
    return facts


def _photos(game: Game) -> list[CaseFact]:
    return [
        CaseFact(
            photo.added_at,
            PhotoAction.ADDED,
            game,
            photo.added_by,
            path=reverse("game-photos", args=[game.public_id]),
            about=photo.public_id,
        )
        for photo in game.photos.all()
    ]


def _hearings(game: Game) -> list[CaseFact]:
    return [
        CaseFact(
            hearing.opened_at,
            HearingAction.OPENED,
            game,
            hearing.opened_by,
            role=hearing.role,
            words=hearing.question,
        )
        for hearing in game.hearings.all()
    ]


def _rulings(game: Game, games: Mapping[int, Game]) -> list[CaseFact]:
    """Return the rulings on a revision, and the appeals against them. `games`: all revisions by row
    id, as these facts are about the revision that counted after the ruling."""
    facts = []
    for ruling in game.rulings.all():
        outcome = games[ruling.outcome_id]
        ruled = CaseFact(
            ruling.ruled_at,
            RulingAction.MADE,
            outcome,
            ruling.ruled_by,
            role=ruling.role,
            seat=ruling.seat,
            words=f"{ruling.get_verb_display()}: {ruling.why}",
            path=reverse("ruling", args=[ruling.public_id]),
        )
        facts.append(ruled)
        if hasattr(ruling, "appeal"):
            facts += _appeal(ruling.appeal, outcome)
    return facts


def _appeal(appeal: Appeal, game: Game) -> list[CaseFact]:
    raised = CaseFact(
        appeal.raised_at,
        AppealAction.RAISED,
        game,
        appeal.raised_by,
        role=appeal.role,
        seat=appeal.seat,
        words=appeal.why,
    )
    if not hasattr(appeal, "end"):
        return [raised]
    end = appeal.end
    return [raised, CaseFact(end.ended_at, AppealAction.ENDED, game, end.ended_by)]


def _statements(game: Game) -> list[CaseFact]:
    facts = []
    for statement in game.statements.all():
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


FACTS_OF_GAME: Final = (
    _voids,
    _penalties,
    _set_orders,
    _objections,
    _proposals,
    _photos,
    _hearings,
    _statements,
)
"""The functions that return facts about one revision of a game, but for its rulings."""
