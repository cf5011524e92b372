"""Size and analysis of whole games: a season of simulated ones, and random dealt ones of four seats."""

from __future__ import annotations

import gzip
from pathlib import Path
from statistics import mean, median
from time import perf_counter

from bench.measure import percentile
from engine.analysis.belief import FITTED, PLAIN
from engine.analysis.game import analyse
from engine.bluff.ruleset import Ruleset
from engine.illegal import Illegal
from engine.players.match import Entrant, play_match
from engine.record.record import Record, read
from engine.record.stored import pack_record

DATA = Path(__file__).parents[1] / "league" / "data"
SEASON = "herbstliga-2026"
KNIFFEL_SEASON = "kniffelrunde-2026"


def season(name: str = SEASON) -> list[Record]:
    """The records of a season of the demo."""
    with gzip.open(DATA / f"{name}.jsonl.gz") as file:
        records = [read(line) for line in file]
    return [record for record in records if not isinstance(record, Illegal)]


def measure() -> None:
    """Print the stored size of dealt games and the time of a full analysis."""
    print("\nStored size of a four-seat game, dealt, without reroll  (200 games of automatic players)")
    match = play_match([Entrant(f"player {seat}", "odds", 1.0) for seat in range(4)], 200, 1, Ruleset())
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
        figures = f"median {median(milliseconds):.1f} ms, p99 {percentile(milliseconds, 0.99):.1f} ms"
        print(f"  {name:<16} {figures}")
