"""The course of a game of Bluff as a drawing: how safe each bid stood when it was answered, what
each decision cost.

Geometry goes into attributes, never into `style`, which the content security policy forbids. What
is put together here is escaped already: the names of people and the links are all that comes from
outside."""

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
    for _, judged_there in groupby(course, key=lambda judged: judged.here.round_number):
        rounds.append(
            [
                Spot(x + STEP * number + STEP // 2, judged)
                for number, judged in enumerate(judged_there)
            ]
        )
        x = rounds[-1][-1].x + STEP // 2 + GAP
    return rounds


def _chance_y(chance: float) -> int:
    return round(CHANCE_BOTTOM - chance * (CHANCE_BOTTOM - CHANCE_TOP))


def _place(judged: Judgement) -> str:
    return _place_words(judged.here.round_number, judged.here.move, get_language())


@lru_cache(maxsize=2048)
def _place_words(round_number: int, move: int | None, language: str | None) -> str:
    return gettext("Round %(round)s, move %(move)s") % {"round": round_number, "move": move}


def _words(judged: Judgement, seats: Sequence[SeatAtTable]) -> str:
    """A decision in words."""
    chance, cost = _worth_words(get_language())
    words = f"{_place(judged)}: {seats[judged.seat].name}, {_did(judged)}"
    if judged.table:
        words += "; " + chance % {"chance": percent(judged.table.chance)}
    if judged.cost is not None:
        words += "; " + cost % {"cost": figure(judged.cost, 2)}
    return words


@lru_cache
def _worth_words(language: str | None) -> tuple[str, str]:
    """The chance of a bid and the cost of a decision, as words to put the figures into."""
    return gettext("the bid on the table holds with a chance of %(chance)s"), gettext(
        "cost: %(cost)s"
    )


def _did(judged: Judgement) -> str:
    return bid_label(judged.made.bid) if judged.made.bid else gettext("Cups up!")


def _axes(width: int, scale: float) -> SafeString:
    lines = [(_chance_y(share), percent(share)) for share in (0.0, 0.5, 1.0)]
    lines += [(COST_TOP, figure(scale, 1)), (COST_BOTTOM, figure(0))]
    return format_html_join(
        "",
        (
            f'<path class="grid" d="M{LEFT} {{0}}H{width - RIGHT}"/><text x="{LEFT - 7}" '
            f'y="{{1}}" class="y">{{2}}</text>'
        ),
        [(y, y + 4, label) for y, label in lines],
    )


def _mark(spot: Spot, scale: float, seats: Sequence[SeatAtTable], address: Address) -> str:
    """A decision: a link over its whole column, the point of the chance, the bar of the cost."""
    x, judged = spot
    is_current = judged.here.place == address.place or (
        address.move is None and judged.here.round_number == address.round_number
    )
    point = bar = ""
    if judged.table:
        y = _chance_y(judged.table.chance)
        public_class = " public" if judged.known == "public" else ""
        # The challenge is a diamond, so that its shape tells, too.
        point = (
            f'<circle class="raise{public_class}" cx="{x}" cy="{y}" r="5"/>'
            if judged.made.bid
            else f'<path class="up{public_class}" d="M{x} {y - 7}l7 7-7 7-7-7z"/>'
        )
    if judged.cost:
        height = round(judged.cost / scale * (COST_BOTTOM - COST_TOP))
        bar = (
            f'<rect class="cost" x="{x - 4}" y="{COST_BOTTOM - height}" width="8" '
            f'height="{height}"/>'
        )
    link, words, class_attribute = (
        escape(judged.here.stage),
        escape(_words(judged, seats)),
        ' class="now"' if is_current else "",
    )
    return (
        f'<a href="{link}" tabindex="-1" data-at="{judged.here.place}"{class_attribute}><title>{words}</title>'
        f'<rect class="hit" x="{x - STEP // 2}" y="{CHANCE_TOP - 6}" width="{STEP}"'
        f' height="{COST_BOTTOM - CHANCE_TOP + 12}"/>{point}{bar}</a>'
    )


def _round_parts(spots: Sequence[Spot]) -> str:
    """A round: its number, the line between it and the round before, and the way of the chances."""
    start, end = spots[0].x - STEP // 2 - GAP // 2, spots[-1].x
    way = [f"{spot.x} {_chance_y(spot.judged.table.chance)}" for spot in spots if spot.judged.table]
    line = f'<path class="line" d="M{"L".join(way)}"/>' if len(way) > 1 else ""
    return (
        f'<path class="turn" d="M{start} {CHANCE_TOP - 6}V{COST_BOTTOM + 6}"/>'
        f'<text class="x" x="{(spots[0].x + end) // 2}" y="{HEIGHT - 8}">'
        f"{spots[0].judged.here.round_number}</text>{line}"
    )


@register.simple_tag
def course_chart(
    course: Sequence[Judgement], seats: Sequence[SeatAtTable], address: Address
) -> SafeString:
    """All decisions of a game: `{% course_chart analysis.course seats here %}`; every point leads
    to its position."""
    rounds = _spots(course)
    width = max(rounds[-1][-1].x + STEP // 2 + RIGHT, LEAST_WIDTH)
    scale = max(LEAST_SCALE, *(judged.cost or 0 for judged in course))
    marks = [_mark(spot, scale, seats, address) for spots in rounds for spot in spots]
    return format_html(
        '<svg class="chart course" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="group" aria-label="{2}">'
        '{3}{4}<g class="marks">{5}</g></svg>',
        *(width, HEIGHT, gettext("Chances and costs, move by move"), _axes(width, scale)),
        SafeString("".join(map(_round_parts, rounds))),
        SafeString("".join(marks)),
    )


@register.simple_tag
def course_rows(course: Sequence[Judgement], seats: Sequence[SeatAtTable]) -> SafeString:
    """The same figures as rows of a table: place, player, move, chance of the bid on the table,
    cost."""
    names = [escape(seat.name) for seat in seats]
    return SafeString("".join([_row(judged, names[judged.seat]) for judged in course]))


def _row(judged: Judgement, name: str) -> str:
    chance = percent(judged.table.chance if judged.table else None)
    return (
        f'<tr><td><a href="{escape(judged.here.stage)}">{_place(judged)}</a></td><td>{name}</td>'
        f'<td>{_did(judged)}</td><td class="n">{chance}</td><td class="n">{figure(judged.cost, 2)}</td></tr>'
    )
