"""What becomes of entries while an event is run: withdrawn, admitted, late in the stage."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.entries.api.entry import EntriesSerializer, EntriesWriteView, NamedEntriesBody
from league.entries.models import Entry
from league.entries.services.entry import (
    entry_admit,
    entry_return,
    entry_withdraw,
)
from league.events.api.view import actor
from league.frame.api.document import change_documented
from league.log.services import Actor
from league.stages.services.latecomer import entry_join_stage

ADMITTED: Final = "admitted"
JOINED: Final = "joined"


class EntryStatusBody(NamedEntriesBody):
    """What becomes of entries: `withdrawn`, `no_show`, or `entered` again, which is a place if one is free; who waits
    is `admitted`, whoever else waits; who came late has `joined` the stage that is played."""

    status = serializers.ChoiceField(
        [Entry.Status.ENTERED, Entry.Status.WITHDRAWN, Entry.Status.NO_SHOW, ADMITTED, JOINED]
    )
    reason = serializers.CharField(required=False, allow_blank=True, max_length=500)


class EntryStatus(EntriesWriteView):
    """What becomes of entries."""

    @change_documented(
        "move_entries", "Withdraw entries, or take them back in", EntryStatusBody, EntriesSerializer,
        example={"entries": ["m6tz2kq9xr"], "status": "withdrawn"},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Let entries withdraw, note that somebody didn't come, or undo that, as an organiser."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        sent = self.sent()
        said = EntryStatusBody.of(sent.content)
        entries = self.named_entries(found, said["entries"])
        who = actor(account, said.get("reason", ""))

        def move() -> dict[str, Any]:
            with transaction.atomic():
                for entry in entries:
                    _move(entry, said["status"], who)
            return self.entries_answer(found, entries)

        return self.done(sent, move)


def _move(entry: Entry, status: str, who: Actor) -> None:
    if status == Entry.Status.ENTERED:
        entry_return(entry=entry, actor=who)
    elif status == ADMITTED:
        entry_admit(entry=entry, actor=who)
    elif status == JOINED:
        entry_join_stage(entry=entry, actor=who)
    else:
        entry_withdraw(entry=entry, actor=who, no_show=status == Entry.Status.NO_SHOW)
