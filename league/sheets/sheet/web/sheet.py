"""The sheet of an open game: every entry, who made it and when, what was undone and what was
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
    """The round on which a reader looks; all of them if none is named."""

    round = forms.IntegerField(min_value=1, max_value=100_000, required=False)

    @property
    def number(self) -> int | None:
        """The number of the round; None for all, also where something else is named."""
        return self.cleaned_data["round"] if self.is_valid() else None


class SealForm(forms.Form):
    """The sheet that is to become a game, as it was seen: how many entries it had."""

    length = forms.IntegerField(min_value=0, max_value=100_000)


@require_safe
@page_of(open_game_for)
def sheet_page(request: HttpRequest, row: ClubOpenGame) -> HttpResponse:
    """Show all entries of a sheet in their order, for everybody who sees the table or the season;
    accounts have a name for those who read the club's log, for others a role. `?round=`: the
    entries of that round alone."""
    waiting = row.open_game.sheet.branches.filter(waits_until__gt=timezone.now()).count()
    versions = (row.open_game.sheet.length, log_end(row.club.pk), waiting)
    return unless_unchanged(request, versions, lambda: _sheet(request, row))


def _sheet(request: HttpRequest, row: ClubOpenGame) -> HttpResponse:
    club = row.club
    sheet = row.open_game.sheet
    names, entries = sheet_in_words(row.open_game, club.pk)
    sealed = getattr(sheet, "sealed", None)
    branches = branches_in_words(row.open_game, entries, timezone.now())
    game = sealed.game if sealed else None
    round_number = RoundFilter(request.GET).number
    shown = [written for written in entries if round_number in (None, written.round_number)]
    if not shown:
        round_number = None
        shown = entries
    made: list[SheetEntry | SheetBranch] = [written.entry for written in entries]
    made += [kept.branch for kept in branches]
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
        **_letting_in(request, row, branches, game),
        end=_end(request, row, [written.entry for written in entries])
        if sheet.over and not sealed
        else None,
        round_number=round_number,
        page=Paginator(shown, ENTRIES_PER_PAGE).get_page(request.GET.get("page")),
        authors=authors_of(
            request.user, club, [one.device.made_by if one.device else one.account for one in made]
        ),
        **_place(request, row, names),
    )


def _letting_in(
    request: HttpRequest, row: ClubOpenGame, branches: list[BranchInWords], sealed: Game | None
) -> PageContext:
    """Return the seat for which the reader can let onto the sheet what waits beside it
    (`own_seat`), and whether the reader can correct the sealed game by it (`corrects`)."""
    own_seat = None
    corrects = False
    user = request.user
    if user.is_authenticated and any(branch.waits for branch in branches):
        corrects = sealed is not None and user.has_perm("league.correct_game", sealed)
        if sealed is None:
            own_seat = seat_of(row, Writer(account=(user.pk, user.public_id)))
    return {"own_seat": own_seat, "corrects": corrects}


def _place(request: HttpRequest, row: ClubOpenGame, names: list[str]) -> PageContext:
    """Where a game is played, in words and as the way there, and whether the reader `writes` one
    without a table, and may write another one of the same players (`again`)."""
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


def _end(request: HttpRequest, row: ClubOpenGame, entries: list[SheetEntry]) -> dict[str, Any]:
    """Return the end of a game that isn't sealed yet: the `places`, each with name and score,
    whether it is `short`, and whether the reader `seals` it, and whether it is `handed_in` and
    waits for another sheet."""
    shown = sheet_shown(row)
    user = request.user
    is_asked_for = row.confirmation != Event.Confirmer.ALONE
    scores = [score_words(row.open_game.kind, score) for score in points_of(shown.ending) or ()]
    lines = zip(
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
    return {
        "places": sorted(lines),
        "short": is_short(entries, row.open_game.opened_at),
        "seals": seals,
        "handed_in": row.concealed and shown.handed_in,
        "confirmer": Event.Confirmer(row.confirmation).label,
        "by_itself": counts_by_itself_at(row)
        if is_asked_for and isinstance(row, TableOpenGame)
        else None,
    }


@login_required
@require_POST
@page_of(open_game_for)
def sheet_confirm(request: HttpRequest, row: ClubOpenGame) -> HttpResponse:
    """Seal a game as its sheet was seen, by one tap of somebody who may confirm it."""
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
        messages.success(
            request,
            sealed if game else gettext("Handed in: the game is sealed once both sheets agree."),
        )
    return redirect("open-game", row.open_game.public_id)


@login_required
@require_POST
@page_of(open_game_for)
def branch_agreement(request: HttpRequest, row: ClubOpenGame, branch: str) -> HttpResponse:
    """Let onto the sheet what a phone wrote whose key had ended, as one of two seats that agree."""
    kept = or_404(branch_of, row, branch)
    assert request.user.is_authenticated
    try:
        is_in = branch_agree(
            row=row, branch=kept, writer=Writer(account=(request.user.pk, request.user.public_id))
        )
    except Refused as refused:
        messages.error(request, refused.illegal.message.translated(gettext))
    else:
        agreed = gettext("Noted. It goes on the sheet once one more player at the table agrees.")
        messages.success(request, gettext("It’s on the sheet now.") if is_in else agreed)
    return redirect("open-game", row.open_game.public_id)
