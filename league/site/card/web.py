"""The preview images of public pages, for shared addresses. They show what a visitor without an
account sees; clubs that aren't listed have none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from games.queries.void import game_void
from league.core.club.models import Club
from league.core.frame.card import Line, SharedCard, card_png
from league.core.frame.kept import drawn
from league.core.frame.unchanged import SAME_FOR_ALL, release_digest, unless_unchanged
from league.core.player.models import Player
from league.core.viewer.queries.access import Viewer
from league.core.viewer.web.viewer import or_404
from league.events.event.models import Event
from league.events.event.queries.access import event_for
from league.events.event.queries.event import event_versions
from league.floor.event_page.queries import podium
from league.stages.stage.models import Stage
from league.standings.player.queries.player import seasons_of
from league.standings.ranked_game.queries.game import seats_of
from league.standings.ranking.queries.board import Board
from league.standings.season.queries.access import (
    GameOnBoard,
    board_for,
    boards_of_player,
    game_on_board,
    player_for,
    visible_seasons,
)
from league.standings.standing.queries.standing import table_part
from league.templatetags.figures import figure

VISITOR: Final = Viewer(AnonymousUser())
PODIUM: Final = 3


@require_safe
def season_card(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
    """Show the first three of a ranking as an image."""
    board = or_404(board_for, VISITOR, club_slug, season_slug)
    return _card_response(request, board.club, board.versions, lambda: _season_texts(board))


@require_safe
def event_card(request: HttpRequest, club_slug: str, event_slug: str) -> HttpResponse:
    """Show when and where an event is as an image; once it is finished, the winners."""
    event = or_404(event_for, VISITOR, club_slug, event_slug)
    return _card_response(request, event.club, event_versions(event), lambda: _event_texts(event))


@require_safe
def game_card(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the ranks of a game as an image; answer 404 if the game was corrected or is void."""
    row = or_404(game_on_board, VISITOR, game_id)
    if row.is_replaced or (row.was_void and game_void(row.game)):
        raise Http404
    versions = (*row.board.versions, row.is_provisional)
    return _card_response(request, row.board.club, versions, lambda: _game_texts(row))


@require_safe
def player_card(request: HttpRequest, player_id: str) -> HttpResponse:
    """Show a player's ranks in the latest seasons as an image."""
    player = or_404(player_for, VISITOR, player_id)
    if player.merged_into:
        raise Http404
    versions = [board.versions for board in boards_of_player(VISITOR, player)]
    return _card_response(request, player.club, versions, lambda: _player_texts(player))


def _card_response(
    request: HttpRequest,
    club: Club,
    versions: Sequence[object],
    card_texts: Callable[[], SharedCard],
) -> HttpResponse:
    if not club.listed:
        raise Http404

    def draw_card() -> bytes:
        with translation.override(club.language):
            return card_png(card_texts())

    def respond() -> HttpResponse:
        state = (request.path, release_digest(), club.language, *versions)
        key = f"card/{sha256(repr(state).encode()).hexdigest()}"
        return HttpResponse(drawn(key, draw_card), content_type="image/png")

    setattr(request, SAME_FOR_ALL, True)
    return unless_unchanged(request, versions, respond)


def _season_texts(board: Board) -> SharedCard:
    part = table_part(board.ranking, first=0, count=PODIUM)
    lines = [
        Line(row.rank, row.name, _marked_value(_points(row.points), provisional=row.provisional))
        for row in part.rows
    ]
    players = ngettext("%(count)d player", "%(count)d players", part.found) % {"count": part.found}
    return SharedCard(board.club.name, board.name, lines, players if part.found else "")


def _event_texts(event: Event) -> SharedCard:
    lines: list[Line] = []
    if event.status == Event.Status.FINISHED:
        stages = list(Stage.objects.filter(event=event).order_by("number"))
        lines = [
            Line(step.rank, step.name, _marked_value("", provisional=step.provisional))
            for step in podium(event, stages)
        ]
    when_and_where = [_day(event.starts_at, event.club), event.venue]
    return SharedCard(event.club.name, event.name, lines, " · ".join(filter(None, when_and_where)))


def _game_texts(row: GameOnBoard) -> SharedCard:
    game = row.game
    board = row.board
    seats = sorted(seats_of(game), key=lambda seat: seat.rank or 0)
    lines = [Line(seat.rank or 0, seat.name) for seat in seats]
    title = gettext("Table %(number)s") % {"number": game.table} if game.table else board.name
    foot_parts = [board.name]
    if game.played_at:
        foot_parts.append(_day(game.played_at, board.club))
    if row.is_provisional:
        foot_parts.append(gettext("Provisional"))
    return SharedCard(board.club.name, title, lines, " · ".join(filter(None, foot_parts)))


def _player_texts(player: Player) -> SharedCard:
    seasons = seasons_of(player, visible_seasons(VISITOR))
    lines = [
        Line(
            season.rank,
            season.name,
            _marked_value(_points(season.points), provisional=season.provisional),
        )
        for season in seasons
    ]
    games = sum(season.games for season in seasons)
    game_count = ngettext("%(count)d game", "%(count)d games", games) % {"count": games}
    return SharedCard(player.club.name, player.name, lines, game_count if games else "")


def _points(points: int) -> str:
    return gettext("%(points)s points") % {"points": figure(points)}


def _marked_value(text: str, *, provisional: bool) -> str:
    mark = gettext("provisional") if provisional else ""
    return " · ".join(filter(None, [text, mark]))


def _day(moment: datetime, club: Club) -> str:
    return date_format(moment.astimezone(ZoneInfo(club.timezone)), "DATE_FORMAT")
