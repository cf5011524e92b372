"""Paste & replay: a game is checked and shown without being stored. Its address contains the whole
game."""

from __future__ import annotations

import binascii
import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from engine.illegal import Illegal
from engine.record.record import Record, parse
from engine.record.verdict import Verdict
from games.domain.text import PastedGame, read_pasted
from games.models import Game
from league.core.frame.unchanged import PART
from league.records.game.web.game import play_of
from league.records.game.web.text_form import MAX_BYTES, GameTextForm
from league.standings.ranked_game.queries.game import SeatAtTable

MAX_LINK: Final = 7000
"""The most characters of a packed game; a usual game has some 600. Common proxies allow 8 KB for
the line of a request."""


@require_http_methods(["GET", "HEAD", "POST"])
def replay(request: HttpRequest) -> HttpResponse:
    """Paste a game; redirect to the address that contains it, or explain its faults."""
    form = GameTextForm()
    if request.method == "POST":
        form = GameTextForm(request.POST, request.FILES)
    if not (form.is_bound and form.is_valid()):
        return _show_form(request, form)
    pasted: PastedGame = form.cleaned_data["pasted"]
    if pasted.record is None:
        return _show_form(request, form, pasted)
    packed = pack(_compact_json(pasted.text))
    if len(packed) > MAX_LINK:
        form.add_error(None, gettext("This is longer than any game: it can’t be replayed."))
        return _show_form(request, form, pasted)
    address = reverse("replayed", args=[packed])
    if pasted.more:
        address += "?more=1"
    return HttpResponseRedirect(address)


@require_safe
def replayed(request: HttpRequest, packed: str) -> HttpResponse:
    """Show the game in the address like any other."""
    text = unpack(packed)
    pasted = None if text is None else read_pasted(text)
    if pasted is None or pasted.record is None or pasted.verdict is None:
        form = GameTextForm(initial={"text": text or ""})
        damaged = gettext("This link is damaged: part of it is missing. Paste the game again.")
        return _show_form(request, form, pasted, damaged=damaged, status=404)
    record = pasted.record
    seats = _ranked_seats(record, pasted.verdict)
    game = _unsaved_game(record)
    play = play_of(record)
    context = {
        "pasted": pasted,
        "game_cache_key": packed,
        "more": "more" in request.GET,
        "form": GameTextForm(initial={"text": pasted.text}),
        "game": game,
        "over": pasted.verdict.over,
        "rules": record.rules,
        "seats": seats,
        "result": sorted(seats, key=lambda seat: seat.rank or 0),
        "crumbs": [(gettext("Replay"), reverse("replay"))],
        **play.shown(request, record, seats, None),
    }
    zone = game.played_at.tzinfo if game.played_at else None
    with timezone.override(zone or timezone.get_default_timezone()):
        response = render(request, play.template(request), context)
    patch_vary_headers(response, [PART])
    response["X-Robots-Tag"] = "noindex"
    return response


def pack(text: str) -> str:
    """Return the text as a part of an address."""
    packed = zlib.compress(text.encode("utf-8", "surrogatepass"), 9)
    return urlsafe_b64encode(packed).decode().rstrip("=")


def unpack(packed: str) -> str | None:
    """Return the text in a part of an address; None if it is damaged or too long."""
    if len(packed) > MAX_LINK:
        return None
    padding = "=" * (-len(packed) % 4)
    try:
        unzip = zlib.decompressobj()
        content = unzip.decompress(urlsafe_b64decode(packed + padding), MAX_BYTES)
        return content.decode() if unzip.eof else None
    except (ValueError, binascii.Error, zlib.error):
        return None


def _compact_json(text: str) -> str:
    value = parse(text)
    if isinstance(value, Illegal):
        return text
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError:  # a number too large for a float
        return text


def _show_form(
    request: HttpRequest,
    form: GameTextForm,
    pasted: PastedGame | None = None,
    *,
    damaged: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {"form": form, "pasted": pasted, "damaged": damaged, "max_bytes": MAX_BYTES}
    return render(request, "league/records/replay/replay.html", context, status=status)


def _unsaved_game(record: Record) -> Game:
    return Game(
        kind=record.game,
        external_id=record.record_id,
        event=record.event or "",
        table=record.table or "",
        played_at=record.instant,
    )


def _ranked_seats(record: Record, verdict: Verdict) -> list[SeatAtTable]:
    ranks = verdict.rank or [None] * len(record.seats)
    points = verdict.points or [None] * len(record.seats)
    return [
        SeatAtTable(
            number=number,
            handle=handle,
            name=handle,
            player=None,
            rank=ranks[number],
            points=points[number],
        )
        for number, handle in enumerate(record.seats)
    ]
