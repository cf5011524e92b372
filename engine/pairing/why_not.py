"""Why a table is not otherwise: what speaks against exchanging somebody there for somebody
elsewhere.

The criterion that decided is the first of `engine.pairing.cost` by which an exchange would make a
draw worse that is better by all others. Who would change places, what would be better and what
speaks against it follows from the draw's input and its tables alone, so anybody can check it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Final, NamedTuple

from engine.illegal import Illegal
from engine.messages import Message, say
from engine.pairing.cost import PairOfIds, cost_of, criteria, meetings, pairs_at
from engine.pairing.designs.designs import LOOK_AHEAD, next_round
from engine.pairing.draw_input import DrawInput, TableIds
from engine.pairing.lots import settled
from engine.pairing.sizes import size_mix
from engine.pairing.why import pair_list

NEAR: Final = 16
"""With how many tables on either side exchanges are looked at; tables stand in the order of their
points."""

GAINS: Final = {
    "byes": say("fewer would sit out whose turn it isn’t"),
    "short": say("fewer would sit at a short table whose turn it isn’t"),
    "must": say("fewer would meet who must stay apart"),
    "repeats": say("fewer would meet again"),
    "apart": say("fewer would meet who wish to stay apart"),
    "out": say("somebody with fewer points would sit out"),
    "spread": say("the points at the tables would lie closer together"),
    "floats": say("fewer would stand alone above or below all others twice running"),
}
"""What would be better, by the criteria that say who sits together. First turns and seats count
after them."""

DESIGN: Final = say(
    "This round is one of a design, of rounds written down beforehand in which no two meet twice; "
    "the lot gave "
    "everybody a number in it."
)
"""What decided where all have the same points, and a design is known."""


class Exchange(NamedTuple):
    """Two who would change places. `changes`: by how much each criterion would become worse, in the
    order in which they count. `smaller`: who would come to the smaller place, a short table or
    none. `again`: the pairs who would meet again and don't now."""

    changes: dict[str, int]
    here: str
    there: str
    smaller: str
    again: tuple[PairOfIds, ...]

    @property
    def against(self) -> str:
        """The criterion that speaks against it; empty if none does."""
        name, change = _first(self.changes)
        return name if change > 0 else ""

    @property
    def without(self) -> dict[str, int]:
        """The changes as if the criterion that speaks against it didn't count."""
        return self.changes | ({self.against: 0} if self.against else {})

    @property
    def gain(self) -> Message | None:
        """What would be better without that criterion; None if nothing is."""
        name, change = _first(self.without)
        return GAINS[name] if change < 0 else None


def _first(changes: dict[str, int]) -> tuple[str, int]:
    """The first criterion that changes, and by how much; without a name if none does."""
    return next(((name, change) for name, change in changes.items() if change), ("", 0))


def why_not(
    draw_input: DrawInput,
    tables: Sequence[TableIds],
    bye: TableIds,
    numbers: Iterable[int],
    met: Mapping[PairOfIds, int] | None = None,
) -> tuple[tuple[Message, ...], ...]:
    """The sentences for some tables as they were drawn, numbered from 0; behind the tables come
    those who sit out.

    Whether the tables are those of a design; for each criterion that decided, the exchange that
    would be the best one without it; and, in a first or last round, one that changes nothing but
    seats. People stand in them by their ids. `met`: the input's meetings where one has them
    already."""
    met = meetings(draw_input) if met is None else met
    design = [DESIGN] if _is_designed(draw_input, tables, met) else []
    places = [*tables, *[(player_id,) for player_id in bye]]
    return tuple(
        [
            (*design, *_decided(draw_input, list(_exchanges(draw_input, places, number, met))))
            for number in numbers
        ]
    )


def _decided(draw_input: DrawInput, exchanges: Sequence[Exchange]) -> list[Message]:
    """What decided against these exchanges, in order; if nothing ever did, that no exchange is any
    better."""
    last = draw_input.rounds is None or draw_input.rounds == len(draw_input.played) + 1
    looks_ahead = not last and len(draw_input.participants) <= LOOK_AHEAD
    decided: dict[str, Exchange] = {}
    for exchange in exchanges:
        best = decided.get(exchange.against)
        if exchange.gain and (
            best is None or list(exchange.without.values()) < list(best.without.values())
        ):
            decided[exchange.against] = exchange
    sentences = [
        say(
            "If {here} and {there} changed places, {gain}, but {against}.",
            here=decided[criterion].here,
            there=decided[criterion].there,
            gain=decided[criterion].gain,
            against=_against(decided[criterion], looks_ahead=looks_ahead),
        )
        for criterion in (*criteria(meetings_first=draw_input.meetings_first), "")
        if criterion in decided
    ]
    alike = last or not (
        draw_input.played or draw_input.keeps_apart
    )  # nobody is unlike others for the rounds to come
    even = [exchange for exchange in exchanges if alike and not any(exchange.changes.values())]
    if even:
        sentences.append(
            say(
                (
                    "If {here} and {there} changed places, the draw would be as good: seats "
                    "decided, or the lot."
                ),
                here=even[0].here,
                there=even[0].there,
            )
        )
    if exchanges and not sentences:
        sentences.append(
            say(
                "No exchange with a table nearby would make the draw better, even if one of "
                "its criteria didn’t count."
            )
        )
    return sentences


def _is_designed(
    draw_input: DrawInput, tables: Sequence[TableIds], met: Mapping[PairOfIds, int]
) -> bool:
    """True if there are several tables, and they are those that a design has for this round."""
    mix = size_mix(len(draw_input.participants), draw_input.sizes, bye=draw_input.bye)
    if isinstance(mix, Illegal) or len(tables) == 1:
        return False
    numbered = replace(settled(draw_input), seed=draw_input.design or draw_input.seed)
    design_round = next_round(
        numbered, mix, met, look_ahead=len(draw_input.participants) <= LOOK_AHEAD
    )
    return design_round is not None and set(map(frozenset, design_round.tables)) == set(
        map(frozenset, tables)
    )


def _exchanges(
    draw_input: DrawInput, places: Sequence[TableIds], number: int, met: Mapping[PairOfIds, int]
) -> Iterator[Exchange]:
    """The exchanges of somebody at one place for somebody at another near it."""
    players = {player.player_id: player for player in draw_input.participants}
    own = places[number]
    for place in places[max(0, number - NEAR) : number + NEAR + 1]:
        present = {*own, *place}
        both = replace(
            draw_input,
            participants=tuple([players[player_id] for player_id in present]),
            apart=tuple(
                [pair for pair in draw_input.apart if {pair.first, pair.second} <= present]
            ),
        )
        before, again = _cost(both, (own, place), met), {*pairs_at(own), *pairs_at(place)}
        for here, there in product(own, place) if place is not own else ():
            changed = _seated(own, here, there), _seated(place, there, here)
            yield Exchange(
                changes={
                    name: cost - before[name] for name, cost in _cost(both, changed, met).items()
                },
                here=here,
                there=there,
                smaller=there if len(own) < len(place) else here,
                again=tuple(
                    sorted(
                        [
                            pair
                            for ids in changed
                            for pair in pairs_at(ids)
                            if pair in met and pair not in again
                        ]
                    )
                ),
            )


def _seated(ids: TableIds, gone: str, instead: str) -> TableIds:
    return tuple([instead if player_id == gone else player_id for player_id in ids])


def _cost(
    draw_input: DrawInput, places: Sequence[TableIds], met: Mapping[PairOfIds, int]
) -> dict[str, int]:
    """What these places cost, by the criteria that say who sits together, in the order in which
    they count; who is at one alone sits out."""
    tables, bye = (
        [ids for ids in places if len(ids) > 1],
        [ids[0] for ids in places if len(ids) == 1],
    )
    cost, names = (
        cost_of(draw_input, tables, tuple(bye), met=met),
        criteria(meetings_first=draw_input.meetings_first),
    )
    return {name: getattr(cost, name) for name in names if name in GAINS}


def _against(exchange: Exchange, *, looks_ahead: bool) -> Message:
    """What speaks against an exchange. Where nothing of this round does, the rounds to come may:
    how often people meet in them counts with the meetings now."""
    names = list(exchange.changes)
    sooner = any(exchange.changes[name] for name in names[: names.index("repeats")])
    return {
        "byes": say("it isn’t {player}’s turn to sit out", player=exchange.smaller),
        "short": say("it isn’t {player}’s turn to sit at a short table", player=exchange.smaller),
        "must": say("two would meet who must stay apart"),
        "repeats": say("these would meet again: {pairs}", pairs=pair_list(exchange.again)),
        "apart": say("two would meet who wish to stay apart"),
        "out": say("{player}, who would sit out, has more points", player=exchange.smaller),
        "spread": say("the points at the tables would lie further apart"),
        "": say("the rounds to come are drawn along with this one, so that few meet again in them")
        if looks_ahead and not sooner
        else say("no such draw was found"),
    }[exchange.against]
