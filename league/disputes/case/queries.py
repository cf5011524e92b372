"""All that is known of a game whose result is disputed, for those who rule on it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils import timezone

from engine.illegal import Illegal
from engine.record.record import read
from games.domain.correction import GameChanges, game_changes
from games.models import Game, SealedSheet, Void
from games.queries.game import sealed_record
from games.queries.void import game_void
from league.core.log.models import LogEntry
from league.core.viewer.queries.access import Viewer
from league.disputes.agreement.models import Agreement, Proposal
from league.disputes.agreement.queries import proposal_line, proposal_of
from league.disputes.case.domain import CaseFact
from league.disputes.evidence.queries import evidence_facts
from league.disputes.objection.models import Objection, ObjectionEnd
from league.disputes.objection.queries.objection import ObjectionWindow, objection_rows, objection_window
from league.records.photo.actions import PhotoAction
from league.records.photo.models import Photo
from league.sheets.sheet.domain.history import EntryInWords
from league.sheets.sheet.models import ClubOpenGame
from league.sheets.sheet.queries.access import open_game_for
from league.sheets.sheet.queries.open_game import BranchInWords, branches_in_words, sheet_in_words
from league.standings.ranked_game.actions import GameAction, ObjectionAction, ProposalAction
from league.standings.ranked_game.queries.game import SeatAtTable, seats_of


class SheetOfGame(NamedTuple):
    """The sheet on which a game was written down: its open game, the names of the seats, its entries, and what is kept
    beside it because it came late."""

    row: ClubOpenGame
    names: list[str]
    entries: list[EntryInWords]
    branches: list[BranchInWords]


class Case(NamedTuple):
    """What is claimed of a game, and what is known of it.

    `revisions`: the first one first; the last one is the one that counts. `claims`: the open objections. `proposal`:
    what the seats propose as the correction, with its `changes`; both None where nothing is proposed. `window`: until
    when seats can object, and the seat of the viewer. `sheet`: None where nobody wrote the game down round by round.
    """

    revisions: list[Game]
    seats: list[SeatAtTable]
    claims: list[dict[str, Any]]
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
    return Case(
        revisions=revisions,
        seats=seats_of(newest),
        claims=list(objection_rows(Objection.objects.filter(game=newest, end=None))),
        proposal=proposal,
        changes=_changes(newest, proposal),
        window=objection_window(newest, viewer.user.pk),
        is_void=game_void(newest) is not None,
        sheet=_sheet_of(viewer, revisions),
        facts=case_facts(game.season_game.season.club_id, revisions),
    )


def _changes(game: Game, proposal: Proposal | None) -> GameChanges | None:
    if proposal is None:
        return None
    proposed = read(proposal_line(proposal))
    return None if isinstance(proposed, Illegal) else game_changes(sealed_record(game)[0], proposed)


def _sheet_of(viewer: Viewer, revisions: Sequence[Game]) -> SheetOfGame | None:
    sealed = SealedSheet.objects.filter(game__in=revisions).select_related("sheet__open_game").first()
    if sealed is None:
        return None
    row = open_game_for(viewer, sealed.sheet.open_game.public_id)
    names, entries = sheet_in_words(row.open_game, row.club.pk)
    return SheetOfGame(row, names, entries, branches_in_words(row.open_game, entries, timezone.now()))


def case_facts(club_id: int, revisions: Sequence[Game]) -> list[CaseFact]:
    """Read all that was done with a game, and what rests on it, by its revisions, in the order of time. Thirteen
    queries at most."""
    games = {game.pk: game for game in revisions}
    facts = [
        *[_sealed(game) for game in revisions],
        *_voids(games),
        *_objections(games),
        *_proposals(games),
        *_photos(games),
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


def _positions(club_id: int, subjects: Collection[str]) -> dict[tuple[str, datetime], int]:
    entries = LogEntry.objects.filter(club=club_id, subject__in=subjects)
    return {(action, at): position for action, at, position in entries.values_list("action", "at", "position")}
