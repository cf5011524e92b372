"""Files of handles and seats are read as the service writes them, and as a spreadsheet saves them
again."""

from pathlib import Path

import pytest

from engine.cli.handles import Handles, read_handles
from engine.cli.seats import read_seats
from engine.illegal import Illegal

HANDLES = "handle,player,id\nanna,Anna,p1\n'=x,Ben,p2\n"
SEATS = "game,seat,counts_for\ng1,2,anna\ng1,3,\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.csv"


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_file_that_was_saved_again_is_the_same(
    file: Path, mark: str, delimiter: str, end: str
) -> None:
    def saved(text: str) -> str:
        file.write_bytes((mark + text.replace(",", delimiter).replace("\n", end)).encode())
        return str(file)

    assert read_handles(saved(HANDLES)) == Handles(
        {"anna": "Anna", "=x": "Ben"}, {"Anna": "p1", "Ben": "p2"}
    )
    assert read_seats(saved(SEATS)) == {"g1": {2: "anna", 3: None}}


@pytest.mark.parametrize(
    "content", ["", "who,what\n", "handle,player\nanna,Anna,p1\n", "handle;player\nanna\n"]
)
def test_another_file_is_refused(file: Path, content: str) -> None:
    file.write_text(content)
    assert isinstance(read_handles(str(file)), Illegal)


def test_a_line_that_no_spreadsheet_writes_is_told_with_its_number(file: Path) -> None:
    file.write_text('handle,player\nanna,"' + "a" * 200_000)
    refused = read_handles(str(file))
    assert isinstance(refused, Illegal)
    assert (refused.code, refused.message) == (
        "bad_record",
        "line 2 can't be read: a quotation mark may be missing",
    )
