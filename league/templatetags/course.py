"""The course of a game of Bluff as a drawing: how safe each bid stood when it was answered, what each decision cost.

Geometry goes into attributes, never into `style`, which the content security policy forbids.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.templatetags.table import bid_label
from league.rankings.queries.game import SeatAtTable
from league.rankings.web.address import Address
from league.rankings.web.analysis import Judgement
from league.templatetags.figures import figure, percent

register = template.Library()

STEP, GAP = 18, 14
"""Widths: of a move, and between two rounds."""
LEFT, RIGHT = 50, 10
CHANCE_TOP, CHANCE_BOTTOM = 14, 154
COST_TOP, COST_BOTTOM = 184, 244
HEIGHT = 272
LEAST_WIDTH = 560
LEAST_SCALE = 1.0
"""Dice at the top of the scale of costs, at least."""


class Spot(NamedTuple):
    """A decision and the middle of its column."""

    x: int
    judged: Judgement


def _spots(course: Sequence[Judgement]) -> list[list[Spot]]:
    """The decisions of each round that has some, from left to right."""
    rounds: list[list[Spot]] = []
    x = LEFT + GAP // 2
    for _, judged_there in groupby(course, key=lambda judged: judged.here.round):
        rounds.append([Spot(x + STEP * number + STEP // 2, judged) for number, judged in enumerate(judged_there)])
        x = rounds[-1][-1].x + STEP // 2 + GAP
    return rounds


def _chance_y(chance: float) -> int:
    return round(CHANCE_BOTTOM - chance * (CHANCE_BOTTOM - CHANCE_TOP))


def _place(judged: Judgement) -> str:
    return gettext("Round %(round)s, move %(move)s") % {"round": judged.here.round, "move": judged.here.move}


def _words(judged: Judgement, seats: Sequence[SeatAtTable]) -> str:
    """A decision in words."""
    words = [f"{_place(judged)}: {seats[judged.seat].name}, {_did(judged)}"]
    if judged.table:
        words.append(
            gettext("the bid on the table holds with a chance of %(chance)s") % {"chance": percent(judged.table.chance)}
        )
    if judged.cost is not None:
        words.append(gettext("cost: %(cost)s") % {"cost": figure(judged.cost, 2)})
    return "; ".join(words)


def _did(judged: Judgement) -> str:
    return bid_label(judged.made.bid) if judged.made.bid else gettext("Cups up!")


def _axes(width: int, scale: float) -> SafeString:
    lines = [(_chance_y(share), percent(share)) for share in (0.0, 0.5, 1.0)]
    lines += [(COST_TOP, figure(scale, 1)), (COST_BOTTOM, figure(0))]
    return format_html_join(
        "",
        f'<path class="grid" d="M{LEFT} {{0}}H{width - RIGHT}"/><text x="{LEFT - 7}" y="{{1}}" class="y">{{2}}</text>',
        [(y, y + 4, label) for y, label in lines],
    )


def _mark(spot: Spot, scale: float, seats: Sequence[SeatAtTable], here: Address) -> SafeString:
    """A decision: a link over its whole column, the point of the chance, the bar of the cost."""
    x, judged = spot
    now = judged.here.place == here.place or (here.move is None and judged.here.round == here.round)
    point: str | SafeString = ""
    if judged.table:
        y = _chance_y(judged.table.chance)
        known = " public" if judged.known == "public" else ""
        # The challenge is a diamond, so that its shape tells, too.
        point = (
            format_html('<circle class="raise{}" cx="{}" cy="{}" r="5"/>', known, x, y)
            if judged.made.bid
            else format_html('<path class="up{}" d="M{} {}l7 7-7 7-7-7z"/>', known, x, y - 7)
        )
    bar: str | SafeString = ""
    if judged.cost:
        height = round(judged.cost / scale * (COST_BOTTOM - COST_TOP))
        bar = format_html(
            '<rect class="cost" x="{}" y="{}" width="8" height="{}"/>', x - 4, COST_BOTTOM - height, height
        )
    return format_html(
        '<a href="{}" tabindex="-1" data-at="{}"{}><title>{}</title>'
        '<rect class="hit" x="{}" y="{}" width="{}" height="{}"/>{}{}</a>',
        *(judged.here.stage, judged.here.place, SafeString(' class="now"') if now else "", _words(judged, seats)),
        *(x - STEP // 2, CHANCE_TOP - 6, STEP, COST_BOTTOM - CHANCE_TOP + 12, point, bar),
    )


def _round(spots: Sequence[Spot]) -> SafeString:
    """A round: its number, the line between it and the round before, and the way of the chances."""
    start, end = spots[0].x - STEP // 2 - GAP // 2, spots[-1].x
    way = [f"{spot.x} {_chance_y(spot.judged.table.chance)}" for spot in spots if spot.judged.table]
    return format_html(
        '<path class="turn" d="M{} {}V{}"/><text class="x" x="{}" y="{}">{}</text>{}',
        *(start, CHANCE_TOP - 6, COST_BOTTOM + 6, (spots[0].x + end) // 2, HEIGHT - 8, spots[0].judged.here.round),
        format_html('<path class="line" d="M{}"/>', "L".join(way)) if len(way) > 1 else "",
    )


@register.simple_tag
def course_chart(course: Sequence[Judgement], seats: Sequence[SeatAtTable], here: Address) -> SafeString:
    """All decisions of a game: `{% course_chart analysis.course seats here %}`; every point leads to its position."""
    rounds = _spots(course)
    width = max(rounds[-1][-1].x + STEP // 2 + RIGHT, LEAST_WIDTH)
    scale = max(LEAST_SCALE, *(judged.cost or 0 for judged in course))
    marks = [(_mark(spot, scale, seats, here),) for spots in rounds for spot in spots]
    return format_html(
        '<svg class="chart course" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="group" aria-label="{2}">'
        '{3}{4}<g class="marks">{5}</g></svg>',
        *(width, HEIGHT, gettext("Chances and costs, move by move"), _axes(width, scale)),
        format_html_join("", "{}", [(_round(spots),) for spots in rounds]),
        format_html_join("", "{}", marks),
    )


@register.simple_tag
def course_rows(course: Sequence[Judgement], seats: Sequence[SeatAtTable]) -> SafeString:
    """The same figures as rows of a table: place, player, move, chance of the bid on the table, cost."""
    return format_html_join(
        "",
        '<tr><td><a href="{}">{}</a></td><td>{}</td><td>{}</td><td class="n">{}</td><td class="n">{}</td></tr>',
        [
            (
                judged.here.stage,
                _place(judged),
                seats[judged.seat].name,
                _did(judged),
                percent(judged.table.chance if judged.table else None),
                figure(judged.cost, 2),
            )
            for judged in course
        ],
    )
