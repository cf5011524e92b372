"""A game that was broken off has one answer, however it is written, stored and counted: laws over
games at random."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli.main import main
from engine.notation.text import parse, render
from engine.record.canonical import content_digest, digests
from engine.record.check import check
from engine.record.export import export
from engine.record.header import stored_header
from engine.record.record import Record, read
from engine.record.stored import pack_record, replay_stored, unpack_record
from engine.record.verify import verify_line
from engine.record.write import write
from tests.engine.record.broken_off import random_end, random_kniffel
from tests.engine.record.build import named, record
from tests.engine.record.simulated import random_game

seeds = st.integers(0, 10**6)
games = st.one_of(seeds.map(random_game), seeds.map(random_kniffel), seeds.map(random_end))


@settings(max_examples=200, deadline=None)
@given(games)
def test_record_notation_storage_and_export_give_one_answer(written: dict[str, Any]) -> None:
    played = record(written)
    verdict = check(played)
    assert verdict.error is None
    assert verdict.over
    if "result" in written:
        assert [verdict.rank, verdict.points] == [
            tuple(written["result"][key]) for key in ("rank", "points")
        ]
    assert read(write(played)) == played
    (again,) = parse(render(played)).records
    assert content_digest(again) == content_digest(played)
    assert render(again) == render(played)
    sealed = named(written)
    header, bodies, chain = stored_header(sealed), pack_record(sealed), digests(sealed)
    unpacked = unpack_record(header, sealed.seats, sealed.names, bodies)
    assert unpacked == record_without_result(sealed)
    replayed = replay_stored(header, sealed.seats, bodies)
    assert (replayed.error, replayed.ending) == (None, verdict.ending)
    verified = verify_line(export(sealed))
    assert (verified.error, verified.head) == (None, chain[-1])


def record_without_result(sealed: Record) -> Record:
    """The canonical record as it is stored."""
    return Record(
        **{name: getattr(sealed.canonical(), name) for name in Record.__slots__} | {"result": None}
    )


@pytest.mark.parametrize(("make", "scoring"), [(random_end, "cntdice"), (random_kniffel, "totals")])
def test_the_table_of_the_games_adds_up_what_each_of_them_tells(
    make: Any, scoring: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = [make(seed) | {"id": f"game-{seed}"} for seed in range(60)]
    points: dict[str, int] = {}
    wins: dict[str, int] = {}
    for written in played:
        verdict = check(record(written))
        assert verdict.rank is not None
        assert verdict.points is not None
        for seat, handle in enumerate(written["seats"]):
            points[handle] = points.get(handle, 0) + verdict.points[seat]
            wins[handle] = wins.get(handle, 0) + (verdict.rank[seat] == 1)
    text = tmp_path / "games.jsonl"
    text.write_text("\n".join(map(json.dumps, played)), encoding="utf-8")
    notation = tmp_path / "games.cups"
    notation.write_text(
        "\n".join([render(record(written)) for written in played]), encoding="utf-8"
    )
    for file in (text, notation):
        assert main(["table", str(file), "--scoring", scoring, "--rated"]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert {row["handle"]: int(row["points"]) for row in rows} == points
        assert {row["handle"]: int(row["wins"]) for row in rows} == wins
