"""Files at well-known addresses for browsers, search engines and security researchers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from league.core.frame.letter_link import public_address

ICON: Final = settings.BASE_DIR / "league" / "static" / "league" / "favicon.ico"
DAY: Final = 24 * 3600
CLOSED: Final = (
    "/accounts/",
    "/account/",
    "/admin/",
    "/api/",
    "/calendar/",
    "/claim/",
    "/entries/",
    "/helpers/",
    "/imports/",
    "/invitations/",
    "/live/",
    "/me/",
    "/replay/*/",
    "/score/",
    "/search/",
    "/service/",
    "/setup/",
    "/*/desk/",
)
"""Paths that need an account, or lead to ever more pages."""
GOOD_FOR: Final = timedelta(days=180)
"""How long the contact counts as valid: RFC 9116 recommends less than a year."""


@require_safe
@cache_control(public=True, max_age=DAY)
def robots(request: HttpRequest) -> HttpResponse:
    """Tell search engines which paths to leave alone, and where the sitemap is."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED)]
    lines += ["", f"Sitemap: {public_address(reverse('sitemap'))}"]
    return _text(lines)


@require_safe
@cache_control(public=True, max_age=DAY)
def security_txt(request: HttpRequest) -> HttpResponse:
    """Name the contact for security reports (RFC 9116); answer 404 if the settings have none."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    languages = ", ".join(code for code, _ in settings.LANGUAGES)
    return _text(
        [
            f"Contact: {settings.SECURITY_CONTACT}",
            f"Expires: {(today + GOOD_FOR).isoformat()}",
            f"Preferred-Languages: {languages}",
            f"Canonical: {public_address(request.path)}",
        ]
    )


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Describe the service for a phone's home screen."""
    icons = [
        ("icon-192.png", 192, "any"),
        ("icon-512.png", 512, "any"),
        ("icon-maskable.png", 512, "maskable"),
    ]
    content = {
        "name": "Cups Up",
        "short_name": "Cups Up",
        "description": gettext("Leagues for dice bluffers"),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f9f1e1",
        "theme_color": "#50341f",
        "icons": [
            {
                "src": static(f"league/{name}"),
                "sizes": f"{side}x{side}",
                "type": "image/png",
                "purpose": purpose,
            }
            for name, side, purpose in icons
        ],
    }
    return JsonResponse(
        content, content_type="application/manifest+json", headers={"Cache-Control": "no-cache"}
    )


@require_safe
@cache_control(public=True, max_age=DAY)
def favicon(request: HttpRequest) -> HttpResponse:
    """Send the icon that browsers request by default."""
    return HttpResponse(ICON.read_bytes(), content_type="image/x-icon")


def _text(lines: list[str]) -> HttpResponse:
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
