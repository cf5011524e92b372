"""Numbers and times the way a reader expects them: their own decimal sign, true minus, the zone named."""

from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import TypeAlias

from django import template
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext, pgettext

register = template.Library()

Number: TypeAlias = int | float | Decimal
NONE = "–"
"""Stands where a number isn't known."""
MINUS = "−"


@register.filter
def figure(value: Number | None, places: int = 0) -> str:
    """The number in the reader's locale with so many decimals; `–` for None: `{{ rating|figure:1 }}`."""
    return NONE if value is None else _figure(value, places, get_language())


@lru_cache(maxsize=8192)
def _figure(value: Number, places: int, language: str | None) -> SafeString:
    """A page tells the same numbers over and over, and to format one takes longer than to find it."""
    rounded = f"{value if value >= 0 else -value:.{places}f}"  # number_format alone would cut digits off
    shown = number_format(rounded, use_l10n=True, force_grouping=True)
    negative = value < 0 and any(digit in "123456789" for digit in shown)
    return conditional_escape(MINUS + shown if negative else shown)


@register.filter
def signed(value: Number | None, places: int = 0) -> str:
    """As `figure`, with + before positive numbers: a change."""
    shown = figure(value, places)
    return f"+{shown}" if value is not None and value > 0 and any(d in "123456789" for d in shown) else shown


@register.filter
def percent(share: float | None, places: int = 0) -> str:
    """A share between 0 and 1 as per cent: 0.256 is `26%`, and in German `26 %`."""
    return NONE if share is None else pgettext("a share", "%(number)s%%") % {"number": figure(100 * share, places)}


@register.simple_tag
def interval(value: Number | None, half: Number | None, places: int = 0) -> SafeString:
    """A number with half the width of its 95 % interval: `{% interval rating half %}` → 1612 ± 48."""
    shown = figure(value, places)
    return format_html("{}{}", shown, "" if value is None or half is None else plus_minus(figure(half, places)))


@register.simple_tag
def plus_minus(half: str) -> SafeString:
    """Half the width of a 95 % interval, ready to show, behind its number; nothing where it is empty."""
    if not half:
        return SafeString("")
    return format_html('<span class="pm" title="{}"> ±\u202f{}</span>', gettext("95% interval"), half)


@register.simple_tag
def provisional(so: bool) -> SafeString:
    """The sign behind a rating that rests on too few games yet; nothing behind others."""
    return format_html('<abbr class="pm" title="{}">?</abbr>', gettext("provisional")) if so else SafeString("")


@register.simple_tag
def rank_change(places: int | None) -> SafeString:
    """Places won (positive) or lost since the table before: an arrow with its number. None: new in the table."""
    if places is None:
        return format_html('<i class="chg new">{}</i>', gettext("new"))
    if not places:
        return format_html('<i class="chg" title="{}">=</i>', gettext("unchanged"))
    if places > 0:
        words = ngettext("up %(count)d place", "up %(count)d places", places) % {"count": places}
    else:
        words = ngettext("down %(count)d place", "down %(count)d places", -places) % {"count": -places}
    return format_html(
        '<i class="chg {}" role="img" aria-label="{}" title="{}">{}</i>',
        *("up" if places > 0 else "down", words, words, abs(places)),
    )


@register.simple_tag
def when(moment: datetime | None, form: str = "DATETIME_FORMAT") -> SafeString:
    """A time in the active zone (the club's, when the view activated it), with the zone named on hover.

    `form` is a format name of Django (`DATE_FORMAT`, `SHORT_DATE_FORMAT`, `TIME_FORMAT`, …) or a date pattern.
    """
    if moment is None:
        return format_html("{}", NONE)
    local = timezone.localtime(moment)
    zone = timezone.get_current_timezone_name()
    exact = f"{date_format(local, 'DATETIME_FORMAT')} {local:%Z} ({zone})"
    return format_html('<time datetime="{}" title="{}">{}</time>', local.isoformat(), exact, date_format(local, form))
