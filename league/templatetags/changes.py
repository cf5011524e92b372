"""All that a correction changes: marked lines, and figures before and after."""

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
"""The parts of a header and a result; settings of the rules are called by their keys."""

ENDS: Final[dict[str, StrOrPromise]] = {CLOCK: pgettext_lazy("ended by", "the clock")}
"""The ways in which a game ended that its rules alone don't tell."""


@register.simple_tag
def marks(line: MarkedLine, tag: str) -> SafeString:
    """A line with the pieces that differ in an element: `{% marks round.before "del" %}`."""
    start, end = SafeString(f"<{tag}>"), SafeString(f"</{tag}>")
    return format_html_join(
        "",
        "{}{}{}",
        [(start, piece, end) if differs else ("", piece, "") for piece, differs in line],
    )


@register.filter
def part(path: str) -> StrOrPromise:
    """A part of a game's header or result in words: `{{ field.path|part }}`."""
    return PARTS.get(path, path)


@register.filter
def worded(value: str, path: str) -> StrOrPromise:
    """A value of a game's header or result as people read it: `{{ field.before|worded:field.path
    }}`."""
    return ENDS.get(value, value) if path == "result.ended" else value


@register.simple_tag
def before_after(before: Number | None, after: Number | None) -> SafeString:
    """A figure before and after, or the figure alone where it stays: `{% before_after 3 1 %}` is 3
    → 1."""
    if before == after:
        return format_html("{}", figure(after))
    arrow = format_html(
        '<span aria-hidden="true"> → </span><span class="sr-only"> {} </span>', gettext("becomes")
    )
    return format_html("{}{}<b>{}</b>", figure(before), arrow, figure(after))


@register.simple_tag
def replaced(before: str, after: str) -> SafeString:
    """A text and the one that takes its place, each marked; nothing of one that is empty."""
    return format_html_join(
        " ",
        "<{0}>{1}</{0}>",
        [(tag, text) for tag, text in (("del", before), ("ins", after)) if text],
    )
