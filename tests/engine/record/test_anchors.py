"""What was noted down of a game tells it from every other one; and what isn't known is said."""

from dataclasses import replace
from typing import Any

import pytest

from engine.record.anchors import Anchors, read_heads
from engine.record.canonical import digests
from engine.record.export import export
from engine.record.names import Name
from engine.record.record import Record
from engine.record.verify import verify_line
from engine.record.write import write
from tests.engine.record.build import bids, challenged, dealt, game, lost, named, record
from tests.engine.record.fair import bluff, kniffel

HEAD = digests(bluff())[-1]
PROOF = bluff().proof
OTHER = bytes(32)


def fault(record: Record, **anchors: Any) -> str | None:
    """The code of what isn't as it was noted down, if anything."""
    error = verify_line(export(record), Anchors(**anchors)).error
    return error.code if error else None


def unchecked(record: Record, **anchors: Any) -> list[str]:
    line = export(record) if record.names else write(record).encode()
    return list(verify_line(line, Anchors(**anchors)).not_checked)


def said(words: str, sentences: list[str]) -> bool:
    return any(words in sentence for sentence in sentences)


def test_a_head_that_was_noted_down_is_of_one_game_alone() -> None:
    assert fault(bluff(), head=HEAD) is None
    assert fault(bluff(2), head=HEAD) == "head_mismatch"
    assert fault(replace(bluff(), table="7"), head=HEAD) == "head_mismatch"


def test_what_brings_no_names_has_no_head() -> None:
    error = verify_line(
        write(record(game(bids("4x2", count=5)))).encode(), Anchors(head=HEAD)
    ).error
    assert error is not None
    assert (error.code, error.path) == ("head_mismatch", "names")


def test_a_commitment_that_was_noted_down_is_that_of_the_proof() -> None:
    assert PROOF is not None
    assert fault(bluff(), commitment=PROOF.commitment) is None
    assert fault(bluff(), commitment=OTHER) == "commitment_mismatch"
    assert (
        fault(named(game(bids("4x2", count=5))), commitment=PROOF.commitment)
        == "commitment_mismatch"
    )


def test_a_list_of_heads_has_every_game() -> None:
    heads = {bluff().record_id: HEAD}
    assert fault(bluff(), heads=heads) is None
    assert fault(replace(bluff(), table="7"), heads=heads) == "head_mismatch"
    assert fault(bluff(2), heads=heads) == "head_missing"


WITHOUT = {
    "dice": export(replace(bluff(), proof=None)),
    "digests": write(bluff()).encode(),
    "seal": write(replace(bluff(), digests=tuple(digests(bluff())))).encode(),
}
"""Lines that lack one proof, at least."""


@pytest.mark.parametrize("missing", WITHOUT)
def test_what_is_required_must_be_proved(missing: str) -> None:
    assert verify_line(WITHOUT[missing]).ok
    error = verify_line(WITHOUT[missing], Anchors(required=("rules", missing))).error
    assert error is not None
    assert (error.code, error.message) == ("not_proved", f"the record doesn't prove: {missing}")
    assert fault(bluff(), required=("rules", "dice", "digests", "seal")) is None


def test_a_list_of_heads_has_a_line_for_each_game() -> None:
    lines = [
        "# of Herbstliga\n",
        "\n",
        f"{'ab' * 32} a game # 5\r\n",
        f"{'cd' * 32}  two\u2028blanks \n",
    ]
    assert read_heads(lines) == {
        "a game # 5": bytes.fromhex("ab" * 32),
        " two\u2028blanks ": bytes.fromhex("cd" * 32),
    }


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (["ab g"], "line 1 isn't a head"),
        ([f"{'ab' * 32}"], "line 1 isn't a head"),
        (["", f"{'zz' * 32} g"], "line 2 isn't a head"),
        ([f"{'ab' * 32} {'g' * 65}"], "line 1 isn't a head"),
        ([f"{'ab' * 32} g", f"{'cd' * 32} g"], "line 2 names the game g a second time"),
    ],
)
def test_another_line_is_named(lines: list[str], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        read_heads(lines)


def test_everything_noted_down_and_told_leaves_nothing_unchecked() -> None:
    assert PROOF is not None
    assert unchecked(bluff(), head=HEAD, commitment=PROOF.commitment) == []
    assert unchecked(bluff(), heads={bluff().record_id: HEAD}, commitment=PROOF.commitment) == []


def test_without_a_head_nothing_says_which_game_was_played() -> None:
    assert PROOF is not None
    (sentence,) = unchecked(bluff(), commitment=PROOF.commitment)
    assert "Nothing proves that this is the game that was played" in sentence
    (sentence,) = unchecked(bluff(), head=HEAD)
    assert "Nothing proves that the commitment was known before the first roll" in sentence


def test_a_proof_without_links_and_no_proof_are_told_apart() -> None:
    assert PROOF is not None
    promised = replace(bluff(), proof=replace(PROOF, links=None))
    assert said("reveals no links yet", unchecked(promised))
    assert said("no proof of its dice", unchecked(named(game(bids("4x2", count=5)))))


def test_a_bare_record_is_said_to_bring_nothing() -> None:
    sentences = unchecked(record(game(bids("4x2", count=5))))
    for words in ("no names", "no proof", "no digests", "no seal"):
        assert said(f"has {words}", sentences)


def test_what_the_levels_of_detail_leave_out_is_counted() -> None:
    rounds = [
        dealt("4x2", "!"),
        bids("4x2", count=5),
        lost(0, 1, 0),
        challenged("4x2", 0, 1, 5, opener=0),
    ]
    sentences = unchecked(record(game(*rounds)))
    assert said("For 3 of 4 rounds the dice aren't given", sentences)
    assert said("For 2 of 4 rounds not all bids are given", sentences)
    assert not said("rounds", unchecked(bluff()))


def test_dice_that_nobody_asked_to_see_are_counted() -> None:
    turns = kniffel().rounds
    secret = sum(not turn.doubters for turn in turns)
    assert said(f"For {secret} of {len(turns)} turns, which nobody doubted", unchecked(kniffel()))
    shown = replace(
        kniffel(), rounds=tuple([turn._replace(rolls=()) for turn in turns]), proof=None
    )
    assert said(
        f"For {len(turns) - secret} of {len(turns)} turns only the dice shown are given",
        unchecked(shown),
    )


def test_a_name_without_its_salt_is_said_to_be_no_proof_of_anybody() -> None:
    names = bluff().names
    assert names is not None
    erased = Name(commitment=names[0].sealed(bluff().seats[0]))
    forgotten = replace(bluff(), seats=("somebody", *bluff().seats[1:]), names=(erased, *names[1:]))
    assert fault(forgotten, head=HEAD) is None
    assert said(f"For 1 of {len(names)} seats nobody can check the name", unchecked(forgotten))
