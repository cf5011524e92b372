"""ERASURES_FILE: the ids of erased people, kept outside the database, so that a restored backup can
forget them again.

It has one word a line: the public id of a player or an account, or the lasting name of a guest's
seat. None is a personal name. Readers skip words that they don't know."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import transaction


def erasures_keep(words: Iterable[str]) -> None:
    """Add words to ERASURES_FILE once the caller's transaction is committed.

    Raise `OSError` at once if the file can't be written: then nobody may be erased."""
    erasures_note(())
    transaction.on_commit(partial(erasures_note, list(words)))


def erasures_note(words: Iterable[str]) -> None:
    """Append words to ERASURES_FILE and sync it to disk. Raise `OSError`."""
    lines = "".join(f"{word}\n" for word in sorted(words))
    with open(
        os.open(settings.ERASURES_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "a"
    ) as file:
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())


def erasures_read(*files: Path) -> set[str]:
    """Return the words in these files; a missing file has none."""
    return {word for file in files if file.exists() for word in file.read_text().split()}
