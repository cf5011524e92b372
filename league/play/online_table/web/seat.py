"""The seat of a request, found by its account or by the key that a guest keeps in a cookie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

import structlog
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from engine.illegal import Refused
from league.core.account.models import User
from league.core.frame.errors import too_many_requests
from league.core.frame.letter_link import public_address
from league.core.frame.limits import limit_use
from league.core.frame.rendering import SEAT_COOKIE
from league.core.frame.saying import redirect_saying
from league.core.viewer.web.viewer import page_of
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.queries import online_table_for, own_seat, seats_of

log = structlog.get_logger(__name__)
P = ParamSpec("P")
COOKIE_SECONDS: Final = 30 * 24 * 3600
"""How long a guest's browser keeps the key of its seat."""


def seat_of_browser(
    request: HttpRequest, table: OnlineTable, seats: Sequence[OnlineSeat]
) -> OnlineSeat | None:
    """Return the seat of the request's account, or of the key in its cookie; None if it has
    none."""
    user = request.user if isinstance(request.user, User) else None
    return own_seat(seats, user, request.COOKIES.get(seat_cookie(table), ""))


def seat_link_of(request: HttpRequest, table: OnlineTable) -> str:
    """Return the link with which a guest can continue on another device."""
    key = request.COOKIES[seat_cookie(table)]
    return public_address(reverse("online-table-seat", args=[table.public_id, key]))


def seat_cookie(table: OnlineTable) -> str:
    return f"{SEAT_COOKIE}{table.public_id}"


def seat_only(
    view: Callable[Concatenate[HttpRequest, OnlineTable, OnlineSeat, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Decorate an action for seats of the table; everybody else gets a 404.

    If the rules refuse the action, the table's page says why.
    """

    @never_cache
    @require_POST
    @page_of(online_table_for)
    @wraps(view)
    def page(request: HttpRequest, table: OnlineTable, *args: Any, **kwargs: Any) -> HttpResponse:
        seat = seat_of_browser(request, table, seats_of(table))
        if seat is None:
            log.warning("play.refused", code="not_seated", path=request.path, method=request.method)
            raise Http404
        usage = limit_use("seat", f"seat {seat.pk}")
        if usage is not None and usage.exceeded:
            return too_many_requests(request, usage.ends)
        try:
            return view(request, table, seat, *args, **kwargs)
        except Refused as refused:
            return refused_page(request, table, refused)

    return page


def refused_page(request: HttpRequest, table: OnlineTable, refused: Refused) -> HttpResponse:
    words = refused.illegal.message.translated(gettext)
    return table_saying(request, table, words, level=messages.ERROR)


def table_saying(
    request: HttpRequest, table: OnlineTable, words: str, *, level: int = messages.SUCCESS
) -> HttpResponse:
    """Redirect to the table's page, which shows these words as a message."""
    return redirect_saying(request, words, "online-table", table.public_id, level=level)


def seat_remember(answer: HttpResponse, request: HttpRequest, table: OnlineTable, key: str) -> None:
    """Set the cookie with the key of a guest's seat, for the pages of this table alone."""
    answer.set_cookie(
        seat_cookie(table),
        key,
        max_age=COOKIE_SECONDS,
        path=reverse("online-table", args=[table.public_id]),
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
