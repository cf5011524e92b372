"""The chain of digests of a club's log, which anybody can recompute from an export.

An entry's canonical form is an object of `position`, `action`, `subject`, `payload`, `actor`,
`request`, `reason` and `at`, written as JSON with sorted keys, without white space, in UTF-8. Its
digest is SHA-256 of the 32 bytes of the digest before it and this form. The first entry follows
SHA-256 of `cups-up/log/1`, a line feed and the club's public id.

An export is JSON Lines: first the `club`, then each entry with its `digest`. Outside the seal an
entry also has those of its `names` that aren't forgotten: {place in the payload: [salt, word]}.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from engine.illegal import Illegal
from engine.messages import say
from engine.record.canonical import canonical_json


def first_digest(club: str) -> bytes:
    """Return the digest that the first entry of a club's log follows; `club` is the public id."""
    return sha256(b"cups-up/log/1\n" + club.encode()).digest()


def entry_json(
    *,
    position: int,
    action: str,
    subject: str,
    payload: Mapping[str, Any],
    actor: str | None,
    request: str,
    reason: str,
    at: datetime,
) -> dict[str, Any]:
    """Return the entry as sealed and exported; `actor` is the public id of an account."""
    return {
        "position": position,
        "action": action,
        "subject": subject,
        "payload": dict(payload),
        "actor": actor,
        "request": request,
        "reason": reason,
        "at": at.astimezone(UTC).isoformat(timespec="microseconds"),
    }


def next_digest(digest: bytes, entry: Mapping[str, Any]) -> bytes:
    """Return the digest after one more entry, in the form of `entry_json`."""
    return sha256(digest + canonical_json(dict(entry))).digest()


def commitment(salt: bytes, word: str) -> str:
    """Return what an entry has in place of a name or another word that can be forgotten: SHA-256 of
    the salt and the word, in hexadecimal."""
    return sha256(b"cups-up/name/1\n" + salt + word.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class LogVerdict:
    """The verdict on an export of a club's log.

    `entries` is the number of entries that form a chain, and `head` the digest of the last one in
    hexadecimal. `error` is the first fault: `bad_log`, `out_of_turn`, `digest_mismatch`,
    `name_mismatch`, or `head_missing` if no entry has the noted digest. `club` is the public id of
    the club that the export names.
    """

    entries: int
    head: str
    error: Illegal | None = None
    club: str = ""


def verify_log(lines: Iterable[bytes], noted: bytes | None = None) -> LogVerdict:
    """Return the verdict on an export of a log, line by line.

    `noted` is the digest of an entry that somebody wrote down. Only such a digest can show that the
    whole log was rewritten, or its end cut off.
    """
    entries = 0
    digest = b""
    noted_exists = noted is None
    club = ""
    try:
        for number, line in enumerate(lines):
            value = json.loads(line)
            if number == 0:
                digest = first_digest(value["club"])
                club = value["club"]
                continue
            sealed = {key: part for key, part in value.items() if key not in ("digest", "names")}
            following = next_digest(digest, sealed)
            names = value.get("names") or {}
            wrong = _wrong_entry(value, number, following, names)
            if wrong:
                return LogVerdict(entries, digest.hex(), wrong, club)
            entries = number
            digest = following
            if digest == noted:
                noted_exists = True
    except (ValueError, KeyError, TypeError, AttributeError):
        unreadable = Illegal(
            "bad_log", say("line {line} isn't an entry of a log", line=entries + 2)
        )
        return LogVerdict(entries, digest.hex(), unreadable, club)

    if not digest:
        return LogVerdict(0, "", Illegal("bad_log", say("no line names the club")))
    if not noted_exists:
        missing = Illegal("head_missing", say("no entry has the digest that you noted down"))
        return LogVerdict(entries, digest.hex(), missing, club)
    return LogVerdict(entries, digest.hex(), club=club)


def _wrong_entry(
    value: Mapping[str, Any], number: int, digest: bytes, names: Mapping[str, Any]
) -> Illegal | None:
    """Return the fault of an exported entry.

    `number`, `digest`: those that it should have. `names`: by place in the payload, the salt and
    the word that it seals."""
    if value["position"] != number:
        return Illegal(
            "out_of_turn", say("entry {number} is missing, or not in its place", number=number)
        )
    if value["digest"] != digest.hex():
        return Illegal(
            "digest_mismatch",
            say("entry {number} doesn't follow from those before it", number=number),
        )
    for place, (salt, word) in names.items():
        if value["payload"][place] != commitment(bytes.fromhex(salt), word):
            return Illegal(
                "name_mismatch",
                say(
                    "entry {number} seals a different text as its {place}",
                    number=number,
                    place=place,
                ),
            )
    return None
