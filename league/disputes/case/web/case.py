"""The page of a case: the claims, the timeline of the game, and the verbs of a ruling."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Game, SheetBranch, SheetEntry
from league.core.account.models import User
from league.core.viewer.queries.author import Author, authors_of
from league.core.viewer.web.viewer import club_page, page_of, signed_in, viewer_of
from league.disputes.appeal.queries import earlier_rulers
from league.disputes.arbiter.queries import bar_to_ruling, game_for_ruling
from league.disputes.case.domain import disputed_rounds, timeline
from league.disputes.case.queries.case import Case, case_of
from league.disputes.correction.web.correction import game_crumbs
from league.disputes.ruling.services.verb import verbs_for
from league.sheets.sheet.domain.history import EntryInWords
from league.sheets.sheet.queries.open_game import comparison_in_words
from league.sheets.sheet.web.sheet import RoundFilter
from league.standings.season.queries.access import sees_game


class EntryFilter(forms.Form):
    """The entry of a sheet that the reader opened, by its number as pages show it, from 1."""

    entry = forms.IntegerField(min_value=1, max_value=100_000, required=False)

    def opened(self, entries: Sequence[EntryInWords]) -> EntryInWords | None:
        """Return the entry that the reader opened; None if the address names no entry of these."""
        number = self.cleaned_data["entry"] if self.is_valid() else None
        if number is None:
            return None
        return next((entry for entry in entries if entry.entry.number == number - 1), None)


@never_cache
@login_required
@require_safe
@page_of(game_for_ruling)
def case_page(request: HttpRequest, game: Game) -> HttpResponse:
    """Show the case of a game to those who may rule on it.

    `?round=2` shows the entries of this round alone, `?round=` those of all rounds. `?entry=7`
    shows the round of this entry, by its number on the page. Without either, the page shows the
    first disputed round."""
    now = timezone.now()
    viewer = viewer_of(request)
    case = case_of(viewer, game)
    entries = case.sheet.entries if case.sheet else []
    compared = comparison_in_words(case.sheet.row) if case.sheet else None
    disputed = disputed_rounds(case.changes, compared[1] if compared else [])
    opened = EntryFilter(request.GET).opened(entries)
    round_number = opened.round_number if opened else RoundFilter(request.GET).number
    if disputed and not opened and "round" not in request.GET:
        round_number = disputed[0]
    may_correct = request.user.has_perm("league.correct_game", game)
    is_guest = not may_correct and not sees_game(viewer, game)
    return club_page(
        request,
        game.season_game.season.club,
        "league/disputes/case/case.html",
        game=case.newest,
        case=case,
        parts=timeline(entries, case.facts, round_number),
        round_number=round_number,
        rounds=sorted({entry.round_number for entry in entries}),
        disputed=disputed,
        opened=opened,
        compared=compared,
        authors=_authors(request, game, case),
        can_object=case.window.is_open(now),
        state=case.state(now),
        bar=_bar_in_words(request, case),
        verbs=verbs_for(is_void=case.is_void, is_adjusted=case.is_adjusted),
        is_guest=is_guest,
        may_correct=may_correct,
        crumbs=[] if is_guest else game_crumbs(game),
    )


def _bar_in_words(request: HttpRequest, case: Case) -> str:
    appeal = case.dispute.appeal if case.dispute else None
    ruled_by = earlier_rulers(appeal.ruling) if appeal else ()
    bar = bar_to_ruling(case.newest, signed_in(request).pk, ruled_by)
    return bar.message.translated(gettext) if bar else ""


def _authors(request: HttpRequest, game: Game, case: Case) -> dict[int, Author]:
    accounts: list[User | None] = [fact.account for fact in case.facts]
    accounts += [draft.author for draft in case.drafts]
    if case.sheet is not None:
        rows: list[SheetEntry | SheetBranch] = [entry.entry for entry in case.sheet.entries]
        rows += [branch.branch for branch in case.sheet.branches]
        accounts += [row.device.made_by if row.device else row.account for row in rows]
    return authors_of(request.user, game.season_game.season.club, accounts)
