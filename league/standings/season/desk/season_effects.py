"""The effects of changing a season's settings, shown before the change is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from league.standings.ranking.models import TieBreak
from league.standings.season.models import Season, Visibility


def season_effects(season: Season, settings: Mapping[str, Any]) -> list[str]:
    """Return sentences on the effects of these settings; empty if nobody else will notice the
    change."""
    return [*_effects_on_table(season, settings), *_effects_on_readers(season, settings)]


def _effects_on_table(season: Season, settings: Mapping[str, Any]) -> list[str]:
    ranking = season.ranking
    sentences: list[str] = []
    if not ranking.version:  # it rises with the first row
        return []
    if settings["tie_breaks"] != ranking.tie_breaks:
        order = ", ".join(str(TieBreak(name).label) for name in settings["tie_breaks"])
        sentences.append(
            gettext("The table is sorted again, by %(order)s. Ranks may change.") % {"order": order}
        )
    if settings["rated"] and not ranking.rated:
        sentences.append(
            gettext(
                "All players’ ratings are calculated from the first game on, which takes a moment."
            )
        )
    if ranking.rated and not settings["rated"]:
        sentences.append(gettext("All ratings disappear from the table and the players’ pages."))
    return sentences


def _effects_on_readers(season: Season, settings: Mapping[str, Any]) -> list[str]:
    sentences = []
    visibility = settings["visibility"]
    if settings["slug"] != season.slug:
        sentences.append(
            gettext("The address of the season’s pages changes. Links to the old one stop working.")
        )
        sentences.append(gettext("Records that name their season have to use the new address."))
    if visibility != season.visibility:
        sentences.append(_who_can_read(visibility))
        if Visibility.PUBLIC in (visibility, season.visibility):
            sentences.append(
                gettext(
                    "The all-time ranking, if there is one, is recalculated: it counts public "
                    "seasons."
                )
            )
    return sentences


def _who_can_read(visibility: str) -> str:
    if visibility == Visibility.PUBLIC:
        return gettext("Everybody can read the season and its games, and programs can fetch them.")
    if visibility == Visibility.LINK:
        return gettext(
            "Only members and people with the season’s link can read it. You’ll find the link on "
            "the settings page."
        )
    return gettext(
        "Only members of the club can read the season. For everybody else it doesn’t exist."
    )
