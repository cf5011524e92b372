"""The case of a disputed game: everything known about it, for those who rule on it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone

from engine.illegal import Illegal
from engine.record.record import read
from games.domain.correction import GameChanges, game_changes
from games.models import Game
from games.queries.game import sealed_record
from league.core.viewer.queries.access import Viewer
from league.disputes.agreement.models import Proposal
from league.disputes.agreement.queries import proposal_line
from league.disputes.appeal.models import AppealDraft
from league.disputes.appeal.queries import appeal_until
from league.disputes.case.domain import CaseFact, CaseState
from league.disputes.case.queries.facts import HISTORY, case_facts
from league.disputes.objection.models import ObjectionEnd
from league.disputes.objection.queries.objection import ObjectionWindow, objection_window
from league.disputes.ruling.models import Ruling
from league.disputes.ruling.queries import OpenDispute
from league.disputes.statement.models import Statement
from league.records.photo.models import Photo
from league.sheets.sheet.domain.history import EntryInWords
from league.sheets.sheet.models import ClubOpenGame
from league.sheets.sheet.queries.access import sealed_open_game
from league.sheets.sheet.queries.open_game import BranchInWords, branches_in_words, sheet_in_words
from league.standings.ranked_game.queries.game import SeatAtTable, seats_of


class SheetOfGame(NamedTuple):
    """The sheet on which a game was written down. `row`: its open game. `names`: of the seats.
    `branches`: entries of phones that came too late for the sheet."""

    row: ClubOpenGame
    names: list[str]
    entries: list[EntryInWords]
    branches: list[BranchInWords]


class Case(NamedTuple):
    """Everything known about a disputed game.

    `revisions`: in their order; the last one counts. `dispute`: what waits for a ruling; None if
    nothing does. `rulings`: those on any revision, in their order. `drafts`: drafts of the decision
    of an open appeal. `proposal`: the correction that the seats propose, with its `changes`; None
    if they propose none. `window`: until when seats can object, and the seat of the viewer.
    `sheet`: None if nobody wrote the game down round by round. `facts`: everything that was done
    with the game, in the order of time."""

    revisions: list[Game]
    seats: list[SeatAtTable]
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
        """Return the revision that counts."""
        return self.revisions[-1]

    @property
    def is_adjusted(self) -> bool:
        """Return True if an order is set for the game that counts, or if a seat of it has a penalty
        that nobody lifted."""
        orders = list(self.newest.set_orders.all())
        has_order = bool(orders) and orders[-1].ranks is not None
        # A penalty that lifts another one has its points below 0.
        points = sum(penalty.points for penalty in self.newest.penalties.all())
        return has_order or points > 0

    @property
    def statements(self) -> list[Statement]:
        """Return the statements on all revisions, in order."""
        return [said for game in self.revisions for said in game.statements.all()]

    @property
    def photos(self) -> list[Photo]:
        """Return the photos of all revisions, by revision in the order they were added."""
        return [photo for game in self.revisions for photo in game.photos.all()]

    @property
    def appeal_until(self) -> datetime | None:
        """Return the time until which a seat can appeal against the last ruling; None if there is
        no ruling, or if nobody can appeal against it any more."""
        if not self.rulings or hasattr(self.rulings[-1], "appeal"):
            return None
        return appeal_until(self.rulings[-1])

    def state(self, at: datetime) -> CaseState:
        """Return the state of the dispute at a time."""
        if self.dispute is not None:
            return _open_state(self.dispute)
        if self.rulings:
            if self.appeal_until is not None and at <= self.appeal_until:
                return CaseState.RULED
            return CaseState.CLOSED
        ways_of_end = {fact.way for fact in self.facts if fact.way}
        if ways_of_end == {ObjectionEnd.Way.WITHDRAWN.value}:
            return CaseState.WITHDRAWN
        if ways_of_end:
            return CaseState.CLOSED
        if self.window.until is not None and not self.window.is_open(at):
            return CaseState.OUT_OF_TIME
        return CaseState.NONE


def case_of(viewer: Viewer, game: Game) -> Case:
    """Return the case of a game, loaded with its season and club. The number of queries depends
    neither on the length of the game nor on the number of its disputes."""
    games = Game.objects.filter(source=game.source, external_id=game.external_id)
    with_sheets = games.select_related("entered_by", "replaces", "sealed_sheet__sheet__open_game")
    revisions = list(with_sheets.prefetch_related(*HISTORY).order_by("revision"))
    newest = revisions[-1]
    newest.season_game = game.season_game
    rulings = [ruling for revision in revisions for ruling in revision.rulings.all()]
    dispute = _open_dispute(newest, rulings)
    proposal = _proposal(newest, dispute)
    return Case(
        revisions=revisions,
        seats=seats_of(newest),
        dispute=dispute,
        rulings=sorted(rulings, key=lambda ruling: ruling.number),
        drafts=_drafts(dispute),
        proposal=proposal,
        changes=_changes(newest, proposal),
        window=objection_window(newest, viewer.user.pk),
        is_void=any(void.stands for void in list(newest.voids.all())[-1:]),
        sheet=_sheet_of(revisions),
        facts=case_facts(game.season_game.season.club_id, revisions),
    )


def _open_dispute(game: Game, rulings: Sequence[Ruling]) -> OpenDispute | None:
    """Return the dispute about the newest revision of a game, fetched with `HISTORY`, as
    `open_dispute` does. `rulings`: those on any revision."""
    appeals = [ruling.appeal for ruling in rulings if hasattr(ruling, "appeal")]
    open_appeals = [
        appeal
        for appeal in appeals
        if appeal.ruling.outcome_id == game.pk and not hasattr(appeal, "end")
    ]
    hearings = [hearing for hearing in game.hearings.all() if not hasattr(hearing, "ruling")]
    dispute = OpenDispute(
        objections=[row for row in game.objections.all() if not hasattr(row, "end")],
        hearing=next(iter(hearings), None),
        appeal=next(iter(open_appeals), None),
    )
    return dispute if any(dispute) else None


def _proposal(game: Game, dispute: OpenDispute | None) -> Proposal | None:
    """Return the proposal with which the seats can agree now, as `proposal_of` does."""
    if dispute is None or not dispute.objections:
        return None
    return next(reversed(game.proposals.all()), None)


def _open_state(dispute: OpenDispute) -> CaseState:
    if dispute.appeal is not None:
        return CaseState.APPEALED
    if dispute.hearing is not None:
        return CaseState.HEARD
    return CaseState.RAISED


def _drafts(dispute: OpenDispute | None) -> list[AppealDraft]:
    if dispute is None or dispute.appeal is None:
        return []
    return list(AppealDraft.objects.filter(appeal=dispute.appeal).select_related("author"))


def _changes(game: Game, proposal: Proposal | None) -> GameChanges | None:
    if proposal is None:
        return None
    proposed = read(proposal_line(proposal))
    if isinstance(proposed, Illegal):
        return None
    record, _ = sealed_record(game)
    return game_changes(record, proposed)


def _sheet_of(revisions: Sequence[Game]) -> SheetOfGame | None:
    written = [game.sealed_sheet.sheet for game in revisions if hasattr(game, "sealed_sheet")]
    if not written:
        return None
    row = sealed_open_game(written[-1].open_game.public_id)
    names, entries = sheet_in_words(row.open_game, row.club.pk)
    branches = branches_in_words(row.open_game, entries, timezone.now())
    return SheetOfGame(row, names, entries, branches)
