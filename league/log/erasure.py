"""All that a log forgets of somebody: the names beside entries. The entries themselves stay, and so do their
digests."""

from __future__ import annotations

from collections.abc import Collection
from re import Pattern

from league.log.models import LogEntry, SetAside


def names_beside(club_id: int, subjects: Collection[str]) -> set[str]:
    """All words that stand beside the entries of a club's log about these subjects, given by public id."""
    entries = LogEntry.objects.filter(club=club_id, subject__in=subjects, names__isnull=False)
    return {word for names in entries.values_list("names", flat=True) for _, word in (names or {}).values()}


def log_forget(club_id: int, subjects: Collection[str], name_pattern: Pattern[str]) -> None:
    """Forget the words beside the entries about these subjects and beside those that tell such a name; and what
    readers noted down with one."""
    entries = LogEntry.objects.filter(club=club_id, names__isnull=False).values_list("position", "subject", "names")
    forgotten = [
        position
        for position, subject, names in entries.iterator()
        if subject in subjects or any(name_pattern.search(word) for _, word in (names or {}).values())
    ]
    LogEntry.objects.filter(club=club_id, position__in=forgotten).update(names=None)
    for aside in SetAside.objects.filter(club=club_id):
        if name_pattern.search(aside.error):
            SetAside.objects.filter(pk=aside.pk).update(error="")
