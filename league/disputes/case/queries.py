"""All that is known of a game whose result is disputed, for those who rule on it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator

from engine.illegal import Illegal
from engine.record.record import read
from games.domain.correction import GameChanges, game_changes
from games.models import Game, PlayAgain, SealedSheet, Void
from games.queries.game import sealed_record
from games.queries.void import game_void
from league.core.log.models import LogEntry
from league.core.viewer.queries.access import Viewer
from league.disputes.agreement.models import Agreement, Proposal
from league.disputes.agreement.queries import proposal_line, proposal_of
from league.disputes.appeal.actions import AppealAction
from league.disputes.appeal.models import Appeal, AppealDraft
from league.disputes.appeal.queries import appeal_until
from league.disputes.case.domain import CaseFact, CaseState
from league.disputes.evidence.queries import evidence_facts
from league.disputes.hearing.actions import HearingAction
from league.disputes.hearing.models import Hearing
from league.disputes.objection.models import Objection, ObjectionEnd
from league.disputes.objection.queries.objection import ObjectionWindow, objection_rows, objection_window
from league.disputes.ruling.actions import RulingAction
from league.disputes.ruling.models import Ruling
from league.disputes.ruling.queries import OpenDispute, open_dispute, rulings_of
from league.disputes.statement.actions import StatementAction
from league.disputes.statement.models import Statement
from league.records.photo.actions import PhotoAction
from league.records.photo.models import Photo
from league.sheets.sheet.domain.history import EntryInWords
from league.sheets.sheet.models import ClubOpenGame
from league.sheets.sheet.queries.access import sealed_open_game
from league.sheets.sheet.queries.open_game import BranchInWords, branches_in_words, sheet_in_words
from league.standings.adjustment.models import Penalty, SetOrder
from league.standings.ranked_game.actions import GameAction, ObjectionAction, ProposalAction
from league.standings.ranked_game.queries.game import SeatAtTable, seats_of

EXCERPT: Final = 200
"""Characters of a statement that the timeline shows; the whole of it stands beside."""


class SheetOfGame(NamedTuple):
    """The sheet on which a game was written down: its open game, the names of the seats, its entries, and what is kept
    beside it because it came late."""

    row: ClubOpenGame
    names: list[str]
    entries: list[EntryInWords]
    branches: list[BranchInWords]


class Case(NamedTuple):
    """What is claimed of a game, and what is known of it.

    `revisions`: the first one first; the last one is the one that counts. `claims`: the open objections. `dispute`: all
    that waits for a ruling, None if nothing does. `rulings`: on any revision, the first one first. `drafts`: of the
    decision of an open appeal. `proposal`:
    what the seats propose as the correction, with its `changes`; both None where nothing is proposed. `window`: until
    when seats can object, and the seat of the viewer. `sheet`: None where nobody wrote the game down round by round.
    """

    revisions: list[Game]
    seats: list[SeatAtTable]
    claims: list[dict[str, Any]]
    dispute: OpenDispute | None
    rulings: list[Ruling]
    drafts: list[AppealDraft]
    proposal: Proposal | None
    changes: GameChanges | None
    window: ObjectionWindow
    is_void: bool
    sheet: SheetOfGame | None
    facts: list[CaseFact]

    @property
    def newest(self) -> Game:
        """The revision that counts."""
        return self.revisions[-1]

    @property
    def appeal_until(self) -> datetime | None:
        """Until when a seat can appeal against the last ruling; None if there is none, or it is final."""
        if not self.rulings or hasattr(self.rulings[-1], "appeal"):
            return None
        return appeal_until(self.rulings[-1])

    def state(self, at: datetime) -> CaseState:
        """Return how far the dispute has come at a time."""
        if self.dispute is not None:
            return _open_state(self.dispute)
        if self.rulings:
            can_appeal = self.appeal_until is not None and at <= self.appeal_until
            return CaseState.RULED if can_appeal else CaseState.CLOSED
        ways = [fact.way for fact in self.facts if fact.way]
        if ways:
            withdrawn = set(ways) == {ObjectionEnd.Way.WITHDRAWN.value}
            return CaseState.WITHDRAWN if withdrawn else CaseState.CLOSED
        is_late = self.window.until is not None and not self.window.is_open(at)
        return CaseState.OUT_OF_TIME if is_late else CaseState.NONE


def case_of(viewer: Viewer, game: Game) -> Case:
    """Read all that is known of a game that comes with its season and club. The number of queries doesn't depend on
    how long the game is, nor on how often it was disputed."""
    revisions = list(
        Game.objects.filter(source=game.source, external_id=game.external_id)
        .select_related("entered_by", "replaces")
        .order_by("revision")
    )
    newest = revisions[-1]
    newest.season_game = game.season_game
    proposal = proposal_of(newest)
    dispute = open_dispute(newest)
    return Case(
        revisions=revisions,
        seats=seats_of(newest),
        claims=list(objection_rows(Objection.objects.filter(game=newest, end=None))),
        dispute=dispute,
        rulings=list(rulings_of(newest).select_related("appeal", "decides", "ruled_by", "seconded_by")),
        drafts=_drafts(dispute),
        proposal=proposal,
        changes=_changes(newest, proposal),
        window=objection_window(newest, viewer.user.pk),
        is_void=game_void(newest) is not None,
        sheet=_sheet_of(revisions),
        facts=case_facts(game.season_game.season.club_id, revisions),
    )


def _open_state(dispute: OpenDispute) -> CaseState:
    if dispute.appeal is not None:
        return CaseState.APPEALED
    return CaseState.HEARD if dispute.hearing is not None else CaseState.RAISED


def _drafts(dispute: OpenDispute | None) -> list[AppealDraft]:
    if dispute is None or dispute.appeal is None:
        return []
    return list(AppealDraft.objects.filter(appeal=dispute.appeal).select_related("author"))


def _changes(game: Game, proposal: Proposal | None) -> GameChanges | None:
    if proposal is None:
        return None
    proposed = read(proposal_line(proposal))
    return None if isinstance(proposed, Illegal) else game_changes(sealed_record(game)[0], proposed)


def _sheet_of(revisions: Sequence[Game]) -> SheetOfGame | None:
    sheets = SealedSheet.objects.filter(game__in=revisions).select_related("sheet__open_game")
    sealed = sheets.order_by("-game__revision").first()
    if sealed is None:
        return None
    row = sealed_open_game(sealed.sheet.open_game.public_id)
    names, entries = sheet_in_words(row.open_game, row.club.pk)
    return SheetOfGame(row, names, entries, branches_in_words(row.open_game, entries, timezone.now()))


def case_facts(club_id: int, revisions: Sequence[Game]) -> list[CaseFact]:
    """Read all that was done with a game, and what rests on it, by its revisions, in the order of time. Twenty queries
    at most."""
    games = {game.pk: game for game in revisions}
    facts = [
        *[_sealed(game) for game in revisions],
        *_voids(games),
        *_adjustments(games),
        *_played_again(games),
        *_objections(games),
        *_proposals(games),
        *_photos(games),
        *_hearings(games),
        *_rulings(games),
        *_appeals(games),
        *_statements(games),
        *evidence_facts(revisions),
    ]
    positions = _positions(club_id, {fact.subject for fact in facts})
    placed = [replace(fact, position=positions.get((fact.action, fact.at))) for fact in facts]
    return sorted(placed, key=lambda fact: (fact.at, fact.position or 0))


def _sealed(game: Game) -> CaseFact:
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
    return [
        CaseFact(
            void.made_at,
            GameAction.VOIDED if void.stands else GameAction.RESTORED,
            games[void.game_id],
            void.made_by,
            role=void.role,
            words=void.why,
        )
        for void in Void.objects.filter(game__in=games).select_related("made_by").order_by("game", "number")
    ]


def _adjustments(games: dict[int, Game]) -> list[CaseFact]:
    """Penalty points that were taken off or given back, and orders that were set or lifted."""
    penalties = [
        CaseFact(
            penalty.made_at,
            GameAction.PENALTY_LIFTED if penalty.lifts_id else GameAction.PENALIZED,
            games[penalty.game_id],
            penalty.made_by,
            role=penalty.role,
            seat=penalty.seat,
            path=_adjusted_path(games[penalty.game_id]),
        )
        for penalty in Penalty.objects.filter(game__in=games, follows=None).select_related("made_by")
    ]
    orders = [
        CaseFact(
            order.made_at,
            GameAction.ORDER_LIFTED if order.ranks is None else GameAction.ORDER_SET,
            games[order.game_id],
            order.made_by,
            role=order.role,
            path=_adjusted_path(games[order.game_id]),
        )
        for order in SetOrder.objects.filter(game__in=games, follows=None).select_related("made_by")
    ]
    return penalties + orders


def _adjusted_path(game: Game) -> str:
    return reverse("game", args=[game.public_id]) + "#adjustments"


def _played_again(games: dict[int, Game]) -> list[CaseFact]:
    rows = PlayAgain.objects.filter(void__game__in=games).select_related("open_game", "void__made_by")
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
            facts.append(_ended(objection, objection.end, game))
    return facts


def _ended(objection: Objection, end: ObjectionEnd, game: Game) -> CaseFact:
    way = ObjectionEnd.Way(end.way).label
    return CaseFact(
        end.ended_at,
        ObjectionAction.ENDED,
        game,
        end.ended_by,
        role=end.role,
        seat=objection.seat,
        words=f"{way}: {end.reason}" if end.reason else f"{way}",
        way=end.way,
    )


def _proposals(games: dict[int, Game]) -> list[CaseFact]:
    facts = []
    for proposal in Proposal.objects.filter(game__in=games):
        path = reverse("proposal", args=[proposal.public_id])
        facts.append(CaseFact(proposal.made_at, ProposalAction.MADE, games[proposal.game_id], path=path))
    agreements = Agreement.objects.filter(proposal__game__in=games).select_related("agreed_by", "proposal")
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
    appeals = Appeal.objects.filter(ruling__game__in=games).select_related("ruling", "raised_by", "end__ended_by")
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
            facts.append(CaseFact(appeal.end.ended_at, AppealAction.ENDED, game, appeal.end.ended_by))
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


def _positions(club_id: int, subjects: Collection[str]) -> dict[tuple[str, datetime], int]:
    entries = LogEntry.objects.filter(club=club_id, subject__in=subjects)
    return {(action, at): position for action, at, position in entries.values_list("action", "at", "position")}
