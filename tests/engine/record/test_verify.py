"""What a record proves, and that nothing of it can be changed unnoticed."""

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.dice.chain import head_before
from engine.record.canonical import digests
from engine.record.check import check, check_line
from engine.record.export import export
from engine.record.record import Record
from engine.record.verify import verify, verify_line
from engine.record.write import write
from tests.engine.record.build import bids, dealt, game, left, named, record
from tests.engine.record.fair import bluff, dealer, kniffel
from tests.engine.record.simulated import random_game

ALL = ("rules", "dice", "digests", "seal")


def canonical(exported: dict[str, Any]) -> bytes:
    return json.dumps(exported, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sealed(exported: dict[str, Any]) -> bytes:
    """The line of an export with a seal of its own, as a forger would write it."""
    rest = {key: value for key, value in exported.items() if key != "seal"}
    return canonical(rest | {"seal": sha256(b"cups-up/export/1\n" + canonical(rest)).hexdigest()})


def fault(line: bytes) -> dict[str, Any]:
    answer = verify_line(line).as_json()
    assert answer["ok"] is False
    error = answer["error"]
    assert isinstance(error, dict)
    return {key: value for key, value in error.items() if key != "message"}


def forged(record: Record, change: Callable[[dict[str, Any]], object]) -> bytes:
    exported = json.loads(export(record))
    change(exported)
    return sealed(exported)


@given(st.integers(0, 300))
@settings(max_examples=40)
def test_an_export_proves_everything(seed: int) -> None:
    record = kniffel(seed, 2 + seed % 7) if seed % 5 == 0 else bluff(seed)
    verified = verify_line(export(record))
    assert verified.proved == ALL
    head = digests(record)[-1].hex()
    unchecked = list(verified.not_checked)
    assert verified.as_json() == {
        "id": record.record_id,
        "ok": True,
        "head": head,
        "proved": list(ALL),
        "not_checked": unchecked,
    }


def test_the_head_is_the_last_digest_of_whatever_brings_names() -> None:
    plain = game(bids("4x2", count=5))
    assert verify(record(plain)).head is None
    assert verify(named(plain)).head == digests(named(plain))[-1]


def test_a_game_that_breaks_a_rule_has_no_head_and_one_with_a_false_seal_has() -> None:
    exported = json.loads(export(bluff()))
    exported["seal"] = "00" * 32
    assert verify_line(canonical(exported)).as_json()["head"] == exported["digests"][-1]
    exported["rounds"][0]["moves"].insert(0, "!")
    assert verify_line(sealed(exported)).as_json()["head"] is None


def test_anybody_can_recompute_the_seal() -> None:
    line = export(bluff())
    assert sealed(json.loads(line)) == line


def test_an_export_tells_the_facts_in_canonical_form_and_the_result_of_a_game_that_is_over() -> (
    None
):
    exported = json.loads(export(named(game(bids("4x2", count=5, losses=[0, 1, 0])))))
    assert exported["rounds"] == [{"count": 5, "moves": ["4x2", "!"]}]
    assert exported["rules"] == {"dice": 5, "exact": "all", "reroll": False, "scoring": "placement"}
    assert "result" not in exported
    verdict = check(bluff())
    assert verdict.rank is not None
    assert verdict.points is not None
    result = {"rank": list(verdict.rank), "points": list(verdict.points)}
    assert json.loads(export(bluff()))["result"] == result


@given(st.integers())
@settings(max_examples=30)
def test_a_game_without_a_proof_can_be_exported_too(seed: int) -> None:
    assert verify_line(export(named(random_game(seed)))).proved == ("rules", "digests", "seal")


def test_what_is_no_good_record_is_not_exported() -> None:
    with pytest.raises(ValueError, match="does not raise"):
        export(named(game(bids("4x2", "4x2", count=5))))


def test_a_plain_record_proves_its_play_and_what_else_it_tells() -> None:
    plain = named(game(bids("4x2", count=5)))
    assert verify(plain).proved == ("rules",)
    assert verify(replace(plain, digests=tuple(digests(plain)))).proved == ("rules", "digests")
    assert verify_line(write(bluff()).encode()).proved == ("rules", "dice")
    promised = bluff().proof
    assert promised is not None
    assert verify(replace(bluff(), proof=replace(promised, links=None))).proved == ("rules",)


SMALL = bluff(3, seats=2, dice=2, reroll=True)
SMALL_KNIFFEL = replace(kniffel(1, 2), rounds=kniffel(1, 2).rounds[:3])


def short_kniffel() -> Record:
    """The first turns of a game, with as many links."""
    proof = SMALL_KNIFFEL.proof
    assert proof is not None
    assert proof.links is not None
    return replace(SMALL_KNIFFEL, proof=replace(proof, links=proof.links[:3]))


@pytest.mark.parametrize("played", [SMALL, short_kniffel()], ids=["bluff", "kniffel"])
def test_one_byte_changed_anywhere_in_an_export_is_found(played: Record) -> None:
    line = export(played)
    assert verify_line(line).ok
    rng = Random(1)
    for at, byte in enumerate(line):
        for other in {byte ^ 1, byte ^ 0x20, rng.choice(sorted(set(range(256)) - {byte}))}:
            changed = line[:at] + bytes([other]) + line[at + 1 :]
            assert not verify_line(changed).ok, f"byte {at}: {byte:#x} → {other:#x}"


@given(st.data())
@settings(max_examples=60)
def test_a_byte_lost_or_put_in_is_found(data: st.DataObject) -> None:
    line = export(SMALL)
    at = data.draw(st.integers(0, len(line) - 1))
    assert not verify_line(line[:at] + line[at + 1 :]).ok
    assert not verify_line(line[:at] + data.draw(st.binary(min_size=1, max_size=1)) + line[at:]).ok


def test_the_same_json_written_differently_is_not_the_export() -> None:
    small = json.loads(export(SMALL))
    for line in (
        json.dumps(small, sort_keys=True),
        json.dumps(dict(reversed(small.items())), separators=(",", ":")),
    ):
        assert fault(line.encode()) == {"code": "seal_mismatch"}
    small["seal"] = "00" * 32
    assert fault(canonical(small)) == {"code": "seal_mismatch", "path": "seal"}


def unguarded(record: Record, rounds: int) -> dict[str, Any]:
    """The first rounds of a game, with their proof alone."""
    exported = json.loads(export(record))
    del exported["digests"], exported["result"]
    del exported["rounds"][rounds:], exported["proof"]["links"][rounds:]
    return cast(dict[str, Any], exported)


def test_a_false_die_is_named_by_round_seat_and_draw() -> None:
    exported = unguarded(bluff(2, seats=3, dice=7, reroll=False), 2)
    assert verify_line(sealed(exported)).proved == ("rules", "dice", "seal")
    hand = exported["rounds"][1]["dealt"][0]
    exported["rounds"][1]["dealt"][0] = ("2" if hand[0] == "1" else "1") + hand[1:]
    assert fault(sealed(exported)) == {
        "code": "proof_mismatch",
        "round": 1,
        "path": "proof",
        "seat": 0,
        "draw": 0,
    }


def test_a_false_reroll_is_named_by_its_draw() -> None:
    """Two seats take turns, so seat 1 has every other move; it lays out twice."""
    moves: list[str] = []
    seed = 0
    while len([move for move in moves[1::2] if ">" in move]) < 2:
        seed += 1
        exported = unguarded(bluff(seed, seats=2, reroll=True, dice=5), 1)
        moves = exported["rounds"][0]["moves"]
    at = [i for i, move in enumerate(moves) if i % 2 and ">" in move][1]
    bid, _, rolled = moves[at].partition(">")
    moves[at] = f"{bid}>{('2' if rolled[0] == '1' else '1') * len(rolled)}"
    assert fault(sealed(exported)) == {
        "code": "proof_mismatch",
        "round": 0,
        "path": "proof",
        "seat": 1,
        "draw": 2,
    }


def test_another_commitment_is_found_at_the_first_link() -> None:
    line = forged(bluff(), lambda exported: exported["proof"].update(commitment="00" * 32))
    assert fault(line) == {"code": "proof_mismatch", "round": 0, "path": "proof"}


def test_in_luegen_kniffel_it_is_a_turn_that_is_false() -> None:
    line = forged(kniffel(), lambda exported: exported["proof"]["links"].pop())
    assert fault(line) == {
        "code": "proof_mismatch",
        "turn": len(kniffel().rounds) - 1,
        "path": "proof",
    }


def test_a_doubted_turn_tells_its_rolls() -> None:
    exported = json.loads(export(kniffel()))
    at = next(i for i, turn in enumerate(exported["turns"]) if "rolls" in turn)
    shown = exported["turns"][at].pop("rolls")
    kept = "".join([roll.partition(">")[0] for roll in shown[1:]])
    exported["turns"][at]["dice"] = kept + shown[-1].rpartition(">")[2]
    assert check_line(sealed(exported)).ok
    assert fault(sealed(exported)) == {"code": "proof_mismatch", "turn": at, "path": "proof"}


def test_what_nobody_doubted_stays_secret() -> None:
    played = json.loads(export(kniffel()))
    assert all(
        ("key" in link) == ("rolls" in turn)
        for turn, link in zip(played["turns"], played["proof"]["links"], strict=True)
    )
    assert {"key" in link for link in played["proof"]["links"]} == {True, False}


def test_with_a_proof_every_round_of_bluff_is_dealt() -> None:
    proof = dealer(Random(1), 3).proof([True])
    unproved = record(game(bids("4x2", count=5)))
    error = verify(replace(unproved, proof=proof)).error
    assert error is not None
    assert (error.code, error.round_number) == ("proof_mismatch", 0)


def test_who_forfeits_rolls_no_dice_and_uses_up_a_link() -> None:
    rng = Random(1)
    owner = dealer(rng, 3)
    hands = ["".join("12345*"[face - 1] for face in hand) for hand in owner.deal(1, [5, 0, 5])]
    rounds = [left(1), dealt("4x2", hands=[hands[0], "", hands[2]], forfeit=[0], void=True)]
    proved = replace(record(game(*rounds) | {"id": owner.game}), proof=owner.proof([True, True]))
    assert verify(proved).proved == ("rules", "dice")


def test_a_false_digest_is_named_by_its_round() -> None:
    def change(at: int) -> Callable[[dict[str, Any]], object]:
        return lambda whole: whole["digests"].__setitem__(at, "00" * 32)

    assert fault(forged(bluff(), change(0))) == {"code": "digest_mismatch", "path": "digests[0]"}
    assert fault(forged(bluff(), change(1))) == {
        "code": "digest_mismatch",
        "round": 0,
        "path": "digests[1]",
    }
    assert fault(forged(kniffel(), change(3))) == {
        "code": "digest_mismatch",
        "turn": 2,
        "path": "digests[3]",
    }
    assert fault(forged(bluff(), lambda whole: whole["digests"].pop())) == {
        "code": "digest_mismatch",
        "path": "digests",
    }


def test_a_false_result_and_a_false_move_are_found_as_the_checker_finds_them() -> None:
    false = forged(bluff(), lambda exported: exported["result"]["rank"].reverse())
    assert fault(false)["code"] == "result_mismatch"
    assert fault(
        forged(bluff(), lambda exported: exported["rounds"][0]["moves"].insert(0, "!"))
    ) == {
        "code": "no_bid",
        "round": 0,
        "move": 0,
        "path": "rounds[0].moves[0]",
    }


@pytest.mark.parametrize(
    ("line", "id"), [(b"nonsense", None), (b'{"id": "x"}', "x"), (b"[]", None)]
)
def test_what_is_no_record_proves_nothing(line: bytes, id: str | None) -> None:
    answer = verify_line(line).as_json()
    assert (answer["id"], answer["ok"]) == (id, False)


def test_the_commitment_of_a_proof_is_the_head_of_its_first_link() -> None:
    proof = bluff().proof
    assert proof is not None
    assert proof.links is not None
    assert head_before(proof.links[0]) == proof.commitment
