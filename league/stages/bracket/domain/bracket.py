"""The picture of a knock-out: where each table stands, who sits there, and the ways of those who go
on."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Final, NamedTuple

from django.utils.translation import gettext

from engine.illegal import Illegal
from engine.pairing.brackets.bracket import BracketTable, layout
from engine.pairing.brackets.bracket_plan import Origin
from engine.pairing.brackets.bracket_reasons import NAMES
from league.stages.bracket.domain.knock_out import bracket_input, order_of_finish
from league.stages.stage.domain.facts import Member, StageFacts, StageTable
from league.stages.stage.domain.table_name import table_name

WIDTH: Final = 216
LINE: Final = 26
GAP: Final = 18
WAY: Final = 56
HEAD: Final = 26
TOP: Final = 26
ROOM: Final = 172.0
"""Sizes in the units of the picture: a card's width, a name's height, the room between cards, that
for the ways between columns, the height of a card's head, that of a round's; and the room that a
card has for a name."""
WIDE: Final = frozenset("mwMWQOGDHNUCKRABVXY@%&")
NARROW: Final = frozenset("ijltfrI.,;:!'’|()[] -")
LETTER: Final = {"wide": 11.5, "narrow": 5.0, "other": 8.2}
"""How wide letters are at most in the picture's type, so that no name runs over its card."""
MIDST: Final = 4.5
"""The middle of a line of text lies so much above its foot."""
ADVANCES: Final = {
    ("winners", "winners"),
    ("losers", "losers"),
    ("winners", "final"),
    ("losers", "final"),
    ("final", "reset"),
}
"""From which side to which one goes on; who falls to another side has no way in the picture."""


LAST_SIDES: Final = ("final", "reset")
"""The sides whose first has won the knock-out, unless another table follows."""


class CardLine(NamedTuple):
    """One place at a table: who sits there (None: not known yet, then where from, as the draw has
    it and in words), the order of finish, whether they go on, and whether they have won the
    knock-out."""

    y: float
    member: Member | None
    source: str
    origin: str
    finish: int | None
    on: bool
    won: bool

    @property
    def words(self) -> str:
        """The name, or from where somebody comes, as far as the card has room for it."""
        return shortened(self.member.name if self.member else self.origin)


class Card(NamedTuple):
    """A table in the picture. `name` is what everybody calls it, `url_id` its public id, None until
    it is drawn. `provisional`: a result is disputed there, or at a table from which somebody came,
    also of an earlier stage."""

    label: str
    name: str
    side: str
    state: str
    round_number: int
    url_id: str | None
    x: float
    y: float
    height: float
    lines: tuple[CardLine, ...]
    provisional: bool

    @property
    def text_x(self) -> float:
        """Tell where the card's words begin."""
        return self.x + 8

    @property
    def finish_x(self) -> float:
        """Tell where the names begin, behind the order of finish."""
        return self.x + 28

    @property
    def label_y(self) -> float:
        """The line of the card's label."""
        return self.y + 17


class Way(NamedTuple):
    """The way from a place at one table to a place at the next, as an SVG path; `certain`: somebody
    has gone it."""

    path: str
    certain: bool


class Column(NamedTuple):
    """A round in the picture: its number, from 1, and where its head begins."""

    number: int
    x: float


class Bracket(NamedTuple):
    """The whole picture: its size, its cards, the ways between them, the heads of its rounds, and
    the cards round by round."""

    width: float
    height: float
    cards: tuple[Card, ...]
    ways: tuple[Way, ...]
    columns: tuple[Column, ...]
    rounds: tuple[tuple[int, tuple[Card, ...]], ...]
    card_width: int = WIDTH
    top: int = TOP

    @property
    def paths(self) -> tuple[str, ...]:
        """The ways as SVG paths."""
        return tuple(way.path for way in self.ways)


def bracket(facts: StageFacts) -> Bracket | None:
    """The picture of a knock-out stage; None where nobody takes part yet, or the format can't
    be."""
    if not facts.groups:
        return None
    tables = layout(bracket_input(facts, facts.groups[0].pk))
    if isinstance(tables, Illegal):
        return None
    cards_drawn = [table for table in tables if table.state != "unneeded"]
    middles = _middles(cards_drawn)
    tables_by_label = {table.label: table for table in facts.tables if table.label}
    members = {member.entry_id: member for member in facts.members.values()}
    played = [_as_played(facts, table, tables_by_label) for table in cards_drawn]
    orders = {table.planned.label: table.order for table in played if table.order}
    leads = {
        (source.table, source.place) for table in cards_drawn for source in table.planned.sources
    }
    numbers_by_label = _numbers(cards_drawn, tables_by_label)
    provisional = _provisional(cards_drawn, tables_by_label, members)
    drawing = _Drawing(members, tables_by_label, numbers_by_label, orders, leads, provisional)
    cards = tuple(drawing.card(table, middles[table.planned.label]) for table in played)
    ways = _ways(cards, cards_drawn)
    width = max((card.x + WIDTH for card in cards), default=0)
    height = max((card.y + card.height for card in cards), default=0)
    numbers = sorted({card.round_number for card in cards})
    rounds = tuple(
        (number + 1, tuple(card for card in cards if card.round_number == number))
        for number in numbers
    )
    columns = tuple(Column(number + 1, number * (WIDTH + WAY)) for number in numbers)
    return Bracket(width + 4, height + GAP + TOP, cards, ways, columns, rounds)


def _height(table: BracketTable) -> float:
    return HEAD + LINE * len(table.planned.sources)


def _middles(tables: list[BracketTable]) -> dict[str, tuple[float, float]]:
    """Tell where each card stands: its left edge and its middle. A card stands between those that
    lead to it, and never upon another; the losers' side stands below the winners'."""
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


def _as_played(
    facts: StageFacts, table: BracketTable, tables_by_label: dict[str, StageTable]
) -> BracketTable:
    """A table of the round that is being played, with its result if it has one already; also if it
    was given without play."""
    row = tables_by_label.get(table.planned.label)
    if row is None or not row.finished:
        return table
    if row.walkover:
        return replace(table, state="walkover", order=order_of_finish(facts, row))
    return (
        table
        if table.state != "open"
        else replace(table, state="finished", order=order_of_finish(facts, row))
    )


class _Drawing(NamedTuple):
    """All that a card is drawn from: who takes part, the tables that are drawn, and the number of
    each table with that of its round, drawn or not, and the orders of finish, by their labels;
    `leads` are the places that lead to another table, each with the label of its own; `provisional`
    the tables that rest on a disputed result."""

    members: dict[str, Member]
    tables: dict[str, StageTable]
    numbers: dict[str, tuple[int, int]]
    orders: dict[str, tuple[str, ...]]
    leads: set[tuple[str | None, int]]
    provisional: set[str | None]

    def card(self, table: BracketTable, place: tuple[float, float]) -> Card:
        """A table's card. Once it is finished its lines stand in the order of finish, else in that
        of the seeding."""
        x, middle = place
        planned, height = table.planned, _height(table)
        top = middle - height / 2
        finish = {entry_id: number for number, entry_id in enumerate(table.order, start=1)}
        seats = sorted(
            zip(planned.sources, table.ids, strict=True),
            key=lambda seat: finish.get(seat[1] or "", len(finish) + 1) if finish else 0,
        )
        lines = []
        for number, (source, seated_id) in enumerate(seats):
            entry_id = seated_id or self.arrived(source)
            came = finish.get(entry_id) if entry_id is not None else None
            member = self.members.get(entry_id) if entry_id is not None else None
            is_first = came is not None and came <= planned.advance
            on = is_first and (planned.label, came) in self.leads
            won = came == 1 and not on and planned.side in LAST_SIDES
            y = top + HEAD + LINE * (number + 0.68)
            lines.append(
                CardLine(
                    y,
                    member,
                    _from(source),
                    self.origin(source, planned.round_number),
                    came,
                    on,
                    won,
                )
            )
        row = self.tables.get(planned.label)
        url_id = row.public_id if row else None
        name = self.name(planned.label)
        return Card(
            planned.label,
            name,
            planned.side,
            table.state,
            planned.round_number,
            url_id,
            x,
            top,
            height,
            tuple(lines),
            planned.label in self.provisional,
        )

    def arrived(self, source: Origin) -> str | None:
        """Who comes from a table that is finished, while others of its round are played."""
        order = self.orders.get(source.table or "", ())
        return order[source.place - 1] if len(order) >= source.place else None

    def name(self, label: str) -> str:
        """What everybody calls a table: its number in its round, drawn or not; the final and its
        like have a name."""
        if label in NAMES:
            return NAMES[label].translated(gettext)
        return (
            table_name(self.numbers[label][0]) if label in self.numbers else gettext("Without play")
        )

    def origin(self, source: Origin, round_number: int) -> str:
        """From where somebody comes to a table of a round who isn't known yet, in words."""
        if source.table is None:
            return gettext("Seed %(place)s") % {"place": source.place}
        if source.table not in self.numbers:
            return _from(source)
        number, of_round = self.numbers[source.table]
        values = {"place": source.place, "table": number, "round": of_round + 1}
        if of_round + 1 < round_number:
            if source.place == 1:
                return gettext("Winner of table %(table)s, round %(round)s") % values
            return gettext("%(place)s. of table %(table)s, round %(round)s") % values
        if source.place == 1:
            return gettext("Winner of table %(table)s") % values
        return gettext("%(place)s. of table %(table)s") % values


def _provisional(
    tables: list[BracketTable], rows: dict[str, StageTable], members: dict[str, Member]
) -> set[str | None]:
    """Return the labels of the tables with a disputed result, of those with somebody who comes from
    one in an earlier stage, and of all that are made up by such a table."""
    labels: set[str | None] = {label for label, row in rows.items() if row.provisional}
    disputed = {entry_id for entry_id, member in members.items() if member.provisional}
    for table in sorted(tables, key=lambda table: table.planned.round_number):
        comes_from_disputed = any(source.table in labels for source in table.planned.sources)
        if comes_from_disputed or disputed.intersection(table.ids):
            labels.add(table.planned.label)
    return labels


def _numbers(tables: list[BracketTable], rows: dict[str, StageTable]) -> dict[str, tuple[int, int]]:
    """The numbers of all tables that are played or will be, with their rounds in the bracket: those
    that are drawn have theirs, the others get them in the order of the plan."""
    numbers: dict[str, tuple[int, int]] = {}
    counts: Counter[int] = Counter()
    for table in tables:
        label, round_number = table.planned.label, table.planned.round_number
        row = rows.get(label)
        if row is None and table.state == "walkover":
            continue
        counts[round_number] += 1
        numbers[label] = (row.sign if row else counts[round_number], round_number)
    return numbers


def _from(source: Origin) -> str:
    """Tell where somebody comes from who isn't known yet: a place at a table, or in the seeding."""
    return f"{source.place}. {source.table}" if source.table else f"#{source.place}"


def _ways(cards: tuple[Card, ...], tables: list[BracketTable]) -> tuple[Way, ...]:
    """The ways of all who go on, each from one place to one place; those between the same columns
    have lanes of their own, so that none runs upon another."""
    by_label = {card.label: card for card in cards}
    ends: defaultdict[float, list[tuple[float, float, float, bool]]] = defaultdict(list)
    for table in tables:
        after = by_label[table.planned.label]
        rows = {line.source: line.y for line in after.lines}
        for source in table.planned.sources:
            before = by_label.get(source.table or "")
            if before is not None and (before.side, after.side) in ADVANCES:
                start = before.lines[source.place - 1]
                ends[after.x].append(
                    (before.x + WIDTH, start.y - MIDST, rows[_from(source)] - MIDST, start.on)
                )
    ways: list[Way] = []
    for x2, column in ends.items():
        ups = sorted((way for way in column if way[2] < way[1]), key=lambda way: way[1])
        downs = sorted((way for way in column if way[2] >= way[1]), key=lambda way: -way[1])
        lanes: list[list[tuple[float, float]]] = []
        lane_of = []
        for way in (*ups, *downs):
            low, high = sorted(way[1:3])
            lane = next(
                (
                    lane
                    for lane, spans in enumerate(lanes)
                    if all(high < a - 2 or low > b + 2 for a, b in spans)
                ),
                len(lanes),
            )
            if lane == len(lanes):
                lanes.append([])
            lanes[lane].append((low, high))
            lane_of.append(lane)
        for (x1, y1, y2, certain), lane in zip((*ups, *downs), lane_of, strict=True):
            bend = x2 - WAY + WAY * (lane + 1) / (len(lanes) + 1)
            ways.append(Way(f"M{x1:.1f} {y1:.1f}H{bend:.1f}V{y2:.1f}H{x2:.1f}", certain))
    return tuple(ways)


def shortened(words: str) -> str:
    """As much of a text as a card has room for, with an ellipsis where something is left out."""
    room = ROOM
    for place, letter in enumerate(words):
        room -= LETTER["wide" if letter in WIDE else "narrow" if letter in NARROW else "other"]
        if room < 0:
            return words[: max(1, place - 1)].rstrip() + "…"
    return words
