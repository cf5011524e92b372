"""A game: the way of every die, and what makes it trustworthy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from engine.notation.text import EXTENSION, MEDIA_TYPE
from engine.record.canonical import digests
from engine.record.check import replay
from engine.record.record import Record
from engine.record.verdict import Verdict
from games.domain.game import game_notation
from games.models import Game, Void
from games.models.game import Kind
from games.queries.game import game_correction, game_export, sealed_record
from games.queries.void import voids_of
from league.core.frame.rendering import public_page
from league.core.frame.unchanged import part_of, unless_unchanged
from league.core.viewer.domain import role_words
from league.core.viewer.queries.author import authors_of
from league.core.viewer.web.viewer import PageContext, club_page, page_of
from league.records.game.queries.game import receipts_of
from league.records.round.web.round import rounds_shown
from league.records.round.web.turn import turns_shown
from league.standings.adjustment.queries import standing_order, standing_penalties
from league.standings.ranked_game.queries.game import SeatAtTable, neighbours_of, seats_of
from league.standings.ranking.queries.state import page_state
from league.standings.ranking.web.ranking import season_crumbs
from league.standings.season.queries.access import GameOnBoard, game_for, game_on_board

STAGE = "stage"
"""The id of what shows one round (turn): a reader who steps through a game asks for this part
alone."""


@require_safe
@public_page(page_state)
@page_of(game_on_board)
def game_page(request: HttpRequest, row: GameOnBoard) -> HttpResponse:
    """A game with all of its rounds (turns); the address can name the one on the stage."""
    return unless_unchanged(
        request, row.board.versions, lambda: _game(request, row), row.board.ranking.pk
    )


def _game(request: HttpRequest, found: GameOnBoard) -> HttpResponse:
    game = found.game
    record, head = sealed_record(game)
    season = game.season_game.season
    seats = seats_of(game)
    play = play_of(record)
    context = {
        "game": game,
        "rules": record.rules,
        "season": season,
        "seats": seats,
        **play.shown(request, record, seats, head),
    }
    if part_of(request) != STAGE:
        context |= _whole(
            request, game, record, seats, game_correction(game) if found.is_replaced else None
        )
        context |= {
            **_voids(voids_of(game) if found.was_void else []),
            "objected": found.was_provisional,
        }
        context["adjusted"] = _adjusted(game, seats) if found.was_adjusted else None
        context["provisional"] = found.is_provisional
    return club_page(request, season.club, play.template(request), **context)


def _whole(
    request: HttpRequest,
    game: Game,
    record: Record,
    seats: Sequence[SeatAtTable],
    correction: Game | None,
) -> PageContext:
    """Show what the page of a sealed game, and of its correction, tells besides its rounds
    (turns)."""
    verdict = replay(record)
    season = game.season_game.season
    chain = [digest.hex() for digest in digests(record)]
    authors = [game.entered_by, correction.entered_by if correction else None]
    before, after = neighbours_of(game, season.ranking)
    may_rule = request.user.has_perm("league.correct_game", game)
    return {
        "over": verdict.over,
        "replaced_by": correction,
        "authors": authors_of(request.user, season.club, authors),
        "may_correct": correction is None and may_rule,
        "may_photo": may_rule or request.user.has_perm("league.see_photos", game),
        "before": before,
        "after": after,
        "result": sorted(_ranked(seats, verdict), key=lambda seat: seat.rank or 0),
        "chain": chain,
        "receipts": receipts_of(game),
        "drawn": repr((chain[-1], [(seat.handle, seat.name) for seat in seats])),
        "record_url": request.build_absolute_uri(reverse("game-record", args=[game.public_id])),
        "notation": game_notation(game, record),
        "crumbs": [
            *season_crumbs(season),
            (gettext("Games"), reverse("season-games", args=[season.club.slug, season.slug])),
        ],
    }


def _voids(voids: Sequence[Void]) -> PageContext:
    """Show whether a game is void, and all that was said of it, each with the role of who did it,
    in words."""
    rows = [(void, role_words(void.role)) for void in voids]
    return {"voids": rows, "void": rows[-1] if voids and voids[-1].stands else None}


class ShownPenalty(NamedTuple):
    """A penalty as the page of its game shows it: whose seat, the points, by which role, in words,
    and when."""

    name: str
    points: int
    author: str
    at: datetime


class ShownOrder(NamedTuple):
    """A set order as the page of its game shows it: ranks with names, the best first, by which
    role, and when."""

    places: list[tuple[int, str]]
    author: str
    at: datetime


class ShownAdjustments(NamedTuple):
    """All that arbiters have adjusted in a game, and stands."""

    order: ShownOrder | None
    penalties: list[ShownPenalty]


def _adjusted(game: Game, seats: Sequence[SeatAtTable]) -> ShownAdjustments | None:
    """Show what arbiters have adjusted in a game; None if nothing of it stands."""
    names = [seat.name for seat in seats]
    penalties = [
        ShownPenalty(names[row.seat], row.points, role_words(row.role), row.made_at)
        for row in standing_penalties(game)
    ]
    order = standing_order(game)
    if order is None:
        return ShownAdjustments(None, penalties) if penalties else None
    places = sorted(zip(order.ranks or (), names, strict=True))
    return ShownAdjustments(ShownOrder(places, role_words(order.role), order.made_at), penalties)


def _ranked(seats: Sequence[SeatAtTable], verdict: Verdict) -> list[SeatAtTable]:
    """The seats with the ranks that the record itself tells, counted or not."""
    return [
        replace(seat, rank=verdict.rank[seat.number] if verdict.rank else None) for seat in seats
    ]


@require_safe
@page_of(game_for)
def game_record_file(request: HttpRequest, game: Game) -> HttpResponse:
    """The game in the record format, as it was sealed."""
    return HttpResponse(
        game_export(game) + b"\n",
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="game-{game.public_id}.json"'},
    )


@require_safe
@page_of(game_for)
def game_notation_file(request: HttpRequest, game: Game) -> HttpResponse:
    """The game in the text notation."""
    return HttpResponse(
        game_notation(game, sealed_record(game)[0]),
        content_type=f"{MEDIA_TYPE}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="game-{game.public_id}{EXTENSION}"'},
    )


def play_of(record: Record) -> Play:
    """Tell how a game is shown: as those of its kind, or without a round where only its end is
    known."""
    return PLAY[record.game] if record.outcome is None else ONLY_END


def _no_rounds(
    request: HttpRequest, record: Record, seats: Sequence[SeatAtTable], head: bytes | None
) -> PageContext:
    assert record.outcome is not None
    end = record.outcome
    return {
        "only_end": True,
        "authors": {},
        "by_clock": end.ended,
        "dice": None if end.dice is None else list(zip(seats, end.dice, strict=True)),
        "left": [seats[n] for n in end.forfeit],
    }


@dataclass(frozen=True, slots=True)
class Play:
    """The way in which the games of one kind are shown: the template of the page, that of its
    stage, and what both of them need.

    `shown` is given the digest that the game is sealed under, None for one that nobody sealed.
    """

    page: str
    stage: str
    shown: Callable[[HttpRequest, Record, Sequence[SeatAtTable], bytes | None], PageContext]

    def template(self, request: HttpRequest) -> str:
        """The template of what the request asks for."""
        return self.stage if part_of(request) == STAGE else self.page


PLAY: dict[str, Play] = {
    Kind.BLUFF: Play("games/game/bluff.html", "games/game/bluff_stage.html", rounds_shown),
    Kind.LUEGEN_KNIFFEL: Play(
        "games/game/kniffel.html", "games/game/kniffel_stage.html", turns_shown
    ),
}
ONLY_END = Play("games/game/game.html", "games/game/only_end.html", _no_rounds)
