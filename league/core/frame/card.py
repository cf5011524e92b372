"""Preview images for shared addresses: PNG files of 1200 × 630 pixels, in the look of the pages."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Final

from django.conf import settings

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

WIDTH: Final = 1200
HEIGHT: Final = 630
"""Pixels, as pages that show such cards ask for them (https://ogp.me)."""
MARGIN: Final = 80
BAND: Final = 36
STATIC: Final = settings.BASE_DIR / "league" / "static" / "league"
PAPER: Final = "#f9f1e1"
INK: Final = "#36231b"
MUTED: Final = "#6b5749"
LINE: Final = "#ddcdb9"
LEATHER: Final = "#6b3d24"
STITCH: Final = "#dcb98a"
DICE: Final = "#f8c234"
DICE_EDGE: Final = "#af7112"
PIP: Final = "#3a2219"
"""The colours of `league/static_src/tokens.css`, which are OKLCH there."""
HEADING: Final = ("fraunces.woff2", "fraunces-others.woff2")
TEXT: Final = ("inter.woff2", "fraunces-others.woff2")
"""The fonts of a text: the first, and another for letters that the first lacks."""
BOLD: Final = 700
REGULAR: Final = 500
PIPS: Final = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
}
"""The rows and columns of a face's pips, in a grid of three by three."""
ROLL: Final = (2, 5, 1, 4, 3)
SMOOTH: Final = 4
"""Shapes are drawn larger by this factor, since Pillow has no anti-aliasing."""
MOST_LINES: Final = 3


@dataclass(frozen=True)
class Line:
    """A line of a card: a rank (0 for none), a name and a value."""

    rank: int
    name: str
    value: str = ""


@dataclass(frozen=True)
class SharedCard:
    """The texts of a card: the club at the top, the title, up to three lines, and a short foot."""

    club: str
    title: str
    lines: Sequence[Line] = ()
    foot: str = ""


def card_png(card: SharedCard) -> bytes:
    """Return a card as a PNG file."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = ImageDraw.Draw(image)
    _draw_leather(pen)
    max_width = WIDTH - BAND - 2 * MARGIN
    left = BAND + MARGIN
    _write(pen, (left, 104), card.club, TEXT, size=34, colour=MUTED, max_width=max_width)
    _write(pen, (left, 190), card.title, HEADING, size=78, colour=INK, max_width=max_width)
    for number, line in enumerate(card.lines[:MOST_LINES]):
        _draw_line(image, pen, line, top=250 + 88 * number)
    if not card.lines:
        _draw_roll(image)
    _draw_foot(image, pen, card.foot)
    file = io.BytesIO()
    image.quantize(128).save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_leather(pen: ImageDraw) -> None:
    pen.rectangle((0, 0, BAND, HEIGHT), fill=LEATHER)
    for top in range(12, HEIGHT, 28):
        pen.line((BAND - 8, top, BAND - 8, top + 16), fill=STITCH, width=3)


def _draw_line(image: Image, pen: ImageDraw, line: Line, top: int) -> None:
    left = BAND + MARGIN
    right = WIDTH - MARGIN
    if line.rank:
        die = _yellow_die(line.rank, 64)
        image.paste(die, (left, top), die)
    middle = top + 46
    value_width = _write(
        pen,
        (right, middle),
        line.value,
        TEXT,
        size=36,
        colour=MUTED,
        max_width=420,
        from_right=True,
    )
    name_width = right - value_width - left - 120
    _write(pen, (left + 92, middle), line.name, HEADING, size=46, colour=INK, max_width=name_width)
    pen.line((left, top + 76, right, top + 76), fill=LINE, width=2)


def _draw_roll(image: Image) -> None:
    for number, face in enumerate(ROLL):
        die = _yellow_die(face, 128)
        image.paste(die, (BAND + MARGIN + 168 * number, 288), die)


def _draw_foot(image: Image, pen: ImageDraw, foot: str) -> None:
    bottom = HEIGHT - 56
    mark = _icon(64)
    name_width = _write(
        pen,
        (WIDTH - MARGIN, bottom),
        "Cups Up",
        HEADING,
        size=44,
        colour=INK,
        max_width=300,
        from_right=True,
    )
    image.paste(mark, (WIDTH - MARGIN - round(name_width) - 76, bottom - 48), mark)
    _write(pen, (BAND + MARGIN, bottom), foot, TEXT, size=30, colour=MUTED, max_width=720)


def _write(
    pen: ImageDraw,
    base_point: tuple[float, float],
    text: str,
    fonts: tuple[str, str],
    *,
    size: int,
    colour: str,
    max_width: float,
    from_right: bool = False,
) -> float:
    """Write a text on a base line, from `base_point` or up to it, smaller or shortened if it is too
    wide. Return its width."""
    weight = BOLD if fonts is HEADING else REGULAR
    shown = drawable(text, fonts)
    least_size = size * 2 // 3
    while size > least_size and _width(shown, fonts, size, weight) > max_width:
        size -= 2
    while shown and _width(shown, fonts, size, weight) > max_width:
        shown = shown.rstrip("…")[:-1].rstrip() + "…"
    width = _width(shown, fonts, size, weight)
    x = base_point[0] - width if from_right else base_point[0]
    for name, run in _font_runs(shown, fonts):
        font = _font(name, size, weight)
        pen.text((x, base_point[1]), run, font=font, fill=colour, anchor="ls")
        x += font.getlength(run)
    return width


def _width(text: str, fonts: tuple[str, str], size: int, weight: int) -> float:
    return sum(_font(name, size, weight).getlength(run) for name, run in _font_runs(text, fonts))


def _font_runs(text: str, fonts: tuple[str, str]) -> list[tuple[str, str]]:
    runs = groupby(text, key=lambda sign: fonts[0] if _font_has(fonts[0], sign) else fonts[1])
    return [(name, "".join(signs)) for name, signs in runs]


def drawable(text: str, fonts: tuple[str, str] = HEADING) -> str:
    """Return a text without characters that our fonts lack. A letter with an unknown mark loses the
    mark only."""
    signs: list[str] = []
    for sign in unicodedata.normalize("NFC", " ".join(text.split())):
        if _any_font_has(fonts, sign):
            signs.append(sign)
        else:
            parts = unicodedata.normalize("NFKD", sign)
            signs += [part for part in parts if _any_font_has(fonts, part)]
    return " ".join("".join(signs).split())


def _any_font_has(fonts: tuple[str, str], sign: str) -> bool:
    return any(_font_has(name, sign) for name in fonts)


@lru_cache(maxsize=4096)
def _font_has(name: str, sign: str) -> bool:
    """Return True if a font has a character: it draws all that it lacks as the same box."""
    font = _font(name, 40, REGULAR)
    return sign == " " or bytes(font.getmask(sign)) != bytes(font.getmask("\uffff"))


@lru_cache(maxsize=64)
def _font(name: str, size: int, weight: int) -> FreeTypeFont:
    from PIL import ImageFont

    font = ImageFont.truetype(STATIC / "fonts" / name, size)
    font.set_variation_by_axes([weight])
    return font


@lru_cache(maxsize=16)
def _yellow_die(rank: int, side: int) -> Image:
    from PIL import Image, ImageDraw

    large = side * SMOOTH
    image = Image.new("RGBA", (large, large))
    pen = ImageDraw.Draw(image)
    edge = large // 18
    pen.rounded_rectangle(
        (0, 0, large - 1, large - 1), large // 5, fill=DICE, outline=DICE_EDGE, width=edge
    )
    for row, column in PIPS.get(rank, ()):
        x, y = (large * (0.26 + 0.24 * place) for place in (column, row))
        radius = large * 0.1
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=PIP)
    if rank not in PIPS:
        figure = str(rank)
        font = _font("fraunces.woff2", large * 3 // (4 + len(figure)), BOLD)
        pen.text((large / 2, large / 2), figure, font=font, fill=PIP, anchor="mm")
    return image.resize((side, side), Image.Resampling.LANCZOS)


@cache
def _icon(side: int) -> Image:
    from PIL import Image

    with Image.open(STATIC / "icon-192.png") as file:
        return file.convert("RGBA").resize((side, side), Image.Resampling.LANCZOS)
