"""The chain of digests of a club's log. Anybody can recompute it from an export with SHA-256 and a
JSON library.

An entry's canonical form is an object of `position`, `action`, `subject`, `payload`, `actor`,
`request`, `reason` and `at`, written as JSON with sorted keys, without white space, in UTF-8. Its
digest is SHA-256 of the 32 bytes of the digest before it and this form; the first one follows
SHA-256 of `cups-up/log/1`, a line feed and the club's public id.

An export is JSON Lines: first the `club`, then each entry with its `digest` and, beside what is
sealed, those `names` that aren't forgotten: {place in the payload: [salt, word]}."""

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
    """Return what the first entry of a club's log follows; `club` is the public id."""
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
    """The entry as it is sealed and exported; `actor` is the public id of an account."""
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
    """The digest after one more entry, given as `entry_json` has it."""
    return sha256(digest + canonical_json(dict(entry))).digest()


def commitment(salt: bytes, word: str) -> str:
    """Return what an entry says instead of somebody's name: SHA-256 of the salt and the name, in
    hexadecimal."""
    return sha256(b"cups-up/name/1\n" + salt + word.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class LogVerdict:
    """How many entries of an export follow from one another, and the digest after the last of them,
    in hexadecimal.

    `error` is the first thing that is false: `bad_log`, `out_of_turn`, `digest_mismatch`,
    `name_mismatch`, or `head_missing`: no entry has the digest that was noted. `club` is the public
    id of the club whose log it says it is."""

    entries: int
    head: str
    error: Illegal | None = None
    club: str = ""


def verify_log(lines: Iterable[bytes], noted: bytes | None = None) -> LogVerdict:
    """The verdict on an export of a log, line by line. `noted` is the digest of an entry, as
    somebody wrote it down.

    Only that tells whether all was written anew, or the end cut off.
    """
    entries, digest, is_there = 0, b"", noted is None
    club = ""
    try:
        for number, line in enumerate(lines):
            value = json.loads(line)
            if number == 0:
                digest = first_digest(value["club"])
                club = value["club"]
                continue
            sealed = {key: part for key, part in value.items() if key not in ("digest", "names")}
            follows, names = next_digest(digest, sealed), value.get("names") or {}
            wrong = _wrong(value, number, follows, names)
            if wrong:
                return LogVerdict(entries, digest.hex(), wrong, club)
            entries, digest = number, follows
            is_there |= digest == noted
    except (ValueError, KeyError, TypeError, AttributeError):
        return LogVerdict(
            entries,
            digest.hex(),
            Illegal("bad_log", say("line {line} is no entry of a log", line=entries + 2)),
            club,
        )
    if not digest:
        return LogVerdict(0, "", Illegal("bad_log", say("there is no line that names the club")))
    if not is_there:
        return LogVerdict(
            entries,
            digest.hex(),
            Illegal("head_missing", say("no entry has the digest that you noted down")),
            club,
        )
    return LogVerdict(entries, digest.hex(), club=club)


def _wrong(
    value: Mapping[str, Any], number: int, follows: bytes, names: Mapping[str, Any]
) -> Illegal | None:
    """Return what is false of the entry that should be the one of this number, with this digest."""
    if value["position"] != number:
        return Illegal(
            "out_of_turn", say("entry {number} is missing, or not in its place", number=number)
        )
    if value["digest"] != follows.hex():
        return Illegal(
            "digest_mismatch",
            say("entry {number} doesn't follow from those before it", number=number),
        )
    for place, (salt, word) in names.items():
        if value["payload"][place] != commitment(bytes.fromhex(salt), word):
            return Illegal(
                "name_mismatch",
                say("entry {number} seals another word as its {place}", number=number, place=place),
            )
    return None
