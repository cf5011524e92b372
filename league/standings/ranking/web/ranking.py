"""The pages of any ranking: its table on screen, on paper and as CSV, its games, and their
heads."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Exists, Q
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from engine.cells import cell_of
from engine.cli.adjustments import COLUMNS as ADJUSTMENTS_HEAD
from engine.cli.handles import COLUMNS as HANDLES_HEAD
from engine.cli.seats import COLUMNS as SEATS_HEAD
from engine.rating.ranking import RankingRow
from engine.rating.rating import Rating
from engine.scoring.standings import Criterion, Standing
from league.core.frame.api.links import all_time_link, season_link
from league.core.frame.csv_file import csv_file
from league.core.frame.kept import kept, shared_key
from league.core.frame.name_key import folded_words
from league.core.frame.numbers import whole_number
from league.core.frame.rendering import public_page
from league.core.frame.unchanged import unless_unchanged
from league.core.viewer.web.crumbs import club_crumbs
from league.core.viewer.web.viewer import PageContext, club_page, page_of, shared_part
from league.standings.ranked_game.domain.gameline import GameLine
from league.standings.ranked_game.queries.gameline import at_event, game_page, latest_games
from league.standings.ranking.live import live_url
from league.standings.ranking.models import Ranking, TieBreak
from league.standings.ranking.queries.board import Board
from league.standings.ranking.queries.handle import handles_entered, seats_adjusted, seats_counting
from league.standings.ranking.queries.ranking import events_of, names_seated, players_found
from league.standings.ranking.queries.state import page_state
from league.standings.season.models import Season, Visibility
from league.standings.season.queries.access import board_for
from league.standings.season.queries.listing import heads_of, seats_of_player
from league.standings.standing.domain import podium_size
from league.standings.standing.queries.distance import tally_of
from league.standings.standing.queries.standing import (
    SORTS,
    TablePart,
    TableRow,
    own_player,
    table_part,
    table_rows,
)
from league.standings.standing.tags import ShownCells, row_cells, standing_rows
from league.templatetags.figures import figure

P = ParamSpec("P")
R = TypeVar("R", bound=HttpResponseBase)

LATEST_GAMES = 6
ROWS_PER_PAGE = 100
GAMES_PER_PAGE = 25
MOST_WORDS = 8
SUGGESTED = 12
NOTHING = Q(pk__in=[])
ROWS = "<!-- rows -->"
"""The placeholder for rows in a page that is streamed, or of which only the rest is cached."""
CSV_COLUMNS = {
    "rank": gettext_lazy("Rank"),
    "change": gettext_lazy("Change"),
    "handle": gettext_lazy("Handle"),
    "name": gettext_lazy("Name"),
    "games": gettext_lazy("Games"),
    "wins": gettext_lazy("Wins"),
    "points": gettext_lazy("Points"),
    "points_per_game": gettext_lazy("Points per game"),
    "average_rank": gettext_lazy("Average rank"),
    "best_game": gettext_lazy("Best game"),
    "decided_by": gettext_lazy("Decided by"),
    "rating": gettext_lazy("Rating"),
    "sigma": gettext_lazy("Uncertainty"),
    "rating_low": gettext_lazy("Rating from"),
    "rating_high": gettext_lazy("Rating to"),
    "provisional": gettext_lazy("Provisional"),
    "disputed": gettext_lazy("Disputed"),
}
"""The columns of the table as CSV, with their labels: those that follow from the records alone, the
name, and whether the row rests on a disputed result. `provisional` says that the rating rests on
few games."""
DECIMALS = ("points_per_game", "average_rank", "rating", "sigma", "rating_low", "rating_high")
"""The columns with a decimal point."""


class LiveTable(NamedTuple):
    """The live part of a ranking's page, which is cached for all readers with the same rights: its
    HTML before and after the table's rows, and the rows. A reader's own row is marked, or put above
    the others, whenever the part is sent.

    `page`: the number of the table's page; `first_table`: nobody had a rank before."""

    above: SafeString
    rows: list[ShownCells]
    below: SafeString
    page: int
    first_table: bool


def live_part(request: HttpRequest, board: Board) -> LiveTable:
    """Render the live part of a ranking's page. `?page=2` shows the second page of the table's
    rows, `?q=` searches them, `?sort=points` or `?sort=-points` sorts them."""
    ranking = board.ranking
    query = request.GET.get("q", "")
    words = words_of(query)
    sort = request.GET.get("sort", "rank")
    if sort.removeprefix("-") not in {"rank", *SORTS}:
        sort = "rank"
    page, part = _table_page(ranking, request.GET.get("page", ""), sort=sort, words=words)
    close_names = []
    if words and not part.rows:
        close_names = names_seated(ranking, " ".join(words))
    at_top = page.number == 1 and not words
    context: PageContext = {
        **shared(board),
        "progress": board.progress,
        "has_rows": bool(part.rows),
        "rows_here": ROWS,
        "page": page,
        "podium": _podium_steps(part.leaders) if at_top else [],
        "only_end": any(row.only_end for row in part.rows),
        "latest": _latest(board) if at_top else [],
        "sort": sort,
        "q": query,
        "close_names": close_names,
    }
    html = club_page(
        request, board.club, "league/standings/ranking/live.html", **context
    ).content.decode()
    above, _, below = html.partition(ROWS)
    return LiveTable(
        above=SafeString(above),
        rows=row_cells(part.rows, ranking, first_table=part.first_table),
        below=SafeString(below),
        page=page.number,
        first_table=part.first_table,
    )


def own_rows(request: HttpRequest, board: Board, live: LiveTable) -> PageContext:
    """Return the context of the reader's own row: the player (`own`) and, if the row isn't on the
    page, the rows around it with the address of theirs. One query, and another for these rows; none
    if nobody is signed in."""
    own = own_player(board.ranking, request.user.pk)
    shown = {row.player for row in live.rows}
    if not own or own in shown or words_of(request.GET.get("q", "")):
        return {"own": own}
    part = table_part(board.ranking, count=0, user=request.user.pk)
    rows = [row for row in part.around if row.player not in shown]
    own_page = ((part.own or 1) - 1) // ROWS_PER_PAGE + 1
    return {
        "own": own,
        "around": row_cells(rows, board.ranking, first_table=live.first_table),
        "around_only_end": any(row.only_end for row in rows),
        "own_page": f"?page={own_page}",
    }


def page_context(request: HttpRequest, board: Board) -> PageContext:
    """Return the context of a ranking's page around its live part."""
    ranking = board.ranking
    return {
        **shared(board),
        "q": request.GET.get("q", ""),
        "tie_breaks": [TieBreak(tie_break).label for tie_break in ranking.tie_breaks],
        "import_url": reverse("import", args=[board.club.slug, board.slug]),
        **_api_addresses(board),
        "live_url": live_url(ranking.pk, ranking.version),
        "crumbs": season_crumbs(board)[:-1],
    }


def _latest(board: Board) -> list[GameLine]:
    return kept(
        "latest-games", board.versions, lambda: latest_games([board.ranking.pk], LATEST_GAMES)
    )


def _table_page(ranking: Ranking, number: str, **filters: Any) -> tuple[Page[int], TablePart]:
    """Return the page with this number and its rows; the last page if there is no such page."""
    first = ROWS_PER_PAGE * (page_number(number) - 1)
    part = table_part(ranking, first=first, count=ROWS_PER_PAGE, **filters)
    if first and not part.rows:
        first = max(part.found - 1, 0) // ROWS_PER_PAGE * ROWS_PER_PAGE
        part = table_part(ranking, first=first, count=ROWS_PER_PAGE, **filters)
    return Paginator(range(part.found), ROWS_PER_PAGE).page(first // ROWS_PER_PAGE + 1), part


def page_number(text: str) -> int:
    """Return the number of a requested page, from 1; 1 for an invalid one."""
    return whole_number(text) or 1


def words_of(text: str) -> list[str]:
    """Return the words of a search, folded, without characters that can't be in a name."""
    return folded_words("".join(filter(str.isprintable, text)))[:MOST_WORDS]


def _api_addresses(board: Board) -> PageContext:
    season = board.season
    url = all_time_link(board.club.slug)
    key = ""
    if season is not None:
        url = season_link(board.club.slug, season.slug)
        if season.visibility == Visibility.LINK:
            key = f"?key={season.link_token}"
    return {"api_url": url + key, "records_url": f"{url}games.ndjson{key}"}


def board_page(
    view: Callable[Concatenate[HttpRequest, Board, P], R],
) -> Callable[..., R | HttpResponse]:
    """Decorate a view of a ranking: pass it the board of the address, or answer 304 if nothing
    changed. If it is a `public_page(page_state)`, it is cached for everybody without an account."""

    @wraps(view)
    def page(
        request: HttpRequest, board: Board, *args: P.args, **kwargs: P.kwargs
    ) -> R | HttpResponse:
        return unless_unchanged(
            request,
            board.versions,
            lambda: view(request, board, *args, **kwargs),
            subject=board.ranking.pk,
        )

    return page_of(board_for)(page)


def shared(board: Board) -> PageContext:
    """Return the context that every page of a ranking needs."""
    return {"board": board, "ranking": board.ranking, "season": board.season}


def season_crumbs(owner: Board | Season) -> list[tuple[str, str]]:
    """Return the breadcrumbs that end with the page of a season, or of a ranking (a `Board`)."""
    return [
        *club_crumbs(owner.club),
        (owner.name, reverse("season", args=[owner.club.slug, owner.slug])),
    ]


def _podium_steps(best_rows: list[TableRow]) -> list[PageContext]:
    size = podium_size([row.rank for row in best_rows])
    return [
        {
            "rank": row.rank,
            "name": row.name,
            "handle": row.handle,
            "value": figure(row.points),
            "note": ngettext("%(count)d win", "%(count)d wins", row.wins) % {"count": row.wins},
            "url": row.made_of,
            "provisional": row.provisional,
        }
        for row in best_rows[:size]
    ]


@require_safe
@board_page
def ranking_print(request: HttpRequest, board: Board) -> HttpResponseBase:
    """Stream the whole table on one page, for printing."""
    part = table_part(board.ranking)
    context = {
        **shared(board),
        "only_end": any(row.only_end for row in part.rows),
        "rows_here": ROWS,
        "crumbs": season_crumbs(board),
    }
    page = club_page(
        request, board.club, "league/standings/ranking/print.html", **context
    ).content.decode()
    language = get_language()

    def parts() -> Iterator[str]:
        head, foot = page.split(ROWS)
        yield head
        for first in range(0, part.found, ROWS_PER_PAGE):
            rows = part.rows[first : first + ROWS_PER_PAGE]
            with translation.override(language):
                cells = row_cells(rows, board.ranking, first_table=part.first_table, up="../")
                yield standing_rows(cells)
        yield foot

    return StreamingHttpResponse(parts())


@require_safe
@board_page
def ranking_csv(request: HttpRequest, board: Board) -> HttpResponseBase:
    """Return the table as CSV in UTF-8, with decimal points for programs; `?lang=de` for German
    spreadsheets."""
    cells = map(_csv_cells, table_rows(board.ranking))
    rows = ([row[column] for column in CSV_COLUMNS] for row in cells)
    return csv_file(
        request, f"{board.club.slug}-{board.slug}", CSV_COLUMNS, rows, decimals=DECIMALS
    )


def _csv_cells(row: TableRow) -> dict[str, str]:
    return {
        **_as_published(row).cells(),
        "name": cell_of(row.name),
        "disputed": "yes" if row.provisional else "no",
    }


def _as_published(row: TableRow) -> RankingRow:
    """Return a row as anybody can compute it from the exported games."""
    decided_by = Criterion(row.decided_by) if row.decided_by else None
    rating = None if row.mu is None or row.sigma is None else Rating(row.mu, row.sigma)
    return RankingRow(
        Standing(row.rank, row.handle, tally_of(row), decided_by), row.rank_before, rating
    )


@require_safe
@board_page
def ranking_heads(request: HttpRequest, board: Board) -> HttpResponseBase:
    """Stream the heads of all games for `python -m engine verify --heads`: for each game a line
    `<head> <record's id>`."""

    def batches() -> Iterator[str]:
        for heads in heads_of(board.ranking):
            yield "".join([f"{bytes(head).hex()} {record}\n" for head, record, _ in heads])

    return StreamingHttpResponse(batches(), content_type="text/plain; charset=utf-8")


@require_safe
@board_page
def ranking_handles(request: HttpRequest, board: Board) -> HttpResponseBase:
    """Return the current player of each recorded handle as CSV, for `python -m engine table
    --handles`."""
    return _csv_response(HANDLES_HEAD, handles_entered(board.ranking))


@require_safe
@board_page
def ranking_seats(request: HttpRequest, board: Board) -> HttpResponseBase:
    """Return the seats that count for another player, or for nobody, as CSV, for `python -m engine
    table --seats`."""
    return _csv_response(SEATS_HEAD, seats_counting(board.ranking))


@require_safe
@board_page
def ranking_adjustments(request: HttpRequest, board: Board) -> HttpResponseBase:
    """Return the seats to which an arbiter gave another rank or a penalty as CSV, for `python -m
    engine table --adjustments`."""
    return _csv_response(ADJUSTMENTS_HEAD, seats_adjusted(board.ranking))


def _csv_response(
    columns: Sequence[str], portions: Iterable[Sequence[Sequence[object]]]
) -> StreamingHttpResponse:
    """Stream rows as CSV for programs. In place of a value that is None, a cell is empty."""

    def texts() -> Iterator[str]:
        yield _csv_text([columns])
        for rows in portions:
            yield _csv_text(rows)

    return StreamingHttpResponse(texts(), content_type="text/csv; charset=utf-8")


def _csv_text(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in rows:
        writer.writerow(["" if cell is None else cell_of(str(cell)) for cell in row])
    return text.getvalue()


@require_safe
@public_page(page_state)
@board_page
def ranking_games(request: HttpRequest, board: Board) -> HttpResponseBase:
    """List all games of a ranking, the latest first. `?player=` takes a public id or the beginning
    of a name, and `?event=` a slug; they narrow the list.

    `?before=` and `?after=` take a place in the list and turn its pages.
    """
    content = shared_part(
        request,
        board.club,
        "league/standings/ranking/games_content.html",
        shared_key(request, board.versions),
        partial(_games_context, request, board),
    )
    return club_page(
        request,
        board.club,
        "league/standings/ranking/games.html",
        board=board,
        content=content,
        crumbs=season_crumbs(board),
    )


def _games_context(request: HttpRequest, board: Board) -> PageContext:
    search = request.GET.get("player", "")
    event = request.GET.get("event", "")
    players = players_found(board.ranking.pk, search, SUGGESTED) if search else []
    player = players[0] if len(players) == 1 else None
    events = events_of(board.ranking)
    condition = Q()
    if search:
        condition &= Q(Exists(seats_of_player(player.pk))) if player else NOTHING
    if event:
        condition &= at_event(event) if event in events else NOTHING
    page = game_page(
        [board.ranking.pk],
        GAMES_PER_PAGE,
        before=request.GET.get("before", ""),
        after=request.GET.get("after", ""),
        only=condition,
    )
    return {
        **shared(board),
        "page": page,
        "found": players,
        "events": events,
        "asked": search,
        "player": player,
        "event": event,
    }


@require_safe
@page_of(board_for)
def ranking_players(request: HttpRequest, board: Board) -> HttpResponse:
    """Return the players of a ranking whose names or handles match `?player=`, as options of a
    field."""
    search = request.GET.get("player", "")
    players = players_found(board.ranking.pk, search, SUGGESTED) if search else []
    return render(request, "league/standings/ranking/player_options.html", {"players": players})
