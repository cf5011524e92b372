"""Entering several players for an event at once, each by public id or by a handle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from league.core.frame.names import name_tidied
from league.core.locks import Space, transaction_lock_shared
from league.core.log.services import Actor, Journal, club_journal
from league.core.player.models import Player
from league.core.player.queries.player import players_of_handles
from league.core.player.services.player import players_create, word_checked
from league.events.entry.models import Entry
from league.events.entry.services.entry import entry_take, refuse_closed
from league.events.entry.services.label import label_checked, labels_note
from league.events.event.models import Event
from league.events.event.services import event_hold


class NotEntered(Exception):
    """The request with this number, from 0, was refused because of `error`. Nobody was entered."""

    def __init__(self, number: int, error: ValidationError) -> None:
        super().__init__(number)
        self.number = number
        self.error = error


class EntryWish(NamedTuple):
    """A player to be entered, by public id or by a handle; as a guest, for a club or town."""

    player: str = ""
    handle: str = ""
    guest: bool = False
    label: str = ""


def entries_add(
    *, event: Event, wishes: Sequence[EntryWish], actor: Actor, create_players: bool = False
) -> list[Entry]:
    """Enter players as an organiser, in this order, either all of them or nobody.

    With `create_players`, unknown handles become players. Raise `NotEntered` if a player can't be
    entered, and `ValidationError` once the event is over.
    """
    wishes = [wish._replace(handle=name_tidied(wish.handle)) for wish in wishes]
    with club_journal(event.club_id, actor) as journal:
        event_row = event_hold(event)
        refuse_closed(event_row, by_organiser=True)
        transaction_lock_shared(Space.PLAYERS, event.club_id)
        if create_players:
            _create_unknown_players(journal, wishes)

        entries = []
        labels = {}
        players = _players_of_wishes(event.club_id, wishes)
        for number, (wish, player) in enumerate(zip(wishes, players, strict=True)):
            try:
                entry = _enter_wish(journal, event_row, wish, player)
            except ValidationError as error:
                raise NotEntered(number, error) from error
            entries.append(entry)
            if wish.label:
                labels[entry.pk] = wish.label
        labels_note(journal, event_row, labels)
    return entries


def _enter_wish(journal: Journal, event: Event, wish: EntryWish, player: Player | None) -> Entry:
    if player is None:
        field = "handle" if wish.handle else "player"
        raise ValidationError({field: gettext("No player in the club has that name.")})
    entry = entry_take(journal, event, player, guest=wish.guest, by_organiser=True)
    # The labels are stored together later; here a bad one is reported with the number of its wish.
    label_checked(wish.label)
    return entry


def _create_unknown_players(journal: Journal, wishes: Sequence[EntryWish]) -> None:
    journal.lock()  # so that nobody else creates the same players
    players_by_handle = players_of_handles(journal.club_id, [wish.handle for wish in wishes])
    newcomers = []
    for number, (wish, player) in enumerate(zip(wishes, players_by_handle, strict=True)):
        if wish.handle and player is None:
            try:
                newcomers.append(word_checked("handle", wish.handle))
            except ValidationError as error:
                raise NotEntered(number, error) from error
    if newcomers:
        players_create(journal, newcomers)


def _players_of_wishes(club_id: int, wishes: Sequence[EntryWish]) -> list[Player | None]:
    row_ids = players_of_handles(club_id, [wish.handle for wish in wishes])
    public_ids = [wish.player for wish in wishes]
    players = Player.objects.filter(club=club_id)
    by_row_id = {
        player.pk: player for player in players.filter(pk__in=[pk for pk in row_ids if pk])
    }
    by_public_id = {player.public_id: player for player in players.filter(public_id__in=public_ids)}

    players_of_wishes: list[Player | None] = []
    for wish, row_id in zip(wishes, row_ids, strict=True):
        if not wish.handle:
            players_of_wishes.append(by_public_id.get(wish.player))
        elif row_id:
            players_of_wishes.append(by_row_id.get(row_id))
        else:
            players_of_wishes.append(None)
    return players_of_wishes
