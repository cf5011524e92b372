"""Checks of a club's log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from django.contrib.auth import get_user_model

from engine.record.canonical import canonical_json
from engine.record.club_log import commitment, first_digest, next_digest
from games.domain.difference import Checkpoint, Difference, VerifiedBatch
from league.core.log.models import LogEntry, LogHead
from league.core.log.queries import entry_of

ENTRIES: Final = 2000
"""Entries that are verified in one batch."""


def verify_log_entries(club_id: int, club: str, checkpoint: Checkpoint) -> VerifiedBatch:
    """Verify the next batch of a log's entries: find missing, changed and misplaced entries, and
    after the last batch whether the log's end is the last entry's. `club` is the public id.

    Each entry is checked against the stored digest of the entry before it.
    """
    position = checkpoint.get("position", 0)
    entries = list(
        LogEntry.objects.filter(club=club_id, position__gt=position).order_by("position")[:ENTRIES]
    )
    entry_before = LogEntry.objects.filter(club=club_id, position=position)
    digest_before = entry_before.values_list("digest", flat=True).first()
    digest = first_digest(club) if digest_before is None else bytes(digest_before)
    actor_ids = {entry.actor_id for entry in entries if entry.actor_id}
    accounts = dict(
        get_user_model().objects.filter(pk__in=actor_ids).values_list("pk", "public_id")
    )

    differences: list[Difference] = []
    for entry in entries:
        position += 1
        if entry.position != position:
            differences.append(
                Difference("log", str(position), "position", entry.position, position)
            )
            position = entry.position
        account = accounts.get(entry.actor_id) if entry.actor_id else None
        digest = next_digest(digest, entry_of(entry, account))
        stored_digest = bytes(entry.digest)
        if stored_digest != digest:
            differences.append(
                Difference("log", str(position), "digest", stored_digest.hex(), digest.hex())
            )
            digest = stored_digest  # so that only the changed entry is named, not all after it
        differences += _unsealed_names(entry)
        differences += _uncanonical_payload(entry)
    if len(entries) == ENTRIES:
        return VerifiedBatch(differences, {"position": position})

    head = LogHead.objects.get(club=club_id)
    if (head.position, bytes(head.digest)) != (position, digest):
        differences.append(Difference("log", "end", "position", head.position, position))
    return VerifiedBatch(differences, None)


def log_differences(club_id: int, club: str) -> Iterator[Difference]:
    """Yield all differences in a log, in the order of its entries. `club` is the public id."""
    checkpoint: Checkpoint | None = {}
    while checkpoint is not None:
        differences, checkpoint = verify_log_entries(club_id, club, checkpoint)
        yield from differences


def _uncanonical_payload(entry: LogEntry) -> Iterator[Difference]:
    canonical = canonical_json(json.loads(entry.payload)).decode()
    if entry.payload != canonical:
        yield Difference("log", str(entry.position), "payload", entry.payload, canonical)


def _unsealed_names(entry: LogEntry) -> Iterator[Difference]:
    payload: dict[str, Any] = json.loads(entry.payload)
    for place, (salt, text) in (entry.names or {}).items():
        if payload.get(place) != commitment(bytes.fromhex(salt), text):
            yield Difference(
                "log", str(entry.position), f"names.{place}", text, "the name that was sealed"
            )
