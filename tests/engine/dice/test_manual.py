"""The manual page on fair dice: its program runs, and its known answers are the engine's."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.bluff.ruleset import Ruleset
from engine.dice.chain import head_before, make_chain
from engine.dice.dealer import Dealer
from engine.dice.roll import RollPlace
from engine.record.export import export
from engine.record.record import with_names
from tests.engine.record.fair_game import fair_bluff

PAGE = (Path(__file__).parents[3] / "templates" / "docs" / "fair-dice.md").read_text(
    encoding="utf-8"
)
SECRET = bytes(range(32))
DEALER = Dealer(SECRET, "evening-7", (b"", bytes.fromhex("c0ffee")))


def block(kind: str) -> str:
    found = re.search(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def program() -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(block("dice"), names)
    return names


def test_the_known_answers_of_the_chain() -> None:
    chain = make_chain(SECRET)
    known = dict(re.findall(r"^\| (.+) \| `([0-9a-f]{64})` \|$", PAGE, re.MULTILINE))
    assert known == {
        "commitment": head_before(chain[0]).hex(),
        "key 0": (chain[0].key or b"").hex(),
        "lock 0": chain[0].lock.hex(),
        "`next` of link 0": chain[0].next_head.hex(),
        "key 1": (chain[1].key or b"").hex(),
        "key 1023": (chain[1023].key or b"").hex(),
        "`next` of link 1023": chain[1023].next_head.hex(),
    }


def test_the_known_answers_of_rolls() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| `([1-6]+)` \|$", PAGE, re.MULTILINE)
    roll = program()["roll"]
    assert len(rows) == 6
    for number, seat, draw, dice, faces in rows:
        place = RollPlace(int(number), int(seat), int(draw))
        assert "".join(map(str, DEALER.roll(place, int(dice)))) == faces
        key = make_chain(SECRET)[place.round_number].key
        assert "".join(map(str, roll(key, "evening-7", DEALER.seeds, *place, int(dice)))) == faces


def test_the_program_proves_a_game_and_finds_a_false_die(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = export(
        with_names(
            fair_bluff(DEALER, Ruleset(), ["anna", "björn"], Random(1)), [bytes(16), bytes(16)]
        )
    )
    file = tmp_path / "game.json"
    file.write_bytes(line)
    exec(block("game"), program())
    game = json.loads(line)
    hand = game["rounds"][1]["dealt"][0]
    game["rounds"][1]["dealt"][0] = ("2" if hand[0] == "1" else "1") + hand[1:]
    file.write_text(json.dumps(game), encoding="utf-8")
    with pytest.raises(AssertionError, match="round 1, seat 0"):
        exec(block("game"), program())
    game["proof"]["links"][0]["key"] = "00" * 32
    file.write_text(json.dumps(game), encoding="utf-8")
    with pytest.raises(AssertionError, match="link 0"):
        exec(block("game"), program())
