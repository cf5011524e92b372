from hypothesis import given
from hypothesis import strategies as st

from engine.record.record import read
from engine.record.write import write
from tests.engine.record.build import game, record
from tests.engine.record.simulated import random_game


def test_a_record_is_one_line_with_its_letters_as_they_are() -> None:
    line = write(
        record(game(seats=2, result={"rank": [1, 2]}) | {"table": "Öse\u2028", "season": "s"})
    )
    assert line.splitlines()[0].startswith(
        '{"v": 1, "id": "g", "game": "bluff", "rules": {"exact": "all"'
    )
    assert line.endswith('"rounds": [], "result": {"rank": [1, 2]}}')
    assert "Ö" in line
    assert "\n" not in line


@given(st.integers(), st.booleans())
def test_what_is_written_reads_as_the_same_record(seed: int, claimed: bool) -> None:
    written = random_game(seed) | {"played_at": "2026-01-01T00:00:00Z", "event": "night-1"}
    if not claimed:
        del written["result"]
    assert read(write(record(written))) == record(written)
