"""Who looks at a page, and how the page is answered: what may not be seen is 404, times are the
club's."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar
from zoneinfo import ZoneInfo

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.unchanged import LIVE, part_of
from league.core.viewer.permissions import roles_of
from league.core.viewer.queries.access import Viewer, is_link
from league.core.viewer.web.crumbs import open_crumbs

P = ParamSpec("P")
R = TypeVar("R", bound=HttpResponseBase)
T = TypeVar("T")
PageContext: TypeAlias = dict[str, object]
"""What a template of a page, or of a part of it, is given by name."""
SESSION_KEYS = "season_keys"
KEYS_REMEMBERED = 20


def viewer_of(request: HttpRequest) -> Viewer:
    """Show who looks. A season's link (`?key=<link_token>`) is remembered in the session; keys that
    open nothing aren't."""
    keys: list[str] = request.session.get(SESSION_KEYS, [])
    key = request.GET.get("key", "")
    if key and key.isprintable() and key not in keys and is_link(key):
        keys = [*keys, key][-KEYS_REMEMBERED:]
        request.session[SESSION_KEYS] = keys
    return Viewer(request.user, frozenset(keys))


def signed_in(request: HttpRequest) -> User:
    """The account that is signed in, on pages that ask for one."""
    assert isinstance(request.user, User)
    return request.user


def or_404(load: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a loader gives; 404 for what isn't there, or may not be seen."""
    try:
        return load(*args, **kwargs)
    except ObjectDoesNotExist as error:
        raise Http404 from error


def required(row: T | None) -> T:
    """A row that the address names; 404 where there is none."""
    if row is None:
        raise Http404
    return row


def page_of(
    load: Callable[Concatenate[Viewer, ...], T],
) -> Callable[[Callable[Concatenate[HttpRequest, T, ...], R]], Callable[..., R]]:
    """Decorate the view of what its address names: `load` gets who looks and the first words of the
    address, as many as it asks for; the view gets what that loads, and the words behind them. 404
    for what isn't there, or may not be seen."""
    parameters = signature(load).parameters.values()
    words = [
        each
        for each in parameters
        if each.kind is each.POSITIONAL_OR_KEYWORD and each.default is each.empty
    ][1:]

    def decorator(view: Callable[Concatenate[HttpRequest, T, ...], R]) -> Callable[..., R]:
        @wraps(view)
        def page(request: HttpRequest, **address: Any) -> R:
            names = [*address][: len(words)]
            row = or_404(load, viewer_of(request), *[address.pop(name) for name in names])
            return view(request, row, **address)

        return page

    return decorator


def club_page(request: HttpRequest, club: Club, template: str, /, **context: Any) -> HttpResponse:
    """A page of a club: its times are those of the club's zone, and the crumbs of a page of the
    desk (`here`) lead where the reader may go. An open page is sent the part alone that follows
    what happens."""
    frame = "part.html" if part_of(request) == LIVE else "base.html"
    page = {"club": club, "section": "clubs", "frame": frame, **context}
    if isinstance(page.get("here"), str):
        if "roles_here" not in page:
            page["roles_here"] = roles_of(request.user, club)
        page["crumbs"] = open_crumbs(page["roles_here"], club, page["crumbs"])
    with timezone.override(ZoneInfo(club.timezone)):
        return render(request, template, page)
