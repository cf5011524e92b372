"""`python -m engine table` on the command line: a published table computed anew from the games
alone."""

import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.cli.main import main
from engine.rating.ranking import COLUMNS
from tests.engine.record.build import bids, game
from tests.engine.record.test_season import SEASON

PUBLISHED = SEASON.parent / "herbstliga-2026-table.csv"
LEAGUE = ["--scoring", "cntdice", "--timezone", "Europe/Berlin"]


def table(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, str]]:
    assert main(["table", *arguments]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def duel(name: str, *, over: bool = True, **header: Any) -> str:
    """A game of ada and ben; if it is over, ben has lost all five dice by his own bid."""
    played = bids("5x4", "8x4", count=3 if over else 6)
    return json.dumps(game(played, seats=2) | header | {"id": name, "seats": ["ada", "ben"]})


def files(tmp_path: Path, *lines: str) -> str:
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    return str(file)


def test_the_table_of_the_season_is_the_published_one_to_the_last_byte(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["table", str(SEASON), *LEAGUE, "--rated"]) == 0
    assert capsys.readouterr().out.encode() == PUBLISHED.read_bytes()


def test_neither_the_order_of_games_nor_their_files_change_anything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = gzip.decompress(SEASON.read_bytes()).splitlines()
    late, early = tmp_path / "late.jsonl", tmp_path / "early.jsonl"
    late.write_bytes(b"\n".join(reversed(lines[100:])))
    early.write_bytes(b"\n".join(lines[:100]))
    assert main(["table", str(late), str(early), *LEAGUE, "--rated"]) == 0
    assert capsys.readouterr().out.encode() == PUBLISHED.read_bytes()


def test_unrated_the_columns_of_ratings_are_empty(capsys: pytest.CaptureFixture[str]) -> None:
    rows = table(capsys, str(SEASON), *LEAGUE)
    assert tuple(rows[0]) == COLUMNS
    assert {row["rating"] + row["sigma"] + row["provisional"] for row in rows} == {""}


def test_the_tie_breaks_rank_and_decide(capsys: pytest.CaptureFixture[str]) -> None:
    rows = table(capsys, str(SEASON), "--scoring", "placement", "--tie-breaks", "wins,average_rank")
    wins = [int(row["wins"]) for row in rows]
    assert wins == sorted(wins, reverse=True)
    assert {row["decided_by"] for row in rows} == {"", "average_rank"}


def test_games_that_are_not_over_do_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = table(capsys, files(tmp_path, duel("1"), duel("2", over=False)), "--scoring", "cntdice")
    assert [(row["handle"], row["games"], row["points"]) for row in rows] == [
        ("ada", "1", "10"),
        ("ben", "1", "5"),
    ]


def test_days_of_play_are_those_of_the_time_zone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = files(
        tmp_path,
        duel("1", played_at="2026-09-03T22:30:00+00:00"),
        duel("2", played_at="2026-09-04T19:00:00+02:00"),
    )
    assert [row["change"] for row in table(capsys, file, *LEAGUE)] == ["", ""]
    assert [
        row["change"] for row in table(capsys, file, "--scoring", "cntdice", "--timezone", "UTC")
    ] == ["0", "0"]


def test_a_game_told_twice_and_one_that_is_not_ok_are_reported_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = files(tmp_path, duel("1"), "nonsense", duel("1"))
    assert main(["table", file, file, "--scoring", "cntdice"]) == 1
    captured = capsys.readouterr()
    assert [row["games"] for row in csv.DictReader(io.StringIO(captured.out))] == ["1", "1"]
    places = [
        f"{file}:2: bad_json",
        f"{file}:3: conflict",
        f"{file}:1: conflict",
        f"{file}:2: bad",
        f"{file}:3: con",
    ]
    for line, place in zip(captured.err.splitlines(), places, strict=True):
        assert line.startswith(place)
    assert f"the game 1 is given twice, first at {file}:1" in captured.err


def test_a_game_without_points_by_the_scoring_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["table", files(tmp_path, duel("1")), "--scoring", "totals"]) == 1
    assert "the game gives no points by totals" in capsys.readouterr().err


def test_text_is_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = files(tmp_path, duel("1", played_at="2026-09-03T20:00:00+02:00"))
    assert main(["table", file, "--scoring", "cntdice", "--format", "text"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        [
            "rank",
            "change",
            "handle",
            "games",
            "wins",
            "points",
            "points",
            "per",
            "game",
            "average",
            "rank",
            "best",
            "game",
        ],
        ["1", "new", "ada", "1", "1", "10", "10.0000", "1.0000", "10"],
        ["2", "new", "ben", "1", "0", "5", "5.0000", "2.0000", "5"],
    ]
    assert main(["table", str(SEASON), *LEAGUE, "--format", "text"]) == 0
    assert {line.split()[1] for line in capsys.readouterr().out.splitlines()[1:]} > {
        "=",
        "+2",
        "-9",
    }


def test_no_games_make_no_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert table(capsys, files(tmp_path), "--scoring", "cntdice", "--rated") == []
    assert main(["table", files(tmp_path), "--scoring", "cntdice", "--format", "text"]) == 0
    answer = capsys.readouterr()
    assert answer.out == "no games\n"
    assert answer.err.endswith(": the file is empty, so there is no game in it\n")


def test_it_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(duel("1").encode())))
    assert [row["handle"] for row in table(capsys, "-", "--scoring", "placement")] == ["ada", "ben"]


def test_a_handle_is_no_formula_of_a_spreadsheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = duel("1").replace("ada", "=1+1")
    assert [
        row["handle"] for row in table(capsys, files(tmp_path, line), "--scoring", "cntdice")
    ] == ["'=1+1", "ben"]


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ("", "required"),
        ("--scoring dice", "invalid Scoring value"),
        ("--scoring cntdice --tie-breaks points,luck", "there is no tie-break 'luck'"),
        ("--scoring cntdice --tie-breaks points,points", "a tie-break is listed twice"),
        ("--scoring cntdice --timezone Berlin", "there is no time zone 'Berlin'"),
        ("--scoring cntdice --timezone ../etc", "there is no time zone"),
    ],
)
def test_wrong_arguments_are_named(
    arguments: str, wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["table", "games.jsonl", *arguments.split()])
    assert wrong in capsys.readouterr().err


def test_players_have_one_row_by_their_handles_of_today(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    renamed = json.dumps(json.loads(duel("2")) | {"seats": ["Ada L", "ben"]})
    handles = tmp_path / "handles.csv"
    handles.write_text("handle,player\nada,Ada L\n", encoding="utf-8")
    games = files(tmp_path, duel("1"), renamed)
    assert len(table(capsys, games, "--scoring", "cntdice")) == 3
    rows = table(capsys, games, "--scoring", "cntdice", "--handles", str(handles))
    assert [(row["handle"], row["games"]) for row in rows] == [("Ada L", "2"), ("ben", "2")]


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        ("", "bad_record: the first line must be handle,player,id"),
        ("ada,ben\n", "bad_record: the first line must be handle,player,id"),
        ("handle,player\nada\n", "bad_record: line 2 must have 2 columns"),
        ("handle,player,id\nada,ben\n", "bad_record: line 2 must have 3 columns"),
        (
            "handle,player,id\nada,x,1\neva,x,2\n",
            "bad_record: line 3 contradicts an earlier line about eva",
        ),
        (
            "handle,player\nada,x\nada,y\n",
            "bad_record: line 3 contradicts an earlier line about ada",
        ),
        ("handle,player\nada,ben\n", "conflict: seats ben would sit there twice"),
    ],
)
def test_handles_that_cannot_be_are_refused_with_their_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, wrong: str
) -> None:
    handles = tmp_path / "handles.csv"
    handles.write_text(content, encoding="utf-8")
    games = files(tmp_path, duel("1"))
    assert main(["table", games, "--scoring", "cntdice", "--handles", str(handles)]) == 1
    assert wrong in capsys.readouterr().err


def test_who_shares_a_rank_stands_by_the_players_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without ids it is the handle."""
    handles = tmp_path / "handles.csv"
    handles.write_text("handle,player,id\nada,ada,3\nben,ben,2\n", encoding="utf-8")
    swapped = json.dumps(json.loads(duel("2")) | {"seats": ["ben", "ada"]})
    games = files(tmp_path, duel("1"), swapped)
    assert [row["handle"] for row in table(capsys, games, "--scoring", "cntdice")] == ["ada", "ben"]
    rows = table(capsys, games, "--scoring", "cntdice", "--handles", str(handles))
    assert [(row["rank"], row["handle"]) for row in rows] == [("1", "ben"), ("1", "ada")]


def test_a_guest_has_no_row_and_a_substitutes_game_is_in_that_of_the_regular(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those across the table keep theirs, and ratings are those of who sat there."""
    seats = tmp_path / "seats.csv"
    seats.write_text("game,seat,counts_for\n1,1,\n2,1,rosa\n", encoding="utf-8")
    games = files(tmp_path, duel("1"), duel("2"))
    options = ("--scoring", "cntdice", "--rated")
    before = {row["handle"]: row for row in table(capsys, games, *options)}
    rows = {row["handle"]: row for row in table(capsys, games, *options, "--seats", str(seats))}
    assert {name: row["games"] for name, row in rows.items()} == {"rosa": "1", "ben": "2"}
    columns = ("games", "wins", "points", "rating", "sigma")
    assert [rows["ben"][column] for column in columns] == [
        before["ben"][column] for column in columns
    ]
    assert rows["rosa"]["rating"] == ""


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        ("game,seat\n", "bad_record: the first line must be game,seat,counts_for"),
        ("game,seat,counts_for\n1,1\n", "bad_record: line 2 must have 3 columns"),
        ("game,seat,counts_for\n1,0,\n", "bad_record: line 2: 0 isn't a seat number"),
        ("game,seat,counts_for\n1,x,\n", "bad_record: line 2: x isn't a seat number"),
        ("game,seat,counts_for\n1,1,\n1,1,ben\n", "bad_record: line 3 names a seat of 1 again"),
        ("game,seat,counts_for\n1,3,\n", "bad_record: seats 1 has 2 seats"),
    ],
)
def test_seats_that_cannot_be_are_refused_with_their_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, wrong: str
) -> None:
    seats = tmp_path / "seats.csv"
    seats.write_text(content, encoding="utf-8")
    games = files(tmp_path, duel("1"))
    assert main(["table", games, "--scoring", "cntdice", "--seats", str(seats)]) == 1
    assert wrong in capsys.readouterr().err


def adjustments_file(tmp_path: Path, *lines: str) -> str:
    file = tmp_path / "adjustments.csv"
    file.write_text("\n".join(["game,seat,rank,penalty", *lines]), encoding="utf-8")
    return str(file)


def test_a_penalty_lowers_the_points_and_no_rating(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = files(tmp_path, duel("1"), duel("2"))
    options = ("--scoring", "cntdice", "--rated")
    before = {row["handle"]: row for row in table(capsys, games, *options)}
    rows = {
        row["handle"]: row
        for row in table(
            capsys,
            games,
            *options,
            "--adjustments",
            adjustments_file(tmp_path, "1,1,,18", "2,2,,11"),
        )
    }
    assert {name: row["points"] for name, row in before.items()} == {"ada": "20", "ben": "10"}
    assert {name: row["points"] for name, row in rows.items()} == {"ada": "2", "ben": "-1"}
    columns = ("games", "wins", "average_rank", "best_game", "rating", "sigma")
    for name in before:
        assert [rows[name][column] for column in columns] == [
            before[name][column] for column in columns
        ]


def test_an_order_that_was_set_is_as_if_it_had_been_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    swapped = json.dumps(json.loads(duel("1")) | {"seats": ["ben", "ada"]})
    for options in (("--scoring", "cntdice", "--rated"), ("--scoring", "placement", "--rated")):
        as_played = table(capsys, files(tmp_path, swapped), *options)
        adjustments = adjustments_file(tmp_path, "1,1,2,", "1,2,1,")
        assert (
            table(capsys, files(tmp_path, duel("1")), *options, "--adjustments", adjustments)
            == as_played
        )


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (["1,1,,2,3"], "bad_record: line 2 must have 4 columns"),
        (["1,0,,2"], "bad_record: line 2: 0 isn't a seat number"),
        (["1,1,x,"], "bad_record: line 2: x isn't a rank"),
        (["1,1,,-2"], "bad_record: line 2: -2 isn't from 1 to 999 points"),
        (["1,1,,1000"], "bad_record: line 2: 1000 isn't from 1 to 999 points"),
        (["1,1,,1", "1,1,,2"], "bad_record: line 3 names a seat of 1 again"),
        (["1,3,,2"], "bad_record: adjustments 1 has 2 seats"),
        (["1,1,2,"], "bad_record: adjustments the order set for 1 must rank each seat"),
        (["1,1,2,", "1,2,2,"], "bad_record: adjustments the order set for 1 must rank each seat"),
        (['1,1,"2,'], "bad_record: line 2"),
    ],
)
def test_adjustments_that_cannot_be_are_refused_with_their_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[str], wrong: str
) -> None:
    games = files(tmp_path, duel("1"))
    assert (
        main(
            [
                "table",
                games,
                "--scoring",
                "cntdice",
                "--adjustments",
                adjustments_file(tmp_path, *lines),
            ]
        )
        == 1
    )
    assert wrong in capsys.readouterr().err


def test_the_columns_of_adjustments_are_named_where_they_are_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "adjustments.csv"
    file.write_text("game,seat,penalty\n", encoding="utf-8")
    assert (
        main(
            [
                "table",
                files(tmp_path, duel("1")),
                "--scoring",
                "cntdice",
                "--adjustments",
                str(file),
            ]
        )
        == 1
    )
    assert "the first line must be game,seat,rank,penalty" in capsys.readouterr().err


def test_ratings_that_cannot_be_had_are_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("engine.cli.table.find_spec", lambda name: None)
    assert main(["table", str(SEASON), *LEAGUE, "--rated"]) == 0
    captured = capsys.readouterr()
    assert {row["rating"] for row in csv.DictReader(io.StringIO(captured.out))} == {""}
    assert "ratings need NumPy" in captured.err


def test_without_numpy_the_table_comes_without_ratings_and_says_so() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; from engine.cli.main import main; "
        "sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "table", str(SEASON), *LEAGUE, "--rated"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert (len(rows), {row["rating"] for row in rows}) == (28, {""})
    assert done.stderr == "ratings need NumPy, which isn't installed: the table has none\n"
