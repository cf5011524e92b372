"""Forms of a club's settings."""

from __future__ import annotations

from functools import cache
from typing import Any

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy

from league.core.club.models import Club, timezones, website_of
from league.core.club.services import club_settings
from league.core.frame.forms import in_our_words, model_field, offer
from league.core.frame.slug import slug_field, slug_from

FOLDERS_OF_ALIASES = ("Etc/", "SystemV/", "US/", "posix/", "right/")


@cache
def zones() -> list[tuple[str, str]]:
    """Return time zones to choose from, by continent and city."""
    cities = (
        name for name in timezones() if "/" in name and not name.startswith(FOLDERS_OF_ALIASES)
    )
    return [(name, name.replace("_", " ")) for name in (*sorted(cities), "UTC")]


class ClubForm(forms.Form):
    """The settings of a new club. An empty address is made from the name."""

    name = model_field(Club, "name", label=gettext_lazy("Club name"))
    slug = slug_field()
    timezone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        help_text=gettext_lazy("All times on the club’s pages are in this time zone."),
        choices=zones,
        initial="Europe/Berlin",
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        help_text=gettext_lazy(
            "The club’s emails are written in it. On its pages, readers choose their own."
        ),
        choices=settings.LANGUAGES,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self)

    def settings(self) -> dict[str, Any]:
        """Return the settings for the service."""
        cleaned = self.cleaned_data
        slug = slug_from(cleaned["name"], cleaned["slug"], Club.objects, nameless="club")
        return {**cleaned, "slug": slug}


class ClubSettingsForm(ClubForm):
    """All settings of an existing club."""

    field_order = (
        "name",
        "about",
        "slug",
        "timezone",
        "language",
        "currency",
        "listed",
        "websites",
    )
    about = model_field(
        Club,
        "about",
        label=gettext_lazy("About the club"),
        help_text=gettext_lazy("Shown on the club’s page: who you are, where and when you meet."),
    )
    currency = model_field(
        Club, "currency", help_text=gettext_lazy("Event fees are in this currency.")
    )
    listed = forms.BooleanField(
        label=gettext_lazy("Show in the list of clubs"),
        help_text=gettext_lazy("If not, only members and people who know its address can find it."),
        required=False,
    )
    websites = model_field(
        Club,
        "websites",
        label=gettext_lazy("Your websites"),
        help_text=gettext_lazy(
            "They may show the club’s rankings, brackets and tables in a frame, using the "
            "addresses with ?embed. One per line."
        ),
    )

    def __init__(self, club: Club, data: QueryDict | None = None) -> None:
        super().__init__(data, initial=club_settings(club))
        self.club = club
        if club.timezone not in dict(zones()):
            offer(self, "timezone", [(club.timezone, club.timezone), *zones()])

    def clean_websites(self) -> str:
        """Return the websites, one a line, written as browsers compare them and without
        repetitions."""
        lines = self.cleaned_data["websites"].splitlines()
        return "\n".join(dict.fromkeys(website_of(line) for line in lines if line.strip()))

    def effects(self) -> list[str]:
        """Return sentences about the effects that these settings have on others."""
        club = self.club
        settings = self.settings()
        sentences = []
        if settings["slug"] != club.slug:
            sentences.append(
                gettext(
                    "The address of every page of the club changes, and links to the old one stop "
                    "working."
                )
            )
        if settings["timezone"] != club.timezone:
            sentences.append(
                gettext(
                    "All times, even those of old games, are shown in the new time zone, and days "
                    "follow it too."
                )
            )
        if settings["currency"] != club.currency:
            sentences.append(
                gettext("Event fees and payments are shown in the new currency, but not converted.")
            )
        if club.listed and not settings["listed"]:
            sentences.append(
                gettext("The club and its seasons disappear from this service’s lists.")
            )
        return sentences

    def settings(self) -> dict[str, Any]:
        """Return the settings for the service; an empty address keeps the current one."""
        return {**self.cleaned_data, "slug": self.cleaned_data["slug"] or self.club.slug}
