"""The manual's page on the notation tells what is so."""

import json
import re
from pathlib import Path

from engine.notation.text import Correction, parse, parse_and_check, render
from engine.record.lines import LIMIT
from engine.record.write import write

PAGE = (Path(__file__).parents[3] / "templates" / "docs" / "notation.md").read_text(
    encoding="utf-8"
)


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_games_are_in_normal_form_and_by_the_rules() -> None:
    games = blocks("cups")
    assert len(games) == 4
    for text in games:
        (checked,) = parse_and_check(text)
        assert checked.error is None
        assert checked.game.record is not None
        assert render(checked.game.record) == text


def test_the_records_tell_the_same_games() -> None:
    records = [json.loads(block) for block in blocks("json")]
    assert len(records) == 3
    games = {
        record.record_id: json.loads(write(record))
        for text in blocks("cups")
        for record in parse(text).records
    }
    for record in records:
        assert games[record["id"]] == record


def test_the_game_as_it_may_be_typed_is_the_first_game() -> None:
    (typed,) = blocks("typed")
    assert parse(typed).errors == ()
    assert parse(typed).records == parse(blocks("cups")[0]).records


def test_the_correction_is_read() -> None:
    (lines,) = (block for block in blocks("") if block.startswith("; "))
    (parsed,) = parse(blocks("cups")[0] + lines).games
    assert parsed.correction == Correction("evening-6", "the count of round 2 was 8")


def test_the_error_is_told_so() -> None:
    (line,) = blocks("error")
    head = "".join(blocks("cups")[0].splitlines(keepends=True)[:7])
    (error,) = parse(head + line).errors
    assert f"\n{error}\n" in PAGE


def test_the_limit_is_told() -> None:
    assert f"at most {LIMIT} characters" in PAGE
