"""Entries in the API: taking part, checking in, fees, and pairs that are kept apart."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.functional import cached_property
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS

from engine.record.handle import handle_fault
from games.models.public_id import LENGTH
from league.core.club.models import Club
from league.core.frame.api.operation import reads
from league.core.frame.api.problems import bad_value, named, refused_value, value_fault
from league.core.frame.api.serializers import Body, IdsField, ModelSerializer, Serializer, list_of
from league.core.log.services import Actor
from league.core.player.api import PlayerSerializer
from league.core.player.models import Player
from league.events.entry.models import LABEL_LENGTH, Apart, Entry, FeeStatus
from league.events.entry.queries.entry import ACTIVE, entry_rows
from league.events.entry.services.entering import EntryWish, NotEntered, entries_add
from league.events.entry.services.entry import (
    entries_check_in,
    entries_keep_apart,
    entry_change,
    entry_check_out,
)
from league.events.entry.services.label import labels_set
from league.events.event.api import EventWriteView
from league.events.event.models import Event
from league.events.fee.queries import fee_totals
from league.events.fee.services import fees_set
from league.standings.ranking.api.view import ReasonBody, changes

PLAYER: Final = ("current.public_id", "current.handle", "current.name")
"""The attributes of a player that identify it, following a merge."""


class EntrantSerializer(Serializer):
    """An entry by its id, and its player."""

    entry = serializers.CharField(source="public_id")
    player = PlayerSerializer(columns=PLAYER)


LABEL: Final = "The club or town for which they play, where several meet; empty: for none."
ENTRIES: Final = {"entries": [{"handle": "xenia"}, {"player": "t2vnb8wx4r", "guest": True}]}


# It takes entries of `entry_rows`, and a view in its context that has `scores` and `runs`.
class EntrySerializer(ModelSerializer[Entry]):
    """An entry in an event. Withdrawn entries, no-shows and `checked_in_at` are shown to scorers
    and organisers only.
    """

    player = PlayerSerializer(columns=PLAYER, read_only=True)
    substitutes = PlayerSerializer(
        columns=PLAYER,
        read_only=True,
        allow_null=True,
        help_text="The player for whom the results count.",
    )
    checked_in_at = serializers.SerializerMethodField()
    fee = serializers.SerializerMethodField(
        help_text="The state of its fee; null for everybody but organisers."
    )
    rank = serializers.IntegerField(
        source="final_rank.rank",
        read_only=True,
        allow_null=True,
        help_text=(
            "Where the entry finished in a finished event; with divisions, within its own division."
        ),
    )
    provisional = serializers.BooleanField(
        read_only=True,
        help_text="True while the result of a game the entry played at the event is disputed.",
    )

    class Meta:
        model = Entry
        fields = [
            "id",
            "number",
            "player",
            "status",
            "guest",
            "substitutes",
            "label",
            "checked_in_at",
            "fee",
            "rank",
            "provisional",
        ]
        read_only_fields = fields
        help_texts = {
            "number": "The order in which players entered, and in which they move up.",
            "guest": "Plays, but doesn't count in the season.",
            "label": LABEL,
        }

    def get_checked_in_at(self, entry: Entry) -> datetime | None:
        """The time at which the player was checked in."""
        return entry.checked_in_at if self.context["view"].scores else None

    def get_fee(self, entry: Entry) -> FeeStatus | None:
        """The state of the entry's fee."""
        return FeeStatus(entry.fee) if self.context["view"].runs else None


def handle_check(text: str) -> None:
    """Raise a `ValidationError` for a word that can't be a handle in a record."""
    fault = handle_fault(text)
    if fault is not None:
        raise serializers.ValidationError(str(fault))


class NewEntryBody(Body):
    """A player of the club to enter, by id or by handle."""

    player = serializers.CharField(required=False, max_length=LENGTH)
    handle = serializers.CharField(
        required=False, max_length=64, trim_whitespace=False, validators=[handle_check]
    )
    guest = serializers.BooleanField(default=False)
    label = serializers.CharField(  # type: ignore[assignment]
        default="", allow_blank=True, max_length=LABEL_LENGTH, help_text=LABEL
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a body that names both a player and a handle, or neither."""
        if ("player" in attrs) == ("handle" in attrs):
            raise serializers.ValidationError("Name a player or a handle.")
        return attrs


class NewEntriesBody(Body):
    """The players to enter, in order: either all of them or nobody."""

    entries = list_of(NewEntryBody, least=1)
    create_players = serializers.BooleanField(
        default=False, help_text="Whether handles unknown to the club become players."
    )


class NamedEntriesBody(Body):
    """Entries by their ids: either all of them or none."""

    entries = IdsField(min_length=1, help_text="Ids of entries.")


class EntryPreviewBody(Body):
    """For whom the results of an entry would count; members left out stay as they are."""

    guest = serializers.BooleanField(help_text="Plays, but doesn't count in the season.")
    substitutes = serializers.CharField(
        allow_null=True,
        max_length=LENGTH,
        help_text="The id of the player for whom results count; null: their own.",
    )


class EntryBody(EntryPreviewBody, ReasonBody):
    """For whom an entry plays, and for whom its results count; members left out stay as they are.
    After the end of the event a reason is required, which everybody can read, and `label` can't be
    changed."""

    label = serializers.CharField(allow_blank=True, max_length=LABEL_LENGTH, help_text=LABEL)  # type: ignore[assignment]


class CheckInBody(NamedEntriesBody):
    """The entries to check in; with `here` false the check-in is undone."""

    here = serializers.BooleanField(default=True)


def player_of_club(club: Club, player_id: str) -> Player:
    """Return the player of the club that a body names as `substitutes`. Raise a problem 400 if
    there is none.
    """
    player = club.players.select_related("merged_into").filter(public_id=player_id).first()
    if player is None:
        raise bad_value(
            [value_fault("/substitutes", "No player in the club has that name.", "no_such_player")]
        )
    return player


PAID: Final = {"entries": ["m6tz2kq9xr"], "fee": "paid"}


class FeesSerializer(Serializer):
    """The fees of an event: amounts in hundredths of its currency, and numbers of entries."""

    fee = serializers.IntegerField(allow_null=True, help_text="The price of an entry; null: free.")
    currency = serializers.CharField(help_text="The club's currency, by its code (ISO 4217).")
    total = serializers.IntegerField(help_text="The amount received.")
    owed = serializers.IntegerField(help_text="The amount outstanding from players with a place.")
    paid = serializers.IntegerField()
    free = serializers.IntegerField()
    debtors = serializers.IntegerField(help_text="How many haven’t paid yet.")


class FeeBody(NamedEntriesBody):
    """The fee of entries: `paid`, `free` if they don't have to pay, or `open` again."""

    fee = serializers.ChoiceField(FeeStatus.choices)


class ApartSerializer(Serializer):
    """Two entries that shouldn't sit at the same table. `must`: true means never, as for one
    household; false means if it can be avoided; null means they may again."""

    entries = EntrantSerializer(many=True)
    must = serializers.BooleanField(allow_null=True)


class ApartBody(Body):
    """Two entries by their ids, and how strictly they are kept apart: `true` never at the same
    table, `false` if it can be avoided, null: they may again.
    """

    entries = IdsField(2, min_length=2)
    must = serializers.BooleanField(allow_null=True)


class EntryView(EventWriteView):
    """A view of entries."""

    @cached_property
    def scores(self) -> bool:
        """Return True if the viewer enters the event's results. Everybody who may change
        something here does.
        """
        is_change = self.request.method not in SAFE_METHODS
        return is_change or super().scores

    def visible_entries(self) -> QuerySet[Entry]:
        """Return the entries of the event that the viewer may see."""
        entries = entry_rows(self.event)
        if self.scores:
            return entries
        return entries.filter(status__in=ACTIVE)

    def get_object(self) -> Any:
        """Return the entry, or the event. Raise `Entry.DoesNotExist`."""
        if "entry" not in self.kwargs:
            return self.event
        return self.visible_entries().get(public_id=self.kwargs["entry"])

    def named_entries(self, ids: Sequence[str]) -> list[Entry]:
        """Return the entries with these ids, each once. Raise a problem 400 for an unknown id."""
        rows = entry_rows(self.event).filter(public_id__in=ids)
        entries = named(rows, ids, "/entries", "The event has no such entry.", "no_such_entry")
        return list(dict.fromkeys(entries))

    def stored(self, entries: Sequence[Entry]) -> QuerySet[Entry]:
        """Return the current rows of the entries."""
        return entry_rows(self.event).filter(pk__in=[entry.pk for entry in entries])


class Entries(EntryView):
    """The entries of an event, their fees, and the pairs that are kept apart."""

    @reads("An event's entries", EntrySerializer(many=True))
    def list_entries(self, event: Event) -> QuerySet[Entry]:
        """The entries with a place in an event, or on its waiting list, in the order of
        entering.
        """
        return self.visible_entries()

    @changes("Enter players", NewEntriesBody, EntrySerializer(many=True), example=ENTRIES)
    def add_entries(self, event: Event, body: dict[str, Any], actor: Actor) -> QuerySet[Entry]:
        """Enter players as an organiser: with a place if one is free, or else at the end of the
        waiting list.
        """
        wishes = [EntryWish(**wish) for wish in body["entries"]]
        try:
            entries = entries_add(
                event=event, wishes=wishes, actor=actor, create_players=body["create_players"]
            )
        except NotEntered as refused:
            raise refused_value(refused.error, below=f"/entries/{refused.number}") from refused
        return self.stored(entries)

    @reads("An entry", EntrySerializer)
    def get_entry(self, entry: Entry) -> Entry:
        """One entry, by its id. Withdrawn entries and no-shows are shown to scorers and organisers
        only.
        """
        return entry

    @changes(
        "Set for whom an entry counts",
        EntryBody(partial=True),
        EntrySerializer,
        example={
            "substitutes": "t2vnb8wx4r",
        },
    )
    def change_entry(self, entry: Entry, body: dict[str, Any], actor: Actor) -> Entry:
        """As an organiser, let a player play as a guest or as a substitute. Members left out stay
        as they are."""
        if body.get("substitutes"):
            body["substitutes"] = player_of_club(self.club, body["substitutes"])
        with transaction.atomic():
            if "label" in body:
                labels_set(event=self.event, entries=[entry], label=body.pop("label"), actor=actor)
            entry_change(entry=entry, actor=actor, **body)
        return entry_rows(self.event).get(pk=entry.pk)

    @reads("An event's fees", FeesSerializer, for_organisers=True)
    def get_fees(self, event: Event) -> dict[str, Any]:
        """The amounts paid for an event, and those outstanding; for organisers. Each entry has its
        own `fee`."""
        return {"fee": event.fee, "currency": event.club.currency, **fee_totals(event)._asdict()}

    @changes("Record who has paid", FeeBody, EntrySerializer(many=True), example=PAID)
    def set_fees(self, event: Event, body: dict[str, Any], actor: Actor) -> QuerySet[Entry]:
        """As an organiser, note that entries have paid, don't have to pay, or have their fee open
        again. This doesn't transfer any money."""
        entries = self.named_entries(body["entries"])
        fees_set(event=event, entries=entries, fee=FeeStatus(body["fee"]), actor=actor)
        return self.stored(entries)

    @reads("Pairs kept apart", ApartSerializer(many=True), for_organisers=True)
    def list_apart(self, event: Event) -> QuerySet[Apart]:
        """The pairs that draws never seat at the same table, or only if unavoidable; for
        organisers."""
        people = ("first__player__merged_into", "second__player__merged_into")
        return Apart.objects.filter(event=event).select_related(*people).order_by("pk")

    @changes("Keep two entries apart", ApartBody, ApartSerializer)
    def keep_apart(self, event: Event, body: dict[str, Any], actor: Actor) -> Apart:
        """As an organiser, keep two entries from sitting at the same table, or allow it again. The
        next draw respects it."""
        entries = self.named_entries(body["entries"])
        first = entries[0]
        second = entries[-1]
        entries_keep_apart(first=first, second=second, must=body["must"], actor=actor)
        return Apart(first=first, second=second, must=body["must"])


class CheckIns(EntryView):
    """The check-ins of entries, several at a time."""

    right = "league.score_event"
    refusal = "Scorers and organisers of the club or the event may do this."

    @changes(
        "Check entries in",
        CheckInBody,
        EntrySerializer(many=True),
        example={"entries": ["m6tz2kq9xr"]},
    )
    def check_in_entries(self, event: Event, body: dict[str, Any], actor: Actor) -> QuerySet[Entry]:
        """As a scorer or an organiser, check entries in, or undo a check-in."""
        entries = self.named_entries(body["entries"])
        if body["here"]:
            entries_check_in(event=event, entries=entries, actor=actor)
        else:
            with transaction.atomic():
                for entry in entries:
                    entry_check_out(entry=entry, actor=actor)
        return self.stored(entries)
