"""`python -m engine play` on the command line."""

import sys
from io import StringIO
from pathlib import Path

import pytest

from engine.cli.main import main


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_it_prints_a_table_with_a_row_for_each_kind_of_player(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert (
        main(["play", "--seats", "belief,odds,odds,random:0.5", "--games", "8", "--dice", "2"]) == 0
    )
    captured = capsys.readouterr()
    head, *rows = [line.split() for line in captured.out.splitlines()]
    assert head[:5] == ["player", "strength", "seats", "wins", "share"]
    assert [row[:3] for row in rows] == [
        ["belief", "1", "1"],
        ["odds", "1", "2"],
        ["random", "0.5", "1"],
    ]
    assert sum(int(row[3]) for row in rows) == 8
    assert captured.err == ""


def test_the_games_it_writes_pass_the_checker(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    more = ["--exact", "giveaway", "--reroll", "--scoring", "cntdice", "--strength", "0.8"]
    assert (
        main(["play", "--seats", "duel,odds,odds", "--games", "5", "--records", str(file), *more])
        == 0
    )
    assert main(["check", str(file)]) == 0
    assert len(file.read_text(encoding="utf-8").splitlines()) == 5
    assert '"seats": ["odds-2", ' in file.read_text(encoding="utf-8")


def test_luegen_kniffel_is_played_by_its_own_players_and_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    more = ["--truth", "at_least", "--allow-zero", "--records", str(file)]
    assert (
        main(
            [
                "play",
                "--game",
                "luegen-kniffel",
                "--seats",
                "odds,random,odds",
                "--games",
                "3",
                *more,
            ]
        )
        == 0
    )
    head, *rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert head[:5] == ["player", "strength", "seats", "wins", "share"]
    assert "totals" in head
    assert [row[:3] for row in rows] == [["odds", "1", "2"], ["random", "1", "1"]]
    assert main(["check", str(file)]) == 0
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3
    assert all('"rules": {"truth": "at_least", "allow_zero": true}' in line for line in lines)


def test_the_same_seed_prints_the_same_table(capsys: pytest.CaptureFixture[str]) -> None:
    tables = set()
    for seed in ("1", "1", "2"):
        main(["play", "--seats", "random,random", "--games", "9", "--seed", seed])
        tables.add(capsys.readouterr().out)
    assert len(tables) == 2


def test_a_terminal_sees_the_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    main(["play", "--seats", "random,random", "--games", "3"])
    assert terminal.getvalue().startswith("\r1 of 3 games\r2 of 3 games\r")
    assert terminal.getvalue().endswith(" \r")


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        ("--seats belief,nobody", "there is no player 'nobody'"),
        ("--seats belief", "from 2 to 6 seats"),
        ("--seats belief:2,odds", "not from 0 to 1"),
        ("--seats belief:,odds", "invalid seats value"),
        ("--seats odds,odds --strength nan", "not from 0 to 1"),
        ("--seats odds,odds --games 0", "less than 1"),
        ("--seats odds,odds --dice 0", "invalid choice"),
        ("", "required"),
        ("--game skat --seats odds,odds", "invalid choice: 'skat'"),
        (
            "--game luegen-kniffel --seats odds,belief",
            "there is no player 'belief' of luegen-kniffel",
        ),
        ("--game luegen-kniffel --seats odds", "from 2 to 8 seats"),
        ("--game luegen-kniffel --seats odds,odds --reroll", "luegen-kniffel has no rule 'reroll'"),
        ("--game luegen-kniffel --seats odds,odds --dice 5", "luegen-kniffel has no rule 'dice'"),
        ("--seats odds,odds --allow-zero", "bluff has no rule 'allow_zero'"),
    ],
)
def test_wrong_arguments_are_named(
    arguments: str, wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["play", *arguments.split()])
    assert wrong in capsys.readouterr().err


def test_records_that_can_not_be_written_exit_2(tmp_path: Path) -> None:
    assert main(["play", "--seats", "odds,odds", "--games", "1", "--records", str(tmp_path)]) == 2
