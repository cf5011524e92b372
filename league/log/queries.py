"""The log as it is exported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from django.db import connection

from engine.record.canonical import canonical_json
from league.log.chain import entry_json
from league.log.models import LogHead

PORTION: Final = 500
"""Entries that are in memory at once."""


def log_portions(club_id: int) -> Iterator[bytes]:
    """A club's log as JSON Lines (`league.log.chain`), many at a time, up to where it ends when the first is read."""
    head = LogHead.objects.select_related("club").get(club=club_id)
    yield canonical_json({"club": head.club.public_id}) + b"\n"
    for first in range(1, head.position + 1, PORTION):
        yield b"".join(_entry_lines(club_id, first, min(first + PORTION - 1, head.position)))


def log_end(club_id: int) -> int:
    """The position at which a club's log ends."""
    return LogHead.objects.values_list("position", flat=True).get(club=club_id)


def _entry_lines(club_id: int, first: int, last: int) -> Iterator[bytes]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT position, action, subject, payload, names, account.public_id, request_id, reason, at, digest"
            " FROM league_logentry LEFT JOIN league_user account ON account.id = actor_id"
            " WHERE club_id = %s AND position BETWEEN %s AND %s ORDER BY position",
            [club_id, first, last],
        )
        for position, action, subject, payload, names, actor, request, reason, at, digest in cursor.fetchall():
            entry = entry_json(
                position=position,
                action=action,
                subject=subject,
                payload=json.loads(payload),
                actor=actor,
                request=request,
                reason=reason,
                at=at,
            )
            beside = {"names": json.loads(names)} if names else {}
            yield canonical_json(entry | {"digest": bytes(digest).hex()} | beside) + b"\n"
