"""Entering many players at once from a list, and a new player by name, as an organiser."""

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
    """The effects of entering a list.

    `known`: players of the club who are new at the event. `unknown`: people who would become
    players. `entered`: players who already have an entry, even a withdrawn one, and are left as
    they are. `double`: repeated rows. `bad`: rows that can't be read. `place`: how many of the new
    players get a place; the others wait. `lookalikes`: unknown handles that look like known ones.
    """

    known: list[ListRow] = field(default_factory=list)
    unknown: list[ListRow] = field(default_factory=list)
    entered: list[ListRow] = field(default_factory=list)
    double: list[ListRow] = field(default_factory=list)
    bad: list[BadRow] = field(default_factory=list)
    lookalikes: list[Lookalike] = field(default_factory=list)
    place: int = 0

    @property
    def new(self) -> list[ListRow]:
        """Return the rows that are entered, in the order of the list."""
        return sorted([*self.known, *self.unknown])

    @property
    def waits(self) -> int:
        """Return how many of the new players wait for a place."""
        return len(self.known) + len(self.unknown) - self.place


def entry_list_preview(*, event: Event, file: EntryFile) -> ListPreview:
    """Return the effects that entering a list would have now. Nothing is changed."""
    preview = ListPreview(bad=list(file.bad))
    rows = _rows_with_valid_names(file.rows, preview)
    keys: list[str] = []
    players: list[int | None] = []
    if rows:
        handles = [row.handle for row in rows]
        keys = folded(handles)
        players = players_of_handles(event.club_id, handles)
    erased_players = Player.objects.filter(club=event.club_id, erased_at__isnull=False)
    erased = set(erased_players.values_list("pk", flat=True))
    entered = _entered_player_ids(event)
    substituted = _substituted_player_ids(event)
    people: set[int | str] = set()
    for row, key, player in zip(rows, keys, players, strict=True):
        # A player's row id, or the folded handle of somebody unknown.
        person = player or key
        if person in people:
            preview.double.append(row)
        elif player in erased:
            preview.bad.append(BadRow(row.line, gettext("this player was erased")))
        elif player in entered:
            preview.entered.append(row)
        elif player in substituted:
            preview.bad.append(BadRow(row.line, gettext("a substitute plays for this player")))
        elif player:
            preview.known.append(row)
        else:
            preview.unknown.append(row)
        people.add(person)

    preview.bad.sort()
    lookalikes = Lookalikes(event.club_id).among(row.handle for row in preview.unknown)
    preview.lookalikes = list(lookalikes)
    preview.place = len(preview.known) + len(preview.unknown)
    free = places(event).free
    if free is not None:
        preview.place = min(free, preview.place)
    return preview


def entry_list_enter(*, event: Event, file: EntryFile, actor: Actor) -> ListPreview:
    """Enter the players of a list who are new at the event, in the order of the list. Unknown
    handles become players. Entering the same list again changes nothing.

    Raise `ValidationError` once the event is over.
    """
    with club_journal(event.club_id, actor) as journal:
        event_row = event_hold(event)
        refuse_closed(event_row, by_organiser=True)
        transaction_lock_shared(Space.PLAYERS, event_row.club_id)
        journal.lock()
        preview = entry_list_preview(event=event_row, file=file)
        if preview.unknown:
            handles = [row.handle for row in preview.unknown]
            names = {row.handle: row.name for row in preview.unknown}
            players_create(journal, handles, names)
        _entries_create(journal, event_row, preview)
    return preview


@transaction.atomic
def attendance_note(*, event: Event, file: EntryFile, actor: Actor) -> ListPreview:
    """Enter the players of a list who are new at the event, and check in everybody on it who has a
    place.

    Raise `ValidationError` once the event is over, and `Busy` while a round is being drawn.
    """
    preview = entry_list_enter(event=event, file=file, actor=actor)
    handles = [row.handle for row in (*preview.new, *preview.entered)]
    players = players_of_handles(event.club_id, handles)
    is_listed = Q(player__in=players) | Q(player__merged_into__in=players)
    entries = Entry.objects.filter(
        is_listed, event=event, status=Entry.Status.ENTERED, checked_in_at=None
    )
    entries_check_in(event=event, entries=list(entries), actor=actor)
    return preview


def handles_of(club_id: int, file: EntryFile) -> EntryFile:
    """Return the list with handles in place of display names that belong to one player of the club
    each.
    """
    players = players_typed(club_id, [row.handle for row in file.rows])
    rows = []
    for row in file.rows:
        if row.handle in players:
            row = row._replace(handle=players[row.handle].handle)
        rows.append(row)
    return EntryFile(tuple(rows), file.bad)


def guest_enter(*, event: Event, name: str, guest: bool, actor: Actor) -> Entry:
    """Create a new player with this name as the handle, and enter them.

    Raise `ValidationError` with messages by field, for instance if a player of the club has this
    handle.
    """
    handle = word_checked("name", name)
    with club_journal(event.club_id, actor) as journal:
        refuse_closed(event_hold(event), by_organiser=True)
        transaction_lock_shared(Space.PLAYERS, event.club_id)
        journal.lock()
        if players_of_handles(event.club_id, [handle]) != [None]:
            message = gettext(
                "This handle belongs to a player. Search for that player and enter them."
            )
            raise ValidationError({"name": message})
        player = players_create(journal, [handle])[0]
        return entry_take(journal, event, player, guest=guest, by_organiser=True)


def _rows_with_valid_names(rows: Sequence[ListRow], preview: ListPreview) -> list[ListRow]:
    """Return the rows with tidied texts, and add those with an invalid text to `preview.bad`."""
    valid_rows = []
    for row in rows:
        try:
            handle = word_checked("handle", row.handle)
            name = word_checked("name", row.name)
            label = label_checked(row.label)
        except ValidationError as error:
            preview.bad.append(BadRow(row.line, " ".join(error.messages)))
        else:
            valid_rows.append(row._replace(handle=handle, name=name, label=label))
    return valid_rows


def _entered_player_ids(event: Event) -> set[int]:
    players: set[int] = set()
    rows = Entry.objects.filter(event=event).values_list("player", "player__merged_into")
    for player, merged_into in rows:
        players.add(player)
        if merged_into is not None:
            players.add(merged_into)
    return players


def _substituted_player_ids(event: Event) -> set[int]:
    active = Entry.objects.filter(event=event, status__in=ACTIVE, substitutes__isnull=False)
    people = active.values_list(Coalesce("substitutes__merged_into", "substitutes"), flat=True)
    players = Player.objects.filter(Q(pk__in=people) | Q(merged_into__in=people))
    return set(players.values_list("pk", flat=True))


def _entries_create(journal: Journal, event: Event, preview: ListPreview) -> None:
    """Create the entries of a list's new players, with places for the first `preview.place` of
    them, and log them."""
    newcomers = preview.new
    handles = [row.handle for row in newcomers]
    players = players_of_handles(event.club_id, handles) if newcomers else []
    player_ids = [player for player in players if player]
    public_ids = dict(Player.objects.filter(pk__in=player_ids).values_list("pk", "public_id"))

    number = last_number(event)
    entries = []
    labels_by_player = {}
    for position, (row, player) in enumerate(zip(newcomers, players, strict=True), start=1):
        if not player:
            continue
        has_place = position <= preview.place
        entry = Entry(
            event=event,
            player_id=player,
            number=number + position,
            status=Entry.Status.ENTERED if has_place else Entry.Status.WAITING,
            guest=row.guest,
        )
        entries.append(entry)
        if row.label:
            labels_by_player[player] = row.label

    for entry in Entry.objects.bulk_create(entries):
        payload = {
            "event": event.public_id,
            "player": public_ids[entry.player_id],
            "status": entry.status,
            "number": entry.number,
            "guest": entry.guest,
        }
        journal.add(EntryAction.ADDED, entry.public_id, payload)
        journal.record(ENTRY, [entry])
    labels_by_entry = {
        entry.pk: labels_by_player[entry.player_id]
        for entry in entries
        if entry.player_id in labels_by_player
    }
    labels_note(journal, event, labels_by_entry)
