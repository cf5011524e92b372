"""Dice, hands, cups and bids as small drawings.

Their shapes are symbols of one file (`games.templatetags.shapes`); their colours come from the
classes in `dice.css`.
"""

from functools import lru_cache

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import (
    get_language,
    gettext,
    gettext_lazy,
    ngettext_lazy,
    pgettext_lazy,
)

from engine.bluff.track import BID, COUNT, FACE, FACES, TEXT
from games.templatetags.shapes import shape

register = template.Library()

STAR = "*"
DIE = {
    "1": gettext_lazy("one"),
    "2": gettext_lazy("two"),
    "3": gettext_lazy("three"),
    "4": gettext_lazy("four"),
    "5": gettext_lazy("five"),
    "6": gettext_lazy("six"),
    STAR: pgettext_lazy("face of a die", "star"),
    "?": gettext_lazy("hidden die"),
}
"""The faces of a die: 1 to 5 and the star in Bluff, 1 to 6 in Lügen-Kniffel, `?` if unknown."""

LOOK = {
    "out": gettext_lazy("laid out"),
    "hit": gettext_lazy("counts"),
    "miss": gettext_lazy("doesn’t count"),
    "red": None,
}
"""The looks of a die besides yellow in its cup, with their words; `red` is the die of the bid,
which needs none."""

CUP = {
    "standing": ("cup", gettext_lazy("cup, dice hidden")),
    "nested": ("cup", gettext_lazy("cup, not turned over yet")),
    "lifted": ("cup-up", gettext_lazy("cup lifted")),
    "empty": ("cup-0", gettext_lazy("empty cup, out")),
}

BID_LABEL = {
    "1": ngettext_lazy("%(count)d one", "%(count)d ones", "count"),
    "2": ngettext_lazy("%(count)d two", "%(count)d twos", "count"),
    "3": ngettext_lazy("%(count)d three", "%(count)d threes", "count"),
    "4": ngettext_lazy("%(count)d four", "%(count)d fours", "count"),
    "5": ngettext_lazy("%(count)d five", "%(count)d fives", "count"),
    STAR: ngettext_lazy("%(count)d star", "%(count)d stars", "count"),
}


@register.simple_tag
def die_shape(face: str | int) -> str:
    """Return the address of a die's shape: `{% die_shape 4 %}`, `*` for the star, `?` for a
    hidden die."""
    return shape({STAR: "ds", "?": "dh"}.get(str(face), f"d{face}"))


def bid_label(text: str) -> str:
    """Return a bid in words, in the reader's language: `7x4` is “7 fours”. Raise KeyError if it
    is no bid."""
    return _bid_label(BID[text], get_language())


@lru_cache(maxsize=1024)
def _bid_label(bid: int, language: str | None) -> str:
    """Return a bid in words in the active language; `language` is only a key of the cache."""
    return str(BID_LABEL[FACES[FACE[bid] - 1]] % {"count": COUNT[bid]})


def bid_of(move: str) -> str | None:
    """Return the bid in a move as the record writes it (`7x4/4*` → `7x4`), or None for a
    challenge."""
    text, _, _ = move.partition("/")
    if text not in BID:
        return None
    return text


@lru_cache(maxsize=512)
def _die(face: str, looks: tuple[str, ...], language: str | None) -> SafeString:
    """Return a die with a title in the active language; `language` is only a key of the cache."""
    labels = [DIE[face], *(LOOK[look] for look in looks)]
    title = ", ".join(str(label) for label in labels if label is not None)
    classes = ["die", *looks]
    if face == "?":
        classes.append("hidden-die")
    drawing = '<svg class="{}" role="img"><title>{}</title><use href="{}"/></svg>'
    return format_html(drawing, " ".join(classes), title, die_shape(face))


@lru_cache(maxsize=512)
def _plain_die(face: str, looks: str) -> SafeString:
    classes = f"die {looks}".strip() + (" hidden-die" if face == "?" else "")
    return format_html('<svg class="{}"><use href="{}"/></svg>', classes, die_shape(face))


@register.simple_tag
def die(face: str | int, looks: str = "") -> SafeString:
    """Draw a die: `{% die "4" %}`, `{% die "*" "out hit" %}`, `{% die "?" %}`.

    `face` is 1–6, `*` or `?`; `looks` any of `out`, `hit`, `miss`, `red`. Raise KeyError for
    others.
    """
    return _die(str(face), tuple(looks.split()), get_language())


def _remove_die(dice: list[str], face: str) -> bool:
    if face in dice:
        dice.remove(face)
        return True
    return False


@lru_cache
def _dice_names(language: str | None) -> dict[str, str]:
    """Return `DIE` in the active language: each word is translated once, not once for each die.

    `language` is only a key of the cache."""
    return {face: str(name) for face, name in DIE.items()}


@register.simple_tag
def hand(faces: str, laid_out: str = "", face: str = "") -> SafeString:
    """Draw the dice of a hand: `{% hand "12*45" laid_out="4*" face="2" %}`.

    `faces`: as the record writes a hand (`?` for unknown dice); `laid_out`: the dice among them
    that are laid out; `face`: the face of the bid. Dice that count for the bid get a red edge, the
    others are pale.
    """
    return _hand(faces, laid_out, face, get_language())


@lru_cache(maxsize=4096)
def _hand(faces: str, laid_out: str, face: str, language: str | None) -> SafeString:
    open_dice = list(laid_out)
    names = _dice_names(language)
    drawings = []
    for die_face in faces:
        looks = ["out"] if _remove_die(open_dice, die_face) else []
        if face:
            looks.append("hit" if die_face in (face, STAR) else "miss")
        drawings.append(_plain_die(die_face, " ".join(looks)))
    label = ", ".join([names[die_face] for die_face in faces]) or gettext("no dice")
    return SafeString(
        f'<span class="dice" role="img" aria-label="{label}">{"".join(drawings)}</span>'
    )


@register.simple_tag
def cup(state: str = "standing") -> SafeString:
    """Draw a leather cup: `standing`, `nested` in another one, `lifted` or `empty` (upside down:
    its seat is out)."""
    name, label = CUP[state]
    return format_html(
        '<svg class="cup" role="img"><title>{}</title><use href="{}"/></svg>', label, shape(name)
    )


@lru_cache(maxsize=1024)
def _bid(text: str, classes: str, language: str | None) -> SafeString:
    """Return a bid labelled in the active language; `language` is only a key of the cache."""
    bid = BID[text]
    return format_html(
        '<span class="{}" role="img" aria-label="{}">{}<i>×</i>{}</span>',
        classes,
        bid_label(text),
        COUNT[bid],
        _plain_die(FACES[FACE[bid] - 1], "red"),
    )


@register.simple_tag
def bid(text: str | int, size: str = "") -> SafeString:
    """Draw a bid as count × face: `{% bid "7x4" %}`, `{% bid bid "huge" %}`.

    `text`: as the record writes it (a lay-out after it is ignored), or the engine's int. Raise
    KeyError if there is no such bid.
    """
    name = TEXT[text] if isinstance(text, int) else text.partition("/")[0]
    classes = f"bid bid-{size}" if size else "bid"
    return _bid(name, classes, get_language())
