"""The page of a game: its rounds, its result, and its seal."""

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
"""The id of the part of the page that shows one round (turn); stepping through a game requests only
this part."""


@require_safe
@public_page(page_state)
@page_of(game_on_board)
def game_page(request: HttpRequest, row: GameOnBoard) -> HttpResponse:
    """Show a game with all of its rounds (turns); the address may name the one to show in full."""
    return unless_unchanged(
        request, row.board.versions, lambda: _render_game(request, row), row.board.ranking.pk
    )


def _render_game(request: HttpRequest, row: GameOnBoard) -> HttpResponse:
    game = row.game
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
        correction = game_correction(game) if row.is_replaced else None
        context.update(_whole_page_context(request, game, record, seats, correction))
        context.update(_voids_context(voids_of(game) if row.was_void else []))
        context["objected"] = row.was_provisional
        context["adjusted"] = _standing_adjustments(game, seats) if row.was_adjusted else None
        context["provisional"] = row.is_provisional
    return club_page(request, season.club, play.template(request), **context)


def _whole_page_context(
    request: HttpRequest,
    game: Game,
    record: Record,
    seats: Sequence[SeatAtTable],
    correction: Game | None,
) -> PageContext:
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
        "result": sorted(
            _seats_with_recorded_ranks(seats, verdict), key=lambda seat: seat.rank or 0
        ),
        "chain": chain,
        "receipts": receipts_of(game),
        "game_cache_key": repr((chain[-1], [(seat.handle, seat.name) for seat in seats])),
        "record_url": request.build_absolute_uri(reverse("game-record", args=[game.public_id])),
        "notation": game_notation(game, record),
        "crumbs": [
            *season_crumbs(season),
            (gettext("Games"), reverse("season-games", args=[season.club.slug, season.slug])),
        ],
    }


def _voids_context(voids: Sequence[Void]) -> PageContext:
    rows = [(void, role_words(void.role)) for void in voids]
    is_void = bool(voids) and voids[-1].stands
    return {"voids": rows, "void": rows[-1] if is_void else None}


class ShownPenalty(NamedTuple):
    """A penalty on the page of its game: the seat's name, the points, the author's role in words,
    and the time."""

    name: str
    points: int
    author: str
    at: datetime


class ShownOrder(NamedTuple):
    """A set order on the page of its game: ranks with names, the best first, the author's role, and
    the time."""

    places: list[tuple[int, str]]
    author: str
    at: datetime


class ShownAdjustments(NamedTuple):
    """The adjustments of a game that hold now."""

    order: ShownOrder | None
    penalties: list[ShownPenalty]


def _standing_adjustments(game: Game, seats: Sequence[SeatAtTable]) -> ShownAdjustments | None:
    names = [seat.name for seat in seats]
    penalties = [
        ShownPenalty(names[row.seat], row.points, role_words(row.role), row.made_at)
        for row in standing_penalties(game)
    ]
    order = standing_order(game)
    if order is None and not penalties:
        return None
    if order is None:
        return ShownAdjustments(None, penalties)
    places = sorted(zip(order.ranks or (), names, strict=True))
    return ShownAdjustments(ShownOrder(places, role_words(order.role), order.made_at), penalties)


def _seats_with_recorded_ranks(seats: Sequence[SeatAtTable], verdict: Verdict) -> list[SeatAtTable]:
    ranks = verdict.rank or [None] * len(seats)
    return [replace(seat, rank=ranks[seat.number]) for seat in seats]


@require_safe
@page_of(game_for)
def game_record_file(request: HttpRequest, game: Game) -> HttpResponse:
    """Return the game in the record format, as it was sealed."""
    return HttpResponse(
        game_export(game) + b"\n",
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="game-{game.public_id}.json"'},
    )


@require_safe
@page_of(game_for)
def game_notation_file(request: HttpRequest, game: Game) -> HttpResponse:
    """Return the game in the text notation."""
    record, _ = sealed_record(game)
    return HttpResponse(
        game_notation(game, record),
        content_type=f"{MEDIA_TYPE}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="game-{game.public_id}{EXTENSION}"'},
    )


def play_of(record: Record) -> Play:
    """Return how a game is shown: like others of its kind, or without rounds if only its end is
    known."""
    return ONLY_END if record.outcome is not None else PLAY[record.game]


def _only_end_context(
    request: HttpRequest, record: Record, seats: Sequence[SeatAtTable], head: bytes | None
) -> PageContext:
    """Return the context of a game of which only the end is known. `request` and `head` are unused:
    all functions of `Play.shown` have the same arguments."""
    assert record.outcome is not None
    outcome = record.outcome
    dice = None
    if outcome.dice is not None:
        dice = list(zip(seats, outcome.dice, strict=True))
    return {
        "only_end": True,
        "authors": {},
        "by_clock": outcome.ended,  # "clock" or None
        "dice": dice,
        "left": [seats[seat] for seat in outcome.forfeit],
    }


@dataclass(frozen=True, slots=True)
class Play:
    """How games of one kind are shown: the template of the page, that of its stage, and the
    function that makes the context of both.

    `shown` gets the request, the record, its seats, and the digest under which the game is sealed
    (None for an unsealed game)."""

    page: str
    stage: str
    shown: Callable[[HttpRequest, Record, Sequence[SeatAtTable], bytes | None], PageContext]

    def template(self, request: HttpRequest) -> str:
        """Return the template of the requested part."""
        return self.stage if part_of(request) == STAGE else self.page


PLAY: dict[str, Play] = {
    Kind.BLUFF: Play("games/game/bluff.html", "games/game/bluff_stage.html", rounds_shown),
    Kind.LUEGEN_KNIFFEL: Play(
        "games/game/kniffel.html", "games/game/kniffel_stage.html", turns_shown
    ),
}
ONLY_END = Play("games/game/game.html", "games/game/only_end.html", _only_end_context)
