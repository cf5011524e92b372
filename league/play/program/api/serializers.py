"""The answers that programs get: an account, online tables, their games and their entries."""

from __future__ import annotations

from typing import get_args

from rest_framework import serializers

from engine.sheet.entry import OnlineAct
from games.models import Kind
from league.core.frame.api.links import game_link, online_table_link
from league.core.frame.api.serializers import LinkField, ModelSerializer, Serializer
from league.play.online_table.models import OnlineTable
from league.play.program.api.program_games import GameField
from league.play.program.domain.table import SEAT_KINDS


class OnlineSeatSerializer(Serializer):
    """A seat at a table."""

    number = serializers.IntegerField(
        help_text="From 0, in the order of play. The first one is the host's."
    )
    name = serializers.CharField()
    kind = serializers.ChoiceField(SEAT_KINDS, help_text="`automatic` is a player of the service.")


class OnlineTableRowSerializer(ModelSerializer[OnlineTable]):
    """A table in a list."""

    club = serializers.CharField(source="club.slug")
    rules = serializers.DictField()
    taken = serializers.IntegerField(help_text="The number of seats taken.")
    url = LinkField(online_table_link, "public_id")

    class Meta:
        model = OnlineTable
        fields = (
            "id",
            "club",
            "kind",
            "status",
            "rules",
            "most_seats",
            "taken",
            "move_seconds",
            "bank_seconds",
            "programs_welcome",
            "url",
        )
        read_only_fields = fields


class ProgramSerializer(Serializer):
    """The account of a key, and its tables."""

    account = serializers.CharField(source="user.public_id")
    name = serializers.CharField(source="user.username")
    is_program = serializers.BooleanField(source="user.is_program")
    club = serializers.CharField(source="club.slug")
    tables = OnlineTableRowSerializer(
        many=True, help_text="Its tables in the club that are waiting for players or in play."
    )


class OnlineTableSerializer(Serializer):
    """An online table as its viewer sees it."""

    id = serializers.CharField(source="table.public_id")
    club = serializers.CharField(source="table.club.slug")
    kind = serializers.ChoiceField(
        Kind.choices, source="table.kind", help_text="The game that is played."
    )
    status = serializers.ChoiceField(OnlineTable.Status.choices, source="table.status")
    rules = serializers.DictField(source="table.rules", help_text="The rules, as in a record.")
    most_seats = serializers.IntegerField(source="table.most_seats")
    move_seconds = serializers.IntegerField(source="table.move_seconds")
    bank_seconds = serializers.IntegerField(source="table.bank_seconds")
    listed = serializers.BooleanField(source="table.listed", help_text="True: on the club's page.")
    programs_welcome = serializers.BooleanField(
        source="table.programs_welcome", help_text="False: people only."
    )
    commitment = serializers.CharField(
        source="table.commitment", help_text="The commitment to the dealer's secret."
    )
    seats = OnlineSeatSerializer(many=True)
    seat = serializers.IntegerField(
        allow_null=True, help_text="Your own seat; null for spectators."
    )
    game = GameField(
        allow_null=True,
        help_text="The game, in the format of its `kind`. Null before the game begins.",
    )
    sealed = LinkField(
        game_link, "table.game.public_id", allow_null=True, help_text="The sealed game."
    )
    url = LinkField(online_table_link, "table.public_id")


class ToldEntrySerializer(Serializer):
    """An entry, as everybody sees it."""

    number = serializers.IntegerField(help_text="From 0.")
    act = serializers.ChoiceField(list(get_args(OnlineAct)))
    value = serializers.DictField()
    by = serializers.DictField(
        help_text="`seat`, or `automatic`: a player of the service, or the dealer."
    )
    at = serializers.CharField()


class OnlineEntriesSerializer(Serializer):
    """The entries of a table from a number on."""

    entries = ToldEntrySerializer(many=True)
