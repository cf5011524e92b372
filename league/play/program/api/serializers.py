"""An online table, its game and its entries as they are sent: by addresses, and by streams."""

from __future__ import annotations

from typing import get_args

from rest_framework import serializers

from engine.sheet.entry import OnlineAct
from league.core.frame.api.links import game_link, online_table_link
from league.core.frame.api.serializers import LinkField, Serializer, TimeField
from league.play.online_table.models import OnlineTable
from league.play.program.domain import SEAT_KINDS


class SeatInPlaySerializer(Serializer):
    """A seat of a game in play, as everybody sees it."""

    number = serializers.IntegerField(help_text="From 0.")
    dice = serializers.IntegerField(help_text="Its dice, under the cup and laid out together; 0: it is out.")
    shown = serializers.CharField(help_text="The dice that it has laid out, such as `5*`.")
    rank = serializers.IntegerField(allow_null=True, help_text="Its place, once the game is over.")


class BidInPlaySerializer(Serializer):
    """A bid of the round that is played."""

    seat = serializers.IntegerField()
    bid = serializers.CharField(help_text="Such as `4x5`, or `3x*` for stars.")
    shown = serializers.CharField(help_text="The dice that were laid out with it.")


class GameInPlaySerializer(Serializer):
    """A game as its viewer sees it, and what the viewer can do now."""

    length = serializers.IntegerField(help_text="How many entries there are: send it with your act.")
    round_ = serializers.IntegerField(source="now.round_number", help_text="From 1.")
    turn = serializers.IntegerField(allow_null=True, help_text="The seat to act; null once the game is over.")
    deadline = TimeField(allow_null=True, help_text="When its time ends.")
    seats = SeatInPlaySerializer(many=True, source="now.seats")
    bids = BidInPlaySerializer(many=True, source="now.said", help_text="Those of the round, the first one first.")
    cup = serializers.CharField(
        allow_null=True,
        allow_blank=True,
        help_text="The dice under your own cup, such as `1134*`; null for spectators.",
    )
    legal = serializers.ListField(
        child=serializers.CharField(), help_text="The bids that you can make now; empty when others act."
    )
    may_challenge = serializers.BooleanField(source="now.may_challenge")
    may_lay_out = serializers.BooleanField(source="now.may_lay_out", help_text="True: with a bid (ruling B14).")
    over = serializers.BooleanField(source="now.over")


class OnlineSeatSerializer(Serializer):
    """Somebody who sits at a table."""

    number = serializers.IntegerField(help_text="From 0, in the order of play. The first one is the host's.")
    name = serializers.CharField()
    kind = serializers.ChoiceField(SEAT_KINDS, help_text="`automatic` is a player of the service.")


class OnlineTableSerializer(Serializer):
    """An online table as its viewer sees it."""

    id = serializers.CharField(source="table.public_id")
    club = serializers.CharField(source="table.club.slug")
    status = serializers.ChoiceField(OnlineTable.Status.choices, source="table.status")
    rules = serializers.DictField(source="table.rules", help_text="As a record has them.")
    most_seats = serializers.IntegerField(source="table.most_seats")
    move_seconds = serializers.IntegerField(source="table.move_seconds")
    bank_seconds = serializers.IntegerField(source="table.bank_seconds")
    listed = serializers.BooleanField(source="table.listed", help_text="True: on the club's page.")
    programs_welcome = serializers.BooleanField(source="table.programs_welcome", help_text="False: people only.")
    commitment = serializers.CharField(source="table.commitment", help_text="That to the dealer's secret.")
    seats = OnlineSeatSerializer(many=True)
    seat = serializers.IntegerField(allow_null=True, help_text="Your own; null for spectators.")
    game = GameInPlaySerializer(allow_null=True, help_text="Null before the game begins.")
    sealed = LinkField(game_link, "table.game.public_id", allow_null=True, help_text="The sealed game.")
    url = LinkField(online_table_link, "table.public_id")


class ToldEntrySerializer(Serializer):
    """An entry, as everybody sees it."""

    number = serializers.IntegerField(help_text="From 0.")
    act = serializers.ChoiceField(list(get_args(OnlineAct)))
    value = serializers.DictField()
    by = serializers.DictField(help_text="`seat`, or `automatic`: a player of the service, or the dealer.")
    at = serializers.CharField()
