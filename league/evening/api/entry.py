"""Entries while an event is run: withdrawn, admitted, late in the stage."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.db import transaction
from rest_framework import serializers

from league.entries.api.entry import EntriesSerializer, EntryView, NamedEntriesBody
from league.entries.models import Entry
from league.entries.services.entry import entry_admit, entry_return, entry_withdraw
from league.events.models import Event
from league.log.services import Actor
from league.seasons.api.writing import ReasonBody, changes
from league.stages.services.latecomer import entry_join_stage

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
    """The status that entries shall have: `withdrawn`, `no_show`, or `entered` again, which is a place if one is free;
    who waits is `admitted`, whoever else waits; who came late has `joined` the stage that is played."""

    status = serializers.ChoiceField(list(SERVICES))


class EntryStatuses(EntryView):
    """The status of entries."""

    @changes("Withdraw entries, or take them back in", EntryStatusBody, EntriesSerializer, example=WITHDRAWN)
    def move_entries(self, event: Event, body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Let entries withdraw, note that somebody didn't come, or undo that, as an organiser."""
        entries = self.named_entries(body["entries"])
        with transaction.atomic():
            for entry in entries:
                SERVICES[body["status"]](entry=entry, actor=actor)
        return self.stored(entries)
