"""All that the log tells of photos of sheets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db.migrations.state import StateApps
from django.db.models import BinaryField, F, Func, Value
from django.db.models.functions import NullIf

from league.migrations.replay.ledger import Noun, note, plain, put

COLUMNS: Final = ("game", "digest", "by", "added_at", "content")


def _photos(apps: StateApps, club_id: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Photos with the digests of their pictures, which the database computes: no picture is sent for it."""
    rows = apps.get_model("league", "Photo")._base_manager.filter(game__season_game__season__club=club_id)
    picture = Func(NullIf(F("content"), Value(b"")), function="sha256", output_field=BinaryField())
    columns = ("game__public_id", "digest", "added_by__public_id", "added_at")
    for public_id, game, digest, account, added_at, content in rows.values_list("public_id", *columns, picture):
        yield (
            public_id,
            (game, bytes(digest).hex(), account, plain(added_at), bytes(content).hex() if content else None),
        )


NOUNS: Final = (
    Noun(
        "photo",
        COLUMNS,
        _photos,
        {
            "photo.added": put(
                "photo",
                lambda entry: {**entry.payload, "added_at": plain(entry.at), "content": entry.payload["digest"]},
            ),
            "photo.removed": note("photo", content=lambda entry: None),
        },
    ),
)
