"""Charts as SVG made here: the page reads the same without JavaScript, and on paper.

Geometry goes into attributes, never into `style`, which the content security policy forbids.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from league.templatetags.figures import figure

register = template.Library()
SPARK_HEIGHT = 20
TICKS = 5
"""About so many lines of the grid."""
LEAST_MARKS = 3
"""Fewer marks than these are no course: figures say it better than a chart."""


class Canvas(NamedTuple):
    """All that a line chart is drawn on: its size, the margin on the left, how many labels fit
    under it, its class.

    Both keep their axes and type of 11 px at least, each on the widths for which `charts.css` shows
    it."""

    width: int
    height: int
    left: int
    labels: int
    classes: str

    @property
    def right(self) -> int:
        """The end of the grid."""
        return self.width - 14

    @property
    def bottom(self) -> int:
        """The lowest line of the grid; the labels stand below."""
        return self.height - 30


TOP = 14
CANVASES = (Canvas(720, 300, 72, 7, "chart wide"), Canvas(260, 230, 46, 3, "chart narrow"))


class Mark(NamedTuple):
    """One moment of a history: its value with the bounds of the 95 % band, and the event it stands
    for."""

    value: float
    low: float
    high: float
    label: str
    """On the horizontal axis: a date or an event's short name."""
    detail: str = ""
    """More words for the tooltip and the table of figures."""
    url: str = ""


class PairChart(NamedTuple):
    """Two histories side by side: at each moment the mark of the one, of the other, or of both."""

    first: str
    second: str
    """What the two are called."""
    marks: Sequence[tuple[Mark | None, Mark | None]]


class Scale(NamedTuple):
    """Turns values into heights of a drawing."""

    low: float
    high: float
    top: float
    bottom: float

    def y(self, value: float) -> float:
        """The height of a value, counted from above."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.bottom - share * (self.bottom - self.top), 1)


def _spread(first: float, last: float, count: int) -> list[float]:
    """So many places between first and last; a single one stands in the middle."""
    if count == 1:
        return [(first + last) / 2]
    return [round(first + (last - first) * i / (count - 1), 1) for i in range(count)]


@register.simple_tag
def sparkline(values: Sequence[float] | None) -> SafeString:
    """A line as high as a word, for table rows: `{% sparkline row.recent %}`. Nothing for fewer
    than two values.

    It is decoration: the number it leads to stands beside it.
    """
    if not values or len(values) < 2:
        return SafeString("")
    scale = Scale(min(values), max(max(values), min(values) + 1e-9), 3, SPARK_HEIGHT - 3)
    points = [
        (round(x), round(scale.y(v)))
        for x, v in zip(_spread(3, 69, len(values)), values, strict=True)
    ]
    steps = "".join(f"l{b[0] - a[0]} {b[1] - a[1]}" for a, b in pairwise(points))
    return format_html(
        '<svg class="spark" viewBox="0 0 72 20" aria-hidden="true"><path d="M{} {}{}"/>'
        '<circle cx="{}" cy="{}" r="2.5"/></svg>',
        *(*points[0], steps, *points[-1]),
    )


def _step(span: float) -> float:
    """A round distance between grid lines: 1, 2 or 5 times a power of ten."""
    rough = max(span, 1e-9) / TICKS
    power = 10.0 ** floor(log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)


def _grid(canvas: Canvas, scale: Scale, step: float) -> SafeString:
    places = max(0, -floor(log10(step)))
    lines = [
        (f"{scale.y(value):g}", f"{scale.y(value) + 4:g}", figure(value, places))
        for value in (
            scale.low + step * i for i in range(round((scale.high - scale.low) / step) + 1)
        )
    ]
    return format_html_join(
        "",
        f'<path class="grid" d="M{canvas.left} {{0}}H{canvas.right}"/>'
        f'<text x="{canvas.left - 8}" y="{{1}}" class="y">{{2}}</text>',
        lines,
    )


def _labels(canvas: Canvas, marks: Sequence[Mark], xs: Sequence[float]) -> SafeString:
    """Words under the horizontal axis, as many as fit, the last always."""
    every = ceil(len(marks) / canvas.labels)
    places = [i for i in range(len(marks)) if (len(marks) - 1 - i) % every == 0]
    rows = [
        (xs[i], "e" if i == len(marks) - 1 and i else "s" if i == 0 else "x", marks[i].label)
        for i in places
    ]
    return format_html_join(
        "", f'<text x="{{}}" y="{canvas.height - 8}" class="{{}}">{{}}</text>', rows
    )


def _markers(marks: Sequence[Mark], xs: Sequence[float], scale: Scale) -> SafeString:
    marks_drawn = []
    for mark, x in zip(marks, xs, strict=True):
        dot = format_html(
            '<circle cx="{}" cy="{}" r="5"><title>{}: {} ({}–{}) {}</title></circle>',
            *(x, scale.y(mark.value), mark.label, figure(mark.value)),
            *(figure(mark.low), figure(mark.high), mark.detail),
        )
        marks_drawn.append(
            (format_html('<a href="{}" tabindex="-1">{}</a>', mark.url, dot) if mark.url else dot,)
        )
    return format_html_join("", "{}", marks_drawn)


def _scale(low: float, high: float, canvas: Canvas) -> tuple[Scale, float]:
    """The scale of a chart for values from low to high, and the distance of its grid lines."""
    step = _step(high - low)
    first = floor(low / step)
    return Scale(first * step, max(ceil(high / step), first + 1) * step, TOP, canvas.bottom), step


@register.inclusion_tag("components/line_chart.html")
def line_chart(marks: Sequence[Mark], title: str) -> dict[str, object]:
    """A history with its 95 % band: `{% line_chart history _("Rating") %}`, `history` a sequence of
    `Mark`.

    A table of the same figures unfolds under it. With fewer than `LEAST_MARKS` marks a sentence
    stands in its place."""
    if len(marks) < LEAST_MARKS:
        return {"title": title}
    drawings = [(_drawing(canvas, marks, title),) for canvas in CANVASES]
    return {"marks": marks, "title": title, "drawing": format_html_join("", "{}", drawings)}


def _drawing(canvas: Canvas, marks: Sequence[Mark], title: str) -> SafeString:
    low, high = min(mark.low for mark in marks), max(mark.high for mark in marks)
    scale, step = _scale(low, high, canvas)
    xs = _spread(canvas.left + 10, canvas.right - 10, len(marks))
    upper = [f"{x:g} {scale.y(mark.high):g}" for x, mark in zip(xs, marks, strict=True)]
    lower = [f"{x:g} {scale.y(mark.low):g}" for x, mark in zip(xs, marks, strict=True)]
    line = [f"{x:g} {scale.y(mark.value):g}" for x, mark in zip(xs, marks, strict=True)]
    return format_html(
        '<svg class="{}" viewBox="0 0 {} {}" role="group" aria-label="{}">{}<path class="band" d="M{}Z"/>'
        '<path class="line" d="M{}"/><g class="marks">{}</g>{}</svg>',
        *(canvas.classes, canvas.width, canvas.height),
        gettext("%(title)s over time, with its 95%% band") % {"title": title},
        *(_grid(canvas, scale, step), "L".join(upper + lower[::-1]), "L".join(line)),
        *(_markers(marks, xs, scale), _labels(canvas, marks, xs)),
    )


@register.inclusion_tag("components/pair_chart.html")
def pair_chart(pair: PairChart, title: str) -> dict[str, object]:
    """Two histories in one drawing, the second dashed: `{% pair_chart pair _("Rating") %}`. Their
    table unfolds."""
    moments = [mark for first, second in pair.marks if (mark := first or second)]
    drawings = [(_pair_drawing(canvas, pair, moments, title),) for canvas in CANVASES]
    rows = [(moment.label, *marks) for moment, marks in zip(moments, pair.marks, strict=True)]
    return {
        "pair": pair,
        "rows": rows,
        "title": title,
        "drawing": format_html_join("", "{}", drawings),
    }


def _pair_drawing(
    canvas: Canvas, pair: PairChart, moments: Sequence[Mark], title: str
) -> SafeString:
    values = [mark.value for marks in pair.marks for mark in marks if mark]
    scale, step = _scale(min(values), max(values), canvas)
    xs = _spread(canvas.left + 10, canvas.right - 10, len(pair.marks))
    lines = []
    for place, kind in enumerate(("first", "second")):
        player_marks = [
            (mark, x) for marks, x in zip(pair.marks, xs, strict=True) if (mark := marks[place])
        ]
        path = "L".join(f"{x:g} {scale.y(mark.value):g}" for mark, x in player_marks)
        markers = _markers([mark for mark, _ in player_marks], [x for _, x in player_marks], scale)
        lines.append((kind, f"M{path}" if player_marks else "", markers))
    return format_html(
        '<svg class="{}" viewBox="0 0 {} {}" role="group" aria-label="{}">{}{}{}</svg>',
        *(
            canvas.classes,
            canvas.width,
            canvas.height,
            gettext("%(title)s of both over time") % {"title": title},
        ),
        _grid(canvas, scale, step),
        format_html_join(
            "", '<g class="{}"><path class="line" d="{}"/><g class="marks">{}</g></g>', lines
        ),
        _labels(canvas, moments, xs),
    )
