"""A game: the way of every die, and what makes it trustworthy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from engine.record.canonical import digests
from engine.record.record import Record
from engine.record.write import write
from games.models import Round
from games.models.game import Kind
from games.queries.game import game_record
from games.queries.round import PlayedRound, rounds_of
from league.queries.access import game_for
from league.queries.game import SeatAtTable, seats_of
from league.web.turn import turns_shown
from league.web.viewer import club_page, or_404, viewer_of

Context = dict[str, object]


@require_safe
def game_page(request: HttpRequest, game: int) -> HttpResponse:
    """A game with all of its rounds; `?round=3` puts the third on the stage."""
    found = or_404(game_for, viewer_of(request), game)
    sealed = list(Round.objects.filter(game=found).order_by("number"))
    record, seats = game_record(found, sealed), seats_of(found)
    season = found.season_game.season
    chain = [bytes(found.digest), *(bytes(row.digest) for row in sealed)]
    template, play = PLAY.get(found.kind, ("games/game/game.html", _nothing))
    context = {
        "game": found,
        "rules": record.rules,
        "season": season,
        "seats": seats,
        "result": sorted(seats, key=lambda seat: seat.rank or 0),
        "chain": [digest.hex() for digest in chain],
        "chain_holds": digests(record) == chain and chain[-1] == bytes(found.head),
        "record_url": request.build_absolute_uri(reverse("game-record", args=[found.pk])),
        "crumbs": [
            (season.club.name, reverse("club", args=[season.club.slug])),
            (season.name, reverse("season", args=[season.club.slug, season.slug])),
            (gettext("Games"), reverse("season-games", args=[season.club.slug, season.slug])),
        ],
        **play(request, record, seats),
    }
    return club_page(request, season.club, template, context)


@require_safe
def game_record_file(request: HttpRequest, game: int) -> HttpResponse:
    """The game in the record format, as it was sealed."""
    found = or_404(game_for, viewer_of(request), game)
    return HttpResponse(
        write(game_record(found)) + "\n",
        content_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="game-{found.pk}.json"'},
    )


def _bluff(request: HttpRequest, record: Record, seats: Sequence[SeatAtTable]) -> Context:
    """The rounds, the one on the stage (the last, unless the address names one), and who bled when."""
    rounds = rounds_of(record)
    asked = request.GET.get("round", "")
    chosen = next((told for told in rounds if str(told.number) == asked), rounds[-1] if rounds else None)
    return {
        "rounds": rounds,
        "chosen": chosen,
        "steps": [_step(told, chosen) for told in rounds],
        "labels": [told.number for told in rounds],
        "strip": [_bleeding(seat, rounds) for seat in seats],
    }


def _nothing(request: HttpRequest, record: Record, seats: Sequence[SeatAtTable]) -> Context:
    return {}


PLAY: dict[str, tuple[str, Callable[[HttpRequest, Record, Sequence[SeatAtTable]], Context]]] = {
    Kind.BLUFF: ("games/game/bluff.html", _bluff),
    Kind.LUEGEN_KNIFFEL: ("games/game/kniffel.html", turns_shown),
}
"""How each game is shown: its template, and what that needs besides the head, the result and the chain."""


def _address(told: PlayedRound) -> str:
    return f"?round={told.number}#stage"


def _step(told: PlayedRound, chosen: PlayedRound | None) -> Context:
    """A round in the stepper."""
    return {"label": told.number, "state": "now" if told is chosen else "next", "url": _address(told)}


def _bleeding(seat: SeatAtTable, rounds: Sequence[PlayedRound]) -> Context:
    """A seat's dice left after each round, for the strip."""
    left = [
        {"dice": told.left[seat.number], "lost": -told.change[seat.number], "url": _address(told)} for told in rounds
    ]
    return {"name": seat.name, "handle": seat.handle, "left": left}
