"""How often a player's challenges were right, compared with how often they should have been."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from league.standings.style.domain import Calibration
from league.templatetags.figures import percent

register = template.Library()

SQUARE = 300
"""The length of the calibration square's sides."""
SQUARE_LEFT = 58
SQUARE_BOTTOM = 330
TICKS = (0.0, 0.5, 1.0)


def _x(share: float) -> int:
    return round(SQUARE_LEFT + share * SQUARE)


def _y(share: float) -> int:
    return round(SQUARE_BOTTOM - share * SQUARE)


@register.inclusion_tag("components/calibration_chart.html")
def calibration_chart(bins: Sequence[Calibration]) -> dict[str, object]:
    """Draw the stated chances of challenges against the shares that were right, with a point and
    its 95 % interval for each bin: `{% calibration_chart bins %}`.

    The points of a good judge lie on the diagonal. The area of a point grows with its challenges.
    """
    drawing = format_html(
        '<svg class="chart calibration" viewBox="0 0 {} {}" role="group" aria-label="{}">{}{}'
        '<path class="diagonal" d="M{} {}L{} {}"/><g class="marks">{}</g>'
        '<text class="x" x="{}" y="{}">{}</text><text class="s" x="{}" y="16">{}</text></svg>',
        SQUARE_LEFT + SQUARE + 24,
        SQUARE_BOTTOM + 52,
        gettext("Challenges: expected and actual"),
        _grid_lines(),
        _axis_labels(),
        _x(0),
        _y(0),
        _x(1),
        _y(1),
        _points_with_intervals(bins),
        _x(0.5),
        SQUARE_BOTTOM + 44,
        gettext("expected by the challenger"),
        SQUARE_LEFT,
        gettext("came true"),
    )
    return {"bins": bins, "drawing": drawing}


def _grid_lines() -> SafeString:
    return format_html_join(
        "",
        f'<path class="grid" d="M{SQUARE_LEFT} {{}}h{SQUARE}"/>'
        f'<text class="y" x="{SQUARE_LEFT - 8}" y="{{}}">{{}}</text>',
        [(_y(share), _y(share) + 5, percent(share)) for share in TICKS],
    )


def _axis_labels() -> SafeString:
    return format_html_join(
        "",
        f'<text class="x" x="{{}}" y="{SQUARE_BOTTOM + 20}">{{}}</text>',
        [(_x(share), percent(share)) for share in TICKS],
    )


def _points_with_intervals(bins: Sequence[Calibration]) -> SafeString:
    return format_html_join(
        "",
        '<g><title>{}</title><path class="line" d="M{} {}V{}"/>'
        '<circle cx="{}" cy="{}" r="{}"/></g>',
        [
            (
                _title(calibration),
                _x(calibration.stated),
                _y(calibration.low),
                _y(calibration.high),
                _x(calibration.stated),
                _y(calibration.actual),
                min(round(3 + calibration.challenges**0.5), 14),
            )
            for calibration in bins
        ],
    )


def _title(calibration: Calibration) -> str:
    stated = percent(calibration.stated)
    return f"{stated} → {percent(calibration.actual)} ({calibration.challenges})"
