"""The picture of a knock-out: the position of each table, its players, and the lines between
tables."""

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

# Sizes, in the units of the picture.
WIDTH: Final = 216
"""The width of a card."""
LINE: Final = 26
"""The height of a name."""
GAP: Final = 18
"""The space between cards."""
WAY: Final = 56
"""The width of the space for the lines between two columns of cards."""
HEAD: Final = 26
"""The height of a card's head."""
TOP: Final = 26
"""The height of a column's head."""
NAME_WIDTH: Final = 172.0
"""The width that a card has for a name."""
WIDE: Final = frozenset("mwMWQOGDHNUCKRABVXY@%&")
NARROW: Final = frozenset("ijltfrI.,;:!'’|()[] -")
LETTER: Final = {"wide": 11.5, "narrow": 5.0, "other": 8.2}
"""The greatest widths of letters in the picture's font, so that names fit on their cards."""
BASELINE: Final = 0.68
"""The distance from the top of a line of text to its baseline, as a part of its height."""
MIDST: Final = 4.5
"""The distance from the foot of a line of text to its middle."""
ADVANCES: Final = {
    ("winners", "winners"),
    ("losers", "losers"),
    ("winners", "final"),
    ("losers", "final"),
    ("final", "reset"),
}
"""The pairs of sides between which lines are drawn; losers who change sides have none."""
LAST_SIDES: Final = ("final", "reset")
"""The sides whose winner has won the knock-out, unless another table follows."""


class CardLine(NamedTuple):
    """A place at a table: its `member` or, until the player is known, where the player will come
    from, as in the draw (`source`) and in words (`origin`); the place in the order of finish
    (`finish`). `on`: the player goes on; `won`: the player has won the knock-out."""

    y: float
    member: Member | None
    source: str
    origin: str
    finish: int | None
    on: bool
    won: bool

    @property
    def words(self) -> str:
        """Return the name, or where the player will come from, shortened to fit on the card."""
        return shortened(self.member.name if self.member else self.origin)


class Card(NamedTuple):
    """A table in the picture. `name` is its name, `url_id` its public id, None until it is drawn.
    `provisional`: a result is disputed there, at a table before it, or in an earlier stage of one
    of its players."""

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
        """Return where the card's text begins."""
        return self.x + 8

    @property
    def finish_x(self) -> float:
        """Return where the names begin, after the order of finish."""
        return self.x + 28

    @property
    def label_y(self) -> float:
        """Return the baseline of the card's label."""
        return self.y + 17


class Way(NamedTuple):
    """The line from a place at one table to a place at the next, as an SVG path; `certain`: a
    player has gone this way."""

    path: str
    certain: bool


class Column(NamedTuple):
    """A round in the picture: its number, from 1, and where its head begins."""

    number: int
    x: float


class Bracket(NamedTuple):
    """The picture: its size, its cards, the lines between them, the heads of its columns, and the
    cards round by round."""

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
        """Return the lines as SVG paths."""
        return tuple(way.path for way in self.ways)


def bracket(facts: StageFacts) -> Bracket | None:
    """Return the picture of a knock-out stage; None if it has no players yet, or its format doesn't
    fit them."""
    if not facts.groups:
        return None
    planned_tables = layout(bracket_input(facts, facts.groups[0].pk))
    if isinstance(planned_tables, Illegal):
        return None
    tables = [table for table in planned_tables if table.state != "unneeded"]
    cards = _cards(facts, tables)
    width = max((card.x + WIDTH for card in cards), default=0)
    height = max((card.y + card.height for card in cards), default=0)
    numbers = sorted({card.round_number for card in cards})
    rounds = tuple(
        (number + 1, tuple(card for card in cards if card.round_number == number))
        for number in numbers
    )
    columns = tuple(Column(number + 1, number * (WIDTH + WAY)) for number in numbers)
    return Bracket(width + 4, height + GAP + TOP, cards, _ways(cards, tables), columns, rounds)


def _cards(facts: StageFacts, tables: list[BracketTable]) -> tuple[Card, ...]:
    tables_by_label = {table.label: table for table in facts.tables if table.label}
    members = {member.entry_id: member for member in facts.members.values()}
    played = [_as_played(facts, table, tables_by_label) for table in tables]
    drawing = _Drawing(
        members=members,
        tables=tables_by_label,
        numbers=_numbers(tables, tables_by_label),
        orders={table.planned.label: table.order for table in played if table.order},
        leads={
            (source.table, source.place) for table in tables for source in table.planned.sources
        },
        provisional=_provisional_labels(tables, tables_by_label, members),
    )
    middles = _middles(tables)
    return tuple(drawing.card(table, middles[table.planned.label]) for table in played)


def _height(table: BracketTable) -> float:
    return HEAD + LINE * len(table.planned.sources)


def _middles(tables: list[BracketTable]) -> dict[str, tuple[float, float]]:
    """Return the left edge and the middle of each card, by the table's label. A card stands halfway
    between the cards that lead to it, and overlaps none; the losers' side is below the winners'."""
    centres: dict[str, tuple[float, float]] = {}
    # The free height below the last card, by side and column.
    floors: dict[tuple[bool, int], float] = {}
    lowest = 0.0
    for below in (False, True):
        side = [table for table in tables if (table.planned.side == "losers") is below]
        start = lowest + 2 * GAP if below else 0.0
        for table in sorted(side, key=lambda table: table.planned.round_number):
            column = table.planned.round_number
            half_height = _height(table) / 2
            middles_before = [
                centres[source.table][1]
                for source in table.planned.sources
                if source.table in centres and _is_below(tables, source.table) is below
            ]
            highest_middle = floors.get((below, column), start) + half_height
            middle = highest_middle
            if middles_before:
                middle = max(sum(middles_before) / len(middles_before), highest_middle)
            centres[table.planned.label] = (column * (WIDTH + WAY), middle)
            floors[below, column] = middle + half_height + GAP
            lowest = max(lowest, middle + half_height)
    return centres


def _is_below(tables: list[BracketTable], label: str) -> bool:
    return next(table.planned.side == "losers" for table in tables if table.planned.label == label)


def _as_played(
    facts: StageFacts, table: BracketTable, tables_by_label: dict[str, StageTable]
) -> BracketTable:
    """Update a table of the plan, which has the results of the last draw, if it was finished since
    or given without play."""
    row = tables_by_label.get(table.planned.label)
    if row is None or not row.finished:
        return table
    if row.walkover:
        return replace(table, state="walkover", order=order_of_finish(facts, row))
    if table.state == "open":
        return replace(table, state="finished", order=order_of_finish(facts, row))
    return table


class _Drawing(NamedTuple):
    """The data from which cards are drawn, by the labels of tables. `numbers`: a table's number and
    its round; `leads`: the places (label and place) that lead to another table; `provisional`: the
    tables that rest on a disputed result."""

    members: dict[str, Member]
    tables: dict[str, StageTable]
    numbers: dict[str, tuple[int, int]]
    orders: dict[str, tuple[str, ...]]
    leads: set[tuple[str | None, int]]
    provisional: set[str | None]

    def card(self, table: BracketTable, position: tuple[float, float]) -> Card:
        """Return a table's card, with its players in the order of finish once the table is
        finished, before that in the order of the seeding."""
        x, middle = position
        planned = table.planned
        height = _height(table)
        top = middle - height / 2
        finish = {entry_id: number for number, entry_id in enumerate(table.order, start=1)}
        seats = list(zip(planned.sources, table.ids, strict=True))
        if finish:
            seats.sort(key=lambda seat: finish.get(seat[1] or "", len(finish) + 1))
        lines = [
            self._line(table, source, entry_id, finish, top + HEAD + LINE * (number + BASELINE))
            for number, (source, entry_id) in enumerate(seats)
        ]
        row = self.tables.get(planned.label)
        return Card(
            label=planned.label,
            name=self.name(planned.label),
            side=planned.side,
            state=table.state,
            round_number=planned.round_number,
            url_id=row.public_id if row else None,
            x=x,
            y=top,
            height=height,
            lines=tuple(lines),
            provisional=planned.label in self.provisional,
        )

    def _line(
        self,
        table: BracketTable,
        source: Origin,
        seated_id: str | None,
        finish: dict[str, int],
        y: float,
    ) -> CardLine:
        planned = table.planned
        entry_id = seated_id or self.entry_from(source)
        rank = finish.get(entry_id) if entry_id is not None else None
        member = self.members.get(entry_id) if entry_id is not None else None
        advances = rank is not None and rank <= planned.advance
        goes_on = advances and (planned.label, rank) in self.leads
        return CardLine(
            y=y,
            member=member,
            source=_source_label(source),
            origin=self.origin(source, planned.round_number),
            finish=rank,
            on=goes_on,
            won=rank == 1 and not goes_on and planned.side in LAST_SIDES,
        )

    def entry_from(self, source: Origin) -> str | None:
        """Return the id of the entry that comes from a source, if its table is finished; None
        otherwise. The plan doesn't have it while other tables of that round are still in play."""
        order = self.orders.get(source.table or "", ())
        if len(order) < source.place:
            return None
        return order[source.place - 1]

    def name(self, label: str) -> str:
        """Return the name of a table, drawn or not: its number in its round, or one like
        “Final”."""
        if label in NAMES:
            return NAMES[label].translated(gettext)
        if label not in self.numbers:
            return gettext("Without play")
        number, _ = self.numbers[label]
        return table_name(number)

    def origin(self, source: Origin, round_number: int) -> str:
        """Return in words where the unknown player of a table of this round will come from."""
        if source.table is None:
            return gettext("Seed %(place)s") % {"place": source.place}
        if source.table not in self.numbers:
            return _source_label(source)
        number, round_before = self.numbers[source.table]
        values = {"place": source.place, "table": number, "round": round_before + 1}
        if round_before + 1 < round_number:
            if source.place == 1:
                return gettext("Winner of table %(table)s, round %(round)s") % values
            return gettext("Place %(place)s at table %(table)s, round %(round)s") % values
        if source.place == 1:
            return gettext("Winner of table %(table)s") % values
        return gettext("Place %(place)s at table %(table)s") % values


def _provisional_labels(
    tables: list[BracketTable], drawn_tables: dict[str, StageTable], members: dict[str, Member]
) -> set[str | None]:
    """Return the labels of tables that rest on a disputed result: their own, that of a table before
    them, or one in an earlier stage."""
    labels: set[str | None] = {label for label, row in drawn_tables.items() if row.provisional}
    disputed = {entry_id for entry_id, member in members.items() if member.provisional}
    for table in sorted(tables, key=lambda table: table.planned.round_number):
        comes_from_disputed = any(source.table in labels for source in table.planned.sources)
        if comes_from_disputed or disputed.intersection(table.ids):
            labels.add(table.planned.label)
    return labels


def _numbers(
    tables: list[BracketTable], drawn_tables: dict[str, StageTable]
) -> dict[str, tuple[int, int]]:
    """Return number and round of every table that is or will be played, by label. Tables that
    aren't drawn yet get a number in the order of the plan."""
    numbers: dict[str, tuple[int, int]] = {}
    counts: Counter[int] = Counter()
    for table in tables:
        label = table.planned.label
        round_number = table.planned.round_number
        row = drawn_tables.get(label)
        if row is None and table.state == "walkover":
            continue
        counts[round_number] += 1
        numbers[label] = (row.sign if row else counts[round_number], round_number)
    return numbers


def _source_label(source: Origin) -> str:
    if source.table is None:
        return f"#{source.place}"
    return f"{source.place}. {source.table}"


def _ways(cards: tuple[Card, ...], tables: list[BracketTable]) -> tuple[Way, ...]:
    cards_by_label = {card.label: card for card in cards}
    ends_by_column: defaultdict[float, list[_WayEnds]] = defaultdict(list)
    for table in tables:
        card = cards_by_label[table.planned.label]
        line_heights = {line.source: line.y for line in card.lines}
        for source in table.planned.sources:
            card_before = cards_by_label.get(source.table or "")
            if card_before is None or (card_before.side, card.side) not in ADVANCES:
                continue
            start = card_before.lines[source.place - 1]
            ends = _WayEnds(
                x=card_before.x + WIDTH,
                y=start.y - MIDST,
                end_y=line_heights[_source_label(source)] - MIDST,
                certain=start.on,
            )
            ends_by_column[card.x].append(ends)
    return tuple(way for x, ends in ends_by_column.items() for way in _ways_in_lanes(x, ends))


class _WayEnds(NamedTuple):
    """The start of a line, the height of its end, and whether a player has gone this way
    (`certain`)."""

    x: float
    y: float
    end_y: float
    certain: bool


def _ways_in_lanes(end_x: float, column: list[_WayEnds]) -> list[Way]:
    """Return the lines that end in a column, each with its vertical part in a lane in which it
    meets no other line."""
    ups = sorted((ends for ends in column if ends.end_y < ends.y), key=lambda ends: ends.y)
    downs = sorted((ends for ends in column if ends.end_y >= ends.y), key=lambda ends: -ends.y)
    ordered = [*ups, *downs]
    # The vertical spans of the lines in each lane.
    lanes: list[list[tuple[float, float]]] = []
    lane_of = []
    for ends in ordered:
        low = min(ends.y, ends.end_y)
        high = max(ends.y, ends.end_y)
        lane = _free_or_new_lane(lanes, low, high)
        if lane == len(lanes):
            lanes.append([])
        lanes[lane].append((low, high))
        lane_of.append(lane)

    ways = []
    for ends, lane in zip(ordered, lane_of, strict=True):
        bend = end_x - WAY + WAY * (lane + 1) / (len(lanes) + 1)
        path = f"M{ends.x:.1f} {ends.y:.1f}H{bend:.1f}V{ends.end_y:.1f}H{end_x:.1f}"
        ways.append(Way(path, ends.certain))
    return ways


def _free_or_new_lane(lanes: list[list[tuple[float, float]]], low: float, high: float) -> int:
    for lane, spans in enumerate(lanes):
        if all(high < start - 2 or low > end + 2 for start, end in spans):
            return lane
    return len(lanes)


def shortened(text: str) -> str:
    """Return as much of a text as fits on a card, with an ellipsis if it is cut."""
    space_left = NAME_WIDTH
    for position, letter in enumerate(text):
        space_left -= _letter_width(letter)
        if space_left < 0:
            return text[: max(1, position - 1)].rstrip() + "…"
    return text


def _letter_width(letter: str) -> float:
    if letter in WIDE:
        return LETTER["wide"]
    if letter in NARROW:
        return LETTER["narrow"]
    return LETTER["other"]
