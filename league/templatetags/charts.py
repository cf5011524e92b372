"""Charts as SVG, made on the server: a page is the same without JavaScript, and on paper.

Geometry is in attributes, never in `style`, which the content security policy forbids."""

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
"""About how many lines a grid has."""
LEAST_MARKS = 3
"""With fewer marks than these, figures say more than a chart."""


class Canvas(NamedTuple):
    """The format of a line chart: size, left margin, number of labels below, CSS classes.

    Both formats keep their axes and type of at least 11 px on the widths where `charts.css` shows
    them."""

    width: int
    height: int
    left: int
    labels: int
    classes: str

    @property
    def right(self) -> int:
        """The right end of the grid."""
        return self.width - 14

    @property
    def bottom(self) -> int:
        """The lowest line of the grid; the labels are below."""
        return self.height - 30


TOP = 14
CANVASES = (Canvas(720, 300, 72, 7, "chart wide"), Canvas(260, 230, 46, 3, "chart narrow"))


class Mark(NamedTuple):
    """A moment of a history: the value with the bounds of its 95 % band, and the event that it
    stands for."""

    value: float
    low: float
    high: float
    label: str
    """On the horizontal axis: a date or an event's short name."""
    detail: str = ""
    """More words for the tooltip and the table of figures."""
    url: str = ""


class PairChart(NamedTuple):
    """Two histories side by side: at each moment the mark of the first, of the second, or of
    both."""

    first: str
    second: str
    """The names of the two."""
    marks: Sequence[tuple[Mark | None, Mark | None]]


class Scale(NamedTuple):
    """Maps values to heights of a drawing."""

    low: float
    high: float
    top: float
    bottom: float

    def y(self, value: float) -> float:
        """Return the height of a value, from the top."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.bottom - share * (self.bottom - self.top), 1)


def _evenly_spaced(first: float, last: float, count: int) -> list[float]:
    if count == 1:
        return [(first + last) / 2]
    return [round(first + (last - first) * i / (count - 1), 1) for i in range(count)]


@register.simple_tag
def sparkline(values: Sequence[float] | None) -> SafeString:
    """Draw a line as high as a word, for table rows: `{% sparkline row.recent %}`. Empty for fewer
    than two values.

    It is decoration: its number is beside it.
    """
    if not values or len(values) < 2:
        return SafeString("")
    scale = Scale(min(values), max(max(values), min(values) + 1e-9), 3, SPARK_HEIGHT - 3)
    xs = _evenly_spaced(3, 69, len(values))
    points = [(round(x), round(scale.y(value))) for x, value in zip(xs, values, strict=True)]
    steps = "".join(
        f"l{x - x_before} {y - y_before}" for (x_before, y_before), (x, y) in pairwise(points)
    )
    first_x, first_y = points[0]
    last_x, last_y = points[-1]
    return format_html(
        '<svg class="spark" viewBox="0 0 72 20" aria-hidden="true"><path d="M{} {}{}"/>'
        '<circle cx="{}" cy="{}" r="2.5"/></svg>',
        first_x,
        first_y,
        steps,
        last_x,
        last_y,
    )


def _step(span: float) -> float:
    """Return a round distance between grid lines: 1, 2 or 5 times a power of ten."""
    rough = max(span, 1e-9) / TICKS
    power = 10.0 ** floor(log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)


def _grid(canvas: Canvas, scale: Scale, step: float) -> SafeString:
    places = max(0, -floor(log10(step)))
    lines = []
    for number in range(round((scale.high - scale.low) / step) + 1):
        value = scale.low + step * number
        y = scale.y(value)
        lines.append((f"{y:g}", f"{y + 4:g}", figure(value, places)))
    return format_html_join(
        "",
        f'<path class="grid" d="M{canvas.left} {{0}}H{canvas.right}"/>'
        f'<text x="{canvas.left - 8}" y="{{1}}" class="y">{{2}}</text>',
        lines,
    )


def _labels(canvas: Canvas, marks: Sequence[Mark], xs: Sequence[float]) -> SafeString:
    every = ceil(len(marks) / canvas.labels)
    last = len(marks) - 1
    rows = []
    for number, (mark, x) in enumerate(zip(marks, xs, strict=True)):
        if (last - number) % every == 0:
            rows.append((x, _label_class(number, last), mark.label))
    return format_html_join(
        "", f'<text x="{{}}" y="{canvas.height - 8}" class="{{}}">{{}}</text>', rows
    )


def _label_class(number: int, last: int) -> str:
    if number == 0:
        return "s"
    return "e" if number == last else "x"


def _markers(marks: Sequence[Mark], xs: Sequence[float], scale: Scale) -> SafeString:
    markers = []
    for mark, x in zip(marks, xs, strict=True):
        marker = format_html(
            '<circle cx="{}" cy="{}" r="5"><title>{}: {} ({}–{}) {}</title></circle>',
            x,
            scale.y(mark.value),
            mark.label,
            figure(mark.value),
            figure(mark.low),
            figure(mark.high),
            mark.detail,
        )
        if mark.url:
            marker = format_html('<a href="{}" tabindex="-1">{}</a>', mark.url, marker)
        markers.append((marker,))
    return format_html_join("", "{}", markers)


def _scale_and_step(low: float, high: float, canvas: Canvas) -> tuple[Scale, float]:
    step = _step(high - low)
    first = floor(low / step)
    last = max(ceil(high / step), first + 1)
    return Scale(first * step, last * step, TOP, canvas.bottom), step


@register.inclusion_tag("components/line_chart.html")
def line_chart(marks: Sequence[Mark], title: str) -> dict[str, object]:
    """Draw a history (a sequence of `Mark`) with its 95 % band: `{% line_chart history _("Rating")
    %}`.

    A table of the figures unfolds below. With fewer than `LEAST_MARKS` marks there is a sentence
    instead."""
    if len(marks) < LEAST_MARKS:
        return {"title": title}
    drawings = [(_drawing(canvas, marks, title),) for canvas in CANVASES]
    return {"marks": marks, "title": title, "drawing": format_html_join("", "{}", drawings)}


def _drawing(canvas: Canvas, marks: Sequence[Mark], title: str) -> SafeString:
    low = min(mark.low for mark in marks)
    high = max(mark.high for mark in marks)
    scale, step = _scale_and_step(low, high, canvas)
    xs = _evenly_spaced(canvas.left + 10, canvas.right - 10, len(marks))
    upper = _points(xs, [mark.high for mark in marks], scale)
    lower = _points(xs, [mark.low for mark in marks], scale)
    line = _points(xs, [mark.value for mark in marks], scale)
    return format_html(
        '<svg class="{}" viewBox="0 0 {} {}" role="group" aria-label="{}">{}<path class="band" d="M{}Z"/>'
        '<path class="line" d="M{}"/><g class="marks">{}</g>{}</svg>',
        canvas.classes,
        canvas.width,
        canvas.height,
        gettext("%(title)s over time, with its 95%% band") % {"title": title},
        _grid(canvas, scale, step),
        "L".join(upper + lower[::-1]),
        "L".join(line),
        _markers(marks, xs, scale),
        _labels(canvas, marks, xs),
    )


def _points(xs: Sequence[float], values: Sequence[float], scale: Scale) -> list[str]:
    return [f"{x:g} {scale.y(value):g}" for x, value in zip(xs, values, strict=True)]


@register.inclusion_tag("components/pair_chart.html")
def pair_chart(pair: PairChart, title: str) -> dict[str, object]:
    """Draw two histories, the second dashed: `{% pair_chart pair _("Rating") %}`. Their table
    unfolds below."""
    moments = []
    rows = []
    for first, second in pair.marks:
        moment = first or second
        if moment is not None:
            moments.append(moment)
            rows.append((moment.label, first, second))
    drawings = [(_pair_drawing(canvas, pair, moments, title),) for canvas in CANVASES]
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
    scale, step = _scale_and_step(min(values), max(values), canvas)
    xs = _evenly_spaced(canvas.left + 10, canvas.right - 10, len(pair.marks))
    lines = []
    for place, kind in enumerate(("first", "second")):
        own_marks = []
        own_xs = []
        for marks, x in zip(pair.marks, xs, strict=True):
            mark = marks[place]
            if mark is not None:
                own_marks.append(mark)
                own_xs.append(x)
        points = _points(own_xs, [mark.value for mark in own_marks], scale)
        path = f"M{'L'.join(points)}" if points else ""
        lines.append((kind, path, _markers(own_marks, own_xs, scale)))
    return format_html(
        '<svg class="{}" viewBox="0 0 {} {}" role="group" aria-label="{}">{}{}{}</svg>',
        canvas.classes,
        canvas.width,
        canvas.height,
        gettext("%(title)s of both over time") % {"title": title},
        _grid(canvas, scale, step),
        format_html_join(
            "", '<g class="{}"><path class="line" d="{}"/><g class="marks">{}</g></g>', lines
        ),
        _labels(canvas, moments, xs),
    )
