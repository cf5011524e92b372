"""Forgetting the words stored with log entries. The entries and their digests stay."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from re import Pattern
from typing import Any

from league.core.log.actions import Action
from league.core.log.models import LogEntry, SetAside
from league.core.log.statements import row_of_place
from league.core.log.texts import REASON


def names_beside(club_id: int, subjects: Collection[str]) -> set[str]:
    """Return the texts, names among them, stored beside a club's log entries about these subjects
    (public ids)."""
    entries = LogEntry.objects.filter(club=club_id, subject__in=subjects, names__isnull=False)
    found_names: set[str] = set()
    for names in entries.values_list("names", flat=True):
        for place, (_, text) in (names or {}).items():
            if place != REASON and _stated_row_name(place) in (None, *subjects):
                found_names.add(text)
    return found_names


def entry_texts_forget(club_id: int, action: Action, parts: Collection[str], column: str) -> None:
    """Forget texts of the entries whose payload contains one of the public ids `parts`: all texts
    of entries with this action, but of other entries only this column of the row with that id."""
    entries = LogEntry.objects.filter(club=club_id, names__isnull=False)
    for part in parts:
        rows = entries.filter(payload__contains=part).values_list("position", "action", "names")
        for position, entry_action, names in rows:
            kept_names: dict[str, Any] = {}
            if names is not None and entry_action != action:
                kept_names = _texts_without_column(names, part, column)
            if kept_names != names:
                _store_names(club_id, position, kept_names)


def subject_words_forget(club_id: int, subjects: Collection[str], column: str) -> None:
    """Forget the texts of this column in the entries about these subjects (public ids). The entries
    are found by an index."""
    entries = LogEntry.objects.filter(club=club_id, subject__in=subjects, names__isnull=False)
    for position, subject, names in entries.values_list("position", "subject", "names"):
        kept_names = _texts_without_column(names or {}, subject, column)
        if kept_names != names:
            _store_names(club_id, position, kept_names)


def log_forget(
    club_id: int,
    subjects: Collection[str],
    name_pattern: Pattern[str],
    spared: Collection[int] = (),
) -> None:
    """Forget the texts of entries about these subjects (public ids), the texts that any entry
    states of their rows, and all texts that match the pattern. Also empty the matching errors of
    readers.

    `spared`: positions of entries that keep their texts, because those mean another person of that
    name.
    """
    entries = LogEntry.objects.filter(club=club_id, names__isnull=False)
    for position, subject, names in entries.values_list("position", "subject", "names").iterator():
        if position in spared or names is None:
            continue
        kept_names = {}
        for place, (salt, text) in names.items():
            concerns_them = not {subject, _stated_row_name(place)}.isdisjoint(subjects)
            if not concerns_them and not name_pattern.search(text):
                kept_names[place] = [salt, text]
        if len(kept_names) < len(names):
            _store_names(club_id, position, kept_names)

    for set_aside in SetAside.objects.filter(club=club_id):
        if name_pattern.search(set_aside.error):
            SetAside.objects.filter(pk=set_aside.pk).update(error="")


def _texts_without_column(
    texts_by_place: Mapping[str, Any], row_name: str, column: str
) -> dict[str, Any]:
    place_end = f"/{row_name}/{column}"
    return {
        place: salted for place, salted in texts_by_place.items() if not place.endswith(place_end)
    }


def _store_names(club_id: int, position: int, names: Mapping[str, Any]) -> None:
    LogEntry.objects.filter(club=club_id, position=position).update(names=names or None)


def _stated_row_name(place: str) -> str | None:
    """Return the name of the row of which an entry states the text at this place; None for a text
    of the action itself."""
    stated = row_of_place(place)
    if stated:
        return stated[1]
    return None
