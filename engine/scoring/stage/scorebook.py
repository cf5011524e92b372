"""The scores of everybody at the tables of a stage, computed once; points and tie-breaks are read
from it."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.scoring.stage.results import PARTS, StageResults, TableResult
from engine.scoring.stage.rules import StageRules
from engine.scoring.stage.table_points import (
    bye_score,
    middle_score,
    table_places,
    table_scores,
    tells_points,
)


class RoundScore(NamedTuple):
    """The score of one player in one round, in 840ths of a point.

    `place`: at the table, None for a bye and for a table that has brought nothing so far. `seats`:
    those of the table, 0 for a bye. `unknown`: the games of the table that are over, and whose
    points aren't known yet. `penalty`: what an arbiter takes off, in 840ths of a point; the score
    is that of play alone."""

    round_number: int
    score: int
    place: int | None
    seats: int
    unknown: int = 0
    penalty: int = 0


class ScoredTable(NamedTuple):
    """A table with those of its games that bring points, in the order that was set where an arbiter
    has set one: what they brought, and its places, both in seat order.

    `penalties`: what an arbiter takes off each seat, in 840ths of a point.
    `unknown`: the number of its other games that are over, but whose points aren't known yet.
    """

    table: TableResult
    scores: tuple[int, ...]
    places: tuple[int, ...]
    unknown: int
    penalties: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scorebook:
    """All of a stage by player; players are those who take part, and all who ever sat at a table.

    `rounds`: how many the stage has had. `won`: the points of its rounds, in 840ths, whatever
    penalties take off; so a penalty changes nobody else's figures. `penalties`: what these take
    off, in 840ths. `lasting`: the same with the middle of a table for each round since the last one
    that the player took part in. `records`: in the order of rounds. `tables`: those that have
    brought points, each with the player's seat, in the order of rounds. `seedings`, `names`: of
    those who take part."""

    results: StageResults
    rounds: int
    won: Mapping[str, int]
    penalties: Mapping[str, int]
    lasting: Mapping[str, int]
    records: Mapping[str, tuple[RoundScore, ...]]
    tables: Mapping[str, tuple[tuple[ScoredTable, int], ...]]
    seedings: Mapping[str, int | None]
    names: Mapping[str, str]

    @property
    def rules(self) -> StageRules:
        """The rules of the stage: scoring, table size, tie-breaks, seed."""
        return self.results.rules


def scorebook(results: StageResults) -> Scorebook:
    """The scorebook of a stage without fault."""
    records: dict[str, list[RoundScore]] = {
        participant.player_id: [] for participant in results.participants
    }
    tables: defaultdict[str, list[tuple[ScoredTable, int]]] = defaultdict(list)
    for table in sorted(results.tables, key=lambda table: table.round_number):
        scored = _scored(results.rules, table)
        places = scored.places or (None,) * len(table.players)
        for seat, player in enumerate(table.players):
            seats = len(table.players)
            score = RoundScore(
                table.round_number,
                scored.scores[seat],
                places[seat],
                seats,
                scored.unknown,
                scored.penalties[seat],
            )
            records.setdefault(player, []).append(score)
            if scored.table.games:
                tables[player].append((scored, seat))
    for bye in results.byes:
        records.setdefault(bye.player, []).append(
            RoundScore(bye.round_number, bye_score(results.rules), None, 0)
        )
    rounds = max((score.round_number for record in records.values() for score in record), default=0)
    won = {player: sum([score.score for score in record]) for player, record in records.items()}
    ordered = {player: tuple(sorted(record)) for player, record in records.items()}
    middle = middle_score(results.rules)
    return Scorebook(
        results,
        rounds,
        won,
        {player: sum([score.penalty for score in record]) for player, record in records.items()},
        {
            player_id: won[player_id]
            + (rounds - (record[-1].round_number if record else 0)) * middle
            for player_id, record in ordered.items()
        },
        ordered,
        {player: tuple(entries) for player, entries in tables.items()},
        {participant.player_id: participant.seeding for participant in results.participants},
        {participant.player_id: participant.name for participant in results.participants},
    )


def _scored(rules: StageRules, table: TableResult) -> ScoredTable:
    """The score of a table; games whose points aren't known yet are left out of it."""
    games = tuple([game.as_ruled for game in table.games if tells_points(rules, game)])
    known = replace(table, games=games)
    places = table_places(rules, known) if games else ()
    penalties = [
        sum([game.penalty[seat] for game in games if game.penalty])
        for seat in range(len(table.players))
    ]
    return ScoredTable(
        known,
        table_scores(rules, known),
        places,
        len(table.games) - len(games),
        tuple([points * PARTS for points in penalties]),
    )
