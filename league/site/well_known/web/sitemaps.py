"""Sitemaps for search engines: the manual, listed clubs, and their public rankings, events and
games.

Players have pages, too, but aren't listed: nobody who played for an evening has asked to be found
by a search engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.db.models import QuerySet
from django.urls import reverse

from games.models import Game
from league.core.club.models import Club
from league.events.event.models import ANNOUNCED, Event
from league.site.manual.web import PAGES
from league.standings.season.models import Season, Visibility

if TYPE_CHECKING:
    AnySitemap = Sitemap[Any]
else:
    AnySitemap = Sitemap

ADDRESSES: Final = 5_000
"""The number of addresses in one part of the sitemap; a part is read at once."""
STATIC: Final = ("home", "club_list", "docs", "replay")


class PublicSitemap(AnySitemap):
    """Public addresses, independent of the host that was requested."""

    limit = ADDRESSES

    def get_protocol(self, protocol: str | None = None) -> str:
        """Return the protocol of the public address."""
        return urlsplit(settings.PUBLIC_ORIGIN).scheme

    def get_domain(self, site: Any = None) -> str:
        """Return the host and port of the public address."""
        return urlsplit(settings.PUBLIC_ORIGIN).netloc


class PageSitemap(PublicSitemap):
    """Pages that belong to no club."""

    def items(self) -> list[str]:
        """Return the paths of these pages."""
        pages = [reverse(name) for name in STATIC]
        return pages + [reverse("doc", args=[page]) for page in PAGES]

    def location(self, item: str) -> str:
        """Return the path, which is the item itself."""
        return item


class ClubSitemap(PublicSitemap):
    """The listed clubs."""

    def items(self) -> QuerySet[Any]:
        """Return the slugs of the clubs."""
        return Club.objects.filter(listed=True).order_by("pk").values_list("slug")

    def location(self, item: tuple[str]) -> str:
        """Return the path of a club."""
        return reverse("club", args=item)


class SeasonSitemap(PublicSitemap):
    """The public seasons of listed clubs."""

    def items(self) -> QuerySet[Any]:
        """Return the slugs of each season's club and of the season."""
        seasons = Season.objects.filter(club__listed=True, visibility=Visibility.PUBLIC)
        return seasons.order_by("pk").values_list("club__slug", "slug")

    def location(self, item: tuple[str, str]) -> str:
        """Return the path of a season."""
        return reverse("season", args=item)


class EventSitemap(PublicSitemap):
    """The announced events in public seasons of listed clubs."""

    def items(self) -> QuerySet[Any]:
        """Return the slugs of each event's club and of the event."""
        events = Event.objects.filter(
            ANNOUNCED, club__listed=True, season__visibility=Visibility.PUBLIC
        )
        return events.order_by("pk").values_list("club__slug", "slug")

    def location(self, item: tuple[str, str]) -> str:
        """Return the path of an event."""
        return reverse("event", args=item)


class GameSitemap(PublicSitemap):
    """The games in public seasons of listed clubs."""

    def items(self) -> QuerySet[Any]:
        """Return the public ids of the games."""
        season = "season_game__season"
        in_public_seasons = {
            f"{season}__club__listed": True,
            f"{season}__visibility": Visibility.PUBLIC,
        }
        return Game.objects.filter(**in_public_seasons).order_by("pk").values_list("public_id")

    def location(self, item: tuple[str]) -> str:
        """Return the path of a game."""
        return reverse("game", args=item)


SITEMAPS: Final[dict[str, type[AnySitemap]]] = {
    "pages": PageSitemap,
    "clubs": ClubSitemap,
    "seasons": SeasonSitemap,
    "events": EventSitemap,
    "games": GameSitemap,
}
