"""Days of play as charts mark them."""

from __future__ import annotations

from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext, pgettext

from engine.interval import of_belief
from league.standings.player.queries.rivals import RatingDay
from league.templatetags.charts import Mark

DAYS: Final = 100
"""Days of play on a chart: one more could hardly be told from its neighbours."""


def mark(played: RatingDay) -> Mark:
    """The rating after a day of play, with its 95 % band."""
    _, low, high = of_belief(played.mu, played.sigma)
    games = ngettext("%(count)d game", "%(count)d games", played.games) % {"count": played.games}
    day = (
        date_format(played.day, pgettext("day and month on a chart", "j M"))
        if played.day
        else gettext("no date")
    )
    return Mark(played.mu, low, high, day, f"{played.event} · {games}" if played.event else games)
