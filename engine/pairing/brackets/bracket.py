"""Knock-outs, drawn round by round: what is known of the bracket after the rounds that are
finished.

A pure function of the seeding and the orders of finish, so that every round can be drawn again from
its file. The tables and from where everybody comes to them are those of
`engine.pairing.brackets.bracket_plan`.

Who has withdrawn stays where the bracket has them and loses: a table at which nobody present can go
out isn't played. It is a walkover, which gives its order of finish at once. So nobody absent goes
on before somebody present."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from engine.illegal import Illegal, quote
from engine.messages import Message, say
from engine.pairing.brackets.bracket_plan import VERSION, Kind, Origin, Plan, PlannedTable, plan
from engine.pairing.draw_input import TableIds

TableState: TypeAlias = Literal["waiting", "open", "walkover", "finished", "unneeded"]
Orders: TypeAlias = dict[str | None, TableIds]
"""By label, those at each finished table, the best first; by None the seeding."""

SIZES: Final = range(2, 7)
"""The sizes that the tables of a knock-out may have."""
MOST: Final = 4096
"""The most that can take part."""


@dataclass(frozen=True, slots=True)
class BracketInput:
    """A knock-out and what is known of it.

    `advance`: how many of a full or short table go on. `participants`: the best seeded first.
    `finished`: the rounds so far, each a list of tables (walkovers too) in any order, each a list
    of ids, the best first; those of a table who aren't in its list didn't play, and come last.
    `absent`: who has withdrawn by now. `third`: whether those who go out just before the final of a
    single elimination play a table for the places after it, if one table holds them. `version`: of
    the plan by which it is played from its first round to its last."""

    size: int
    advance: int
    kind: Kind
    seed: str
    participants: tuple[str, ...]
    finished: tuple[tuple[TableIds, ...], ...] = ()
    absent: frozenset[str] = frozenset()
    third: bool = False
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class BracketTable:
    """A table of the bracket as far as it is known.

    `ids`: who comes from each of `planned.sources`, None where that is open. `order`: how a
    finished table or a walkover ended, the best first. Only the reset can be unneeded."""

    planned: PlannedTable
    ids: tuple[str | None, ...]
    order: TableIds
    state: TableState


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A table of the round to be played.

    `ids` in seat order, without those who are absent; of a walkover in order of finish. `why`: from
    where they come."""

    label: str
    ids: TableIds
    why: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class BracketPlace:
    """How far somebody came: the place, which several may share, and the label of the table that
    put them out.

    `out` is None for those who are still in (they share the first place), and for the winner.
    `decided`: the label of the table that gave the place, which is another one where the third
    place is played for."""

    player_id: str
    place: int
    out: str | None
    decided: str | None


@dataclass(frozen=True, slots=True)
class BracketRound:
    """The next round: the tables to be played, those that needn't be, and who has a bye.

    `number` counts from 0, and is how many rounds are finished. A round may consist of walkovers
    alone: put into `finished`, they lead to the next one. If `over`, there are no tables."""

    number: int
    tables: tuple[RoundTable, ...]
    walkovers: tuple[RoundTable, ...]
    byes: TableIds
    over: bool
    places: tuple[BracketPlace, ...]
    version: int


def bracket_round(bracket_input: BracketInput) -> BracketRound | Illegal:
    """The next round of a knock-out, or what is wrong with it."""
    read = _read(bracket_input)
    if isinstance(read, Illegal):
        return read
    planned, orders = read
    over = _over(planned, orders)
    number = len(bracket_input.finished)
    tables = [
        _table(bracket_input, orders, table, over)
        for table in planned.tables
        if table.round_number == number and not over
    ]
    byes = [
        orders[bye.source.table][bye.source.place - 1]
        for bye in planned.byes
        if bye.round_number == number
    ]
    return BracketRound(
        number,
        tuple([_to_play(bracket_input, table) for table in tables if table.state == "open"]),
        tuple([_walkover(table) for table in tables if table.state == "walkover"]),
        tuple(byes),
        over,
        _places(bracket_input, planned, orders),
        bracket_input.version,
    )


def bracket_places(
    bracket_input: BracketInput, played: tuple[TableIds, ...]
) -> tuple[tuple[BracketPlace, ...], bool] | Illegal:
    """Tell how far everybody of a knock-out came while its next round is played, and whether it is
    over; or what is wrong with it. `played` has the orders of finish of that round's tables which
    are finished.

    Who is out already has the place that stays theirs when the other tables are finished.
    """
    read = _read(bracket_input)
    if isinstance(read, Illegal):
        return read
    planned, orders = read
    number = len(bracket_input.finished)
    running = (
        []
        if _over(planned, orders)
        else [table for table in planned.tables if table.round_number == number]
    )
    unfinished: list[PlannedTable] = []
    for planned_table in running:
        table = _table(bracket_input, orders, planned_table, over=False)
        ids = _entrants(orders, planned_table)
        order = next((order for order in played if order and set(order).issubset(ids)), table.order)
        if order:
            orders[planned_table.label] = (
                *order,
                *[player_id for player_id in ids if player_id not in order],
            )
        else:
            unfinished.append(planned_table)
    return _places(bracket_input, planned, orders, unfinished), _over(planned, orders)


def layout(bracket_input: BracketInput) -> tuple[BracketTable, ...] | Illegal:
    """All tables of the bracket, in the order of their rounds, as far as they are known: what a
    picture shows."""
    read = _read(bracket_input)
    if isinstance(read, Illegal):
        return read
    planned, orders = read
    over = _over(planned, orders)
    return tuple([_table(bracket_input, orders, table, over) for table in planned.tables])


def fault(bracket_input: BracketInput) -> Illegal | None:
    """Return what makes it a knock-out that can't be, before a round of it is played; None if
    nothing does."""
    if bracket_input.size not in SIZES:
        return Illegal(
            "no_such_sizes",
            say(
                "tables of a knock-out have {least} to {most} seats", least=SIZES[0], most=SIZES[-1]
            ),
            path="sizes",
        )
    if bracket_input.advance not in range(1, bracket_input.size):
        return Illegal(
            "bad_draw",
            say(
                "from tables of {size}, 1 to {most} can go on",
                size=bracket_input.size,
                most=bracket_input.size - 1,
            ),
            path="bracket.advance",
        )
    if bracket_input.third and bracket_input.kind == "double":
        return Illegal(
            "bad_draw",
            say("double elimination has no table for the third place: the losers’ side decides it"),
            path="bracket.third",
        )
    if len(bracket_input.participants) < 2:
        return Illegal("too_few", say("a knock-out needs two participants"), path="players")
    if len(bracket_input.participants) > MOST:
        return Illegal(
            "bad_draw",
            say("a knock-out has at most {most} participants", most=MOST),
            path="players",
        )
    if len(set(bracket_input.participants)) < len(bracket_input.participants):
        return Illegal("bad_draw", say("somebody takes part twice"), path="players")
    return None


def _read(bracket_input: BracketInput) -> tuple[Plan, Orders] | Illegal:
    """The plan and how its finished tables ended."""
    wrong = fault(bracket_input)
    if wrong is not None:
        return wrong
    planned = plan(
        len(bracket_input.participants),
        bracket_input.size,
        bracket_input.advance,
        bracket_input.kind,
        bracket_input.third,
        bracket_input.version,
    )
    orders: Orders = {None: bracket_input.participants}
    rounds: list[list[PlannedTable]] = [[] for _ in range(planned.rounds)]
    for table in planned.tables:
        rounds[table.round_number].append(table)
    for number, finished in enumerate(bracket_input.finished):
        if number >= planned.rounds or _over(planned, orders):
            return Illegal(
                "bad_draw", say("the knock-out was over before"), path=f"finished[{number}]"
            )
        wrong = _finish(orders, rounds[number], finished, f"finished[{number}]")
        if wrong is not None:
            return wrong
    return planned, orders


def _finish(
    orders: Orders, tables: list[PlannedTable], finished: tuple[TableIds, ...], path: str
) -> Illegal | None:
    """Add a finished round to `orders`; what is wrong if its tables aren't those of the bracket."""
    table_of = {player_id: i for i, ids in enumerate(finished) for player_id in ids}
    if len(table_of) < sum(map(len, finished)):
        return Illegal("bad_draw", say("somebody is at two places of a round"), path=path)
    tables_used = set()
    for table in tables:
        ids = _entrants(orders, table)
        places = [table_of[player_id] for player_id in ids if player_id in table_of]
        order = finished[places[0]] if places else ()
        if not order or not set(order).issubset(ids):
            return Illegal(
                "bad_draw",
                say(
                    "table {label} of the bracket isn’t among the finished ones", label=table.label
                ),
                path=path,
            )
        tables_used.add(places[0])
        orders[table.label] = (
            order
            if len(order) == len(ids)
            else (*order, *[player_id for player_id in ids if player_id not in order])
        )
    for i, strangers in enumerate(finished):
        if i not in tables_used:
            who = quote(", ".join(strangers))
            return Illegal(
                "bad_draw", say("no table of this round has {who}", who=who), path=f"{path}[{i}]"
            )
    return None


def _over(planned: Plan, orders: Orders) -> bool:
    """True if the winner is known: after the final, unless somebody who had lost before has won
    it."""
    if planned.tables[-1].side != "reset":
        return "final" in orders
    return "reset" in orders or (
        "final" in orders and orders["final"][0] == _champion(planned, orders)
    )


def _champion(planned: Plan, orders: Orders) -> str | None:
    """Tell who has won the winners' side of a double elimination."""
    last = planned.tables[-1]
    order = orders.get(last.sources[0].table)
    return order[0] if order and last.side == "reset" else None


def _entrants(orders: Orders, table: PlannedTable) -> TableIds:
    """Tell who comes to a table of which all sources are known, the best seeded first."""
    return tuple([orders[label][place - 1] for label, place in table.sources])


def _to_play(bracket_input: BracketInput, table: BracketTable) -> RoundTable:
    """A table that is played: those present, in seats drawn by lot."""

    def lot(player_id: str) -> bytes:
        return sha256(f"{bracket_input.seed}\n{table.planned.label}\n{player_id}".encode()).digest()

    present = [
        player_id
        for player_id in table.ids
        if player_id is not None and player_id not in bracket_input.absent
    ]
    return RoundTable(table.planned.label, tuple(sorted(present, key=lot)), (_why(table.planned),))


def _walkover(table: BracketTable) -> RoundTable:
    """A table that needn't be played, and why not."""
    return RoundTable(
        table.planned.label,
        table.order,
        (_why(table.planned), say("so many of them are absent that nobody present can go out")),
    )


def _table(
    bracket_input: BracketInput, orders: Orders, table: PlannedTable, over: bool
) -> BracketTable:
    """A table with what is known of it."""
    ids = tuple(
        [orders[label][place - 1] if label in orders else None for label, place in table.sources]
    )
    known_ids = tuple([player_id for player_id in ids if player_id is not None])
    if table.label in orders:
        return BracketTable(table, ids, orders[table.label], "finished")
    if over:
        return BracketTable(table, (None,) * len(ids), (), "unneeded")
    if len(known_ids) < len(ids):
        return BracketTable(table, ids, (), "waiting")
    if sum(player_id not in bracket_input.absent for player_id in known_ids) <= max(
        table.advance, 1
    ):
        return BracketTable(
            table, ids, tuple(sorted(known_ids, key=bracket_input.absent.__contains__)), "walkover"
        )
    return BracketTable(table, ids, (), "open")


def _why(table: PlannedTable) -> Message:
    """From where those at a table come, in a sentence."""
    froms = [_from(source) for source in table.sources]
    if len(froms) == 2:
        return say("{first} meets {second}", first=froms[0], second=froms[1])
    these = froms[0]
    for middle in froms[1:-1]:
        these = say("{these}, {one}", these=these, one=middle)
    return say("{these} and {last} sit together", these=these, last=froms[-1])


def _from(source: Origin) -> Message:
    """A source in words."""
    if source.table is None:
        return say("seed {seed}", seed=source.place)
    if source.place == 1:
        return say("the winner of {table}", table=source.table)
    return say("number {place} of {table}", place=source.place, table=source.table)


def _places(
    bracket_input: BracketInput,
    planned: Plan,
    orders: Orders,
    unfinished: Sequence[PlannedTable] = (),
) -> tuple[BracketPlace, ...]:
    """Tell how far everybody came: who went out later is before who went out earlier. At tables
    that are `unfinished` somebody is still to go out, with a rank that is known by now."""
    ranks = dict.fromkeys(bracket_input.participants, 0)
    out: dict[str, str] = {}
    decided: dict[str, str] = {}
    for table in planned.tables:
        if table.label in orders and (bracket_input.kind == "single" or table.side != "winners"):
            lowest = _lowest_rank(planned, table)
            for place, player_id in enumerate(orders[table.label]):
                if place >= table.advance or table.side == "reset":
                    ranks[player_id] = lowest + place
                    decided[player_id] = table.label
                    if table.side != "third":
                        out[player_id] = table.label
    if not _over(planned, orders) and "final" in orders:
        ranks[_champion(planned, orders) or ""] = 0
    ordered = sorted(bracket_input.participants, key=ranks.__getitem__)
    to_come = [
        _lowest_rank(planned, table) + place
        for table in unfinished
        if table.side
        in (
            ("winners", "final") if bracket_input.kind == "single" else ("losers", "final", "reset")
        )
        for place in range(table.advance, len(table.sources))
    ]
    first: dict[int, int] = {}
    for number, player_id in enumerate(ordered, 1):
        rank = ranks[player_id]
        behind = sum(coming >= rank for coming in to_come) if rank else 0
        first.setdefault(rank, number - behind)
    ranked_ids = {player_id for player_id in ordered if ranks[player_id]}
    return tuple(
        [
            BracketPlace(
                player_id,
                first[ranks[player_id]],
                out[player_id] if player_id in ranked_ids else None,
                decided[player_id] if player_id in ranked_ids else None,
            )
            for player_id in ordered
        ]
    )


def _lowest_rank(planned: Plan, table: PlannedTable) -> int:
    """The rank that the first place of a table gives: 0 for those still in, more for whoever is
    further behind."""
    if table.side in ("final", "reset"):
        return 1 if table.side == "final" else 0
    after = 0 if table.side == "third" else planned.rounds - table.round_number
    return SIZES[-1] + 2 + after * (SIZES[-1] + 1)
