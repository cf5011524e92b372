"""How often somebody’s challenges were right, beside how often they should have been."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext

from league.standings.style.domain import Calibration
from league.templatetags.figures import percent

register = template.Library()

SQUARE, SQUARE_LEFT, SQUARE_BOTTOM = 300, 58, 330
"""The calibration's side, and its corner at 0 %."""


def _square(share: float, *, up: bool = False) -> int:
    """The place of a share on either axis of the calibration's square."""
    return round(SQUARE_BOTTOM - share * SQUARE if up else SQUARE_LEFT + share * SQUARE)


@register.inclusion_tag("components/calibration_chart.html")
def calibration_chart(bins: Sequence[Calibration]) -> dict[str, object]:
    """Stated chance against what came true, one point a bin with its 95 % interval: `{%
    calibration_chart bins %}`.

    Who judges well stays on the diagonal. The area of a point grows with the challenges in it.
    """
    ends = (0.0, 0.5, 1.0)
    drawing = format_html(
        '<svg class="chart calibration" viewBox="0 0 {} {}" role="group" aria-label="{}">{}{}'
        '<path class="diagonal" d="M{} {}L{} {}"/><g class="marks">{}</g>'
        '<text class="x" x="{}" y="{}">{}</text><text class="s" x="{}" y="16">{}</text></svg>',
        *(
            SQUARE_LEFT + SQUARE + 24,
            SQUARE_BOTTOM + 52,
            gettext("Challenges: expected and actual"),
        ),
        format_html_join(
            "",
            f'<path class="grid" d="M{SQUARE_LEFT} {{}}h{SQUARE}"/>'
            f'<text class="y" x="{SQUARE_LEFT - 8}" y="{{}}">{{}}</text>',
            [
                (_square(share, up=True), _square(share, up=True) + 5, percent(share))
                for share in ends
            ],
        ),
        format_html_join(
            "",
            f'<text class="x" x="{{}}" y="{SQUARE_BOTTOM + 20}">{{}}</text>',
            [(_square(share), percent(share)) for share in ends],
        ),
        *(_square(0), _square(0, up=True), _square(1), _square(1, up=True)),
        format_html_join(
            "",
            (
                '<g><title>{}</title><path class="line" d="M{} {}V{}"/><circle cx="{}" cy="{}" '
                'r="{}"/></g>'
            ),
            [
                (
                    (
                        f"{percent(bin_shown.stated)} → {percent(bin_shown.actual)} "
                        f"({bin_shown.challenges})"
                    ),
                    *(
                        _square(bin_shown.stated),
                        _square(bin_shown.low, up=True),
                        _square(bin_shown.high, up=True),
                    ),
                    *(
                        _square(bin_shown.stated),
                        _square(bin_shown.actual, up=True),
                        min(round(3 + bin_shown.challenges**0.5), 14),
                    ),
                )
                for bin_shown in bins
            ],
        ),
        *(
            _square(0.5),
            SQUARE_BOTTOM + 44,
            gettext("expected by the challenger"),
            SQUARE_LEFT,
            gettext("came true"),
        ),
    )
    return {"bins": bins, "drawing": drawing}
