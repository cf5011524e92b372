"""The track as a drawing: 30 fields on a winding path, the trail of a round's bids, and the red bid
die.

The geometry is computed once, when the module is loaded. Units are those of the drawing's viewBox.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from math import sin

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from engine.bluff.track import BID, FACE, FACES, FIELD, FIELDS, TEXT
from games.templatetags.shapes import COLOURS, shape
from games.templatetags.table import bid_label, bid_of, die_shape

register = template.Library()

LAP = len(FIELDS) // 2
"""How many fields the board has: 30 (Ruling B1)."""
COLUMNS = 10
STEP = 44
"""Distance between two fields of a row."""
ROW = 58
"""Distance between two rows."""
WAVE = 5
"""How far the path swings up and down within a row."""
TILE = 37
"""Width of a field."""
WIDTH = COLUMNS * STEP + 6
HEIGHT = 2 * ROW + TILE + 2 * WAVE + 10

Point = tuple[float, float]


def _centre(field: int) -> Point:
    row, column = divmod(field % LAP, COLUMNS)
    if row == 1:
        column = COLUMNS - 1 - column
    x = 3 + STEP / 2 + STEP * column
    y = HEIGHT / 2 + (row - 1) * ROW + WAVE * sin(1.05 * column + row)
    return round(x, 1), round(y, 1)


PLACES = tuple(_centre(field) for field in range(LAP))


def _curve(points: Sequence[Point]) -> str:
    """Return a smooth path through the points (Catmull–Rom, written as cubic Béziers)."""
    last = len(points) - 1
    parts = ["M{:g} {:g}".format(*points[0])]
    for i in range(last):
        before = points[max(i - 1, 0)]
        start = points[i]
        end = points[i + 1]
        after = points[min(i + 2, last)]
        numbers = [
            start[0] + (end[0] - before[0]) / 6,
            start[1] + (end[1] - before[1]) / 6,
            end[0] - (after[0] - start[0]) / 6,
            end[1] - (after[1] - start[1]) / 6,
            *end,
        ]
        parts.append("C" + " ".join(f"{number:.4g}" for number in numbers))
    return "".join(parts)


ROAD = _curve(PLACES)
"""The path under the fields; `games/static/games/shapes.svg` has it, too."""


def _trail(fields: Sequence[int]) -> SafeString:
    if len(fields) < 2:
        return SafeString("")
    first = fields[0]
    last = fields[-1]
    if first < LAP <= last:
        paths = [(" past", _curve(PLACES[first:])), ("", _curve(PLACES[: last - LAP + 1]))]
    else:
        paths = [("", _curve(PLACES[first % LAP : last % LAP + 1]))]
    return format_html_join("", '<path class="trail{}" d="{}"/>', paths)


def _fields(lap: int, bid_on: set[int]) -> SafeString:
    fields = range(lap * LAP, (lap + 1) * LAP)
    return SafeString("".join([_tile(field, field in bid_on) for field in fields]))


@cache
def _tile(field: int, bid_on: bool) -> SafeString:
    count, is_star_field = FIELDS[field]
    x, y = PLACES[field % LAP]
    classes = " on" if bid_on else ""
    mark = ""
    text_position = SafeString("")
    sign = SafeString("")
    if is_star_field:
        classes = " s" + classes
        mark = "*"
        text_position = SafeString(' x="-6"')
        sign = format_html('<use href="{}" x="3.5" y="-7" width="13" height="13"/>', shape("star"))
    half = TILE / 2
    return format_html(
        '<g class="f{}" data-field="{}{}" transform="translate({} {})">'
        f'<rect x="-{half}" y="-{half}" width="{TILE}" height="{TILE}" rx="9"/>'
        '<text{} y="6">{}</text>{}</g>',
        classes,
        count,
        mark,
        f"{x:g}",
        f"{y:g}",
        text_position,
        count,
        sign,
    )


def _drawing_in_words(bids: Sequence[str]) -> str:
    if not bids:
        return gettext("The track, no bid yet")
    return gettext("Bids on the track: %(bids)s") % {"bids": " → ".join(map(bid_label, bids))}


def _mini(bids: tuple[str, ...]) -> SafeString:
    trail = ""
    if bids:
        points = [f"{x:.0f} {y:.0f}" for x, y in _corners([FIELD[BID[bid]] for bid in bids])]
        x, y = points[-1].split()
        trail = (
            f'<path class="trail" d="M{"L".join(points)}"/>'
            f'<circle class="end" cx="{x}" cy="{y}" r="17"/>'
        )
    return SafeString(
        f'<svg class="track-mini" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{escape(_drawing_in_words(bids))}</title>"
        f'<use href="{shape("road")}"/>{trail}</svg>'
    )


def _corners(fields: Sequence[int]) -> list[Point]:
    """Return a few points for a small trail: its start and end, the turns of rows, and every
    third field."""
    first = fields[0]
    last = fields[-1]
    start = LAP if first < LAP <= last else first
    trail = range(start % LAP, last % LAP + 1)
    ends = (trail[0], trail[-1])
    return [PLACES[i] for i in trail if i in ends or i % COLUMNS in (0, 3, 6, 9)]


def _full(bids: tuple[str, ...], seats: tuple[int, ...]) -> SafeString:
    fields = [FIELD[BID[bid]] for bid in bids]
    lap = fields[-1] // LAP if fields else 0
    last = _bid_die(bids[-1], "red", 46) if bids else ""
    before = ""
    if seats and len(bids) > 1 and fields[-2] // LAP == lap:
        before = _bid_die(bids[-2], "white", 34)
    return format_html(
        '<svg class="track" viewBox="0 0 {} {}" role="img"><title>{}</title>'
        '<use href="{}"/>{}{}{}{}{}</svg>',
        WIDTH,
        HEIGHT,
        _drawing_in_words(bids),
        shape("road"),
        _trail(fields),
        _fields(lap, set(fields)),
        before,
        last,
        _tokens(fields, seats, lap),
    )


def _bid_die(bid: str, look: str, side: int) -> SafeString:
    x, y = PLACES[FIELD[BID[bid]] % LAP]
    left = f"{x - side / 2:g}"
    top = f"{y - side / 2:g}"
    face = die_shape(FACES[FACE[BID[bid]] - 1])
    drawing = '<svg class="die {}" x="{}" y="{}" width="{}" height="{}"><use href="{}"/></svg>'
    return format_html(drawing, look, left, top, side, side, face)


def _tokens(fields: Sequence[int], seats: Sequence[int], lap: int) -> SafeString:
    owners = dict(zip(fields, seats, strict=False))
    tokens = []
    for field, seat in owners.items():
        if field // LAP == lap:
            x, y = PLACES[field % LAP]
            tokens.append((seat % COLOURS, f"{x + 14:g} {y - 17:g}", seat + 1))
    drawing = (
        '<g class="token c{}" transform="translate({})"><circle r="9.5"/><text y="4">{}</text></g>'
    )
    return format_html_join("", drawing, tokens)


@lru_cache(maxsize=2048)
def _drawing(
    bids: tuple[str, ...], size: str, seats: tuple[int, ...], language: str | None
) -> SafeString:
    """Return the drawing in the active language; `language` is only a key of the cache."""
    return _mini(bids) if size == "mini" else _full(bids, seats)


@register.simple_tag
def track(moves: Iterable[str | int], size: str = "full", seats: Sequence[int] = ()) -> SafeString:
    """Draw the track with the bids of a round: `{% track round.moves %}`, `{% track round.moves
    "mini" %}`.

    `moves`: moves as the record writes them (`7x4`, `7x4/4*`, `!`) or bids as the engine's ints, in
    playing order; other moves are ignored. `size`: `full` (with every field) or `mini` (for lists).
    A bid beyond 20 shows the second lap, 21 to 40. `seats`: the seat of each bid, for a table in
    play: each has a token at its field, and a white die marks the bid before the last one
    (Rulings B1, B2)."""
    bids: list[str] = []
    for move in moves:
        if move in ("!", len(TEXT)):
            continue
        bid = bid_of(move if isinstance(move, str) else TEXT[move])
        if bid is not None:
            bids.append(bid)
    return _drawing(tuple(bids), size, tuple(seats), get_language())
