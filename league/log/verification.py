"""All that is false of a club's log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.contrib.auth import get_user_model

from engine.record.club_log import commitment, first_digest, next_digest
from games.domain.difference import Difference
from league.log.models import LogEntry, LogHead
from league.log.services import entry_of


def log_differences(club_id: int, club: str) -> Iterator[Difference]:
    """Entries that are missing, out of turn or changed, and an end that isn't the log's; `club` is the public id."""
    actors = LogEntry.objects.filter(club=club_id).values("actor")
    accounts = dict(get_user_model().objects.filter(pk__in=actors).values_list("pk", "public_id"))
    position, digest = 0, first_digest(club)
    for entry in LogEntry.objects.filter(club=club_id).order_by("position").iterator(2000):
        position += 1
        if entry.position != position:
            yield Difference("log", str(position), "position", entry.position, position)
            position = entry.position
        digest = next_digest(digest, entry_of(entry, accounts.get(entry.actor_id) if entry.actor_id else None))
        if bytes(entry.digest) != digest:
            yield Difference("log", str(position), "digest", bytes(entry.digest).hex(), digest.hex())
            digest = bytes(entry.digest)  # so that one changed entry is named, and not all that follow
        yield from _names(entry)
    head = LogHead.objects.get(club=club_id)
    if (head.position, bytes(head.digest)) != (position, digest):
        yield Difference("log", "end", "position", head.position, position)


def _names(entry: LogEntry) -> Iterator[Difference]:
    """The names beside an entry are those that it has sealed commitments to."""
    payload: dict[str, Any] = json.loads(entry.payload)
    for place, (salt, word) in (entry.names or {}).items():
        if payload.get(place) != commitment(bytes.fromhex(salt), word):
            yield Difference("log", str(entry.position), f"names.{place}", word, "the name that was sealed")
