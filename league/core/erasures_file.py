"""ERASURES_FILE: the ids of erased people, kept outside the database, so that a restored backup can
forget them again.

It has one id a line: the public id of a player or an account, or the lasting name of a guest's
seat. None is a personal name. Readers skip ids that they don't know."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import transaction


def erasures_keep(erased_ids: Iterable[str]) -> None:
    """Add ids to ERASURES_FILE once the caller's transaction is committed.

    Raise `OSError` at once if the file can't be written: then nobody may be erased.
    """
    erasures_note([])  # raises now if the file can't be written
    transaction.on_commit(partial(erasures_note, list(erased_ids)))


def erasures_note(erased_ids: Iterable[str]) -> None:
    """Append ids to ERASURES_FILE and sync it to disk. Raise `OSError` if the file can't be
    written."""
    lines = "".join(f"{erased_id}\n" for erased_id in sorted(erased_ids))
    with open(
        os.open(settings.ERASURES_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a"
    ) as file:
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())


def erasures_read(*files: Path) -> set[str]:
    """Return the ids in these files; a missing file has none."""
    return {erased_id for file in files if file.exists() for erased_id in file.read_text().split()}
