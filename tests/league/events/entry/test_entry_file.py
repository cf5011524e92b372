"""Lists of entries as spreadsheets save them and as people paste them."""

from __future__ import annotations

import pytest

from league.events.entry.domain.entry_file import FileRefused, decoded, read_entries, read_names


def names(text: str) -> list[str]:
    return [row.name for row in read_entries(text).rows]


def test_a_line_with_more_cells_than_the_heading_is_told_and_not_cut() -> None:
    file = read_entries("name\r\nMiller, Ann\r\nStone\r\n")
    assert [row.name for row in file.rows] == ["Stone"]
    assert [row.line for row in file.bad] == [2]
    assert "2 cells" in file.bad[0].why
    assert "1 columns" in file.bad[0].why


@pytest.mark.parametrize("line", ["Miller;;;", "Miller;yes;", "Miller", '"Miller"; ;'])
def test_empty_cells_behind_the_heading_are_no_fault(line: str) -> None:
    file = read_entries(f"name;guest\n{line}\n")
    assert (names(f"name;guest\n{line}\n"), file.bad) == (["Miller"], ())


@pytest.mark.parametrize(
    "head",
    [
        "sep=;\r\nname;guest",
        '"sep=;"\nname;guest',
        "SEP=;\n\nName;Gast",
        "\n\n  \nname;guest",
        "Herbstliga 2026\nname;guest",
        "Herbstliga, Keller;;\n\nStand: heute\nSpieler;Gast",
        "Teilnehmer\n\nName;Gast",
        "\ufeffname;guest",
        "sep=;\n\ufeffname;guest",
    ],
)
def test_what_stands_above_the_heading_is_passed_over(head: str) -> None:
    assert [(row.name, row.guest) for row in read_entries(f"{head}\r\nAnn;yes\r\n").rows] == [
        ("Ann", True)
    ]


def test_the_lines_are_counted_from_the_top_of_the_file() -> None:
    file = read_entries("Title\n\nsep\nname;guest\nAnn;perhaps\n")
    assert [row.line for row in file.bad] == [5]


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
def test_sep_says_what_parts_the_columns(separator: str) -> None:
    rows = read_entries(f"sep={separator}\nname{separator}club\nAnn{separator}Ulm\n").rows
    assert [(row.name, row.label) for row in rows] == [("Ann", "Ulm")]


@pytest.mark.parametrize(
    "head", ["Spieler", "SPIELERIN", "Naam", "Player", "Speler", "Full name", "Vorname/Nachname"]
)
def test_headings_are_read_in_three_languages(head: str) -> None:
    assert names(f"Nr;{head}\n1;Ann Miller\n") == ["Ann Miller"]


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("Vorname;Nachname", "Ann;Miller"),
        ("Nachname;Vorname;Verein", "Miller;Ann;Ulm"),
        ("Name;Vorname", "Miller;Ann"),
        ("Voornaam,Achternaam", "Ann,Miller"),
        ("First name\tLast name", "Ann\tMiller"),
        ("Vorname;Familienname", "Ann;Miller"),
        ("surname,first_name", "Miller,Ann"),
        ("Vorname;Nachname;Name", "A.;M.;Ann Miller"),
    ],
)
def test_first_and_last_names_are_joined(head: str, line: str) -> None:
    assert names(f"{head}\n{line}\n") == ["Ann Miller"]


@pytest.mark.parametrize("text", ["", "\n\n", "sep=;\n", "Ann\nBob\n", "who;where\nAnn;Ulm\n"])
def test_a_list_without_a_heading_is_refused(text: str) -> None:
    with pytest.raises(FileRefused, match="name the columns"):
        read_entries(text)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_list_is_read_in_the_encodings_of_spreadsheets(encoding: str) -> None:
    assert names(decoded("Naam\nÄrmel\n".encode(encoding))) == ["Ärmel"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("47", ["47"]),
        ("1. FC Köln", ["1. FC Köln"]),
        ("47\n1. FC Köln\nAnna", ["47", "1. FC Köln", "Anna"]),
        ("3. Liga\n2. Liga", ["3. Liga", "2. Liga"]),
        ("1. Anna\nBert", ["1. Anna", "Bert"]),
        ("1. Anna\n2. 1. FC Köln\n3. 47", ["Anna", "1. FC Köln", "47"]),
        ("1. Anna, 2. Bert, 3. 47", ["Anna", "Bert", "47"]),
        ("4) Anna\n5) Bert", ["Anna", "Bert"]),
        ("“Bob C.”, „Ann“; «Cem»", ["Bob C.", "Ann", "Cem"]),
        ("Pat O’Brien, O'Neil", ["Pat O’Brien", "O'Neil"]),
    ],
)
def test_figures_stay_unless_the_whole_list_is_numbered(text: str, wanted: list[str]) -> None:
    assert [row.name for row in read_names(text).rows] == wanted
