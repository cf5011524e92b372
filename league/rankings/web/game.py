"""A game: the way of every die, and what makes it trustworthy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from engine.notation.text import EXTENSION, MEDIA_TYPE
from engine.record.canonical import digests
from engine.record.check import check
from engine.record.export import export
from engine.record.record import Record
from engine.record.verdict import Verdict
from games.models.game import Kind
from games.queries.game import game_correction, game_notation, sealed_record
from league.clubs.queries.author import authors_of
from league.rankings.queries.access import game_for
from league.rankings.queries.game import SeatAtTable, seats_of
from league.rankings.web.round import rounds_shown
from league.rankings.web.turn import turns_shown
from league.rankings.web.viewer import PageContext, club_page, or_404, viewer_of


@require_safe
def game_page(request: HttpRequest, game: str) -> HttpResponse:
    """A game with all of its rounds (turns); the address can name the one on the stage."""
    found = or_404(game_for, viewer_of(request), game)
    record, head = sealed_record(found)
    verdict = check(record)
    seats = _ranked(seats_of(found), verdict)
    season = found.season_game.season
    names = [(seat.handle, seat.name) for seat in seats]
    template, play = PLAY[found.kind]
    correction = game_correction(found)
    authors = [found.entered_by, correction.entered_by if correction else None]
    context = {
        "game": found,
        "over": verdict.over,
        "replaced_by": correction,
        "authors": authors_of(request.user, season.club, authors),
        "may_correct": correction is None and request.user.has_perm("league.correct_games", season.club),
        "rules": record.rules,
        "season": season,
        "seats": seats,
        "result": sorted(seats, key=lambda seat: seat.rank or 0),
        "chain": [digest.hex() for digest in digests(record)],
        "drawn": repr((head.hex(), names)),
        "record_url": request.build_absolute_uri(reverse("game-record", args=[found.public_id])),
        "notation": game_notation(found, record),
        "crumbs": [
            (season.club.name, reverse("club", args=[season.club.slug])),
            (season.name, reverse("season", args=[season.club.slug, season.slug])),
            (gettext("Games"), reverse("season-games", args=[season.club.slug, season.slug])),
        ],
        **play(request, record, seats, head),
    }
    return club_page(request, season.club, template, context)


def _ranked(seats: Sequence[SeatAtTable], verdict: Verdict) -> list[SeatAtTable]:
    """The seats with the ranks that the record itself tells, counted or not."""
    return [replace(seat, rank=verdict.rank[seat.number] if verdict.rank else None) for seat in seats]


@require_safe
def game_record_file(request: HttpRequest, game: str) -> HttpResponse:
    """The game in the record format, as it was sealed."""
    found = or_404(game_for, viewer_of(request), game)
    return HttpResponse(
        export(sealed_record(found)[0]) + b"\n",
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="game-{found.public_id}.json"'},
    )


@require_safe
def game_notation_file(request: HttpRequest, game: str) -> HttpResponse:
    """The game in the text notation."""
    found = or_404(game_for, viewer_of(request), game)
    return HttpResponse(
        game_notation(found, sealed_record(found)[0]),
        content_type=f"{MEDIA_TYPE}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="game-{found.public_id}{EXTENSION}"'},
    )


def _turns(request: HttpRequest, record: Record, seats: Sequence[SeatAtTable], head: bytes | None) -> PageContext:
    return turns_shown(request, record, seats)


PLAY: dict[str, tuple[str, Callable[[HttpRequest, Record, Sequence[SeatAtTable], bytes | None], PageContext]]] = {
    Kind.BLUFF: ("games/game/bluff.html", rounds_shown),
    Kind.LUEGEN_KNIFFEL: ("games/game/kniffel.html", _turns),
}
"""How each game is shown: its template, and what that needs besides the head, the result and the chain. It is given the
digest that the game is sealed under; None for one that nobody sealed."""
