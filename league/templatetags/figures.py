"""Numbers and times as readers expect them: their own decimal sign, a true minus, the zone
named."""

from datetime import datetime, tzinfo
from decimal import Decimal
from functools import lru_cache
from typing import TypeAlias

from django import template
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext, pgettext

from league.core.frame.money import money_words

register = template.Library()

Number: TypeAlias = int | float | Decimal
DASH = "–"
"""For a number that isn't known."""
MINUS = "−"


@register.filter
def figure(value: Number | None, places: int = 0) -> str:
    """Format a number in the reader's locale with `places` decimals; `–` for None:
    `{{ rating|figure:1 }}`."""
    if value is None:
        return DASH
    # number_format alone would cut digits off
    return _figure(f"{value:.{places}f}", get_language())


@lru_cache(maxsize=8192)
def _figure(rounded: str, language: str | None) -> SafeString:
    """Format a number, cached: pages repeat the same numbers, and formatting one is slow."""
    text = number_format(rounded.removeprefix("-"), use_l10n=True, force_grouping=True)
    negative = rounded.startswith("-") and any(digit in "123456789" for digit in text)
    return conditional_escape(MINUS + text if negative else text)


@register.filter
def money(cents: int, currency: str) -> str:
    """Format cents as an amount in a currency: `{{ event.fee|money:club.currency }}`."""
    return money_words(cents, currency)


@register.filter
def signed(value: Number | None, places: int = 0) -> str:
    """Format a change: as `figure`, with + before positive numbers."""
    text = figure(value, places)
    is_zero = not any(digit in "123456789" for digit in text)
    if value is None or value <= 0 or is_zero:
        return text
    return f"+{text}"


@register.filter
def percent(share: float | None, places: int = 0) -> str:
    """Format a share between 0 and 1 as per cent: 0.256 is `26%`, in German `26 %`."""
    if share is None:
        return DASH
    return _percent(figure(100 * share, places), get_language())


@lru_cache(maxsize=1024)
def _percent(number: str, language: str | None) -> str:
    return pgettext("a share", "%(number)s%%") % {"number": number}


@register.simple_tag
def interval(value: Number | None, half: Number | None, places: int = 0) -> SafeString:
    """Show a number with half the width of its 95 % interval: `{% interval rating half %}` →
    1612 ± 48."""
    width = SafeString("")
    if value is not None and half is not None:
        width = plus_minus(figure(half, places))
    return format_html("{}{}", figure(value, places), width)


@register.simple_tag
def plus_minus(half: str) -> SafeString:
    """Show half the width of a 95 % interval, after its number; empty for an empty text."""
    if half:
        return _plus_minus(half, get_language())
    return SafeString("")


@lru_cache(maxsize=1024)
def _plus_minus(half: str, language: str | None) -> SafeString:
    return format_html(
        '<span class="pm" title="{}"> ±\u202f{}</span>', gettext("95% interval"), half
    )


@register.simple_tag
def settling(so: bool) -> SafeString:
    """Show the sign after a rating that rests on too few games yet; else nothing."""
    if so:
        return _settling(get_language())
    return SafeString("")


@lru_cache
def _settling(language: str | None) -> SafeString:
    return format_html('<abbr class="pm" title="{}">?</abbr>', gettext("still settling"))


@register.simple_tag
def only_end(so: bool) -> SafeString:
    """Show the sign after a number of games if only the end of one of them is known; else
    nothing."""
    if not so:
        return SafeString("")
    return format_html('<abbr class="pm" title="{}">†</abbr>', gettext("only the end is known"))


@register.simple_tag
def rank_change(places: int | None) -> SafeString:
    """Show the places won (positive) or lost since the previous table, as an arrow with a number.
    None: new in the table."""
    return _rank_change(places, get_language())


@lru_cache(maxsize=1024)
def _rank_change(places: int | None, language: str | None) -> SafeString:
    if places is None:
        return format_html('<i class="chg new">{}</i>', gettext("new"))
    if not places:
        return format_html('<i class="chg" title="{}">=</i>', gettext("unchanged"))
    if places > 0:
        direction = "up"
        words = ngettext("up %(count)d place", "up %(count)d places", places)
    else:
        direction = "down"
        words = ngettext("down %(count)d place", "down %(count)d places", -places)
    label = words % {"count": abs(places)}
    return format_html(
        '<i class="chg {}" role="img" aria-label="{}" title="{}">{}</i>',
        direction,
        label,
        label,
        abs(places),
    )


@register.simple_tag
def when(moment: datetime | None, form: str = "DATETIME_FORMAT") -> SafeString:
    """Show a time in the active zone (the club's, if the view activated it), with the zone on
    hover.

    `form` is a format name of Django (`DATE_FORMAT`, `SHORT_DATE_FORMAT`, `TIME_FORMAT`, …) or a
    date pattern."""
    if moment is None:
        return format_html("{}", DASH)
    return _when(moment, timezone.get_current_timezone(), form, get_language())


@lru_cache(maxsize=8192)
def _when(moment: datetime, zone: tzinfo, form: str, language: str | None) -> SafeString:
    """Format a time, cached: the same games are in many lists, and formatting a time takes longer
    than the rest of their rows."""
    local = moment.astimezone(zone)
    exact = f"{date_format(local, 'DATETIME_FORMAT')} {local:%Z} ({zone})"
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        local.isoformat(),
        exact,
        date_format(local, form),
    )
