"""The chain of digests of a club's log. Anybody can recompute it from an export with SHA-256 and a JSON library.

An entry's canonical form is an object of `position`, `action`, `subject`, `payload`, `actor`, `request`, `reason` and
`at`, written as JSON with sorted keys, without white space, in UTF-8. Its digest is SHA-256 of the 32 bytes of the
digest before it and this form; the first one follows SHA-256 of `cups-up/log/1`, a line feed and the club's public id.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from engine.record.canonical import canonical_json


def first_digest(club: str) -> bytes:
    """What the first entry of a club's log follows; `club` is the public id."""
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
    """What an entry says instead of somebody's name: SHA-256 of the salt and the name, in hexadecimal."""
    return sha256(b"cups-up/name/1\n" + salt + word.encode()).hexdigest()
