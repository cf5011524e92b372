import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.record.canonical import canonical_header, canonical_rounds, digests, next_digest
from engine.record.names import Name
from tests.engine.record.build import (
    SALTS,
    bids,
    challenged,
    dealt,
    game,
    left,
    lost,
    named,
    record,
    revealed,
)
from tests.engine.record.simulated import random_game

ANNA, BEA = (
    Name(salt).sealed(handle).hex() for salt, handle in zip(SALTS, ["anna", "bea"], strict=False)
)


def test_a_header_tells_all_rules_and_the_optional_keys_that_are_there() -> None:
    written = game(seats=2, result={"rank": [1, 2]}) | {"table": "Ö 1"}
    assert canonical_header(named(written)).decode() == (
        '{"game":"bluff","id":"g","opener":0,'
        '"rules":{"dice":5,"exact":"all","reroll":false,"scoring":"placement"},'
        f'"seats":["{ANNA}","{BEA}"],"table":"Ö 1","v":1}}'
    )


def test_a_round_tells_the_facts_of_its_level_alone() -> None:
    written = game(
        dealt("4x2/51>45*", "!", hands=["51*34", "2245*", "*3311"], losses=[1, 0, 0], opener=0),
        revealed("4x2", "!", hands=["5123", "2245*", "*3311"], opener=1),
        bids("4x2", count=5),
        lost(0, 0, 1),
        left(2, 0, opener=1),
        bids("4x2", count=5, opener=1),
        bids("4x2", count=5, opener=1),
        challenged("4x2", 1, 2, 5),
        left(2, 1, void=True, moves=["4x2/21"]),
    )
    assert [line.decode() for line in canonical_rounds(record(written))] == [
        '{"dealt":["1345*","2245*","1133*"],"moves":["4x2/15>45*","!"]}',
        '{"moves":["4x2","!"],"revealed":["1235","2245*","1133*"]}',
        '{"count":5,"moves":["4x2","!"]}',
        '{"losses":[0,0,1]}',
        '{"forfeit":[0,2],"opener":1}',
        '{"count":5,"moves":["4x2","!"]}',
        '{"count":5,"moves":["4x2","!"]}',
        '{"bidder":1,"challenger":2,"count":5,"moves":["4x2","!"]}',
        '{"forfeit":[1,2],"moves":["4x2/12"],"void":true}',
    ]


def test_anybody_can_recompute_the_digests() -> None:
    chain = digests(named(game(bids("4x2", count=5), seats=2)))
    rules = {"exact": "all", "reroll": False, "dice": 5, "scoring": "placement"}
    header = {"v": 1, "id": "g", "game": "bluff", "rules": rules, "seats": [ANNA, BEA], "opener": 0}
    text = json.dumps(header, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    first = sha256(b"cups-up/1\n" + text.encode()).digest()
    assert chain == [first, sha256(first + b'{"count":5,"moves":["4x2","!"]}').digest()]
    assert chain[1] == next_digest(first, b'{"count":5,"moves":["4x2","!"]}')


def test_the_same_game_written_differently_has_the_same_digests() -> None:
    short = game(dealt("4x2/1>1234", "!", hands=["12345", "2245*", "1133*"]), reroll=True)
    long = game(
        dealt("4x2/1>4321", "!", hands=["54321", "*5422", "13*13"], losses=[0, 1, 0], opener=0),
        reroll=True,
        exact="all",
        dice=5,
        scoring="placement",
    )
    assert digests(named(short)) == digests(named(long))


@given(st.integers())
def test_another_round_gives_another_digest_from_there_on(seed: int) -> None:
    written = random_game(seed)
    chain = digests(named(written))
    assert len(set(chain)) == len(written["rounds"]) + 1
    assert digests(named(written | {"rounds": written["rounds"][:-1]})) == chain[:-1]
    assert digests(named(written | {"id": "other"}))[-1] != chain[-1]


@pytest.mark.parametrize("round_", [{"note": 1}, bids("4x2", "4x9", count=5)])
def test_a_round_that_cannot_be_read_has_no_canonical_form(round_: object) -> None:
    with pytest.raises(ValueError, match=r"rounds\[0\]"):
        digests(named(game(round_)))
