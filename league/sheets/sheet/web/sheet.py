"""The page of an open game's sheet: every entry, who made it and when, and whether it was undone or
amended."""

from __future__ import annotations

from itertools import repeat
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from engine.illegal import Refused
from games.models import Game, SheetBranch, SheetEntry
from games.services.open_game import Overtaken, Writer
from league.core.frame.unchanged import unless_unchanged
from league.core.log.queries import log_end
from league.core.viewer.queries.author import authors_of
from league.core.viewer.web.viewer import PageContext, club_page, or_404, page_of, viewer_of
from league.events.event.models import Event
from league.sheets.branch.services import branch_agree
from league.sheets.confirmation.queries.confirmation import may_seal, may_write_down
from league.sheets.confirmation.queries.deadline import counts_by_itself_at
from league.sheets.confirmation.queries.double_entry import may_give_word
from league.sheets.device.queries import seat_of
from league.sheets.sheet.domain.history import is_short
from league.sheets.sheet.models import ClubOpenGame, TableOpenGame
from league.sheets.sheet.queries.access import branch_of, open_game_for
from league.sheets.sheet.queries.open_game import (
    BranchInWords,
    branches_in_words,
    comparison_in_words,
    sheet_in_words,
    sheet_shown,
)
from league.sheets.sheet.services.open_game import open_game_seal
from league.stages.result.domain.score import points_of, score_words
from league.stages.stage.domain.table_name import number_of, table_name
from league.stages.table.web import table_crumbs
from league.standings.ranking.web.ranking import season_crumbs

ENTRIES_PER_PAGE: Final = 200


class RoundFilter(forms.Form):
    """The round whose entries a reader wants to see; all rounds if none is given."""

    round = forms.IntegerField(min_value=1, max_value=100_000, required=False)

    @property
    def number(self) -> int | None:
        """The number of the round; None for all rounds, also if the value isn't valid."""
        return self.cleaned_data["round"] if self.is_valid() else None


class SealForm(forms.Form):
    """The state of the sheet that a reader confirms: how many entries it had on the page."""

    length = forms.IntegerField(min_value=0, max_value=100_000)


@require_safe
@page_of(open_game_for)
def sheet_page(request: HttpRequest, row: ClubOpenGame) -> HttpResponse:
    """Show all entries of a sheet in their order, or with `?round=` those of one round. Readers of
    the club's log see the names of the writing accounts, others their roles."""
    # Waiting branches are counted, because their time ends without a new entry.
    waiting = row.open_game.sheet.branches.filter(waits_until__gt=timezone.now()).count()
    versions = (row.open_game.sheet.length, log_end(row.club.pk), waiting)
    return unless_unchanged(request, versions, lambda: _rendered_sheet(request, row))


def _rendered_sheet(request: HttpRequest, row: ClubOpenGame) -> HttpResponse:
    club = row.club
    sheet = row.open_game.sheet
    names, entries = sheet_in_words(row.open_game, club.pk)
    sealed = getattr(sheet, "sealed", None)
    branches = branches_in_words(row.open_game, entries, timezone.now())
    game = sealed.game if sealed else None
    round_number = RoundFilter(request.GET).number
    shown = [written for written in entries if round_number in (None, written.round_number)]
    if not shown:  # The sheet has no such round.
        round_number = None
        shown = entries
    rows_with_writer: list[SheetEntry | SheetBranch] = [written.entry for written in entries]
    rows_with_writer += [kept.branch for kept in branches]
    accounts = [
        written.device.made_by if written.device else written.account
        for written in rows_with_writer
    ]
    waits_for_seal = sheet.over and not sealed
    return club_page(
        request,
        club,
        "league/sheets/sheet/sheet.html",
        row=row,
        names=names,
        sheet=sheet,
        branches=branches,
        compared=comparison_in_words(row),
        sealed=game,
        **_branch_context(request, row, branches, game),
        end=_end_context(request, row, [written.entry for written in entries])
        if waits_for_seal
        else None,
        round_number=round_number,
        page=Paginator(shown, ENTRIES_PER_PAGE).get_page(request.GET.get("page")),
        authors=authors_of(request.user, club, accounts),
        **_place_context(request, row, names),
    )


def _branch_context(
    request: HttpRequest, row: ClubOpenGame, branches: list[BranchInWords], sealed: Game | None
) -> PageContext:
    """Return what the reader can do about waiting branches: `own_seat`, the seat for which they can
    agree before the game is sealed; `corrects`, whether they can correct the game after that."""
    own_seat = None
    corrects = False
    user = request.user
    if user.is_authenticated and any(branch.waits for branch in branches):
        corrects = sealed is not None and user.has_perm("league.correct_game", sealed)
        if sealed is None:
            own_seat = seat_of(row, Writer(account=(user.pk, user.public_id)))
    return {"own_seat": own_seat, "corrects": corrects}


def _place_context(request: HttpRequest, row: ClubOpenGame, names: list[str]) -> PageContext:
    """Return the `place` in words and the `crumbs` of its page; without a table also whether the
    reader may write the game down (`writes`), and the query string that fills in the same players
    for the next game (`again`)."""
    if row.table is not None:
        place = f"{table_name(number_of(row.table))} · {row.table.stage_round.stage.event.name}"
        return {"place": place, "crumbs": table_crumbs(row.table, deeper=True)}
    again = urlencode({"seat": names}, doseq=True)
    writes = may_write_down(viewer_of(request), row)
    return {
        "place": row.season.name,
        "crumbs": season_crumbs(row.season),
        "writes": writes,
        "again": again,
    }


def _end_context(
    request: HttpRequest, row: ClubOpenGame, entries: list[SheetEntry]
) -> dict[str, Any]:
    """Return what the page shows of a finished game that isn't sealed: its `places`, best first,
    each as rank, name and score; whether it was suspiciously `short`; whether the reader `seals`
    it; whether the sheet is `handed_in` and waits for the other one; who confirms the game, and
    when it is sealed `by_itself`."""
    shown = sheet_shown(row)
    user = request.user
    needs_confirmation = row.confirmation != Event.Confirmer.ALONE
    scores = [score_words(row.open_game.kind, score) for score in points_of(shown.ending) or ()]
    places = zip(
        shown.ending.rank or (),
        [seat.name for seat in shown.seats],
        scores or repeat(""),
        strict=False,
    )
    seals = (
        user.is_authenticated
        and may_seal(viewer_of(request), row)
        and may_give_word(row, Writer(account=(user.pk, user.public_id)))
    )
    seals_itself_at = None
    if needs_confirmation and isinstance(row, TableOpenGame):
        seals_itself_at = counts_by_itself_at(row)
    return {
        "places": sorted(places),
        "short": is_short(entries, row.open_game.opened_at),
        "seals": seals,
        "handed_in": row.concealed and shown.handed_in,
        "confirmer": Event.Confirmer(row.confirmation).label,
        "by_itself": seals_itself_at,
    }


@login_required
@require_POST
@page_of(open_game_for)
def sheet_confirm(request: HttpRequest, row: ClubOpenGame) -> HttpResponse:
    """Seal a game, or hand in one of two sheets, if the sheet is still as the reader saw it. Raise
    `Http404` for readers who may not seal the game."""
    form = SealForm(request.POST)
    if not may_seal(viewer_of(request), row) or not form.is_valid():
        raise Http404
    assert request.user.is_authenticated
    writer = Writer(account=(request.user.pk, request.user.public_id))
    try:
        game = open_game_seal(row=row, length=form.cleaned_data["length"], writer=writer)
    except Overtaken:
        messages.warning(
            request, gettext("Somebody has written on this sheet in the meantime. Check it again.")
        )
    except Refused as refused:
        messages.error(request, refused.illegal.message.translated(gettext))
    else:
        sealed = gettext("The game is sealed and counts from now on.")
        handed_in = gettext("Handed in: the game is sealed once both sheets agree.")
        messages.success(request, sealed if game else handed_in)
    return redirect("open-game", row.open_game.public_id)


@login_required
@require_POST
@page_of(open_game_for)
def branch_agreement(request: HttpRequest, row: ClubOpenGame, branch: str) -> HttpResponse:
    """Store that the reader's seat agrees with a branch, given by public id, that a phone sent
    after its key had ended. Once two seats agree, it is on the sheet."""
    branch_row = or_404(branch_of, row, branch)
    assert request.user.is_authenticated
    writer = Writer(account=(request.user.pk, request.user.public_id))
    try:
        is_let_in = branch_agree(row=row, branch=branch_row, writer=writer)
    except Refused as refused:
        messages.error(request, refused.illegal.message.translated(gettext))
    else:
        agreed = gettext("Noted. It goes on the sheet once one more player at the table agrees.")
        let_in = gettext("It’s on the sheet now.")
        messages.success(request, let_in if is_let_in else agreed)
    return redirect("open-game", row.open_game.public_id)
