"""The reasons for a table: one sentence for each criterion that has something to say about it."""

from collections.abc import Mapping, Sequence, Set
from itertools import chain

from engine.messages import Message, say
from engine.pairing.cost import (
    PairOfIds,
    floats_again,
    meetings,
    pairs_apart,
    pairs_at,
    seat_count,
    spread,
)
from engine.pairing.draw_input import DrawInput, Participant, TableIds


def why(
    draw_input: DrawInput,
    tables: Sequence[TableIds],
    met: Mapping[PairOfIds, int] | None = None,
    *,
    by_hand: bool = False,
) -> tuple[tuple[Message, ...], ...]:
    """Return for each table the sentences that say why it is so, in the order of
    `engine.pairing.cost`.

    Players appear by their ids. `met`: the input's meetings, if the caller has them already.
    `by_hand`: whether the seating was changed by hand; then nothing is said about what the draw
    tried to do."""
    players = {player.player_id: player for player in draw_input.participants}
    if met is None:
        met = meetings(draw_input)
    pairs = chain.from_iterable(map(pairs_at, tables))
    apart = {pair for pair, _ in pairs_apart(draw_input, pairs)}
    fewest = min([player.short for player in draw_input.participants], default=0)
    reasons = []
    for table in tables:
        sentences = [
            *_why_short(table, players, fewest, draw_input.sizes[0]),
            *_apart(table, apart),
            _meetings(table, met, by_hand=by_hand),
            _points(table, players),
            *_unknown(table, players),
            *_floats(table, players),
        ]
        if not by_hand:
            sentences.append(_opener(table, players))
        reasons.append(tuple(sentences))
    return tuple(reasons)


def why_out(draw_input: DrawInput, bye: TableIds) -> tuple[Message, ...]:
    """Return a sentence for each player who sits out.

    It says whether it is the player's turn, and then whether they have the fewest points of those
    whose turn it is.
    """
    playing = [player for player in draw_input.participants if player.player_id not in bye]
    players = {player.player_id: player for player in draw_input.participants}
    return tuple([_why_out(players[player_id], playing) for player_id in bye])


def _why_out(player: Participant, playing: Sequence[Participant]) -> Message:
    name = player.player_id
    if any(other.byes < player.byes for other in playing):
        return say("{player} sits out, though somebody had sat out less often.", player=name)
    scores = [other.score for other in playing if other.byes == player.byes]
    if player.score > min(scores, default=player.score):
        return say(
            "{player} sits out: nobody had sat out less often. Somebody had fewer points, but who "
            "meets whom counts more than that.",
            player=name,
        )
    if player.score < max(scores, default=player.score):
        return say(
            "{player} sits out: nobody had sat out less often, and of these nobody had fewer "
            "points.",
            player=name,
        )
    return say("{player} sits out: nobody had sat out less often.", player=name)


def _why_short(
    table: TableIds, players: Mapping[str, Participant], fewest: int, full_size: int
) -> list[Message]:
    if len(table) >= full_size:
        return []
    if any(players[player_id].short > fewest for player_id in table):
        return [
            say("The table is short, although it wasn’t everybody’s turn to sit at a short one.")
        ]
    return [say("The table is short: nobody has sat at a short one less often than those here.")]


def _apart(table: TableIds, apart: Set[PairOfIds]) -> list[Message]:
    together = [pair for pair in pairs_at(table) if pair in apart]
    if not together:
        return []
    return [
        say(
            "These sit together although they should be kept apart: {pairs}.",
            pairs=pair_list(together),
        )
    ]


def _meetings(table: TableIds, met: Mapping[PairOfIds, int], *, by_hand: bool) -> Message:
    again = [pair for pair in pairs_at(table) if pair in met]
    if not again:
        return say("Nobody here has met before.")
    if by_hand:
        return say("These have met before: {pairs}.", pairs=pair_list(again))
    return say(
        "These have met before, but no better draw was found: {pairs}.", pairs=pair_list(again)
    )


def _points(table: TableIds, players: Mapping[str, Participant]) -> Message:
    scores = [players[player_id].score for player_id in table]
    if not spread(scores):
        return say("All here have the same points: {points}.", points=scores[0])
    return say("The points here range from {least} to {most}.", least=min(scores), most=max(scores))


def _unknown(table: TableIds, players: Mapping[str, Participant]) -> list[Message]:
    names = [player_id for player_id in table if players[player_id].unknown]
    if not names:
        return []
    return [say("Not all points of these players were known: {players}.", players=", ".join(names))]


def _floats(table: TableIds, players: Mapping[str, Participant]) -> list[Message]:
    if any(players[player_id].floats for player_id in table) and floats_again(table, players):
        return [
            say(
                "As in the last round, somebody here is alone above or below everybody else at "
                "the table."
            )
        ]
    return []


def _opener(table: TableIds, players: Mapping[str, Participant]) -> Message:
    counts = [seat_count(players[player_id], 0) for player_id in table]
    if counts[0] > min(counts):
        return say("{player} opens, so that all seats are shared evenly.", player=table[0])
    return say("{player} opens: nobody here has opened less often.", player=table[0])


def pair_list(pairs: Sequence[PairOfIds]) -> str:
    """Return pairs one after the other, as a sentence lists them."""
    return ", ".join([" – ".join(pair) for pair in pairs])
