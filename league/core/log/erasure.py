"""All that a log forgets of somebody: the words beside entries. The entries themselves stay, and so
do their digests."""

from __future__ import annotations

from collections.abc import Collection
from re import Pattern

from league.core.log.actions import Action
from league.core.log.models import LogEntry, SetAside
from league.core.log.statements import row_of_place
from league.core.log.texts import REASON


def names_beside(club_id: int, subjects: Collection[str]) -> set[str]:
    """All names that stand beside the entries of a club's log about these subjects, given by public
    id."""
    entries = LogEntry.objects.filter(club=club_id, subject__in=subjects, names__isnull=False)
    return {
        word
        for names in entries.values_list("names", flat=True)
        for place, (_, word) in (names or {}).items()
        if place != REASON and _row_at(place) in (None, *subjects)
    }


def entry_texts_forget(club_id: int, action: Action, parts: Collection[str], column: str) -> None:
    """Forget the words beside the entries of an action that tell one of these public ids in their
    payload, and, of the rows that have such an id, what entries state of this column."""
    entries = LogEntry.objects.filter(club=club_id, names__isnull=False)
    for part in parts:
        stated = f"/{part}/{column}"
        rows = entries.filter(payload__contains=part).values_list("position", "action", "names")
        for position, entry_action, names in rows:
            if names is None or entry_action == action:
                rest = {}
            else:
                rest = {
                    place: salted for place, salted in names.items() if not place.endswith(stated)
                }
            if rest != names:
                LogEntry.objects.filter(club=club_id, position=position).update(names=rest or None)


def subject_words_forget(club_id: int, subjects: Collection[str], column: str) -> None:
    """Forget what the entries about these subjects, by public id, state of this column of theirs.
    By an index."""
    entries = LogEntry.objects.filter(club=club_id, subject__in=subjects, names__isnull=False)
    for position, subject, names in entries.values_list("position", "subject", "names"):
        stated = f"/{subject}/{column}"
        rest = {
            place: salted for place, salted in (names or {}).items() if not place.endswith(stated)
        }
        if rest != names:
            LogEntry.objects.filter(club=club_id, position=position).update(names=rest or None)


def log_forget(
    club_id: int,
    subjects: Collection[str],
    name_pattern: Pattern[str],
    spared: Collection[int] = (),
) -> None:
    """Forget the words beside the entries about these subjects and those of their stated rows, and
    beside others those that tell such a name; and what readers noted down with one.

    `spared`: the positions of entries that keep their words although these seem to tell the name.
    """
    entries = LogEntry.objects.filter(club=club_id, names__isnull=False)
    for position, subject, names in entries.values_list("position", "subject", "names").iterator():
        if position in spared or names is None:
            continue
        rest = {
            place: salted
            for place, salted in names.items()
            if not {subject, _row_at(place)}.intersection(subjects)
            and not name_pattern.search(salted[1])
        }
        if len(rest) < len(names):
            LogEntry.objects.filter(club=club_id, position=position).update(names=rest or None)
    for aside in SetAside.objects.filter(club=club_id):
        if name_pattern.search(aside.error):
            SetAside.objects.filter(pk=aside.pk).update(error="")


def _row_at(place: str) -> str | None:
    """Return what names the row whose text stands at a place beside an entry; None for a text of
    another kind."""
    stated = row_of_place(place)
    return stated[1] if stated else None
