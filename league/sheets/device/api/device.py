"""Phones: the keys with which they write for a table, and the codes that they show where there is
no network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from rest_framework import serializers

from games.models import Device
from league.core.account.models import User
from league.core.frame.api.links import open_game_link
from league.core.frame.api.operation import again, reads
from league.core.frame.api.serializers import (
    Body,
    LinkField,
    ModelSerializer,
    Serializer,
    TimeField,
)
from league.core.frame.letter_link import public_address
from league.core.log.services import Actor
from league.core.viewer.queries.access import Viewer
from league.events.event.api import EventWriteView
from league.events.event.models import Event
from league.sheets.confirmation.queries.confirmation import may_write_down
from league.sheets.device.domain.writer import score_address
from league.sheets.device.services.code import TakenCode, code_take
from league.sheets.device.services.device import device_make, device_revoke
from league.sheets.sheet.models import SeasonOpenGame
from league.sheets.sheet.queries.access import devices_of, holder_of, open_game_for
from league.stages.stage.api.view import AT_TABLE, TableView
from league.stages.table.models import Table
from league.standings.ranking.api.view import (
    ReasonBody,
    SeasonView,
    WriteView,
    changes,
    named_by_id,
)
from league.standings.season.models import Season

REVOKED: Final = "revoked"


class NewDevice(NamedTuple):
    """A phone whose key was just made, and the address of the scorer, which contains the key."""

    device: Device
    address: str


class DeviceSerializer(ModelSerializer[Device]):
    """A phone that writes for a table until its key ends, or is revoked."""

    player = serializers.SerializerMethodField(
        help_text="The handle of the player whose key it is; null: a scorer's."
    )

    class Meta:
        model = Device
        fields = ["id", "player", "made_at", "ends_at", "revoked_at"]

    def get_player(self, device: Device) -> str | None:
        """Return the handle of the player whose key it is."""
        player = holder_of(device)
        return player.handle if player else None


class NewDeviceSerializer(DeviceSerializer):
    """A new phone, with the `address` that it opens. The address holds the phone's key and is
    shown only now."""

    address = serializers.CharField(
        help_text="The scorer, for a QR code. What follows # is the key."
    )

    def to_representation(self, instance: NewDevice) -> dict[str, Any]:
        """Return the phone as JSON, with the address."""
        device = DeviceSerializer(context=self.context).to_representation(instance.device)
        return {**device, "address": instance.address}

    class Meta(DeviceSerializer.Meta):
        fields = [*DeviceSerializer.Meta.fields, "address"]


class DeviceBody(ReasonBody):
    """Who a key is for."""

    seat = serializers.IntegerField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=32767,
        help_text="The seat whose player has the phone, from 0; leave it out for a scorer's phone. "
        "Players who aren't scorers can create keys for their own seat only.",
    )


class DeviceEndBody(ReasonBody):
    """The end of a key, and why, for the club's log."""

    status = serializers.ChoiceField([REVOKED])


class DevicesView(WriteView):
    """The phones that can write somewhere, for everybody who can write there."""

    refusal = AT_TABLE

    def is_allowed(self, account: User) -> bool:
        """Return True if the account may write down what is played there."""
        return may_write_down(Viewer(account), self.get_object())

    @reads("A table's phones", DeviceSerializer(many=True), for_writers=True)
    def list_devices(self, subject: Table | SeasonOpenGame) -> Sequence[Device]:
        """The phones whose keys aren't revoked, the newest first; for everybody who can write
        there."""
        return devices_of(subject)

    @changes("Create a key for a phone", DeviceBody, NewDeviceSerializer, example={"seat": 2})
    def make_device(
        self, subject: Table | SeasonOpenGame, body: dict[str, Any], actor: Actor
    ) -> NewDevice:
        """Create a key with which a phone can write there without an account: like the one on a
        scorer's slip, or for one of the players at the table."""
        device, key = device_make(subject=subject, actor=actor, seat=body.get("seat"))
        return NewDevice(device, public_address(score_address(subject, key)))

    @changes("Revoke a phone's key", DeviceEndBody, DeviceSerializer, example={"status": REVOKED})
    def end_device(
        self, subject: Table | SeasonOpenGame, body: dict[str, Any], actor: Actor
    ) -> Device:
        """Revoke the key of a phone at once. What's on a sheet stays; what still comes in is kept
        beside it."""
        device = subject.devices.select_related("device").get(
            device__public_id=self.kwargs["device"]
        )
        device_revoke(device=device, actor=actor)
        return Device.objects.get(pk=device.pk)


class Devices(TableView, DevicesView):
    """The phones of a table."""


class GameDevices(DevicesView):
    """The phones of an open game: its own, or those of its table."""

    club_path = "row.club"
    row = named_by_id("open_game", open_game_for, "club")

    def get_object(self) -> Table | SeasonOpenGame:
        """Return the table of the open game, or the open game itself if it has none. Raise
        `ObjectDoesNotExist` if the viewer may not see it."""
        return self.row.subject

    list_game_devices = again(DevicesView.list_devices, "The phones of an open game")
    make_game_device = again(DevicesView.make_device, "Create a key for a phone at an open game")
    end_game_device = again(DevicesView.end_device, "Revoke the key of a phone at an open game")


class CodeBody(Body):
    """What a phone without a network shows, as read by a camera."""

    code = serializers.CharField(max_length=8_000)


class TakenCodeSerializer(Serializer):
    """What was read from a code."""

    url = LinkField(
        open_game_link, "row.open_game.public_id", help_text="The address of the open game."
    )
    added = serializers.IntegerField(
        help_text="Entries that weren't there before; reading a code twice adds them only once."
    )
    is_late = serializers.BooleanField(
        help_text=(
            "The rest is kept beside the sheet: others wrote in the meantime, or the phone's "
            "key has ended."
        )
    )
    waits_until = TimeField(
        allow_null=True,
        help_text="Where the phone's key has ended: until when the rest can be let onto the sheet.",
    )


class Codes(EventWriteView):
    """The codes shown by phones without a network, of games at the tables of an event."""

    right = "league.score_event"
    refusal = "Scorers and organisers of the club or the event may do this."

    @changes("Send what a phone without a network shows", CodeBody, TakenCodeSerializer)
    def take_code(self, ground: Event | Season, body: dict[str, Any], actor: Actor) -> TakenCode:
        """Enter what a phone wrote of a game, as if it had sent it itself. Doing it twice changes
        nothing."""
        return code_take(ground=ground, text=body["code"])


class SeasonCodes(SeasonView, WriteView):
    """The same codes of a season's games without a table."""

    right = "league.enter_games"
    refusal = "Scorers and organisers of the club may do this."
    take_season_code = again(Codes.take_code, "Send what a phone shows of a game without a table")
