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


def rating_mark(played: RatingDay) -> Mark:
    """Return the rating after a day of play, with its 95 % band."""
    _, low, high = of_belief(played.mu, played.sigma)
    day = gettext("no date")
    if played.day:
        day = date_format(played.day, pgettext("day and month on a chart", "j M"))
    label = ngettext("%(count)d game", "%(count)d games", played.games) % {"count": played.games}
    if played.event:
        label = f"{played.event} · {label}"
    return Mark(played.mu, low, high, day, label)
