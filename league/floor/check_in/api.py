"""Entries while an event is run: withdrawn, admitted, late in the stage; and the own one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import cached_property
from rest_framework import serializers

from league.core.frame.api.links import table_link
from league.core.frame.api.operation import reads
from league.core.frame.api.problems import bad_value, value_fault
from league.core.frame.api.serializers import Body, LinkField
from league.core.log.services import Actor
from league.core.player.models import Player
from league.events.entry.api import EntrySerializer, EntryView, NamedEntriesBody
from league.events.entry.models import Entry
from league.events.entry.queries.entry import (
    ACTIVE,
    entry_of_player,
    entry_rows,
    own_player,
    waiting_place,
)
from league.events.entry.services.entry import entry_add, entry_admit, entry_return, entry_withdraw
from league.events.entry.services.self_entry import newcomer_enter
from league.events.event.api import EventWriteView
from league.events.event.models import Event
from league.floor.my_tables.queries import next_table_of
from league.stages.stage.services.latecomer import entry_join_stage
from league.standings.ranking.api.view import ReasonBody, changes

ADMITTED: Final = "admitted"
JOINED: Final = "joined"
SERVICES: Final[dict[str, Callable[..., Any]]] = {
    Entry.Status.ENTERED: entry_return,
    Entry.Status.WITHDRAWN: entry_withdraw,
    Entry.Status.NO_SHOW: partial(entry_withdraw, no_show=True),
    ADMITTED: entry_admit,
    JOINED: entry_join_stage,
}
WITHDRAWN: Final = {"entries": ["m6tz2kq9xr"], "status": "withdrawn"}


class EntryStatusBody(NamedEntriesBody, ReasonBody):
    """The new status of entries: `withdrawn`, `no_show`, or `entered` again, which gives a place
    if one is free; `admitted` gives a place to somebody on the waiting list, ahead of all others;
    `joined` takes a latecomer into the stage in play."""

    status = serializers.ChoiceField(list(SERVICES))


class EntryStatuses(EntryView):
    """The status of entries."""

    @changes(
        "Withdraw entries, or restore them",
        EntryStatusBody,
        EntrySerializer(many=True),
        example=WITHDRAWN,
    )
    def move_entries(self, event: Event, body: dict[str, Any], actor: Actor) -> QuerySet[Entry]:
        """Let entries withdraw, note that somebody didn't come, or undo that, as an organiser."""
        entries = self.named_entries(body["entries"])
        with transaction.atomic():
            for entry in entries:
                SERVICES[body["status"]](entry=entry, actor=actor)
        return self.stored(entries)


class OwnEntrySerializer(EntrySerializer):
    """Your own entry, with what your player page shows of it."""

    waiting_place = serializers.SerializerMethodField()
    page = LinkField(
        lambda entry: reverse("entry", args=[entry]),
        "public_id",
        help_text="The address in the entry's code, with which organisers check it in.",
    )
    table = serializers.SerializerMethodField()

    class Meta(EntrySerializer.Meta):
        fields = [*EntrySerializer.Meta.fields, "waiting_place", "page", "table"]
        read_only_fields = fields

    def get_waiting_place(self, entry: Entry) -> int | None:
        """On the waiting list, from 1."""
        return waiting_place(entry) if entry.status == Entry.Status.WAITING else None

    def get_table(self, entry: Entry) -> str | None:
        """Return the address of the table that is played next."""
        table = next_table_of(entry)
        return table_link(table.table.public_id) if table else None


class OwnEntryBody(Body):
    """The new status of your own entry: a place if one is free, else one on the waiting list; or
    none."""

    status = serializers.ChoiceField([Entry.Status.ENTERED, Entry.Status.WITHDRAWN])
    name = serializers.CharField(
        required=False,
        max_length=64,
        help_text="The player's name, if the account isn't a player of the club yet.",
    )


class OwnEntries(EventWriteView):
    """The entry of the account that asks."""

    right = None
    scores = True
    runs = True
    """Everything is told of the own entry."""

    @property
    def player(self) -> Player | None:
        """The player that the account is by now."""
        return own_player(self.viewer(self.club.slug), self.club.pk)

    @cached_property
    def entry(self) -> Entry:
        """The own entry, which a change asks for when it is done. Raise `Entry.DoesNotExist`."""
        player = self.player
        entry = entry_of_player(self.event, player) if player else None
        if entry is None:
            raise Entry.DoesNotExist
        return entry

    def versions(self) -> tuple[object, ...]:
        """Return the versions of the event, and the entry."""
        return (*(super().versions() or ()), self.entry.public_id)

    @reads("Your own entry", OwnEntrySerializer, for_writers=True)
    def get_own_entry(self, event: Event) -> Entry:
        """The entry of the key's account as a player of the club; a 404 if there is none."""
        return entry_rows(event).get(pk=self.entry.pk)

    @changes(
        "Enter or withdraw yourself",
        OwnEntryBody,
        OwnEntrySerializer,
        example={"status": "entered"},
    )
    def change_own_entry(self, event: Event, body: dict[str, Any], actor: Actor) -> Entry:
        """Enter yourself, or withdraw. If you have an entry, you keep it; if you withdrew, you
        come back at the end of the waiting list. An account that isn't a player of the club
        becomes one with its first entry, under the `name` that it sends."""
        player = self.player
        name = body.get("name")
        entry = entry_of_player(event, player) if player else None
        if body["status"] == Entry.Status.WITHDRAWN and entry is None:
            raise bad_value(
                [value_fault("/status", "You have no entry in this event.", "no_such_entry")]
            )
        if body["status"] == Entry.Status.ENTERED and player is None and name is None:
            words = "You aren't a player of the club yet: send the name that you want to go by."
            raise bad_value([value_fault("/name", words, "required")])
        if entry and body["status"] == Entry.Status.WITHDRAWN:
            entry_withdraw(entry=entry, actor=actor, by_owner=True)
        elif player is None:
            newcomer_enter(event=event, account=self.writer(), name=name or "")
        elif entry is None or entry.status not in ACTIVE:
            entry_add(event=event, player=player, actor=actor)
        return entry_rows(event).get(pk=self.entry.pk)
