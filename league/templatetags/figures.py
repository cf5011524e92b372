"""Numbers and times the way a reader expects them: their own decimal sign, true minus, the zone
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
NONE = "–"
"""Stands where a number isn't known."""
MINUS = "−"


@register.filter
def figure(value: Number | None, places: int = 0) -> str:
    """The number in the reader's locale with so many decimals; `–` for None: `{{ rating|figure:1
    }}`."""
    # number_format alone would cut digits off
    return NONE if value is None else _figure(f"{value:.{places}f}", get_language())


@lru_cache(maxsize=8192)
def _figure(rounded: str, language: str | None) -> SafeString:
    """Pages tell the same numbers over and over, and to format one takes longer than to find it."""
    text = number_format(rounded.removeprefix("-"), use_l10n=True, force_grouping=True)
    negative = rounded.startswith("-") and any(digit in "123456789" for digit in text)
    return conditional_escape(MINUS + text if negative else text)


@register.filter
def money(cents: int, currency: str) -> str:
    """Cents as an amount in a currency: `{{ event.fee|money:club.currency }}`."""
    return money_words(cents, currency)


@register.filter
def signed(value: Number | None, places: int = 0) -> str:
    """As `figure`, with + before positive numbers: a change."""
    text = figure(value, places)
    return (
        f"+{text}"
        if value is not None and value > 0 and any(d in "123456789" for d in text)
        else text
    )


@register.filter
def percent(share: float | None, places: int = 0) -> str:
    """A share between 0 and 1 as per cent: 0.256 is `26%`, and in German `26 %`."""
    return NONE if share is None else _percent(figure(100 * share, places), get_language())


@lru_cache(maxsize=1024)
def _percent(number: str, language: str | None) -> str:
    return pgettext("a share", "%(number)s%%") % {"number": number}


@register.simple_tag
def interval(value: Number | None, half: Number | None, places: int = 0) -> SafeString:
    """A number with half the width of its 95 % interval: `{% interval rating half %}` → 1612 ±
    48."""
    text = figure(value, places)
    return format_html(
        "{}{}", text, "" if value is None or half is None else plus_minus(figure(half, places))
    )


@register.simple_tag
def plus_minus(half: str) -> SafeString:
    """Half the width of a 95 % interval, ready to show, behind its number; nothing where it is
    empty."""
    return _plus_minus(half, get_language()) if half else SafeString("")


@lru_cache(maxsize=1024)
def _plus_minus(half: str, language: str | None) -> SafeString:
    return format_html(
        '<span class="pm" title="{}"> ±\u202f{}</span>', gettext("95% interval"), half
    )


@register.simple_tag
def settling(so: bool) -> SafeString:
    """The sign behind a rating that rests on too few games yet; nothing behind others."""
    return _settling(get_language()) if so else SafeString("")


@lru_cache
def _settling(language: str | None) -> SafeString:
    return format_html('<abbr class="pm" title="{}">?</abbr>', gettext("still settling"))


@register.simple_tag
def only_end(so: bool) -> SafeString:
    """The sign behind a number of games that tells of one of which only the end is known; nothing
    behind others."""
    if not so:
        return SafeString("")
    return format_html('<abbr class="pm" title="{}">†</abbr>', gettext("only the end is known"))


@register.simple_tag
def rank_change(places: int | None) -> SafeString:
    """Places won (positive) or lost since the table before: an arrow with its number. None: new in
    the table."""
    return _rank_change(places, get_language())


@lru_cache(maxsize=1024)
def _rank_change(places: int | None, language: str | None) -> SafeString:
    if places is None:
        return format_html('<i class="chg new">{}</i>', gettext("new"))
    if not places:
        return format_html('<i class="chg" title="{}">=</i>', gettext("unchanged"))
    if places > 0:
        words = ngettext("up %(count)d place", "up %(count)d places", places) % {"count": places}
    else:
        words = ngettext("down %(count)d place", "down %(count)d places", -places) % {
            "count": -places
        }
    return format_html(
        '<i class="chg {}" role="img" aria-label="{}" title="{}">{}</i>',
        *("up" if places > 0 else "down", words, words, abs(places)),
    )


@register.simple_tag
def when(moment: datetime | None, form: str = "DATETIME_FORMAT") -> SafeString:
    """A time in the active zone (the club's, when the view activated it), with the zone named on
    hover.

    `form` is a format name of Django (`DATE_FORMAT`, `SHORT_DATE_FORMAT`, `TIME_FORMAT`, …) or a
    date pattern."""
    if moment is None:
        return format_html("{}", NONE)
    return _when(moment, timezone.get_current_timezone(), form, get_language())


@lru_cache(maxsize=8192)
def _when(moment: datetime, zone: tzinfo, form: str, language: str | None) -> SafeString:
    """The same games stand in many lists, and to put a time into words takes longer than all else
    in their rows."""
    local = moment.astimezone(zone)
    exact = f"{date_format(local, 'DATETIME_FORMAT')} {local:%Z} ({zone})"
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        local.isoformat(),
        exact,
        date_format(local, form),
    )
