"""ERASURES_FILE: who was erased, kept beside the database, so that a backup from before can be
told.

It has one word a line: the public id of a player or an account, or what names the seat of a guest.
None tells a name. Who reads it passes over words that it doesn't know."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import transaction


def erasures_keep(words: Iterable[str]) -> None:
    """Add words to ERASURES_FILE once the caller's transaction is committed.

    Nobody is erased of whom the file can't be told: raises `OSError` at once where it can't be
    written."""
    erasures_note(())
    transaction.on_commit(partial(erasures_note, list(words)))


def erasures_note(words: Iterable[str]) -> None:
    """Add words to ERASURES_FILE, down to the disk. Raises `OSError`."""
    lines = "".join(f"{word}\n" for word in sorted(words))
    with open(
        os.open(settings.ERASURES_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a"
    ) as file:
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())


def erasures_read(*files: Path) -> set[str]:
    """Return the words in these files; a file that isn't there has none."""
    return {word for file in files if file.exists() for word in file.read_text().split()}
