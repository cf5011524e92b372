"""Clubs."""

from __future__ import annotations

import re
from functools import cache
from typing import Final
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.core.frame.money import CURRENCIES
from league.core.frame.names import all_seen
from league.core.log.columns import column
from league.core.log.nouns import Noun

MOST_WEBSITES: Final = 20
WEBSITE_HOST: Final = re.compile(
    r"(?=.{1,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?"
)


@cache
def timezones() -> frozenset[str]:
    """Return the names of the IANA time zones; listing them reads several hundred files."""
    return frozenset(available_timezones())


def is_timezone(name: str) -> None:
    """Raise `ValidationError` if the name isn't an IANA time zone."""
    if name not in timezones():
        raise ValidationError(
            _("“%(name)s” isn’t a time zone. Write it like Europe/Berlin."),
            params={"name": name},
        )


def website_of(text: str) -> str:
    """Return the origin of a website's address in the form that browsers compare:
    `www.Verein.de/seite` is on `https://www.verein.de`. Raise `ValidationError` if the text isn't
    such an address."""
    try:
        parts = urlsplit(text.strip() if "://" in text else f"https://{text.strip()}")
        host = (parts.hostname or "").encode("idna").decode()
        port = f":{parts.port}" if parts.port else ""
    except ValueError:  # an invalid port, or a label that is too long
        host = ""
    if not WEBSITE_HOST.fullmatch(host) or parts.scheme not in ("http", "https"):
        raise ValidationError(
            _("“%(address)s” isn’t a website’s address. Write it like https://example.org."),
            params={"address": text},
        )
    return f"{parts.scheme}://{host}{port}"


def are_websites(text: str) -> None:
    """Raise `ValidationError` if a line isn't a website in the stored form, or there are too
    many."""
    websites = text.splitlines()
    if len(websites) > MOST_WEBSITES:
        raise ValidationError(_("Enter at most %(most)s websites."), params={"most": MOST_WEBSITES})
    for website in websites:
        if website_of(website) != website:
            raise ValidationError(
                _("Write it as %(website)s."), params={"website": website_of(website)}
            )


class Club(PublicModel):
    """A club: players who meet, and the seasons they play.

    `language` is that of the club's emails, `currency` that of its fees. A club that isn't `listed`
    is in no list; those who know its address find it. `websites`, one a line, may embed its
    rankings, brackets and tables."""

    slug = column(
        models.SlugField(
            _("address"),
            max_length=64,
            unique=True,
            error_messages={"unique": _("Another club has this address.")},
        ),
        setting=True,
        text=True,
    )
    name = column(
        models.CharField(_("name"), max_length=120, validators=[all_seen]), setting=True, text=True
    )
    about = column(
        models.TextField(_("about"), max_length=4000, blank=True, default=""),
        setting=True,
        text=True,
    )
    timezone = column(
        models.CharField(
            _("time zone"), max_length=64, default="Europe/Berlin", validators=[is_timezone]
        ),
        setting=True,
    )
    language = column(
        models.CharField(
            _("language"), max_length=8, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE
        ),
        setting=True,
    )
    currency = column(
        models.CharField(_("currency"), max_length=3, choices=CURRENCIES, default="EUR"),
        setting=True,
    )
    listed = column(models.BooleanField(_("listed among the clubs"), default=True), setting=True)
    websites = column(
        models.TextField(
            _("websites"),
            max_length=2000,
            blank=True,
            default="",
            db_default="",
            validators=[are_websites],
        ),
        setting=True,
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def source(self) -> str:
        """The record source of this club's games: game ids are unique within it, even if the club
        is renamed."""
        return f"club:{self.pk}"


CLUB: Final = Noun("club", Club, club="pk")
