"""Who looks at a page, and how the page is answered: what may not be seen is 404, times are the club's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import ParamSpec, TypeVar
from zoneinfo import ZoneInfo

from django.contrib.messages import get_messages
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

from league.clubs.models import Club
from league.clubs.queries.access import Viewer
from league.rankings.queries.board import Board
from league.rankings.queries.season import is_link

P = ParamSpec("P")
T = TypeVar("T")

SESSION_KEYS = "season_keys"
KEYS_REMEMBERED = 20
PART = "HX-Target"


def viewer_of(request: HttpRequest) -> Viewer:
    """Who looks. A season's link (`?key=<link_token>`) is remembered in the session; keys that open nothing aren't."""
    keys: list[str] = request.session.get(SESSION_KEYS, [])
    key = request.GET.get("key", "")
    if key and key.isprintable() and key not in keys and is_link(key):
        keys = [*keys, key][-KEYS_REMEMBERED:]
        request.session[SESSION_KEYS] = keys
    return Viewer(request.user, frozenset(keys))


def part_of(request: HttpRequest) -> str:
    """The id of the element that a script of ours will put in the place of the old one; empty for the whole page."""
    return request.headers.get(PART, "")


def or_404(load: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What a loader of `league.rankings.queries.access` gives; 404 for what isn't there, or may not be seen."""
    try:
        return load(*args, **kwargs)
    except ObjectDoesNotExist as error:
        raise Http404 from error


def club_page(request: HttpRequest, club: Club, template: str, context: Mapping[str, object]) -> HttpResponse:
    """A page of a club: its times are those of the club's zone."""
    with timezone.override(ZoneInfo(club.timezone)):
        return render(request, template, {"club": club, "section": "clubs", **context})


def unless_unchanged(request: HttpRequest, board: Board, answer: Callable[[], HttpResponse]) -> HttpResponse:
    """304 if the reader has this page of this version of the ranking already, else the answer with its ETag.

    The tag holds all that the page depends on: the ranking's version and what jobs do with it, the end of the club's
    log, in which every change of a name or a setting stands, language, account and rights, the address with its query,
    the part asked for, and the day, because the address of the live stream lasts one.
    """
    if len(get_messages(request)):
        return answer()
    ranking = board.ranking
    told = (
        *(ranking.public_id, ranking.version, ranking.computed_at, board.progress, board.logged, get_language()),
        *(request.user.pk, request.session.session_key, request.user.has_perm("league.import_games", board.club)),
        *(request.get_full_path(), part_of(request), datetime.now(UTC).date()),
    )
    etag = f'W/"{ranking.version}-{sha256(repr(told).encode()).hexdigest()[:20]}"'
    response = get_conditional_response(request, etag=etag) or answer()
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Cookie", "Accept-Language", PART])
    return response
