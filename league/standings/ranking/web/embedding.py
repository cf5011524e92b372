"""Pages that the club's own websites may show in a frame."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar, cast

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from league.core.club.models import Club

V = TypeVar("V", bound=Callable[..., HttpResponseBase])

EMBED: Final = "embed"
"""The parameter for a page without header and footer, as everybody sees it
(templates/base.html)."""


def embeddable(lookup: str, argument: str) -> Callable[[V], V]:
    """Decorate a view so that the club's own websites may show its page in a frame, with `?embed`.

    The page is of the club whose `lookup` is the value of the view's `argument`. It is rendered for
    an anonymous viewer, so a framing website can't trick a signed-in one into clicking
    something."""

    def decorator(view: V) -> V:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if EMBED not in request.GET:
                return view(request, *args, **kwargs)
            request.user = AnonymousUser()
            response: Any = view(request, *args, **kwargs)
            clubs = Club.objects.filter(**{lookup: kwargs[argument]})
            websites = clubs.values_list("websites", flat=True).first()
            if websites:
                response.xframe_options_exempt = True
                # as django-csp's own decorator does
                response._csp_replace = {"frame-ancestors": websites.split()}
            return cast("HttpResponseBase", response)

        return cast("V", page)

    return decorator
