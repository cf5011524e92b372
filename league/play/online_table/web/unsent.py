"""Storing the unsent choice of a seat for its move; the table's page shows it to that seat."""

from __future__ import annotations

import json
from typing import Final

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from games.queries.online_game import OnlineGame
from league.core.viewer.web.viewer import PageContext
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.services.unsent import unsent_keep, unsent_of
from league.play.online_table.web.game_pages import GAME_PAGES
from league.play.online_table.web.seat import seat_only

MOST_CHARACTERS: Final = 2_000
"""Longer than any form of a move with its keys."""


@seat_only
def keep_unsent(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Store what the seat has chosen. Ignore a choice that comes too late, after a move."""
    is_huge = len(request.POST.urlencode()) > MOST_CHARACTERS
    form = GAME_PAGES[table.kind].unsent(request.POST)
    if is_huge or not form.is_valid():
        raise BadRequest("this is no unsent move")
    unsent_keep(table=table, seat=seat, length=form.cleaned_data["length"], chosen=form.chosen())
    return HttpResponse(status=204)


def unsent_context(table: OnlineTable, game: OnlineGame, seat: OnlineSeat | None) -> PageContext:
    """Return the script's data about the unsent move of a seat that is to act; empty for all
    others.
    """
    if seat is None or seat.number not in game.sheet.to_act:
        return {}
    chosen = unsent_of(table=table, seat=seat, length=game.row.length)
    return {
        "unsent_url": reverse("online-table-unsent", args=[table.public_id]),
        "unsent_move": "" if chosen is None else json.dumps(chosen),
    }
