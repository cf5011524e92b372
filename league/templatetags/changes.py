"""What a correction changes: marked lines, and figures before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from engine.clock import CLOCK
from games.domain.correction import MarkedLine
from league.templatetags.figures import Number, figure

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

register = template.Library()

PARTS: Final = {
    "seats": gettext_lazy("Seat"),
    "opener": gettext_lazy("Opens"),
    "season": gettext_lazy("Season"),
    "event": gettext_lazy("Event"),
    "table": pgettext_lazy("place to play", "Table"),
    "played_at": gettext_lazy("Played"),
    "result.rank": gettext_lazy("Place in the game"),
    "result.points": gettext_lazy("Points"),
    "result.dice": gettext_lazy("Dice left"),
    "result.forfeit": gettext_lazy("Left during the game"),
    "result.ended": gettext_lazy("Ended by"),
    "proof": gettext_lazy("Proof of the dice"),
}
"""Labels of a header's and a result's parts; settings of the rules are shown by key."""

ENDS: Final[dict[str, StrOrPromise]] = {CLOCK: pgettext_lazy("ended by", "the clock")}
"""How a game ended, if not by its rules."""


@register.simple_tag
def marks(line: MarkedLine, tag: str) -> SafeString:
    """Show a line, with the differing pieces in an element: `{% marks round.before "del" %}`."""
    pieces = []
    for piece, differs in line:
        pieces.append((format_html("<{0}>{1}</{0}>", tag, piece) if differs else piece,))
    return format_html_join("", "{}", pieces)


@register.filter
def part(path: str) -> StrOrPromise:
    """Return the label of a part of a game's header or result: `{{ field.path|part }}`."""
    return PARTS.get(path, path)


@register.filter
def worded(value: str, path: str) -> StrOrPromise:
    """Return a value of a game's header or result as text: `{{ field.before|worded:field.path
    }}`."""
    if path == "result.ended":
        return ENDS.get(value, value)
    return value


@register.simple_tag
def before_after(before: Number | None, after: Number | None) -> SafeString:
    """Show a figure before and after, or only once if it stays: `{% before_after 3 1 %}` is 3 →
    1."""
    if before == after:
        return format_html("{}", figure(after))
    arrow = format_html(
        '<span aria-hidden="true"> → </span><span class="sr-only"> {} </span>', gettext("becomes")
    )
    return format_html("{}{}<b>{}</b>", figure(before), arrow, figure(after))


@register.simple_tag
def replaced(before: str, after: str) -> SafeString:
    """Show a text and its replacement, each marked; empty ones are left out."""
    return format_html_join(
        " ",
        "<{0}>{1}</{0}>",
        [(tag, text) for tag, text in (("del", before), ("ins", after)) if text],
    )
