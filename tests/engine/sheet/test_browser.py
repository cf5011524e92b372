"""The data of the rules that browsers get: as committed, complete, and citing the rulings that the
manual cites."""

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random

import pytest

from engine.bluff.track import BIDS
from engine.kniffel.combinations import COMBINATIONS, score
from engine.messages import templates
from engine.sheet.browser import RULINGS, browser_file, browser_rules
from tests.engine.sheet.written import (
    Value,
    Writing,
    digest,
    state_of,
    written_bluff,
    written_kniffel,
)

ROOT = Path(__file__).parents[3]
STATIC = ROOT / "league" / "static" / "league"
MANUAL = ROOT / "templates" / "docs"
OF_RECORDS = {"result_mismatch", "outcome_mismatch"}
"""Codes that cite rulings, and aren't faults of any entry."""
RESUMED = "this sheet was resumed from its state: fold all its entries"
"""A sentence for who writes the page."""
LARGEST = 30_000
"""Bytes that a phone loads before it can write anything."""


def test_the_committed_file_is_what_the_engine_exports() -> None:
    committed = (STATIC / "rules.json").read_text(encoding="utf-8")
    assert committed == browser_file(), "run `make rules`"
    assert len(committed.encode()) <= LARGEST


def test_it_has_every_bid() -> None:
    bluff = browser_rules()["bluff"]
    bids = [f"{count}x{face}" for count, face in zip(bluff["counts"], bluff["faces"], strict=True)]
    assert bids == list(bluff["bids"])
    assert len(bids) == BIDS


def test_it_scores_all_dice() -> None:
    kniffel = browser_rules()["luegen-kniffel"]
    for dice in product(range(1, 7), repeat=5):
        scores = kniffel["scores"]["".join(map(str, sorted(dice)))]
        assert scores == [score(name, dice) for name in COMBINATIONS]


def test_its_rulings_are_those_of_the_manual() -> None:
    page = (MANUAL / "record.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `\w+` \{#(\w+)\} \|(.*)\|$", page, re.MULTILINE)
    cited = {code: set(re.findall(r"\[([BK]\d+)\]", words)) for code, words in rows}
    for code, numbers in cited.items():
        if code not in OF_RECORDS:
            assert numbers <= set(RULINGS.get(code, "").split()), code


@pytest.mark.parametrize("code", RULINGS)
def test_a_ruling_stands_in_the_rules(code: str) -> None:
    rules = (MANUAL / "rules.md").read_text(encoding="utf-8")
    assert all(f"{{#{number.lower()}}}" in rules for number in RULINGS[code].split())


def test_the_module_speaks_in_sentences_of_the_engine() -> None:
    """So the catalogues translate them."""
    texts = re.findall(r'"([^"\n]*)"', (STATIC / "sheet.js").read_text(encoding="utf-8"))
    assert {text for text in texts if re.search(r"\w+ \w+ \w+", text)} <= {*templates(), RESUMED}


@pytest.mark.parametrize("write", [written_bluff, written_kniffel])
@pytest.mark.parametrize("seed", range(20))
def test_what_is_compared_with_the_browser_is_the_whole_state(
    seed: int, write: Callable[[int], Value]
) -> None:
    game = write(seed)
    units = "rounds" if write is written_bluff else "turns"
    writing = Writing({"v": 1, "id": "g", units: [], **game["header"]}, Random())
    for act, value, *_ in game["entries"]:
        writing.write(act, value)
    assert state_of(writing.sheet) == writing.sheet.state()
    assert digest(writing.sheet) == game["state"]
