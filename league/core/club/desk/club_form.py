"""The settings of a club as a form."""

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
    """Time zones to choose from, by continent and city."""
    cities = (
        name for name in timezones() if "/" in name and not name.startswith(FOLDERS_OF_ALIASES)
    )
    return [(name, name.replace("_", " ")) for name in (*sorted(cities), "UTC")]


class ClubForm(forms.Form):
    """All that a club is called and where it is at home. Without an address one is made from the
    name."""

    name = model_field(Club, "name", label=gettext_lazy("Name of the club"))
    slug = slug_field()
    timezone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        help_text=gettext_lazy("All times on the club’s pages are those of this zone."),
        choices=zones,
        initial="Europe/Berlin",
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        help_text=gettext_lazy(
            "The club’s letters are written in it. Readers choose theirs on the pages."
        ),
        choices=settings.LANGUAGES,
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        in_our_words(self)

    def settings(self) -> dict[str, Any]:
        """Return what the service is given."""
        cleaned = dict(self.cleaned_data)
        return cleaned | {
            "slug": slug_from(cleaned["name"], cleaned["slug"], Club.objects, nameless="club")
        }


class ClubSettingsForm(ClubForm):
    """All settings of a club that is there."""

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
        help_text=gettext_lazy("Stands on its page: who you are, where and when you meet."),
    )
    currency = model_field(Club, "currency", help_text=gettext_lazy("Fees of events are in it."))
    listed = forms.BooleanField(
        label=gettext_lazy("List it among the clubs"),
        help_text=gettext_lazy(
            "Else it stands in no list; members find it, and whoever knows its address."
        ),
        required=False,
    )
    websites = model_field(
        Club,
        "websites",
        label=gettext_lazy("Your websites"),
        help_text=gettext_lazy(
            "They may show rankings, brackets and tables of the club in a frame, at the addresses "
            "with ?embed. One a "
            "line."
        ),
    )

    def __init__(self, club: Club, data: QueryDict | None = None) -> None:
        super().__init__(data, initial=club_settings(club))
        self.club = club
        if club.timezone not in dict(zones()):
            offer(self, "timezone", [(club.timezone, club.timezone), *zones()])

    def clean_websites(self) -> str:
        """The websites as they are compared, each once."""
        lines = self.cleaned_data["websites"].splitlines()
        return "\n".join(dict.fromkeys(website_of(line) for line in lines if line.strip()))

    def effects(self) -> list[str]:
        """Return what changes for others with these settings, as sentences."""
        club, settings = self.club, self.settings()
        changes = [
            (
                settings["slug"] != club.slug,
                gettext(
                    "The address of all pages of the club changes: links to the former one "
                    "lead nowhere."
                ),
            ),
            (
                settings["timezone"] != club.timezone,
                gettext(
                    "All times, of old games too, are shown in the new zone, and days are "
                    "those there."
                ),
            ),
            (
                settings["currency"] != club.currency,
                gettext(
                    "Amounts of events, and what was paid, are shown in the new currency, not "
                    "converted."
                ),
            ),
            (
                club.listed and not settings["listed"],
                gettext("The club and its seasons vanish from the lists of this service."),
            ),
        ]
        return [sentence for is_changed, sentence in changes if is_changed]

    def settings(self) -> dict[str, Any]:
        """Return what the service is given; an empty address leaves it as it is."""
        return self.cleaned_data | {"slug": self.cleaned_data["slug"] or self.club.slug}
