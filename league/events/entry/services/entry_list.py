"""Entering many at once from a list, and somebody new by name: for organisers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from league.core.locks import Space, transaction_lock_shared
from league.core.log.services import Actor, Journal, club_journal
from league.core.player.models import Player
from league.core.player.queries.lookalike import Lookalike, Lookalikes
from league.core.player.queries.player import players_of_handles, players_typed
from league.core.player.services.player import folded, players_create, word_checked
from league.events.entry.actions import EntryAction
from league.events.entry.domain.entry_file import BadRow, EntryFile, ListRow
from league.events.entry.models import ENTRY, Entry
from league.events.entry.queries.entry import ACTIVE, places
from league.events.entry.services.entry import (
    entries_check_in,
    entry_take,
    last_number,
    refuse_closed,
)
from league.events.entry.services.label import label_checked, labels_note
from league.events.event.models import Event
from league.events.event.services import event_hold


@dataclass(slots=True)
class ListPreview:
    """All that entering a list does.

    `known` are players of the club who are new at the event, `unknown` people who become players by
    it; `entered` have an entry already, also one that was withdrawn, and are left as they are;
    `double` stand in the list twice; `bad` can't be read. So many get a `place`, the others wait.
    `lookalikes` are unknown handles that look like known ones."""

    known: list[ListRow] = field(default_factory=list)
    unknown: list[ListRow] = field(default_factory=list)
    entered: list[ListRow] = field(default_factory=list)
    double: list[ListRow] = field(default_factory=list)
    bad: list[BadRow] = field(default_factory=list)
    lookalikes: list[Lookalike] = field(default_factory=list)
    place: int = 0

    @property
    def new(self) -> list[ListRow]:
        """All who are entered by the list, in its order."""
        return sorted([*self.known, *self.unknown])

    @property
    def waits(self) -> int:
        """Tell how many of them wait for a place."""
        return len(self.known) + len(self.unknown) - self.place


def entry_list_preview(*, event: Event, file: EntryFile) -> ListPreview:
    """Return what entering a list would do at this moment; nothing is changed."""
    preview = ListPreview(bad=list(file.bad))
    rows = _readable(file.rows, preview)
    handles = [row.handle for row in rows]
    players = players_of_handles(event.club_id, handles) if rows else []
    erased = set(
        Player.objects.filter(club=event.club_id, erased_at__isnull=False).values_list(
            "pk", flat=True
        )
    )
    entered, absent = _entered(event), _absent(event)
    people: set[int | str] = set()
    for row, key, player in zip(rows, folded(handles) if rows else [], players, strict=True):
        if (player or key) in people:
            preview.double.append(row)
        elif player in erased:
            preview.bad.append(BadRow(row.line, gettext("this player was erased")))
        elif player in entered:
            preview.entered.append(row)
        elif player in absent:
            preview.bad.append(BadRow(row.line, gettext("a substitute plays for this player")))
        else:
            (preview.known if player else preview.unknown).append(row)
        people.add(player or key)
    preview.bad.sort()
    preview.lookalikes = list(
        Lookalikes(event.club_id).among(row.handle for row in preview.unknown)
    )
    free, count_new = places(event).free, len(preview.known) + len(preview.unknown)
    preview.place = count_new if free is None else min(free, count_new)
    return preview


def entry_list_enter(*, event: Event, file: EntryFile, actor: Actor) -> ListPreview:
    """Enter a list: those who are new at the event, in its order; unknown handles become players.

    Sent twice it changes nothing more. Raises `ValidationError` once the event is over.
    """
    with club_journal(event.club_id, actor) as journal:
        event_row = event_hold(event)
        refuse_closed(event_row, by_organiser=True)
        transaction_lock_shared(Space.PLAYERS, event_row.club_id)
        journal.lock()
        preview = entry_list_preview(event=event_row, file=file)
        if preview.unknown:
            players_create(
                journal,
                [row.handle for row in preview.unknown],
                {row.handle: row.name for row in preview.unknown},
            )
        _enter(journal, event_row, preview)
    return preview


@transaction.atomic
def attendance_note(*, event: Event, file: EntryFile, actor: Actor) -> ListPreview:
    """Enter a list as `entry_list_enter` does, and check in everybody in it who has a place,
    entered now or before.

    Raises `ValidationError` once the event is over, and `Busy` while a round is drawn for longer
    than a moment."""
    preview = entry_list_enter(event=event, file=file, actor=actor)
    players = players_of_handles(
        event.club_id, [row.handle for row in (*preview.new, *preview.entered)]
    )
    is_listed = Q(player__in=players) | Q(player__merged_into__in=players)
    entries = Entry.objects.filter(
        is_listed, event=event, status=Entry.Status.ENTERED, checked_in_at=None
    )
    entries_check_in(event=event, entries=list(entries), actor=actor)
    return preview


def handles_of(club_id: int, file: EntryFile) -> EntryFile:
    """The same list, in which who is called by the display name of one player of the club has that
    player's handle."""
    players = players_typed(club_id, [row.handle for row in file.rows])
    rows = [
        row._replace(handle=players[row.handle].handle) if row.handle in players else row
        for row in file.rows
    ]
    return EntryFile(tuple(rows), file.bad)


def guest_enter(*, event: Event, name: str, guest: bool, actor: Actor) -> Entry:
    """Enter somebody by name whom the club doesn't know yet: a new player is made, whose handle is
    the name.

    Raises `ValidationError` by field, also for a handle that a player of the club has.
    """
    word = word_checked("name", name)
    with club_journal(event.club_id, actor) as journal:
        refuse_closed(event_hold(event), by_organiser=True)
        transaction_lock_shared(Space.PLAYERS, event.club_id)
        journal.lock()
        if players_of_handles(event.club_id, [word]) != [None]:
            raise ValidationError(
                {
                    "name": gettext(
                        "This is a player’s handle: look for the player, and enter that one."
                    )
                }
            )
        return entry_take(
            journal, event, players_create(journal, [word])[0], guest=guest, by_organiser=True
        )


def _readable(rows: Sequence[ListRow], preview: ListPreview) -> list[ListRow]:
    """The rows whose names can be names, tidied; the others are noted as bad."""
    read = []
    for row in rows:
        try:
            handle, name = word_checked("handle", row.handle), word_checked("name", row.name)
            read.append(row._replace(handle=handle, name=name, label=label_checked(row.label)))
        except ValidationError as error:
            preview.bad.append(BadRow(row.line, " ".join(error.messages)))
    return read


def _entered(event: Event) -> set[int]:
    """The players who have an entry in an event, those who are merged with them included."""
    rows = Entry.objects.filter(event=event).values_list("player", "player__merged_into")
    return {player for pair in rows for player in pair if player is not None}


def _absent(event: Event) -> set[int]:
    """The players for whom a substitute plays, those who are merged with them included."""
    active = Entry.objects.filter(event=event, status__in=ACTIVE, substitutes__isnull=False)
    people = active.values_list(Coalesce("substitutes__merged_into", "substitutes"), flat=True)
    return set(
        Player.objects.filter(Q(pk__in=people) | Q(merged_into__in=people)).values_list(
            "pk", flat=True
        )
    )


def _enter(journal: Journal, event: Event, preview: ListPreview) -> None:
    """Make the entries of all who are new: the first get the free places, the others wait."""
    newcomers = preview.new
    players = (
        players_of_handles(event.club_id, [row.handle for row in newcomers]) if newcomers else []
    )
    ids = dict(
        Player.objects.filter(pk__in=[player for player in players if player]).values_list(
            "pk", "public_id"
        )
    )
    number = last_number(event)
    rows = [
        Entry(
            event=event,
            player_id=player,
            number=number + place,
            status=Entry.Status.ENTERED if place <= preview.place else Entry.Status.WAITING,
            guest=row.guest,
        )
        for place, (row, player) in enumerate(zip(newcomers, players, strict=True), start=1)
        if player
    ]
    for entry in Entry.objects.bulk_create(rows):
        payload = {
            "event": event.public_id,
            "player": ids[entry.player_id],
            "status": entry.status,
            "number": entry.number,
            "guest": entry.guest,
        }
        journal.add(EntryAction.ADDED, entry.public_id, payload)
        journal.state(ENTRY, [entry])
    labels = {
        player: row.label for row, player in zip(newcomers, players, strict=True) if row.label
    }
    labels_note(
        journal,
        event,
        {entry.pk: labels[entry.player_id] for entry in rows if entry.player_id in labels},
    )
