"""Combinations and announcements of Lügen-Kniffel in the reader's language."""

from django import template
from django.utils.translation import gettext, gettext_lazy, ngettext_lazy, pgettext_lazy

from engine.kniffel.combinations import FACE

register = template.Library()

COMBINATION = {
    "ones": gettext_lazy("ones"),
    "twos": gettext_lazy("twos"),
    "threes": gettext_lazy("threes"),
    "fours": gettext_lazy("fours"),
    "fives": gettext_lazy("fives"),
    "sixes": gettext_lazy("sixes"),
    "three": gettext_lazy("three of a kind"),
    "four": gettext_lazy("four of a kind"),
    "full": gettext_lazy("full house"),
    "small": gettext_lazy("small straight"),
    "large": gettext_lazy("large straight"),
    "kniffel": gettext_lazy("Kniffel"),
    "chance": gettext_lazy("chance"),
}
"""The thirteen names as they are written within a sentence (Ruling K1)."""
NUMBER = (
    pgettext_lazy("so many dice", "no"),
    pgettext_lazy("so many dice", "one"),
    pgettext_lazy("so many dice", "two"),
    pgettext_lazy("so many dice", "three"),
    pgettext_lazy("so many dice", "four"),
    pgettext_lazy("so many dice", "five"),
)
DICE = {
    "ones": ngettext_lazy("%(number)s one", "%(number)s ones", "count"),
    "twos": ngettext_lazy("%(number)s two", "%(number)s twos", "count"),
    "threes": ngettext_lazy("%(number)s three", "%(number)s threes", "count"),
    "fours": ngettext_lazy("%(number)s four", "%(number)s fours", "count"),
    "fives": ngettext_lazy("%(number)s five", "%(number)s fives", "count"),
    "sixes": ngettext_lazy("%(number)s six", "%(number)s sixes", "count"),
}


@register.filter
def combination(name: str) -> str:
    """Return a combination in words: `{{ "three"|combination }}` is “three of a kind”.

    Raise KeyError for an unknown name.
    """
    return str(COMBINATION[name])


@register.filter
def upper_face(name: str) -> str:
    """Return the face that a combination of the upper part counts, as in a hand; empty for other
    combinations."""
    return str(FACE.get(name, ""))


@register.simple_tag
def announcement(name: str, points: int) -> str:
    """Return an announcement in words: `{% announcement "fours" 12 %}` is “three fours = 12”.

    Raise KeyError for an unknown combination.
    """
    dice = str(COMBINATION[name])
    if name in FACE:
        count = points // FACE[name]
        dice = str(DICE[name] % {"count": count, "number": NUMBER[count]})
    return gettext("%(combination)s = %(points)d") % {"combination": dice, "points": points}
