"""The sheet of an open game: every entry, who made it and when, what was undone and what was amended."""

from __future__ import annotations

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.models import SheetBranch, SheetEntry
from league.clubs.queries.author import authors_of
from league.clubs.web.viewer import club_page, or_404, viewer_of
from league.frame.unchanged import unless_unchanged
from league.log.queries import log_end
from league.sheets.models import TableOpenGame
from league.sheets.queries.access import open_game_for
from league.sheets.queries.open_game import branches_in_words, sheet_in_words
from league.tables.domain.place import number_of, table_name
from league.tables.web.table import table_crumbs

ENTRIES_PER_PAGE: Final = 200


@require_safe
def sheet_page(request: HttpRequest, open_game: str) -> HttpResponse:
    """All entries of a sheet in their order, for everybody who sees the table; accounts have a name for those who read
    the club's log, for others a role."""
    row = or_404(open_game_for, viewer_of(request), open_game)
    versions = (row.open_game.sheet.length, log_end(row.table.stage_round.stage.event.club_id))
    return unless_unchanged(request, versions, lambda: _sheet(request, row))


def _sheet(request: HttpRequest, row: TableOpenGame) -> HttpResponse:
    club = row.table.stage_round.stage.event.club
    sheet = row.open_game.sheet
    names, entries = sheet_in_words(row.open_game, club.pk)
    sealed = getattr(sheet, "sealed", None)
    branches = branches_in_words(row.open_game, entries)
    made: list[SheetEntry | SheetBranch] = [written.entry for written in entries]
    made += [kept.branch for kept in branches]
    accounts = [one.device.made_by if one.device else one.account for one in made]
    context = {
        "name": table_name(number_of(row.table)),
        "row": row,
        "names": names,
        "sheet": sheet,
        "branches": branches,
        "sealed": sealed.game if sealed else None,
        "event": row.table.stage_round.stage.event,
        "page": Paginator(entries, ENTRIES_PER_PAGE).get_page(request.GET.get("page")),
        "authors": authors_of(request.user, club, accounts),
        "crumbs": table_crumbs(row.table, deeper=True),
    }
    return club_page(request, club, "league/sheets/sheet.html", context)
