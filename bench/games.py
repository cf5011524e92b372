"""Size and analysis of whole games: a season of simulated ones, and random dealt ones of four
seats."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from statistics import mean, median
from time import perf_counter

from bench.measure import percentile
from engine.analysis.belief import FITTED, PLAIN
from engine.analysis.game import analyse
from engine.bluff.ruleset import Ruleset
from engine.illegal import Illegal
from engine.players.match import Entrant, play_match
from engine.record.check import check
from engine.record.record import Record, read
from engine.record.stored import pack_record
from engine.record.write import write

DATA = Path(__file__).parents[1] / "league" / "data"
SEASON = "herbstliga-2026"
KNIFFEL_SEASON = "kniffelrunde-2026"


def season(name: str = SEASON) -> list[Record]:
    """The records of a season of the demo."""
    with gzip.open(DATA / f"{name}.jsonl.gz") as file:
        records = [read(line) for line in file]
    return [record for record in records if not isinstance(record, Illegal)]


def interrupted(records: Sequence[Record]) -> list[Record]:
    """The same games, none of which took its course: in turn, time is up after three rounds, a
    round is void, somebody leaves before time is up, and all but one leave."""
    return [_interrupted(record, number % 4) for number, record in enumerate(records)]


def _interrupted(record: Record, trouble: int) -> Record:
    clock, void = {"ended": "clock"}, {"void": True, "moves": ["1x1"]}
    told = json.loads(write(record))
    rounds = told.pop("rounds")
    del told["result"]
    seats = range(len(record.seats))
    for leavers in [leavers for number in (4, 3, 2, 1) for leavers in combinations(seats, number)]:
        changed = (
            [*rounds[:3], clock],
            [*rounds[:2], void, *rounds[2:]],
            [*rounds[:3], {"forfeit": leavers[:1]}, clock],
            [*rounds[:3], {"forfeit": leavers}],
        )[trouble]
        game = read(
            json.dumps(told | {"id": f"{record.record_id}-{trouble}", "rounds": changed}).encode()
        )
        verdict = None if isinstance(game, Illegal) else check(game)
        if verdict is not None and verdict.ok and verdict.over:
            assert isinstance(game, Record)
            return game
    raise ValueError(f"{record.record_id} can't be interrupted so")


def measure() -> None:
    """Print the stored size of dealt games and the time of a full analysis."""
    print(
        "\nStored size of a four-seat game, dealt, without reroll  (200 games of automatic players)"
    )
    match = play_match(
        [Entrant(f"player {seat}", "odds", 1.0) for seat in range(4)], 200, 1, Ruleset()
    )
    sizes = [sum(map(len, pack_record(played.record))) for played in match]
    print(f"  mean {mean(sizes):.0f} bytes, largest {max(sizes)} bytes")
    print("\nFull analysis of a game  (the demo's season, 180 games)")
    records = season()
    for name, weight in (("plain", PLAIN), ("belief-weighted", FITTED)):
        milliseconds = []
        for record in records:
            start = perf_counter()
            analyse(record, weight)
            milliseconds.append(1000 * (perf_counter() - start))
        figures = (
            f"median {median(milliseconds):.1f} ms, p99 {percentile(milliseconds, 0.99):.1f} ms"
        )
        print(f"  {name:<16} {figures}")
