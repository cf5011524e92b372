"""A drawing of a game of Bluff: the chance of each bid when it was answered, and the cost of each
decision.

Geometry goes into attributes, never into `style`, which the content security policy forbids. The
parts are escaped before they are put together; only names and links come from outside."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from games.templatetags.table import bid_label
from league.records.analysis.web import Judgement
from league.records.game.web.address import Address
from league.standings.ranked_game.queries.game import SeatAtTable
from league.templatetags.figures import figure, percent

register = template.Library()
STEP = 18
"""The width of a move."""
GAP = 14
"""The space between two rounds."""
LEFT = 50
RIGHT = 10
CHANCE_TOP = 14
CHANCE_BOTTOM = 154
COST_TOP = 184
COST_BOTTOM = 244
HEIGHT = 272
LEAST_WIDTH = 560
LEAST_SCALE = 1.0
"""The least number of dice at the top of the scale of costs."""


class Spot(NamedTuple):
    """A decision and the middle of its column."""

    x: int
    judged: Judgement


def _spots_by_round(course: Sequence[Judgement]) -> list[list[Spot]]:
    rounds: list[list[Spot]] = []
    x = LEFT + GAP // 2
    for _, decisions in groupby(course, key=lambda judged: judged.address.round_number):
        spots = []
        for judged in decisions:
            spots.append(Spot(x + STEP // 2, judged))
            x += STEP
        rounds.append(spots)
        x += GAP
    return rounds


def _chance_y(chance: float) -> int:
    return round(CHANCE_BOTTOM - chance * (CHANCE_BOTTOM - CHANCE_TOP))


def _place(judged: Judgement) -> str:
    return _place_cached(judged.address.round_number, judged.address.move, get_language())


@lru_cache(maxsize=2048)
def _place_cached(round_number: int, move: int | None, language: str | None) -> str:
    """Use `language` only as a key of the cache."""
    return gettext("Round %(round)s, move %(move)s") % {"round": round_number, "move": move}


def _tooltip(judged: Judgement, seats: Sequence[SeatAtTable]) -> str:
    chance, cost = _tooltip_templates(get_language())
    tooltip = f"{_place(judged)}: {seats[judged.seat].name}, {_move_label(judged)}"
    if judged.challenge:
        tooltip += "; " + chance % {"chance": percent(judged.challenge.chance)}
    if judged.cost is not None:
        tooltip += "; " + cost % {"cost": figure(judged.cost, 2)}
    return tooltip


@lru_cache
def _tooltip_templates(language: str | None) -> tuple[str, str]:
    """Use `language` only as a key of the cache."""
    chance = gettext("chance that the bid on the table holds: %(chance)s")
    cost = gettext("cost: %(cost)s")
    return chance, cost


def _move_label(judged: Judgement) -> str:
    if judged.made.bid:
        return bid_label(judged.made.bid)
    return gettext("Cups up!")


def _axes(width: int, top_cost: float) -> SafeString:
    lines = [(_chance_y(share), percent(share)) for share in (0.0, 0.5, 1.0)]
    lines += [(COST_TOP, figure(top_cost, 1)), (COST_BOTTOM, figure(0))]
    return format_html_join(
        "",
        (
            f'<path class="grid" d="M{LEFT} {{0}}H{width - RIGHT}"/><text x="{LEFT - 7}" '
            f'y="{{1}}" class="y">{{2}}</text>'
        ),
        [(y, y + 4, label) for y, label in lines],
    )


def _mark(spot: Spot, top_cost: float, seats: Sequence[SeatAtTable], shown_address: Address) -> str:
    x, judged = spot
    # at the end of a round, all of its decisions are marked as current
    is_in_shown_round = judged.address.round_number == shown_address.round_number
    is_at_end = shown_address.move is None and is_in_shown_round
    is_current = is_at_end or judged.address.place == shown_address.place
    link = escape(judged.address.stage)
    tooltip = escape(_tooltip(judged, seats))
    current_class = ' class="now"' if is_current else ""
    return (
        f'<a href="{link}" tabindex="-1" data-at="{judged.address.place}"{current_class}>'
        f"<title>{tooltip}</title>"
        f'<rect class="hit" x="{x - STEP // 2}" y="{CHANCE_TOP - 6}" width="{STEP}"'
        f' height="{COST_BOTTOM - CHANCE_TOP + 12}"/>'
        f"{_chance_point(spot)}{_cost_bar(spot, top_cost)}</a>"
    )


def _chance_point(spot: Spot) -> str:
    x, judged = spot
    if not judged.challenge:
        return ""
    y = _chance_y(judged.challenge.chance)
    public_class = " public" if judged.known == "public" else ""
    if judged.made.bid:
        return f'<circle class="raise{public_class}" cx="{x}" cy="{y}" r="5"/>'
    # the challenge is a diamond: its shape tells it apart, not only its colour
    return f'<path class="up{public_class}" d="M{x} {y - 7}l7 7-7 7-7-7z"/>'


def _cost_bar(spot: Spot, top_cost: float) -> str:
    x, judged = spot
    if not judged.cost:
        return ""
    height = round(judged.cost / top_cost * (COST_BOTTOM - COST_TOP))
    y = COST_BOTTOM - height
    return f'<rect class="cost" x="{x - 4}" y="{y}" width="8" height="{height}"/>'


def _round_parts(spots: Sequence[Spot]) -> str:
    start = spots[0].x - STEP // 2 - GAP // 2
    end = spots[-1].x
    points = []
    for x, judged in spots:
        if judged.challenge:
            points.append(f"{x} {_chance_y(judged.challenge.chance)}")
    chance_line = ""
    if len(points) > 1:
        chance_line = f'<path class="line" d="M{"L".join(points)}"/>'
    return (
        f'<path class="turn" d="M{start} {CHANCE_TOP - 6}V{COST_BOTTOM + 6}"/>'
        f'<text class="x" x="{(spots[0].x + end) // 2}" y="{HEIGHT - 8}">'
        f"{spots[0].judged.address.round_number}</text>{chance_line}"
    )


@register.simple_tag
def course_chart(
    course: Sequence[Judgement], seats: Sequence[SeatAtTable], address: Address
) -> SafeString:
    """Draw all decisions of a game as a chart in which every decision links to its position:
    `{% course_chart analysis.course seats here %}`."""
    rounds = _spots_by_round(course)
    width = max(rounds[-1][-1].x + STEP // 2 + RIGHT, LEAST_WIDTH)
    costs = [judged.cost or 0 for judged in course]
    top_cost = max(LEAST_SCALE, *costs)
    marks = []
    for spots in rounds:
        marks += [_mark(spot, top_cost, seats, address) for spot in spots]
    return format_html(
        '<svg class="chart course" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="group"'
        ' aria-label="{2}">{3}{4}<g class="marks">{5}</g></svg>',
        width,
        HEIGHT,
        gettext("Chances and costs, move by move"),
        _axes(width, top_cost),
        SafeString("".join(map(_round_parts, rounds))),
        SafeString("".join(marks)),
    )


@register.simple_tag
def course_rows(course: Sequence[Judgement], seats: Sequence[SeatAtTable]) -> SafeString:
    """Return the figures of `course_chart` as rows of a table: place, player, move, chance of the
    bid on the table, cost."""
    names = [escape(seat.name) for seat in seats]
    return SafeString("".join([_row(judged, names[judged.seat]) for judged in course]))


def _row(judged: Judgement, name: str) -> str:
    chance = percent(judged.challenge.chance if judged.challenge else None)
    return (
        f'<tr><td><a href="{escape(judged.address.stage)}">{_place(judged)}</a></td><td>{name}</td>'
        f'<td>{_move_label(judged)}</td><td class="n">{chance}</td><td class="n">{figure(judged.cost, 2)}</td></tr>'
    )
