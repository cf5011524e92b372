"""Days of play as marks on a chart."""

from __future__ import annotations

from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, pgettext

from engine.interval import of_belief
from league.standings.player.queries.rivals import RatingDay
from league.templatetags.charts import Mark

DAYS: Final = 100
"""Days of play on a chart: more could hardly be told apart."""


def rating_mark(rating_day: RatingDay) -> Mark:
    """Return the rating after a day of play as a mark on a chart, with its 95 % band."""
    _, low, high = of_belief(rating_day.mu, rating_day.sigma)
    day = gettext("no date")
    if rating_day.day:
        day = date_format(rating_day.day, pgettext("day and month on a chart", "j M"))
    games = rating_day.games
    label = ngettext("%(count)d game", "%(count)d games", games) % {"count": games}
    if rating_day.event:
        label = f"{rating_day.event} · {label}"
    return Mark(rating_day.mu, low, high, day, label)
