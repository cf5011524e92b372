"""Entries: who takes part in an event."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from engine.record.handle import handle_fault
from games.models.public_id import LENGTH
from league.clubs.api.player import NAMED, PlayerNamed, named
from league.clubs.models import Player
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
from league.frame.api.body import Body, bad_value, refused_value, several, value_fault
from league.frame.api.document import change_documented, documented
from league.frame.api.links import player_link
from league.frame.api.parameters import Paged, SeenBy
from league.seasons.api.view import SeenListView

MOST: Final = 200
"""So many entries one request may name."""
SHOWN: Final = (Entry.Status.ENTERED, Entry.Status.WAITING)
"""What everybody sees."""


class EntryShape(serializers.Serializer[None]):
    """An entry. Who withdrew or didn't come is told to scorers and organisers alone, and so is `checked_in_at`."""

    id = serializers.CharField()
    number = serializers.IntegerField(help_text="The order in which they entered, and move up.")
    player = PlayerNamed()
    status = serializers.ChoiceField(Entry.Status.choices)
    guest = serializers.BooleanField(help_text="Plays, and counts for nothing in the season.")
    substitutes = PlayerNamed(allow_null=True, help_text="The player for whom the results count.")
    checked_in_at = serializers.DateTimeField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True, help_text="Where the entry finished a finished event.")


class EntriesShape(serializers.Serializer[None]):
    """The entries that a request named, as they are now."""

    results = EntryShape(many=True)


def player_json(player: Player) -> dict[str, Any]:
    """A player, or who that was merged into, as it is sent."""
    known = player.merged_into or player
    return named(known.public_id, known.handle, known.name)


def entry_json(entry: Entry, *, scores: bool) -> dict[str, Any]:
    """An entry of `entry_rows` as it is sent; `scores`: to those who enter results."""
    final = getattr(entry, "final_rank", None)
    return {
        "id": entry.public_id,
        "number": entry.number,
        "player": player_json(entry.player),
        "status": entry.status,
        "guest": entry.guest,
        "substitutes": player_json(entry.substitutes) if entry.substitutes else None,
        "checked_in_at": entry.checked_in_at if scores else None,
        "rank": final.rank if final else None,
    }


def entry_rows(event: Event) -> QuerySet[Entry]:
    """The entries of an event with all that is sent of them, in their order."""
    people = ("player__merged_into", "substitutes__merged_into", "final_rank", "event")
    return Entry.objects.filter(event=event).select_related(*people).order_by("number")


EXAMPLE: Final = {
    "id": "m6tz2kq9xr", "number": 1, "player": NAMED, "status": "entered", "guest": False, "substitutes": None,
    "checked_in_at": "2026-12-03T18:12:00Z", "rank": None,
}  # fmt: skip


def is_handle(text: str) -> None:
    """Refuse what no record could call a player."""
    fault = handle_fault(text)
    if fault is not None:
        raise serializers.ValidationError(str(fault))


class NewEntryBody(Body):
    """Who is to be entered: a player of the club by the id, or by a handle."""

    player = serializers.CharField(required=False, max_length=LENGTH)
    handle = serializers.CharField(required=False, max_length=64, trim_whitespace=False, validators=[is_handle])
    guest = serializers.BooleanField(default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse both names, and none."""
        if ("player" in attrs) == ("handle" in attrs):
            raise serializers.ValidationError("Name a player, or a handle.")
        return attrs


class NewEntriesBody(Body):
    """Who is to be entered, in order: all of them, or nobody."""

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
    """Who is here; with `here` false the check-in is undone."""

    here = serializers.BooleanField(default=True)


class EntriesWriteView(EventWriteView):
    """A view that changes entries."""

    def named_entries(self, event: Event, ids: list[str], member: str = "entries") -> list[Entry]:
        """The entries that a member of the body names by their ids. Raises a problem 400 for one that isn't there."""
        if not ids:
            return []
        known = {entry.public_id: entry for entry in entry_rows(event).filter(public_id__in=ids)}
        faults = [
            value_fault(f"/{member}/{place}", "The event has no such entry.", "no_such_entry")
            for place, id in enumerate(ids)
            if id not in known
        ]
        if faults:
            raise bad_value(faults)
        return [known[id] for id in dict.fromkeys(ids)]

    def entries_now(self, event: Event, entries: list[Entry]) -> dict[str, Any]:
        """The entries as they are stored now, as they are sent."""
        found = entry_rows(event).filter(pk__in=[entry.pk for entry in entries])
        return {"results": [entry_json(entry, scores=True) for entry in found]}


class Entries(EntriesWriteView, SeenListView):
    """The entries of an event in one list, and where organisers enter players."""

    parameters = Paged

    @documented(
        "list_entries", "An event's entries", EntryShape(many=True), problems=[404], parameters=[Paged], example=EXAMPLE
    )
    def get(self, request: Request, club: str, event: str) -> HttpResponseBase:
        """Who takes part in an event, or waits for a place, in the order of entering."""
        found = self.event(club, event)
        scores = self.scores(found.club)
        rows = entry_rows(found).filter(Q() if scores else Q(status__in=SHOWN))
        versions = (*event_versions(found), scores)
        return self.unless_unchanged(versions, lambda: self.paged(rows, lambda entry: entry_json(entry, scores=scores)))

    @change_documented(
        "add_entries", "Enter players", NewEntriesBody, EntriesShape,
        example={"entries": [{"handle": "xenia"}, {"player": "t2vnb8wx4r", "guest": True}]},
        answered={"results": [EXAMPLE]},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Enter players as an organiser: with a place while there is one, else at the end of the waiting list."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        sent = self.sent()
        said = NewEntriesBody.of(sent.content)
        wishes = [EntryWish(**wish) for wish in said["entries"]]

        def add() -> dict[str, Any]:
            try:
                made = entries_add(
                    event=found, wishes=wishes, actor=actor(account), create_players=said["create_players"]
                )
            except NotEntered as refused:
                raise refused_value(refused.error, below=f"/entries/{refused.number}") from refused
            return self.entries_now(found, made)

        return self.done(sent, add)


class OneEntry(EntriesWriteView):
    """An entry by its id, and for which player it counts."""

    @documented("get_entry", "An entry", EntryShape, problems=[404], parameters=[SeenBy], example=EXAMPLE)
    def get(self, request: Request, club: str, event: str, entry: str) -> HttpResponseBase:
        """One entry, by its id; who withdrew or didn't come to scorers and organisers alone."""
        found = self.event(club, event)
        scores = self.scores(found.club)
        row = entry_rows(found).filter(Q() if scores else Q(status__in=SHOWN)).get(public_id=entry)
        versions = (*event_versions(found), scores, entry)
        return self.unless_unchanged(versions, lambda: Response(entry_json(row, scores=scores)))

    @change_documented(
        "change_entry", "Say for whom an entry counts", EntryBody(partial=True), EntryShape,
        example={"substitutes": "t2vnb8wx4r"},
        answered=EXAMPLE | {"substitutes": NAMED | {"id": "t2vnb8wx4r", "url": player_link("t2vnb8wx4r")}},
    )  # fmt: skip
    def patch(self, request: Request, club: str, event: str, entry: str) -> Response:
        """Say, as an organiser, that somebody plays as a guest, or for somebody else; what is left out stays."""
        found = self.event(club, event)
        account = self.organiser(found.club)
        row = entry_rows(found).get(public_id=entry)
        sent = self.sent()
        said = EntryBody.of(sent.content, partial=True)
        if said.get("substitutes"):
            said["substitutes"] = self._player(found, said["substitutes"])

        def change() -> dict[str, Any]:
            entry_change(entry=row, actor=actor(account), **said)
            return entry_json(entry_rows(found).get(pk=row.pk), scores=True)

        return self.done(sent, change)

    @staticmethod
    def _player(event: Event, id: str) -> Player:
        """A player of the club. Raises a problem 400 for nobody."""
        found = Player.objects.select_related("merged_into").filter(club=event.club_id, public_id=id).first()
        if found is None:
            raise bad_value([value_fault("/substitutes", "Nobody in the club is called that.", "no_such_player")])
        return found


class EntryCheckIn(EntriesWriteView):
    """Entries that are marked as present, several at a time."""

    @change_documented(
        "check_in_entries", "Check entries in", CheckInBody, EntriesShape, example={"entries": ["m6tz2kq9xr"]},
        answered={"results": [EXAMPLE]},
    )  # fmt: skip
    def post(self, request: Request, club: str, event: str) -> Response:
        """Note who was seen at the event, or undo that, as a scorer or an organiser."""
        found = self.event(club, event)
        account = self.scorer(found.club)
        sent = self.sent()
        said = CheckInBody.of(sent.content)
        entries = self.named_entries(found, said["entries"])

        def check_in() -> dict[str, Any]:
            if said["here"]:
                entries_check_in(event=found, entries=entries, actor=actor(account))
            else:
                with transaction.atomic():
                    for entry in entries:
                        entry_check_out(entry=entry, actor=actor(account))
            return self.entries_now(found, entries)

        return self.done(sent, check_in)
