"""Every log says once what rows hold; from here on entries state the rows that they change.

The log of each club is verified before, for the last time by replay, so that nothing is stated that somebody changed
behind its back: where anything differs the club stays as it is, and the migration stops with a list, after the others.
Each club is one transaction, so the migration can be killed and run again: it passes over those that are done.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from django.core.management import CommandError
from django.db import migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.utils import timezone

from engine.record.club_log import commitment, entry_json, first_digest, next_digest
from league.migrations.replay.ledger import ledger_differences, statements
from league.migrations.replay.nouns import NOUNS

SALT: Final = 16
LISTED: Final = 100
"""Differences of a club that are listed."""
VERIFIED: Final = "verified"
"""The key by which an entry says up to which position the log was verified before; null: it began too early for that."""


class LogDiffers(CommandError):
    """What is stored isn't what logs say."""


def state(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """State the rows of each club. Raise `LogDiffers` with a list of what differs, once all others are stated."""
    heads = apps.get_model("league", "LogHead")._base_manager
    differences: list[str] = []
    for club_id in heads.order_by("pk").values_list("pk", flat=True):
        with transaction.atomic(schema_editor.connection.alias):
            head = heads.select_for_update().get(pk=club_id)
            differences += _club_state(apps, head)
    if differences:
        raise LogDiffers(
            "These cells aren't what the logs say. Nothing was changed there. Put back what the log says, or restore a"
            " backup from before, and migrate again:\n" + "\n".join(differences)
        )


def _club_state(apps: StateApps, head: Any) -> list[str]:
    """State the rows of a club; return what differs instead, if anything does."""
    entries = apps.get_model("league", "LogEntry")._base_manager.filter(club=head.pk)
    if entries.filter(action="club.stated", payload__contains=f'"{VERIFIED}":').exists():
        return []
    club = apps.get_model("league", "Club")._base_manager.get(pk=head.pk)
    verified = None
    if head.stated:
        differences = [*islice(_differences(apps, club, head), LISTED)]
        if differences:
            return [f"  club {club.slug}, {line}" for line in differences]
        verified = head.position
    at = timezone.now()
    for number, (payload, words) in enumerate(statements(apps, head.pk, NOUNS)):
        if number == 0:
            payload[VERIFIED] = verified
        _append(apps, head, club, payload, words, at)
    head.stated = True
    head.save()
    return []


def _differences(apps: StateApps, club: Any, head: Any) -> Iterator[str]:
    """Tell everything that is false of a club's log and of the rows that it tells."""
    yield from _chain_differences(apps, club, head)
    for noun, row, column, stored, logged in ledger_differences(apps, club.pk, NOUNS):
        yield f"{noun} {row}, {column}: {stored!r} is stored, the log says {logged!r}"


def _chain_differences(apps: StateApps, club: Any, head: Any) -> Iterator[str]:
    """Tell which entries don't follow from those before them, or seal other words than those beside them."""
    digest = first_digest(club.public_id)
    position = 0
    entries = apps.get_model("league", "LogEntry")._base_manager.filter(club=club.pk)
    for entry in entries.select_related("actor").order_by("position").iterator(500):
        position += 1
        payload = json.loads(entry.payload)
        sealed = entry_json(
            position=position,
            action=entry.action,
            subject=entry.subject,
            payload=payload,
            actor=entry.actor and entry.actor.public_id,
            request=entry.request_id,
            reason=entry.reason,
            at=entry.at,
        )
        digest = next_digest(digest, sealed)
        if bytes(entry.digest) != digest:
            yield f"log {position}, digest: the entry doesn't follow from those before it"
            digest = bytes(entry.digest)
        for place, (salt, word) in (entry.names or {}).items():
            if payload.get(place) != commitment(bytes.fromhex(salt), word):
                yield f"log {position}, {place}: the entry seals another word than the one beside it"
    if (head.position, bytes(head.digest)) != (position, digest):
        yield f"log {head.position}, end: the log ends with entry {position}"


def _append(apps: StateApps, head: Any, club: Any, payload: dict[str, Any], words: dict[str, str], at: Any) -> None:
    """Append an entry as the service does, as nobody in particular."""
    salted = {place: (secrets.token_bytes(SALT), word) for place, word in words.items()}
    sealed = payload | {place: commitment(salt, word) for place, (salt, word) in salted.items()}
    head.position += 1
    row = {"position": head.position, "action": "club.stated", "subject": club.public_id, "reason": "", "at": at}
    head.digest = next_digest(bytes(head.digest), entry_json(payload=sealed, actor=None, request="", **row))
    apps.get_model("league", "LogEntry")._base_manager.create(
        club_id=head.pk,
        payload=json.dumps(sealed, sort_keys=True, separators=(",", ":"), ensure_ascii=False),
        names={place: [salt.hex(), word] for place, (salt, word) in salted.items()} or None,
        digest=head.digest,
        **row,
    )


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("league", "0046_name_keys"), ("games", "0008_kept_beside")]

    operations = [
        migrations.RunPython(state, migrations.RunPython.noop),
        migrations.RemoveField("loghead", "stated"),
    ]
