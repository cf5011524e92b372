"""Entries while an event is run: withdrawn, admitted, late in the stage."""

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
from league.seasons.api.writing import ReasonBody
from league.stages.services.latecomer import entry_join_stage

ADMITTED: Final = "admitted"
JOINED: Final = "joined"


class EntryStatusBody(NamedEntriesBody, ReasonBody):
    """The status that entries shall have: `withdrawn`, `no_show`, or `entered` again, which is a place if one is free;
    who waits is `admitted`, whoever else waits; who came late has `joined` the stage that is played."""

    status = serializers.ChoiceField(
        [Entry.Status.ENTERED, Entry.Status.WITHDRAWN, Entry.Status.NO_SHOW, ADMITTED, JOINED]
    )


class EntryStatus(EntriesWriteView):
    """The status of entries."""

    @change_documented(
        "move_entries", "Withdraw entries, or take them back in", EntryStatusBody, EntriesSerializer,
        example={"entries": ["m6tz2kq9xr"], "status": "withdrawn"},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Let entries withdraw, note that somebody didn't come, or undo that, as an organiser."""
        row = self.event(club, event)
        account = self.organiser(row.club)
        request_body = self.sent()
        body = EntryStatusBody.of(request_body.content)
        entries = self.named_entries(row, body["entries"])
        by = actor(account, body.get("reason", ""))

        def move() -> dict[str, Any]:
            with transaction.atomic():
                for entry in entries:
                    _move(entry, body["status"], by)
            return self.entries_answer(row, entries)

        return self.done(request_body, move)


def _move(entry: Entry, status: str, by: Actor) -> None:
    if status == Entry.Status.ENTERED:
        entry_return(entry=entry, actor=by)
    elif status == ADMITTED:
        entry_admit(entry=entry, actor=by)
    elif status == JOINED:
        entry_join_stage(entry=entry, actor=by)
    else:
        entry_withdraw(entry=entry, actor=by, no_show=status == Entry.Status.NO_SHOW)
