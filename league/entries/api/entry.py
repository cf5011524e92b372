"""Entries: who takes part in an event."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.record.handle import handle_fault
from games.models.public_id import LENGTH
from league.clubs.api.player import PlayerSerializer
from league.clubs.models import Player
from league.entries.api.member import PLAYER
from league.entries.models import Entry
from league.entries.services.entering import EntryWish, NotEntered, entries_add
from league.entries.services.entry import (
    entries_check_in,
    entry_change,
    entry_check_out,
)
from league.events.api.view import EventWriteView, actor
from league.events.models import Event
from league.events.queries.event import event_versions
from league.frame.api.body import Body, ModelSerializer, Serializer, bad_value, refused_value, several, value_fault
from league.frame.api.document import change_documented, documented
from league.frame.api.parameters import Paged, SeenBy
from league.seasons.api.view import SeenListView

MOST: Final = 200
"""So many entries one request may name."""
SHOWN: Final = (Entry.Status.ENTERED, Entry.Status.WAITING)
"""The entries that everybody sees."""


class EntrySerializer(ModelSerializer[Entry]):
    """An entry of `entry_rows`, in a context whose `scores` tells whether its reader enters results. Who withdrew or
    didn't come is told to scorers and organisers alone, and so is `checked_in_at`."""

    id = serializers.CharField(source="public_id", read_only=True)
    player = PlayerSerializer(columns=PLAYER, read_only=True)
    substitutes = PlayerSerializer(
        columns=PLAYER, read_only=True, allow_null=True, help_text="The player for whom the results count."
    )
    checked_in_at = serializers.SerializerMethodField()
    rank = serializers.IntegerField(
        source="final_rank.rank",
        read_only=True,
        allow_null=True,
        help_text="Where the entry finished a finished event.",
    )  # fmt: skip

    class Meta:
        model = Entry
        fields = ["id", "number", "player", "status", "guest", "substitutes", "checked_in_at", "rank"]
        read_only_fields = fields
        extra_kwargs = {
            "number": {"help_text": "The order in which they entered, and move up."},
            "guest": {"help_text": "Plays, and counts for nothing in the season."},
        }

    def get_checked_in_at(self, entry: Entry) -> datetime | None:
        """The time at which somebody saw them at the event."""
        return entry.checked_in_at if self.context["scores"] else None


class EntriesSerializer(Serializer):
    """The entries that a request named, as they are now."""

    results = EntrySerializer(many=True)


def entry_rows(event: Event) -> QuerySet[Entry]:
    """The entries of an event with all that is sent of them, in their order."""
    people = ("player__merged_into", "substitutes__merged_into", "final_rank", "event")
    return Entry.objects.filter(event=event).select_related(*people).order_by("number")


def handle_check(text: str) -> None:
    """Refuse what no record could call a player."""
    fault = handle_fault(text)
    if fault is not None:
        raise serializers.ValidationError(str(fault))


class NewEntryBody(Body):
    """Somebody who is to be entered: a player of the club by the id, or by a handle."""

    player = serializers.CharField(required=False, max_length=LENGTH)
    handle = serializers.CharField(required=False, max_length=64, trim_whitespace=False, validators=[handle_check])
    guest = serializers.BooleanField(default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse both names, and none."""
        if ("player" in attrs) == ("handle" in attrs):
            raise serializers.ValidationError("Name a player, or a handle.")
        return attrs


class NewEntriesBody(Body):
    """Those who are to be entered, in order: all of them, or nobody."""

    entries = several(NewEntryBody, least=1, most=MOST)
    create_players = serializers.BooleanField(
        default=False, help_text="Whether handles that the club doesn't know become players."
    )


class NamedEntriesBody(Body):
    """Entries by their ids: all of them, or none."""

    entries = serializers.ListField(
        child=serializers.CharField(max_length=LENGTH), min_length=1, max_length=MOST, help_text="Ids of entries."
    )


class EntryBody(Body):
    """For whom the results of an entry count; what is left out stays."""

    guest = serializers.BooleanField(help_text="Plays, and counts for nothing in the season.")
    substitutes = serializers.CharField(
        allow_null=True,
        max_length=LENGTH,
        help_text="The id of the player for whom results count; null: their own.",
    )


class CheckInBody(NamedEntriesBody):
    """Those who are here; with `here` false the check-in is undone."""

    here = serializers.BooleanField(default=True)


class EntriesWriteView(EventWriteView):
    """A view that changes entries."""

    def named_entries(self, event: Event, ids: list[str], member: str = "entries") -> list[Entry]:
        """The entries that a member of the body names by their ids. Raises a problem 400 for one that isn't there."""
        if not ids:
            return []
        entries = {entry.public_id: entry for entry in entry_rows(event).filter(public_id__in=ids)}
        faults = [
            value_fault(f"/{member}/{place}", "The event has no such entry.", "no_such_entry")
            for place, entry_id in enumerate(ids)
            if entry_id not in entries
        ]
        if faults:
            raise bad_value(faults)
        return [entries[entry_id] for entry_id in dict.fromkeys(ids)]

    def entries_answer(self, event: Event, entries: list[Entry]) -> dict[str, Any]:
        """The entries as they are stored now, as they are sent."""
        rows = entry_rows(event).filter(pk__in=[entry.pk for entry in entries])
        return EntriesSerializer({"results": rows}, context={"scores": True}).data


class Entries(EntriesWriteView, SeenListView):
    """The entries of an event in one list, and where organisers enter players."""

    parameters = Paged

    @documented("list_entries", "An event's entries", EntrySerializer(many=True), problems=[404], parameters=[Paged])
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """Those who take part in an event, or wait for a place, in the order of entering."""
        row = self.event(club, event)
        scores = self.scores(row.club)
        entries = entry_rows(row).filter(Q() if scores else Q(status__in=SHOWN))
        versions = (*event_versions(row), scores)
        return self.unless_unchanged(versions, lambda: self.paged(entries, EntrySerializer, scores=scores))

    @change_documented(
        "add_entries", "Enter players", NewEntriesBody, EntriesSerializer,
        example={"entries": [{"handle": "xenia"}, {"player": "t2vnb8wx4r", "guest": True}]},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Enter players as an organiser: with a place while there is one, else at the end of the waiting list."""
        row = self.event(club, event)
        account = self.organiser(row.club)
        request_body = self.sent()
        body = NewEntriesBody.of(request_body.content)
        wishes = [EntryWish(**wish) for wish in body["entries"]]

        def add() -> dict[str, Any]:
            try:
                entries = entries_add(
                    event=row, wishes=wishes, actor=actor(account), create_players=body["create_players"]
                )
            except NotEntered as refused:
                raise refused_value(refused.error, below=f"/entries/{refused.number}") from refused
            return self.entries_answer(row, entries)

        return self.done(request_body, add)


class OneEntry(EntriesWriteView):
    """An entry by its id, and for which player it counts."""

    @documented("get_entry", "An entry", EntrySerializer, problems=[404], parameters=[SeenBy])
    def get(self, request: Request, club: str, event: str, entry: str) -> HttpResponseBase:
        """One entry, by its id; who withdrew or didn't come to scorers and organisers alone."""
        owner = self.event(club, event)
        scores = self.scores(owner.club)
        row = entry_rows(owner).filter(Q() if scores else Q(status__in=SHOWN)).get(public_id=entry)
        answer = EntrySerializer(row, context={"scores": scores})
        return self.unless_unchanged((*event_versions(owner), scores, entry), lambda: Response(answer.data))

    @change_documented(
        "change_entry", "Say for whom an entry counts", EntryBody(partial=True), EntrySerializer,
        example={"substitutes": "t2vnb8wx4r"},
    )  # fmt: skip
    def patch(self, request: Request, club: str, event: str, entry: str) -> Response:
        """Say, as an organiser, that somebody plays as a guest, or for somebody else; what is left out stays."""
        owner = self.event(club, event)
        account = self.organiser(owner.club)
        row = entry_rows(owner).get(public_id=entry)
        request_body = self.sent()
        settings = EntryBody.of(request_body.content, partial=True)
        if settings.get("substitutes"):
            settings["substitutes"] = self._player(owner, settings["substitutes"])

        def change() -> dict[str, Any]:
            entry_change(entry=row, actor=actor(account), **settings)
            return EntrySerializer(entry_rows(owner).get(pk=row.pk), context={"scores": True}).data

        return self.done(request_body, change)

    @staticmethod
    def _player(event: Event, player_id: str) -> Player:
        """A player of the club. Raises a problem 400 for nobody."""
        player = Player.objects.select_related("merged_into").filter(club=event.club_id, public_id=player_id).first()
        if player is None:
            raise bad_value([value_fault("/substitutes", "Nobody in the club is called that.", "no_such_player")])
        return player


class EntryCheckIn(EntriesWriteView):
    """Entries that are marked as present, several at a time."""

    @change_documented(
        "check_in_entries", "Check entries in", CheckInBody, EntriesSerializer, example={"entries": ["m6tz2kq9xr"]}
    )
    def post(self, request: Request, club: str, event: str) -> Response:
        """Note who was seen at the event, or undo that, as a scorer or an organiser."""
        row = self.event(club, event)
        account = self.scorer(row.club)
        request_body = self.sent()
        body = CheckInBody.of(request_body.content)
        entries = self.named_entries(row, body["entries"])

        def check_in() -> dict[str, Any]:
            if body["here"]:
                entries_check_in(event=row, entries=entries, actor=actor(account))
            else:
                with transaction.atomic():
                    for entry in entries:
                        entry_check_out(entry=entry, actor=actor(account))
            return self.entries_answer(row, entries)

        return self.done(request_body, check_in)
