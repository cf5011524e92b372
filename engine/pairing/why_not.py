"""Why a table isn't different: the arguments against exchanging a player there for a player
elsewhere.

The deciding criterion is the first of `engine.pairing.cost` by which an exchange would make the
draw worse, though it is better by all others. The players to exchange, the gain and the argument
follow from the draw's input and its tables alone, so anybody can check them.
"""

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
"""How many tables on either side are considered for exchanges; tables stand in the order of
their points."""

GAINS: Final = {
    "byes": say("fewer players would sit out when it isn’t their turn"),
    "short": say("fewer players would sit at a short table when it isn’t their turn"),
    "must": say("fewer players who must stay apart would meet"),
    "repeats": say("fewer players would meet again"),
    "apart": say("fewer players who wish to stay apart would meet"),
    "out": say("somebody with fewer points would sit out"),
    "spread": say("the points at the tables would be closer together"),
    "floats": say("fewer players would be alone above or below everybody else twice in a row"),
}
"""What an exchange would improve, by the criteria that decide which players sit together. First
turns and seats count after them."""

DESIGN: Final = say(
    "This round comes from a design: rounds written down beforehand in which no two players "
    "meet twice. Each player’s number in it was drawn by lot."
)
"""What decided if all scores are equal and a design is known."""


class Exchange(NamedTuple):
    """Two players who would change places, one `here` at the table in question, one `there` at
    another table or sitting out.

    `changes`: by how much each criterion would become worse, in order of weight. `smaller`: the
    player who would come to the smaller table, or would sit out. `again`: the pairs that would
    meet again, and don't now.
    """

    changes: dict[str, int]
    here: str
    there: str
    smaller: str
    again: tuple[PairOfIds, ...]

    @property
    def against(self) -> str:
        """Return the criterion that speaks against the exchange; empty if none does."""
        name, change = _first_change(self.changes)
        return name if change > 0 else ""

    @property
    def without(self) -> dict[str, int]:
        """Return the changes as if the criterion against the exchange didn't count."""
        changes = dict(self.changes)
        if self.against:
            changes[self.against] = 0
        return changes

    @property
    def gain(self) -> Message | None:
        """Return what would be better if the criterion against the exchange didn't count; None if
        nothing would."""
        name, change = _first_change(self.without)
        return GAINS[name] if change < 0 else None


def _first_change(changes: dict[str, int]) -> tuple[str, int]:
    for name, change in changes.items():
        if change:
            return name, change
    return "", 0


def why_not(
    draw_input: DrawInput,
    tables: Sequence[TableIds],
    bye: TableIds,
    numbers: Iterable[int],
    met: Mapping[PairOfIds, int] | None = None,
) -> tuple[tuple[Message, ...], ...]:
    """Return the sentences that say why some of the drawn tables aren't different.

    `numbers`: the tables, numbered from 0; after the tables come the players who sit out. The
    sentences say whether the tables are those of a design; for each criterion that decided, the
    exchange that would be best without it; and, in a first or last round, an exchange that changes
    nothing but seats. Players appear by their ids. `met`: the input's meetings, if the caller has
    them already."""
    if met is None:
        met = meetings(draw_input)
    design = [DESIGN] if _is_designed(draw_input, tables, met) else []
    places = [*tables, *[(player_id,) for player_id in bye]]
    reasons = []
    for number in numbers:
        exchanges = list(_exchanges(draw_input, places, number, met))
        reasons.append((*design, *_decided(draw_input, exchanges)))
    return tuple(reasons)


def _decided(draw_input: DrawInput, exchanges: Sequence[Exchange]) -> list[Message]:
    """Return a sentence for each criterion that decided against exchanges, in order of weight."""
    is_last = draw_input.rounds is None or draw_input.rounds == len(draw_input.played) + 1
    looks_ahead = not is_last and len(draw_input.participants) <= LOOK_AHEAD
    best = _best_without(exchanges)
    sentences = []
    for criterion in (*criteria(meetings_first=draw_input.meetings_first), ""):
        if criterion not in best:
            continue
        exchange = best[criterion]
        sentences.append(
            say(
                "If {here} and {there} swapped places, {gain}, but {against}.",
                here=exchange.here,
                there=exchange.there,
                gain=exchange.gain,
                against=_against(exchange, looks_ahead=looks_ahead),
            )
        )

    # In other rounds an exchange that costs nothing now may differ for the rounds to come.
    is_first = not (draw_input.played or draw_input.keeps_apart)
    even = [exchange for exchange in exchanges if not any(exchange.changes.values())]
    if even and (is_first or is_last):
        sentences.append(
            say(
                "If {here} and {there} swapped places, the draw would be just as good: the "
                "seats decided, or the lot.",
                here=even[0].here,
                there=even[0].there,
            )
        )
    if exchanges and not sentences:
        sentences.append(
            say(
                "No swap with a nearby table would make the draw better, even if one of its "
                "criteria didn’t count."
            )
        )
    return sentences


def _best_without(exchanges: Iterable[Exchange]) -> dict[str, Exchange]:
    """Return for each criterion the best of the exchanges that only this criterion rules out: the
    one that would improve the draw most if the criterion didn't count."""
    best: dict[str, Exchange] = {}
    for exchange in exchanges:
        if not exchange.gain:
            continue
        rival = best.get(exchange.against)
        if rival is None or list(exchange.without.values()) < list(rival.without.values()):
            best[exchange.against] = exchange
    return best


def _is_designed(
    draw_input: DrawInput, tables: Sequence[TableIds], met: Mapping[PairOfIds, int]
) -> bool:
    mix = size_mix(len(draw_input.participants), draw_input.sizes, bye=draw_input.bye)
    if isinstance(mix, Illegal) or len(tables) == 1:
        return False
    numbered = replace(settled(draw_input), seed=draw_input.design or draw_input.seed)
    look_ahead = len(draw_input.participants) <= LOOK_AHEAD
    design_round = next_round(numbered, mix, met, look_ahead=look_ahead)
    if design_round is None:
        return False
    return set(map(frozenset, design_round.tables)) == set(map(frozenset, tables))


def _exchanges(
    draw_input: DrawInput, places: Sequence[TableIds], number: int, met: Mapping[PairOfIds, int]
) -> Iterator[Exchange]:
    """Yield all exchanges with a player at a place nearby.

    `places`: the tables, then each player who sits out."""
    players = {player.player_id: player for player in draw_input.participants}
    own = places[number]
    for place in places[max(0, number - NEAR) : number + NEAR + 1]:
        if place is own:
            continue
        present = {*own, *place}
        apart = [pair for pair in draw_input.apart if {pair.first, pair.second} <= present]
        # The rest of the draw stays the same, so only these two places are compared.
        both = replace(
            draw_input,
            participants=tuple([players[player_id] for player_id in present]),
            apart=tuple(apart),
        )
        cost_before = _cost(both, (own, place), met)
        pairs_before = {*pairs_at(own), *pairs_at(place)}
        for here, there in product(own, place):
            changed = (_replaced(own, here, there), _replaced(place, there, here))
            cost = _cost(both, changed, met)
            pairs = [pair for ids in changed for pair in pairs_at(ids)]
            again = [pair for pair in pairs if pair in met and pair not in pairs_before]
            yield Exchange(
                changes={name: cost[name] - cost_before[name] for name in cost},
                here=here,
                there=there,
                smaller=there if len(own) < len(place) else here,
                again=tuple(sorted(again)),
            )


def _replaced(ids: TableIds, old: str, new: str) -> TableIds:
    return tuple([new if player_id == old else player_id for player_id in ids])


def _cost(
    draw_input: DrawInput, places: Sequence[TableIds], met: Mapping[PairOfIds, int]
) -> dict[str, int]:
    """Return the cost of places by the criteria of `GAINS`, in order of weight.

    A player alone at a place sits out."""
    tables = [ids for ids in places if len(ids) > 1]
    bye = [ids[0] for ids in places if len(ids) == 1]
    cost = cost_of(draw_input, tables, tuple(bye), met=met)
    names = criteria(meetings_first=draw_input.meetings_first)
    return {name: getattr(cost, name) for name in names if name in GAINS}


def _against(exchange: Exchange, *, looks_ahead: bool) -> Message:
    if not exchange.against:
        return _against_beyond_round(exchange, looks_ahead=looks_ahead)
    sentences = {
        "byes": say("it isn’t {player}’s turn to sit out", player=exchange.smaller),
        "short": say("it isn’t {player}’s turn to sit at a short table", player=exchange.smaller),
        "must": say("two players who must stay apart would meet"),
        "repeats": say("these would meet again: {pairs}", pairs=pair_list(exchange.again)),
        "apart": say("two players who wish to stay apart would meet"),
        "out": say("{player}, who would sit out, has more points", player=exchange.smaller),
        "spread": say("the points at the tables would be further apart"),
    }
    return sentences[exchange.against]


def _against_beyond_round(exchange: Exchange, *, looks_ahead: bool) -> Message:
    names = list(exchange.changes)
    before_repeats = names[: names.index("repeats")]
    changes_before_repeats = any(exchange.changes[name] for name in before_repeats)
    if looks_ahead and not changes_before_repeats:
        return say(
            "the rounds to come are drawn along with this one, so that few players meet again "
            "in them"
        )
    return say("no such draw was found")
