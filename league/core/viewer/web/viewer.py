"""The viewer of a page, and how pages are answered: what the viewer may not see is a 404, times are
the club's."""

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
from django.utils.safestring import SafeString

from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.kept import drawn
from league.core.frame.unchanged import LIVE, part_of
from league.core.viewer.permissions import roles_of
from league.core.viewer.queries.access import Viewer, is_link
from league.core.viewer.web.crumbs import open_crumbs

P = ParamSpec("P")
R = TypeVar("R", bound=HttpResponseBase)
T = TypeVar("T")
PageContext: TypeAlias = dict[str, object]
"""The context of a page's template, or of a part of it."""
SESSION_KEYS = "season_keys"
KEYS_REMEMBERED = 20


def viewer_of(request: HttpRequest) -> Viewer:
    """Return the viewer of a request. The key of a season's link (`?key=<link_token>`) is stored in
    the session if it opens a season."""
    keys: list[str] = request.session.get(SESSION_KEYS, [])
    key = request.GET.get("key", "")
    if key and key.isprintable() and key not in keys and is_link(key):
        keys = [*keys, key][-KEYS_REMEMBERED:]
        request.session[SESSION_KEYS] = keys
    return Viewer(request.user, frozenset(keys))


def signed_in(request: HttpRequest) -> User:
    """Return the signed-in account, on pages that require one."""
    assert isinstance(request.user, User)
    return request.user


def or_404(load: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of a loader; answer 404 if the object doesn't exist or may not be seen."""
    try:
        return load(*args, **kwargs)
    except ObjectDoesNotExist as error:
        raise Http404 from error


def required(row: T | None) -> T:
    """Return the row; answer 404 if it is None."""
    if row is None:
        raise Http404
    return row


def page_of(
    load: Callable[Concatenate[Viewer, ...], T],
) -> Callable[[Callable[Concatenate[HttpRequest, T, ...], R]], Callable[..., R]]:
    """Decorate the view of an object. `load` gets the viewer and as many values from the address as
    it has required parameters; the view gets the loaded object and the other values. The answer is
    404 if the object doesn't exist or may not be seen."""
    required_parameters = [
        parameter
        for parameter in signature(load).parameters.values()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        and parameter.default is parameter.empty
    ]
    value_count = len(required_parameters) - 1  # without the viewer

    def decorator(view: Callable[Concatenate[HttpRequest, T, ...], R]) -> Callable[..., R]:
        @wraps(view)
        def page(request: HttpRequest, **values: Any) -> R:
            loader_values = [values.pop(name) for name in list(values)[:value_count]]
            row = or_404(load, viewer_of(request), *loader_values)
            return view(request, row, **values)

        return page

    return decorator


def shared_part(
    request: HttpRequest, club: Club, template: str, key: str, context: Callable[[], PageContext]
) -> SafeString:
    """Return a part of a page of a club, which is rendered once for all readers with the same `key`
    (`league.core.frame.kept.shared_key`). `context` reads what the part shows."""

    def render_part() -> SafeString:
        return SafeString(club_page(request, club, template, **context()).content.decode())

    return drawn(f"{template}/{key}", render_part)


def club_page(request: HttpRequest, club: Club, template: str, /, **context: Any) -> HttpResponse:
    """Render a page of a club, with times in the club's zone. A page of the desk (`here` names its
    part of the desk) gets only those crumbs that the reader may open. If an open page asks for its
    live part, only that part is rendered."""
    frame = "part.html" if part_of(request) == LIVE else "base.html"
    page = {"club": club, "section": "clubs", "frame": frame, **context}
    if isinstance(page.get("here"), str):
        if "roles_here" not in page:
            page["roles_here"] = roles_of(request.user, club)
        page["crumbs"] = open_crumbs(page["roles_here"], club, page["crumbs"])
    with timezone.override(ZoneInfo(club.timezone)):
        return render(request, template, page)
