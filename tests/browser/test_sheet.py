"""The sheet in the browser (league/static/league/sheet.js) folds entries as the engine does: the
same states, faults and endings. Its module is loaded into an empty page: no service runs.

tests/scripts/sheet.test.js tests what else pages ask it for.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from engine.kniffel.combinations import FACE
from tests.architecture.checkout import ROOT
from tests.engine.record.broken_off import SAYS
from tests.engine.sheet.written import Value, Writing, written_bluff, written_kniffel

STATIC = ROOT / "league" / "static" / "league"
GAMES = 5000
BATCH = 500
LOAD = """async ([address, rules]) => {
  window.sheets = await import(address);
  window.rules = rules;
}"""
FOLD = """text => {
  const { begin, preview, resume, sentence } = window.sheets;
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; bit += 1) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
    return byte;
  });
  const digest = (sheet) => {
    const state = JSON.stringify(sheet.state());
    let sum = -1;
    for (let i = 0; i < state.length; i += 1) sum = table[(sum ^ state.charCodeAt(i)) & 255] ^ (sum >>> 8);
    return (sum ^ -1) >>> 0;
  };
  const words = ({ message, values }) => {
    const plain = (value) => (value?.message ? words(value) : value);
    return { message, values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(value)])) };
  };
  const told = (fault) => fault && { code: fault.code, path: fault.path, ...words(fault) };
  const alike = (one, other) => {
    if (typeof one !== "object" || one === null || other === null) return one === other;
    const keys = Object.keys(one);
    return keys.length === Object.keys(other).length && keys.every((key) => alike(one[key], other[key]));
  };
  const differences = [];
  JSON.parse(text).forEach(({ header, entries, resumed, state, ending }, game) => {
    let sheet = begin(header, window.rules);
    const compare = (number, what, ours, engines) => {
      if (alike(ours, engines)) return;
      differences.push(JSON.stringify({ game, number, what, ours, engines, entry: entries[number] }));
    };
    entries.forEach(([act, value, fault, sum], number) => {
      if (number === resumed) sheet = resume(header, JSON.parse(JSON.stringify(sheet.state())), window.rules);
      const view = act === "close" && number % 5 === 0 ? preview(sheet, value) : null;
      const before = sheet.game;
      const answer = told(sheet.apply({ act, value }));
      compare(number, "fault", answer, fault);
      if (sum !== null) compare(number, "state", digest(sheet), sum);
      if (view) compare(number, "previewed fault", told(view.fault ?? null), fault);
      const lost = view?.losses;
      if (lost) compare(number, "losses", before.owned.map((dice, seat) => dice - lost[seat]), sheet.game.owned);
    });
    compare(entries.length, "state", digest(sheet), state);
    compare(entries.length, "ending", sheet.ending(), ending);
  });
  return differences;
}"""
"""The differences between the browser's and the engine's answers to games of
`tests.engine.sheet.written`."""
BLUFF: Value = {"game": "bluff", "rules": {"dice": 2}, "seats": ["a", "b", "c"], "opener": 0}
KNIFFEL: Value = {"game": "luegen-kniffel", "rules": {}, "seats": ["a", "b"], "opener": 1}
BET: Value = {"moves": ["2x4", "!"], "count": 1}
"""Seat 0 bids two 4s, and only one counts."""


@pytest.fixture(scope="module")
def empty(browser: Browser) -> Iterator[Page]:
    """An empty page with the module and its rules."""
    page = browser.new_page()
    source = base64.b64encode((STATIC / "sheet.js").read_bytes()).decode()
    page.evaluate(
        LOAD,
        [f"data:text/javascript;base64,{source}", json.loads((STATIC / "rules.json").read_text())],
    )
    yield page
    page.close()


@pytest.mark.parametrize("write", [written_bluff, written_kniffel])
def test_ten_thousand_games_come_out_as_in_the_engine(empty: Page, write: Any) -> None:
    for first in range(0, GAMES, BATCH):
        games = json.dumps([write(seed) for seed in range(first, first + BATCH)])
        differences = empty.evaluate(FOLD, games)
        assert not differences, f"{len(differences)} from seed {first} on: {differences[0]}"


def written(header: Value, *entries: tuple[str, Value]) -> Value:
    """A sheet of these entries, with the engine's answers."""
    units = "turns" if header["game"] == "luegen-kniffel" else "rounds"
    writing = Writing({"v": 1, "id": "g", units: [], **header}, random.Random(0))
    for act, value in entries:
        writing.write(act, value)
    return writing.as_json()


def closes(*values: Any) -> list[tuple[str, Value]]:
    return [("close", value) for value in values]


def seldom() -> Iterator[Value]:
    """Sheets of entries that hardly anybody writes."""
    yield written(BLUFF, *closes(*[{"void": True}] * 501))
    laps = [{"void": True, "moves": [f"{count}x1" for count in range(1, 41)]}] * 126
    yield written(
        BLUFF,
        *closes(*[{"void": True, "moves": ["1x1"] * number} for number in (5000, 5001)], *laps),
    )
    yield written(
        BLUFF,
        *closes(*[{"dealt": ["1" * dice, "1", "1"], "moves": ["1x1", "!"]} for dice in (20, 21)]),
    )
    challenged = {"moves": ["1x1", "!"], "void": True}
    yield written(BLUFF, *closes(challenged | {"forfeit": [1]}, challenged))
    bids: list[list[str]] = [[], ["1x1"], ["1x2"], ["1x1", "1x2"]]
    bet = {"bidder": 1, "challenger": 2, "count": 1}
    yield written(BLUFF, *closes(*[bet | {"moves": [*moves, "!"]} for moves in bids]))
    untold: list[Value] = [{"moves": []}, {"moves": ["1x1"]}, {"forfeit": [1], "moves": []}]
    yield written(
        BLUFF, *closes({"losses": [1, 0, 0]}, *[{"void": True, **begun} for begun in untold])
    )
    keys = (
        "a\n\t\\é",
        "\u200b😀",
        "a \x7f\u0100\U00010000",
        "x" * 40,
        "x" * 41,
        "\xa0",
        "",
        "constructor",
    )
    yield written(BLUFF, *closes(*[{key: 1} for key in keys]))
    moves = ("😀", "1x😀", "01x1", "10x7", "100x1", "\ud800", "2x1\n", "x" * 41, "1x1/7", "1x1/")
    yield written(
        BLUFF | {"rules": {"reroll": True}},
        *closes(*[{"moves": [move, "!"], "count": 1} for move in moves]),
    )
    rolls = ("11111 11111>", "11111 1>111", "1>1111", "11234 11>356 36>1")
    turns = [
        {"say": "chance=20", "rolls": rolled.split(), "dice": "11163"} for rolled in ("", *rolls)
    ]
    yield written(
        KNIFFEL, *closes({"say": "constructor=5"}, {"say": "chance=20", "rolls": ["1"] * 4}, *turns)
    )
    upper = [f"{name}={3 * face}" for name, face in FACE.items()]
    says = [{"say": say} for say in [*upper, *SAYS[len(upper) :]] for _ in range(2)]
    yield written(
        KNIFFEL,
        *closes(*says[:-1], {"ended": "clock"}, says[-1], {"ended": "clock"}, {"say": "ones=1"}),
    )
    amendment = {"number": 1, "reason": "misheard", "round": {"say": "fours=16"}}
    yield written(
        KNIFFEL, *closes({"say": "fours=12"}), ("note", {"say": "fours=8"}), ("amend", amendment)
    )
    later = [*closes(BET, {"moves": ["1x4", "!"], "count": 2}), ("note", {"bid": "1x1", "seat": 1})]
    for number, count in ((1, 4), (2, 0)):
        amended = {"moves": ["2x4", "!"], "count": count}
        later.append(("amend", {"number": number, "reason": "miscounted", "round": amended}))
    yield written(BLUFF, *later)


def test_what_is_seldom_written_is_answered_alike(empty: Page) -> None:
    assert empty.evaluate(FOLD, json.dumps(list(seldom()))) == []
