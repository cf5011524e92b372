"""Labels of entries: the club or town for which somebody plays, where several meet."""

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
    """Give entries of an event a label, or, with an empty one, take theirs; returns for how many
    that is new.

    A label that the event has already, but for capital letters, is written as it is there. Raises
    `ValidationError` for one that can't be, and once the event is over."""
    with club_journal(event.club_id, actor) as journal:
        refuse_over(event_hold(event))
        return labels_note(journal, event, {entry.pk: label for entry in entries})


def labels_note(journal: Journal, event: Event, labels: Mapping[int, str]) -> int:
    """Note the labels of entries, by row id, as `labels_set` does, as part of a larger action."""
    if not labels:
        return 0
    spellings = {name.casefold(): name for name in labels_of(event)}
    changing: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in Entry.objects.filter(event=event.pk, pk__in=labels).order_by("number"):
        name = label_checked(labels[entry.pk])
        label = spellings.setdefault(name.casefold(), name) if name else ""
        if label != entry.label:
            changing[label].append(entry)
    for label, entries in changing.items():
        Entry.objects.filter(pk__in=[entry.pk for entry in entries]).update(label=label)
        for entry in entries:
            _label_log(journal, entry, label)
    return sum(map(len, changing.values()))


def label_rewrite(*, journal: Journal, entry: Entry, label: str) -> None:
    """Store another label of an entry that names somebody who is erased, also once the event is
    over."""
    Entry.objects.filter(pk=entry.pk).update(label=label)
    _label_log(journal, entry, label)


def _label_log(journal: Journal, entry: Entry, label: str) -> None:
    payload = {"entry": entry.public_id, "label": label}
    journal.add(EntryAction.LABELLED, entry.public_id, payload, texts=["label"])
    journal.state(ENTRY, [entry], ["label"])


def label_checked(label: str) -> str:
    """A label without blanks around it. Raises `ValidationError` for one that is too long, or can't
    be seen."""
    try:
        name: str = Entry._meta.get_field("label").clean(name_tidied(label), None)
    except ValidationError as error:
        raise ValidationError({"label": error}) from None
    return name
