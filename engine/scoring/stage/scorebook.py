"""The scores of all players at the tables of a stage, computed once for points and tie-breaks."""

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

    `place`: at the table; None for a bye, and for a table without known points. `seats`: those of
    the table, 0 for a bye. `unknown`: the table's finished games whose points aren't known yet.
    `penalty`: what an arbiter deducts, in 840ths of a point; it isn't deducted from the score.
    """

    round_number: int
    score: int
    place: int | None
    seats: int
    unknown: int = 0
    penalty: int = 0


class ScoredTable(NamedTuple):
    """A table with its scores and places, in seat order.

    `table` has only the games whose points are known, ranked as an arbiter may have ruled.
    `penalties`: what an arbiter deducts from each seat, in 840ths of a point. `unknown`: the number
    of its other finished games, whose points aren't known yet.
    """

    table: TableResult
    scores: tuple[int, ...]
    places: tuple[int, ...]
    unknown: int
    penalties: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scorebook:
    """The figures of a stage by player: the participants, and all others who ever sat at a table.

    `rounds`: how many the stage has had. `won`: the points of the rounds, in 840ths, before
    penalties; so a penalty changes nobody else's figures. `penalties`: what they deduct, in 840ths.
    `lasting`: like `won`, plus half of the highest score for each round since the player's last
    one, for the tie-breaks of their opponents.
    `records`: in the order of rounds. `tables`: those with points, each with the player's seat, in
    the order of rounds. `seedings`, `names`: of the participants.
    """

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
        """Return the rules of the stage: scoring, table size, tie-breaks, seed."""
        return self.results.rules


def scorebook(results: StageResults) -> Scorebook:
    """Return the scorebook of a stage whose results are valid."""
    records: dict[str, list[RoundScore]] = {
        participant.player_id: [] for participant in results.participants
    }
    tables: defaultdict[str, list[tuple[ScoredTable, int]]] = defaultdict(list)
    for table in sorted(results.tables, key=lambda table: table.round_number):
        scored = _scored(results.rules, table)
        places = scored.places or (None,) * len(table.players)
        for seat, player in enumerate(table.players):
            score = RoundScore(
                round_number=table.round_number,
                score=scored.scores[seat],
                place=places[seat],
                seats=len(table.players),
                unknown=scored.unknown,
                penalty=scored.penalties[seat],
            )
            records.setdefault(player, []).append(score)
            if scored.table.games:
                tables[player].append((scored, seat))
    for bye in results.byes:
        score = RoundScore(bye.round_number, bye_score(results.rules), place=None, seats=0)
        records.setdefault(bye.player, []).append(score)

    rounds = max((score.round_number for record in records.values() for score in record), default=0)
    middle = middle_score(results.rules)
    won: dict[str, int] = {}
    penalties: dict[str, int] = {}
    lasting: dict[str, int] = {}
    for player, record in records.items():
        record.sort()
        last_round = record[-1].round_number if record else 0
        won[player] = sum([score.score for score in record])
        penalties[player] = sum([score.penalty for score in record])
        lasting[player] = won[player] + (rounds - last_round) * middle
    participants = results.participants
    return Scorebook(
        results=results,
        rounds=rounds,
        won=won,
        penalties=penalties,
        lasting=lasting,
        records={player: tuple(record) for player, record in records.items()},
        tables={player: tuple(entries) for player, entries in tables.items()},
        seedings={participant.player_id: participant.seeding for participant in participants},
        names={participant.player_id: participant.name for participant in participants},
    )


def _scored(rules: StageRules, table: TableResult) -> ScoredTable:
    games = tuple([game.as_ruled for game in table.games if tells_points(rules, game)])
    counted_table = replace(table, games=games)
    penalties = []
    for seat in range(len(table.players)):
        points = sum([game.penalty[seat] for game in games if game.penalty])
        penalties.append(points * PARTS)
    return ScoredTable(
        table=counted_table,
        scores=table_scores(rules, counted_table),
        places=table_places(rules, counted_table) if games else (),
        unknown=len(table.games) - len(games),
        penalties=tuple(penalties),
    )
