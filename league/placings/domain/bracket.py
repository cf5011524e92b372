"""The picture of a knock-out: where each table stands, who sits there, and the ways of those who go on."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from engine.illegal import Illegal
from engine.pairing.brackets.bracket import BracketTable, layout
from engine.pairing.brackets.bracket_plan import Origin
from league.placings.domain.knock_out import bracket_input, order_of_finish
from league.tables.domain.stage import Member, StageFacts, StageTable

WIDTH: Final = 190
LINE: Final = 26
GAP: Final = 18
WAY: Final = 44
HEAD: Final = 24
NAME: Final = 20
"""Sizes in the units of the picture: a card's width, a name's height, the room between cards, that for the ways between
columns, the height of a card's head; and the characters of a name that it has room for."""
ADVANCES: Final = {
    ("winners", "winners"),
    ("losers", "losers"),
    ("winners", "final"),
    ("losers", "final"),
    ("final", "reset"),
}
"""From which side to which one goes on; who falls to another side has no way in the picture."""


class CardLine(NamedTuple):
    """One place at a table: who sits there (None: not known yet, then where from), the order of finish, and whether
    they go on."""

    y: float
    member: Member | None
    source: str
    finish: int | None
    on: bool

    @property
    def short(self) -> str:
        """The name as far as the card has room for it."""
        if self.member is None:
            return ""
        name = self.member.name
        return name if len(name) <= NAME else name[: NAME - 1] + "…"


class Card(NamedTuple):
    """A table in the picture. `url_id` is the public id of the table that was drawn, None until it is."""

    label: str
    side: str
    state: str
    round_number: int
    url_id: str | None
    x: float
    y: float
    height: float
    lines: tuple[CardLine, ...]

    @property
    def text_x(self) -> float:
        """Tell where the card's words begin."""
        return self.x + 8

    @property
    def label_y(self) -> float:
        """The line of the card's label."""
        return self.y + 16


class Bracket(NamedTuple):
    """The whole picture: its size, its cards, the ways as SVG paths, and the cards round by round."""

    width: float
    height: float
    cards: tuple[Card, ...]
    ways: tuple[str, ...]
    rounds: tuple[tuple[int, tuple[Card, ...]], ...]
    card_width: int = WIDTH


def bracket(facts: StageFacts) -> Bracket | None:
    """The picture of a knock-out stage; None where nobody takes part yet, or the format can't be."""
    if not facts.groups:
        return None
    tables = layout(bracket_input(facts, facts.groups[0].pk))
    if isinstance(tables, Illegal):
        return None
    cards_drawn = [table for table in tables if table.state != "unneeded"]
    middles = _middles(cards_drawn)
    tables_by_label = {table.label: table for table in facts.tables if table.label}
    members = {member.entry_id: member for member in facts.members.values()}
    cards = tuple(
        _card(_as_played(facts, table, tables_by_label), middles[table.planned.label], members, tables_by_label)
        for table in cards_drawn
    )
    by_label = {card.label: card for card in cards}
    ways = tuple(
        _way(by_label[source.table], by_label[table.planned.label], place)
        for table in cards_drawn
        for place, source in enumerate(table.planned.sources)
        if source.table in by_label and (by_label[source.table].side, table.planned.side) in ADVANCES
    )
    width = max((card.x + WIDTH for card in cards), default=0)
    height = max((card.y + card.height for card in cards), default=0)
    numbers = sorted({card.round_number for card in cards})
    rounds = tuple((number + 1, tuple(card for card in cards if card.round_number == number)) for number in numbers)
    return Bracket(width + 1, height + GAP, cards, ways, rounds)


def _height(table: BracketTable) -> float:
    return HEAD + LINE * len(table.planned.sources)


def _middles(tables: list[BracketTable]) -> dict[str, tuple[float, float]]:
    """Tell where each card stands: its left edge and its middle. A card stands between those that lead to it, and never
    upon another; the losers' side stands below the winners'."""
    places: dict[str, tuple[float, float]] = {}
    floors: dict[tuple[bool, int], float] = {}
    lowest = 0.0
    for lower in (False, True):
        side = [table for table in tables if (table.planned.side == "losers") is lower]
        start = lowest + 2 * GAP if lower else 0.0
        for table in sorted(side, key=lambda table: table.planned.round_number):
            column = table.planned.round_number
            height = _height(table)
            from_here = [
                places[source.table][1]
                for source in table.planned.sources
                if source.table in places and _is_below(tables, source.table) is lower
            ]
            floor = floors.get((lower, column), start)
            middle = sum(from_here) / len(from_here) if from_here else floor + height / 2
            middle = max(middle, floor + height / 2)
            places[table.planned.label] = (column * (WIDTH + WAY), middle)
            floors[lower, column] = middle + height / 2 + GAP
            lowest = max(lowest, middle + height / 2)
    return places


def _is_below(tables: list[BracketTable], label: str) -> bool:
    return next(table.planned.side == "losers" for table in tables if table.planned.label == label)


def _as_played(facts: StageFacts, table: BracketTable, tables_by_label: dict[str, StageTable]) -> BracketTable:
    """A table of the round that is being played, with its result if it has one already; also if it was given without
    play."""
    row = tables_by_label.get(table.planned.label)
    if row is None or not row.finished:
        return table
    if row.walkover:
        return replace(table, state="walkover", order=order_of_finish(facts, row))
    if table.state != "open":
        return table
    return replace(table, state="finished", order=order_of_finish(facts, row))


def _card(
    table: BracketTable, place: tuple[float, float], members: dict[str, Member], tables_by_label: dict[str, StageTable]
) -> Card:
    x, middle = place
    planned, height = table.planned, _height(table)
    top = middle - height / 2
    finish = {entry_id: number for number, entry_id in enumerate(table.order, start=1)}
    lines = []
    for number, (source, entry_id) in enumerate(zip(planned.sources, table.ids, strict=True)):
        came = finish.get(entry_id) if entry_id is not None else None
        member = members.get(entry_id) if entry_id is not None else None
        on = came is not None and came <= planned.advance
        lines.append(CardLine(top + HEAD + LINE * (number + 0.68), member, _from(source), came, on))
    row = tables_by_label.get(planned.label)
    url_id = row.public_id if row else None
    return Card(planned.label, planned.side, table.state, planned.round_number, url_id, x, top, height, tuple(lines))


def _from(source: Origin) -> str:
    """Tell where somebody comes from who isn't known yet: a place at a table, or in the seeding."""
    return f"{source.place}. {source.table}" if source.table else f"#{source.place}"


def _way(before: Card, after: Card, place: int) -> str:
    """The way from one card to a place at the next, as the path of an SVG."""
    x1, y1 = before.x + WIDTH, before.y + before.height / 2
    x2, y2 = after.x, after.y + HEAD + LINE * (place + 0.5)
    middle = x2 - WAY / 2
    return f"M{x1:.1f} {y1:.1f}H{middle:.1f}V{y2:.1f}H{x2:.1f}"
