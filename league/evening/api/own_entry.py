"""The own entry: whoever plays enters, withdraws and comes back by a program of their own."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.clubs.models import User
from league.entries.api.entry import EntrySerializer, entry_rows
from league.entries.models import Entry
from league.entries.queries.entry import ACTIVE, entry_of_player, own_player, waiting_place
from league.entries.services.entry import entry_add, entry_withdraw
from league.entries.services.self_entry import newcomer_enter
from league.evening.queries.day import next_table_of
from league.events.api.view import EventWriteView, actor
from league.events.models import Event
from league.events.queries.event import event_versions
from league.frame.api.body import Body, bad_value, value_fault
from league.frame.api.document import change_documented, documented
from league.frame.api.fields import LinkField
from league.frame.api.links import table_link
from league.frame.api.parameters import SeenBy


def entry_page_link(entry: str) -> str:
    """The page of an entry, by the public id."""
    return reverse("entry", args=[entry])


class OwnEntrySerializer(EntrySerializer):
    """The own entry, with what the player's page shows of it."""

    waiting_place = serializers.SerializerMethodField(help_text="On the waiting list, from 1.")
    page = LinkField(
        entry_page_link, "public_id", help_text="What the entry's code opens, by which organisers check it in."
    )
    table = serializers.SerializerMethodField(help_text="The address of the table that is played next.")

    class Meta(EntrySerializer.Meta):
        fields = [*EntrySerializer.Meta.fields, "waiting_place", "page", "table"]
        read_only_fields = fields

    def get_waiting_place(self, entry: Entry) -> int | None:
        """The place on the waiting list, None for who doesn't wait."""
        return waiting_place(entry) if entry.status == Entry.Status.WAITING else None

    def get_table(self, entry: Entry) -> str | None:
        """The address of the table that is played next, None where there is none."""
        table = next_table_of(entry)
        return table_link(table.table.public_id) if table else None


class OwnEntryBody(Body):
    """The status that the own entry shall have: a place if one is free, else one on the waiting list; or none."""

    status = serializers.ChoiceField([Entry.Status.ENTERED, Entry.Status.WITHDRAWN])
    name = serializers.CharField(
        required=False, max_length=64, help_text="What an account is called that is no player of the club yet."
    )


class OwnEntry(EventWriteView):
    """The entry of the account that asks."""

    @documented(
        "get_own_entry", "The own entry", OwnEntrySerializer, problems=[401, 403, 404], parameters=[SeenBy],
    )  # fmt: skip
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """The entry of the player that the key's account is in the club; a 404 if there is none."""
        row = self.event(club, event)
        self.known_account(row.club)
        entry = self._own(row)
        versions = (*event_versions(row), entry.public_id)
        return self.unless_unchanged(versions, lambda: Response(self._answer(row, entry)))

    @change_documented(
        "change_own_entry", "Enter or withdraw oneself", OwnEntryBody, OwnEntrySerializer,
        example={"status": "entered"},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Enter oneself, or withdraw: who has an entry keeps it, and who withdrew comes back behind all who wait.

        An account that is no player of the club becomes one by its first entry, called by the `name` that it sends.
        """
        row = self.event(club, event)
        account = self.known_account(row.club)
        request_body = self.sent()
        body = OwnEntryBody.of(request_body.content)

        def change() -> dict[str, Any]:
            if body["status"] == Entry.Status.WITHDRAWN:
                self._withdraw(row, account)
            else:
                self._enter(row, account, body.get("name"))
            return self._answer(row, self._own(row))

        return self.done(request_body, change)

    def _entry(self, event: Event) -> Entry | None:
        player = own_player(self.viewer(event.club.slug), event.club_id)
        return entry_of_player(event, player) if player else None

    def _own(self, event: Event) -> Entry:
        """The own entry. Raises `Entry.DoesNotExist`."""
        entry = self._entry(event)
        if entry is None:
            raise Entry.DoesNotExist
        return entry

    def _enter(self, event: Event, account: User, name: str | None) -> None:
        """Enter the account's player, or make it one. Raises `ValidationError`, and a problem 400 without a name."""
        player = own_player(self.viewer(event.club.slug), event.club_id)
        if player is None and name is None:
            words = "You are no player of the club yet: say by what name it is to know you."
            raise bad_value([value_fault("/name", words, "required")])
        if player is None:
            newcomer_enter(event=event, account=account, name=name or "")
            return
        entry = entry_of_player(event, player)
        if entry is None or entry.status not in ACTIVE:
            entry_add(event=event, player=player, actor=actor(account))

    def _withdraw(self, event: Event, account: User) -> None:
        """Give the own place up. Raises `ValidationError`, and a problem 400 for who has no entry."""
        entry = self._entry(event)
        if entry is None:
            raise bad_value([value_fault("/status", "You have no entry in this event.", "no_such_entry")])
        entry_withdraw(entry=entry, actor=actor(account), by_owner=True)

    @staticmethod
    def _answer(event: Event, own: Entry) -> dict[str, Any]:
        """The own entry as it is stored now, as it is sent."""
        return OwnEntrySerializer(entry_rows(event).get(pk=own.pk), context={"scores": True}).data
