"""The canonical form of a log's entries is frozen: the digests of entries made once stand here, and
no change moves them."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from engine.record.club_log import commitment, entry_json, first_digest, next_digest, verify_log

SALT = bytes(range(16))
WHY = "Anna could not come."
VENUE = "At Anna’s"
AT = datetime(2026, 3, 1, 18, 30, tzinfo=UTC)
OLD: dict[str, Any] = {
    "action": "event.changed",
    "subject": "k3xq8m2wpd",
    "payload": {"before": {"venue": "Club room"}, "after": {"venue": VENUE}},
    "reason": WHY,
}
"""As entries were before words that people write freely stood beside them."""
NEW: dict[str, Any] = {
    "action": "event.changed",
    "subject": "k3xq8m2wpd",
    "payload": {
        "before": {},
        "after": {},
        "venue_after": commitment(SALT, VENUE),
        "reason": commitment(SALT, WHY),
    },
    "reason": "",
}
NAMES = {"venue_after": [SALT.hex(), VENUE], "reason": [SALT.hex(), WHY]}
GOLDEN = [
    "c332ae4e4dc6c69d3732c1ff72ac7e726a06b24656ab5aef1a5a0f38a0f77b9e",
    "4a8dab21bc1d5e16d1f7d653bfb51d91eccb06540bb41049ce6e14ee16adf319",
]


def exported(names: object = NAMES) -> list[dict[str, Any]]:
    """A log of an entry of old and a new one, with the words beside it."""
    rows: list[dict[str, Any]] = [{"club": "2wpdk3xq8m"}]
    digest = first_digest("2wpdk3xq8m")
    for position, parts in enumerate((OLD, NEW), start=1):
        entry = entry_json(position=position, actor=None, request="", at=AT, **parts)
        digest = next_digest(digest, entry)
        rows.append({**entry, "digest": digest.hex()})
    if names is not None:
        rows[2]["names"] = names
    return rows


def code(rows: list[dict[str, Any]]) -> str:
    error = verify_log(json.dumps(row).encode() for row in rows).error
    return error.code if error else ""


def test_digests_are_those_of_old() -> None:
    assert [row["digest"] for row in exported()[1:]] == GOLDEN


@pytest.mark.parametrize("names", [NAMES, {"reason": NAMES["reason"]}, {}, None])
def test_entries_verify_with_their_words_with_some_and_without(names: object) -> None:
    assert code(exported(names)) == ""


@pytest.mark.parametrize("place", ["venue_after", "reason"])
def test_another_word_or_another_salt_is_found(place: str) -> None:
    assert code(exported(NAMES | {place: [SALT.hex(), "Ben"]})) == "name_mismatch"
    assert code(exported(NAMES | {place: [bytes(16).hex(), NAMES[place][1]]})) == "name_mismatch"


def test_a_text_of_old_is_sealed_as_it_was_written() -> None:
    rows = exported()
    rows[1]["reason"] = ""
    assert code(rows) == "digest_mismatch"
