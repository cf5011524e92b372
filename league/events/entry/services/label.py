"""Labels of entries: the club or town for which a player plays, where several meet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.core.exceptions import ValidationError

from league.core.frame.names import name_tidied
from league.core.log.services import Actor, Journal, club_journal
from league.events.entry.actions import EntryAction
from league.events.entry.models import ENTRY, Entry
from league.events.entry.queries.entry import labels_of
from league.events.event.models import Event
from league.events.event.services import event_hold, refuse_over


def labels_set(*, event: Event, entries: Sequence[Entry], label: str, actor: Actor) -> int:
    """Give entries of an event a label, or remove their labels with an empty one. Return how many
    entries have changed.

    If the event has the label already, it is stored with the same capital letters. Raise
    `ValidationError` for an invalid label, and once the event is over.
    """
    with club_journal(event.club_id, actor) as journal:
        refuse_over(event_hold(event))
        return labels_note(journal, event, {entry.pk: label for entry in entries})


def labels_note(journal: Journal, event: Event, labels: Mapping[int, str]) -> int:
    """Store labels, by the row id of the entry, as part of a larger action; return how many entries
    have changed. If the event has a label already, it is stored with the same capital letters."""
    if not labels:
        return 0
    spellings = {name.casefold(): name for name in labels_of(event)}
    changed_entries: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in Entry.objects.filter(event=event.pk, pk__in=labels).order_by("number"):
        label = label_checked(labels[entry.pk])
        if label:
            label = spellings.setdefault(label.casefold(), label)
        if label != entry.label:
            changed_entries[label].append(entry)

    for label, entries in changed_entries.items():
        Entry.objects.filter(pk__in=[entry.pk for entry in entries]).update(label=label)
        for entry in entries:
            _label_log(journal, entry, label)
    return sum(len(entries) for entries in changed_entries.values())


def label_rewrite(*, journal: Journal, entry: Entry, label: str) -> None:
    """Replace a label that contains an erased name, even once the event is over."""
    Entry.objects.filter(pk=entry.pk).update(label=label)
    _label_log(journal, entry, label)


def _label_log(journal: Journal, entry: Entry, label: str) -> None:
    payload = {"entry": entry.public_id, "label": label}
    journal.add(EntryAction.LABELLED, entry.public_id, payload, texts=["label"])
    journal.record(ENTRY, [entry], ["label"])


def label_checked(label: str) -> str:
    """Return a label without surrounding blanks. Raise `ValidationError` if it is too long or
    invisible.
    """
    try:
        name: str = Entry._meta.get_field("label").clean(name_tidied(label), None)
    except ValidationError as error:
        raise ValidationError({"label": error}) from None
    return name
