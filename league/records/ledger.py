"""All that the log tells of photos of sheets."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from league.log.ledger import Ledger, LedgerEntry, Noun, plain
from league.records.actions import PhotoAction
from league.records.models import Photo

COLUMNS: Final = ("game", "digest", "by", "added_at", "content")


def _photos(club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    rows = Photo.objects.filter(game__season_game__season__club=club_id)
    columns = ("game__public_id", "digest", "added_by__public_id", "added_at", "content")
    for public_id, game, digest, account, added_at, content in rows.values_list("public_id", *columns).iterator(10):
        picture = sha256(content).hexdigest() if content else None
        yield public_id, (game, bytes(digest).hex(), account, plain(added_at), picture)


def _added(ledger: Ledger, entry: LedgerEntry) -> None:
    row = {**entry.payload, "added_at": plain(entry.at), "content": entry.payload["digest"]}
    ledger.rows("photo")[entry.subject] = row


def _removed(ledger: Ledger, entry: LedgerEntry) -> None:
    ledger.rows("photo").setdefault(entry.subject, {})["content"] = None


NOUNS: Final = (Noun("photo", COLUMNS, _photos, {PhotoAction.ADDED: _added, PhotoAction.REMOVED: _removed}),)
