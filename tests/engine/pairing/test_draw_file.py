"""The draw file: what is read is what was written, and every fault has a code and a path."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.pairing.draw_file import read_draw, write_answer, write_draw
from engine.pairing.draw_input import Apart, DrawInput, Participant
from tests.engine.pairing.tournaments import draw_inputs

PLAIN = {
    "v": 1,
    "sizes": [4, 3],
    "seed": "a",
    "players": [{"id": "p1", "score": 3}, {"id": "p2", "score": 0}],
}


def fault(**changes: object) -> tuple[str, str | None]:
    answer = read_draw(json.dumps(PLAIN | changes))
    assert isinstance(answer, Illegal), answer
    return answer.code, answer.path


@given(draw_inputs())
def test_what_is_written_is_read_as_it_was(given: DrawInput) -> None:
    assert read_draw(write_draw(given)) == given


def test_every_key_is_read() -> None:
    line = """{"v": 1, "sizes": [4, 3], "rounds": 3, "seed": "cup", "bye": true,
        "apart": [["a", "b"], ["a", "c", "must"]],
        "labels": "must",
        "players": [{"id": "a", "score": -2, "byes": 1, "short": 2, "seats": [1, 0], "floats": "up", "label": 2,
            "unknown": 1}],
        "played": [[["a", "gone", "b"]], []]}"""
    assert read_draw(line) == DrawInput(
        (4, 3),
        "cup",
        (Participant("a", -2, 1, 2, (1, 0), "up", 2, 1),),
        3,
        ((("a", "gone", "b"),), ()),
        (Apart("a", "b"), Apart("a", "c", True)),
        True,
        labels="must",
    )


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"v": 2}, "v"),
        ({"sizes": []}, "sizes"),
        ({"sizes": [4, 4]}, "sizes[1]"),
        ({"sizes": [8, 7, 9]}, "sizes[2]"),
        ({"seed": ""}, "seed"),
        ({"seed": 1}, "seed"),
        ({"bye": 1}, "bye"),
        ({"labels": "never"}, "labels"),
        ({"players": [{"id": "a", "score": 0, "label": -1}]}, "players[0].label"),
        ({"players": {}}, "players"),
        ({"players": [{"id": "a"}]}, "players[0].score"),
        ({"players": [{"id": "a", "score": 1.5}]}, "players[0].score"),
        ({"players": [{"id": "a", "score": True}]}, "players[0].score"),
        ({"players": [{"id": "a", "score": 10**30}]}, "players[0].score"),
        ({"players": [{"id": "a\n", "score": 1}]}, "players[0].id"),
        ({"players": [{"id": "a" * 65, "score": 1}]}, "players[0].id"),
        ({"players": [{"id": "a", "score": 1}] * 2}, "players[1].id"),
        ({"players": [{"id": "a", "score": 1, "floats": "left"}]}, "players[0].floats"),
        ({"players": [{"id": "a", "score": 1, "byes": -1}]}, "players[0].byes"),
        ({"players": [{"id": "a", "score": 1, "seats": [0] * 9}]}, "players[0].seats"),
        ({"players": [0] * 20_001}, "players"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": 1, "played": [[["p1", "p2"]]]}, "rounds"),
        ({"played": [[["p1", "p2"], ["p3", "p1"]]]}, "played[0][1][1]"),
        ({"played": [[[f"p{i}" for i in range(65)]]]}, "played[0][0]"),
        ({"apart": [["p1"]]}, "apart[0]"),
        ({"apart": [["p1", "p1"]]}, "apart[0][1]"),
        ({"apart": [["p1", "p2"], ["p2", "p1"]]}, "apart[1]"),
        ({"apart": [["p1", "p2", "never"]]}, "apart[0][2]"),
    ],
)
def test_a_fault_names_its_path(changes: dict[str, object], path: str) -> None:
    assert fault(**changes) == ("bad_draw", path)


def test_more_meetings_than_any_stage_has_are_refused() -> None:
    tables = [[f"p{table * 64 + seat}" for seat in range(64)] for table in range(16)]
    assert fault(played=[tables] * 63) == ("bad_draw", "played")


def test_a_key_that_is_none_is_refused() -> None:
    assert fault(colour="red") == ("unknown_key", "colour")
    assert fault(players=[{"id": "a", "score": 1, "name": "Ann"}]) == (
        "unknown_key",
        "players[0].name",
    )


@pytest.mark.parametrize(
    "line", [b"", b"{", b"\xff", b"[" * 100_000, b'{"v": NaN}', b'{"v": 1, "v": 1}']
)
def test_what_is_no_json_is_told(line: bytes) -> None:
    answer = read_draw(line)
    assert isinstance(answer, Illegal)
    assert answer.code == "bad_json"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    st.dictionaries(
        st.sampled_from(["v", "sizes", "rounds", "seed", "players", "played", "apart", "bye"]),
        json_values,
    )
)
def test_nothing_that_is_read_raises(changes: dict[str, object]) -> None:
    assert isinstance(read_draw(json.dumps(PLAIN | changes)), DrawInput | Illegal)


def test_a_fault_is_answered_with_its_code() -> None:
    answer = read_draw(json.dumps(PLAIN | {"bye": 1}))
    assert isinstance(answer, Illegal)
    assert json.loads(write_answer(answer)) == {
        "ok": False,
        "error": {"code": "bad_draw", "path": "bye", "message": "must be true or false"},
    }
