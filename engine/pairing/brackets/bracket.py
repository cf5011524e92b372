"""Knock-outs, drawn round by round: what is known of the bracket after the finished rounds.

A pure function of the seeding and the orders of finish, so every round can be drawn again from its
file. `engine.pairing.brackets.bracket_plan` gives the tables and the sources of their players.

Players who have withdrawn keep their place in the bracket and lose. A table at which no present
player can be eliminated isn't played: it is a walkover, with an order of finish at once. So no
absent player goes on before a present one.
"""

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
"""By label, the players of each finished table, the best first; by None the seeding."""

SIZES: Final = range(2, 7)
"""The sizes that the tables of a knock-out may have."""
MOST: Final = 4096
"""The most players that can take part."""


@dataclass(frozen=True, slots=True)
class BracketInput:
    """A knock-out and what is known of it.

    `advance`: how many players of a full or short table go on. `participants`: the best seeded
    first. `finished`: the rounds so far, each a list of tables (including walkovers) in any order,
    each a list of ids, the best first; players of a table who aren't in its list didn't play, and
    come last. `absent`: the players who have withdrawn by now. `third`: whether the players
    eliminated just before the final of a single elimination play a table for the places after it,
    if one table holds them. `version`: of the plan that is used from the first round to the last.
    """

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
    """A table of the bracket, as far as it is known.

    `ids`: the player from each of `planned.sources`, None where that is open. `order`: how a
    finished table or a walkover ended, the best first. Only the reset can be unneeded.
    """

    planned: PlannedTable
    ids: tuple[str | None, ...]
    order: TableIds
    state: TableState


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A table of the round to be played.

    `ids`: in seat order, without absent players; for a walkover in order of finish. `why`: which
    tables or seeds they come from.
    """

    label: str
    ids: TableIds
    why: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class BracketPlace:
    """How far a player came: the place, which several may share, and the table that eliminated
    them.

    `out`: the label of that table; None for the winner and for players still in, who share the
    first place. `decided`: the label of the table that gave the place; it differs from `out` if the
    third place is played for.
    """

    player_id: str
    place: int
    out: str | None
    decided: str | None


@dataclass(frozen=True, slots=True)
class BracketRound:
    """The next round: the tables to be played, the walkovers, and the byes.

    `number` counts from 0, and is how many rounds are finished. A round may consist of walkovers
    alone: added to `finished`, they lead to the next one. If `over`, there are no tables.
    """

    number: int
    tables: tuple[RoundTable, ...]
    walkovers: tuple[RoundTable, ...]
    byes: TableIds
    over: bool
    places: tuple[BracketPlace, ...]
    version: int


def bracket_round(bracket_input: BracketInput) -> BracketRound | Illegal:
    """Return the next round of a knock-out, or the error in its input."""
    read = _plan_and_orders(bracket_input)
    if isinstance(read, Illegal):
        return read
    planned, orders = read
    over = _over(planned, orders)
    number = len(bracket_input.finished)
    to_play: list[RoundTable] = []
    walkovers: list[RoundTable] = []
    running = [] if over else _planned_tables(planned, number)
    for planned_table in running:
        table = _table(bracket_input, orders, planned_table, over)
        if table.state == "open":
            to_play.append(_table_to_play(bracket_input, table))
        elif table.state == "walkover":
            walkovers.append(_walkover(table))
    byes = [_player_from(orders, bye.source) for bye in planned.byes if bye.round_number == number]
    return BracketRound(
        number=number,
        tables=tuple(to_play),
        walkovers=tuple(walkovers),
        byes=tuple(byes),
        over=over,
        places=_places(bracket_input, planned, orders),
        version=bracket_input.version,
    )


def _planned_tables(planned: Plan, round_number: int) -> list[PlannedTable]:
    return [table for table in planned.tables if table.round_number == round_number]


def bracket_places(
    bracket_input: BracketInput, played: tuple[TableIds, ...]
) -> tuple[tuple[BracketPlace, ...], bool] | Illegal:
    """Return how far each player came while the next round is played, and whether it is over.

    `played`: the orders of finish of that round's finished tables. A player who has been eliminated
    gets the place that stays theirs once the other tables are finished. Returns `Illegal` if the
    input is wrong."""
    read = _plan_and_orders(bracket_input)
    if isinstance(read, Illegal):
        return read
    planned, orders = read
    number = len(bracket_input.finished)
    running = [] if _over(planned, orders) else _planned_tables(planned, number)
    unfinished: list[PlannedTable] = []
    for planned_table in running:
        table = _table(bracket_input, orders, planned_table, over=False)
        ids = _entrants(orders, planned_table)
        order = next((order for order in played if order and set(order).issubset(ids)), table.order)
        if order:
            orders[planned_table.label] = _with_non_players(order, ids)
        else:
            unfinished.append(planned_table)
    return _places(bracket_input, planned, orders, unfinished), _over(planned, orders)


def layout(bracket_input: BracketInput) -> tuple[BracketTable, ...] | Illegal:
    """Return all tables of the bracket, in the order of their rounds, as far as they are known."""
    read = _plan_and_orders(bracket_input)
    if isinstance(read, Illegal):
        return read
    planned, orders = read
    over = _over(planned, orders)
    return tuple([_table(bracket_input, orders, table, over) for table in planned.tables])


def fault(bracket_input: BracketInput) -> Illegal | None:
    """Return what is wrong with a knock-out before its first round is played; None if nothing
    is."""
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
        return Illegal(
            "too_few", say("a knock-out needs at least two participants"), path="players"
        )
    if len(bracket_input.participants) > MOST:
        return Illegal(
            "bad_draw",
            say("a knock-out has at most {most} participants", most=MOST),
            path="players",
        )
    if len(set(bracket_input.participants)) < len(bracket_input.participants):
        return Illegal("bad_draw", say("somebody takes part twice"), path="players")
    return None


def _plan_and_orders(bracket_input: BracketInput) -> tuple[Plan, Orders] | Illegal:
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
                "bad_draw", say("the knock-out was already over"), path=f"finished[{number}]"
            )
        wrong = _add_finished_round(orders, rounds[number], finished, f"finished[{number}]")
        if wrong is not None:
            return wrong
    return planned, orders


def _add_finished_round(
    orders: Orders, tables: list[PlannedTable], finished: tuple[TableIds, ...], path: str
) -> Illegal | None:
    """Add a round's orders of finish to `orders`, or return what is wrong with them.

    `finished`: in any order."""
    table_of = {player_id: i for i, ids in enumerate(finished) for player_id in ids}
    # A player in two orders is in the mapping only once.
    if len(table_of) < sum(map(len, finished)):
        return Illegal("bad_draw", say("somebody is in two places in the same round"), path=path)
    tables_used = set()
    for table in tables:
        ids = _entrants(orders, table)
        numbers = [table_of[player_id] for player_id in ids if player_id in table_of]
        order = finished[numbers[0]] if numbers else ()
        if not order or not set(order).issubset(ids):
            return Illegal(
                "bad_draw",
                say(
                    "table {label} of the bracket isn’t among the finished ones", label=table.label
                ),
                path=path,
            )
        tables_used.add(numbers[0])
        orders[table.label] = _with_non_players(order, ids)
    for i, strangers in enumerate(finished):
        if i not in tables_used:
            who = quote(", ".join(strangers))
            return Illegal(
                "bad_draw", say("no table of this round has {who}", who=who), path=f"{path}[{i}]"
            )
    return None


def _with_non_players(order: TableIds, ids: TableIds) -> TableIds:
    return (*order, *[player_id for player_id in ids if player_id not in order])


def _over(planned: Plan, orders: Orders) -> bool:
    """Return True if the winner is known: after the final, or after the reset if the winner of
    the final had lost a table before."""
    if "reset" in orders:
        return True
    if "final" not in orders:
        return False
    has_reset = planned.tables[-1].side == "reset"
    return not has_reset or orders["final"][0] == _winners_side_winner(planned, orders)


def _winners_side_winner(planned: Plan, orders: Orders) -> str:
    """Expect a double elimination whose final is finished."""
    reset = planned.tables[-1]
    return _player_from(orders, reset.sources[0])


def _player_from(orders: Orders, source: Origin) -> str:
    return orders[source.table][source.place - 1]


def _entrants(orders: Orders, table: PlannedTable) -> TableIds:
    return tuple([_player_from(orders, source) for source in table.sources])


def _table_to_play(bracket_input: BracketInput, table: BracketTable) -> RoundTable:
    def lot(player_id: str) -> bytes:
        return sha256(f"{bracket_input.seed}\n{table.planned.label}\n{player_id}".encode()).digest()

    present = [
        player_id
        for player_id in table.ids
        if player_id is not None and player_id not in bracket_input.absent
    ]
    return RoundTable(
        table.planned.label, tuple(sorted(present, key=lot)), (_sources_in_words(table.planned),)
    )


def _walkover(table: BracketTable) -> RoundTable:
    return RoundTable(
        table.planned.label,
        table.order,
        (
            _sources_in_words(table.planned),
            say("too many of them are absent: nobody present could go out"),
        ),
    )


def _table(
    bracket_input: BracketInput, orders: Orders, table: PlannedTable, over: bool
) -> BracketTable:
    """Give a planned table its players and state.

    `over`: the winner of the knock-out is known, so no other table is needed."""
    known_ids: list[str] = []
    ids: list[str | None] = []
    for source in table.sources:
        if source.table in orders:
            player_id = _player_from(orders, source)
            known_ids.append(player_id)
            ids.append(player_id)
        else:
            ids.append(None)

    absent = bracket_input.absent
    present = [player_id for player_id in known_ids if player_id not in absent]
    order: TableIds = ()
    state: TableState = "open"
    if table.label in orders:
        order = orders[table.label]
        state = "finished"
    elif over:
        ids = [None] * len(ids)
        state = "unneeded"
    elif len(known_ids) < len(ids):
        state = "waiting"
    elif len(present) <= max(table.advance, 1):
        order = tuple(sorted(known_ids, key=lambda player_id: player_id in absent))
        state = "walkover"
    return BracketTable(table, tuple(ids), order, state)


def _sources_in_words(table: PlannedTable) -> Message:
    origins = [_origin_in_words(source) for source in table.sources]
    if len(origins) == 2:
        return say("{first} meets {second}", first=origins[0], second=origins[1])
    these = origins[0]
    for middle in origins[1:-1]:
        these = say("{these}, {one}", these=these, one=middle)
    return say("{these} and {last} sit together", these=these, last=origins[-1])


def _origin_in_words(source: Origin) -> Message:
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
    """Return how far each player came: players eliminated later are ahead.

    `unfinished`: the tables in play. It is known how many players they will eliminate with which
    ranks, so players who are out already get the places that they keep."""
    ranks = dict.fromkeys(bracket_input.participants, 0)
    out: dict[str, str] = {}
    decided: dict[str, str] = {}
    for table in planned.tables:
        eliminates = bracket_input.kind == "single" or table.side != "winners"
        if table.label not in orders or not eliminates:
            continue
        lowest = _lowest_rank(planned, table)
        for place, player_id in enumerate(orders[table.label]):
            if place < table.advance and table.side != "reset":
                continue
            ranks[player_id] = lowest + place
            decided[player_id] = table.label
            if table.side != "third":
                out[player_id] = table.label
    if not _over(planned, orders) and "final" in orders:
        ranks[_winners_side_winner(planned, orders)] = 0

    ordered = sorted(bracket_input.participants, key=ranks.__getitem__)
    ranks_to_come = _ranks_to_come(bracket_input.kind, planned, unfinished)
    first_places: dict[int, int] = {}
    places = []
    for number, player_id in enumerate(ordered, 1):
        rank = ranks[player_id]
        # Players still in stand before this one, but some of them will end behind.
        will_end_behind = sum(coming >= rank for coming in ranks_to_come) if rank else 0
        place = first_places.setdefault(rank, number - will_end_behind)
        if rank:
            places.append(BracketPlace(player_id, place, out[player_id], decided[player_id]))
        else:
            places.append(BracketPlace(player_id, place, None, None))
    return tuple(places)


def _ranks_to_come(kind: Kind, planned: Plan, unfinished: Sequence[PlannedTable]) -> list[int]:
    """Return the rank of each player whom the unfinished tables will eliminate."""
    sides = {"winners", "final"} if kind == "single" else {"losers", "final", "reset"}
    ranks = []
    for table in unfinished:
        if table.side in sides:
            lowest = _lowest_rank(planned, table)
            ranks += [lowest + place for place in range(table.advance, len(table.sources))]
    return ranks


def _lowest_rank(planned: Plan, table: PlannedTable) -> int:
    """Return the rank of a table's first place.

    Players who are still in have rank 0. Of the others, who came further has the lower rank; ranks
    need not be without gaps."""
    if table.side == "reset":
        return 0
    if table.side == "final":
        return 1
    rounds_to_end = 0 if table.side == "third" else planned.rounds - table.round_number
    # Each round has more ranks than a table has places, so that rounds don't overlap.
    return SIZES[-1] + 2 + rounds_to_end * (SIZES[-1] + 1)
