"""The track as a drawing: 30 fields on a winding path, the bids of a round as a trail, the red bid
die at its end.

Geometry is counted once, when the module is loaded. Units are those of the drawing's viewBox.
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
"""Fields on the board: 30. Ruling B1."""
COLUMNS = 10
STEP, ROW = 44, 58
"""Distance between two fields of a row, and between two rows."""
WAVE = 5
"""How far the path swings up and down within a row."""
TILE = 37
"""Width of a field."""
WIDTH, HEIGHT = COLUMNS * STEP + 6, 2 * ROW + TILE + 2 * WAVE + 10

Point = tuple[float, float]


def _place(field: int) -> Point:
    """The middle of a field: three rows, there, back and there again, each a gentle wave."""
    row, column = divmod(field % LAP, COLUMNS)
    if row == 1:
        column = COLUMNS - 1 - column
    x = 3 + STEP / 2 + STEP * column
    return round(x, 1), round(HEIGHT / 2 + (row - 1) * ROW + WAVE * sin(1.05 * column + row), 1)


PLACES = tuple(_place(field) for field in range(LAP))


def _curve(points: Sequence[Point]) -> str:
    """A smooth path through the points (Catmull–Rom, written as cubic Béziers)."""
    parts = ["M{:g} {:g}".format(*points[0])]
    for i in range(len(points) - 1):
        before, start, end, after = (
            points[min(max(i + k, 0), len(points) - 1)] for k in (-1, 0, 1, 2)
        )
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
    """The way from the first of the fields to the last; what was walked in the lap before is
    pale."""
    if len(fields) < 2:
        return SafeString("")
    first, last = fields[0], fields[-1]
    if first < LAP <= last:
        ways = [(" past", _curve(PLACES[first:])), ("", _curve(PLACES[: last - LAP + 1]))]
    else:
        ways = [("", _curve(PLACES[first % LAP : last % LAP + 1]))]
    return format_html_join("", '<path class="trail{}" d="{}"/>', ways)


def _fields(lap: int, bid_on: set[int]) -> SafeString:
    """The 30 fields of one lap; `bid_on` are the indexes in FIELDS that carried a bid of this
    round."""
    return SafeString(
        "".join([_tile(field, field in bid_on) for field in range(lap * LAP, (lap + 1) * LAP)])
    )


@cache
def _tile(field: int, bid_on: bool) -> SafeString:
    """A field: a tile with its number; star fields carry a star and a red edge."""
    count, star = FIELDS[field]
    x, y = PLACES[field % LAP]
    sign = (
        format_html('<use href="{}" x="3.5" y="-7" width="13" height="13"/>', shape("star"))
        if star
        else ""
    )
    half = TILE / 2
    return format_html(
        '<g class="f{}{}" data-field="{}{}" transform="translate({} {})">'
        f'<rect x="-{half}" y="-{half}" width="{TILE}" height="{TILE}" rx="9"/>'
        '<text{} y="6">{}</text>{}</g>',
        *(
            " s" if star else "",
            " on" if bid_on else "",
            count,
            "*" if star else "",
            f"{x:g}",
            f"{y:g}",
        ),
        *(SafeString(' x="-6"') if star else "", count, sign),
    )


def _title(bids: Sequence[str]) -> str:
    if not bids:
        return gettext("The track, no bid yet")
    return gettext("Bids on the track: %(bids)s") % {"bids": " → ".join(map(bid_label, bids))}


def _mini(bids: tuple[str, ...]) -> SafeString:
    trail = ""
    if bids:
        points = [f"{x:.0f} {y:.0f}" for x, y in _corners([FIELD[BID[bid]] for bid in bids])]
        x, y = points[-1].split()
        trail = (
            f'<path class="trail" d="M{"L".join(points)}"/><circle class="end" cx="{x}" cy="{y}" '
            'r="17"/>'
        )
    return SafeString(
        f'<svg class="track-mini" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{escape(_title(bids))}</title>'
        f'<use href="{shape("road")}"/>{trail}</svg>'
    )


def _corners(fields: Sequence[int]) -> list[Point]:
    """Few points for a small trail: where it starts and ends, where rows turn, every third
    field."""
    first, last = fields[0], fields[-1]
    start = LAP if first < LAP <= last else first
    way = range(start % LAP, last % LAP + 1)
    return [PLACES[i] for i in way if i in (way[0], way[-1]) or i % COLUMNS in (0, 3, 6, 9)]


def _full(bids: tuple[str, ...], seats: tuple[int, ...]) -> SafeString:
    fields = [FIELD[BID[bid]] for bid in bids]
    lap = fields[-1] // LAP if fields else 0
    last = _bid_die(bids[-1], "red", 46) if bids else ""
    before = (
        _bid_die(bids[-2], "white", 34)
        if seats and len(bids) > 1 and fields[-2] // LAP == lap
        else ""
    )
    return format_html(
        (
            '<svg class="track" viewBox="0 0 {} {}" role="img"><title>{}</title><use '
            'href="{}"/>{}{}{}{}{}</svg>'
        ),
        *(WIDTH, HEIGHT, _title(bids), shape("road"), _trail(fields), _fields(lap, set(fields))),
        *(before, last, _tokens(fields, seats, lap)),
    )


def _bid_die(bid: str, look: str, side: int) -> SafeString:
    """The die that marks a bid, in the middle of its field."""
    x, y = PLACES[FIELD[BID[bid]] % LAP]
    corner = (f"{x - side / 2:g}", f"{y - side / 2:g}")
    face = die_shape(FACES[FACE[BID[bid]] - 1])
    drawing = '<svg class="die {}" x="{}" y="{}" width="{}" height="{}"><use href="{}"/></svg>'
    return format_html(drawing, look, *corner, side, side, face)


def _tokens(fields: Sequence[int], seats: Sequence[int], lap: int) -> SafeString:
    """The tokens of those who bid, at the corners of their fields; on a field of two bids that of
    the later one."""
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
    return _mini(bids) if size == "mini" else _full(bids, seats)


@register.simple_tag
def track(moves: Iterable[str | int], size: str = "full", seats: Sequence[int] = ()) -> SafeString:
    """The track with the bids of a round: `{% track round.moves %}`, `{% track round.moves "mini"
    %}`.

    `moves` are moves as the record writes them (`7x4`, `7x4/4*`, `!`) or bids as the engine's ints,
    in playing order; what is no bid is passed over. `size` is `full` (with every field) or `mini`
    (for lists). A bid beyond 20 shows the second lap, 21 to 40. `seats`: of each bid, for a table
    in play: each has a token at its field, and a white die marks the bid before the last one.
    Rulings B1, B2 (R, S)."""
    texts = (
        move if isinstance(move, str) else TEXT[move]
        for move in moves
        if move not in ("!", len(TEXT))
    )
    bids = tuple([bid for bid in map(bid_of, texts) if bid is not None])
    return _drawing(bids, size, tuple(seats), get_language())
