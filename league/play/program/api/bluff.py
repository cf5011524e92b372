"""Bluff in the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rest_framework import serializers

from league.core.frame.api.serializers import Body, Serializer, TimeField
from league.play.program.api.program_game import ProgramAct, ProgramGame
from league.play.program.domain.bluff import bluff_seen


class BluffSeatSerializer(Serializer):
    """A seat of a game of Bluff, as everybody sees it."""

    number = serializers.IntegerField(help_text="From 0.")
    dice = serializers.IntegerField(
        help_text="The number of its dice, hidden and laid out together; 0: it is out."
    )
    shown = serializers.CharField(help_text="The dice it has laid out, such as `5*`.")
    rank = serializers.IntegerField(allow_null=True, help_text="Its place, once the game is over.")


class BidInPlaySerializer(Serializer):
    """A bid of the current round."""

    seat = serializers.IntegerField()
    bid = serializers.CharField(help_text="Such as `4x5`, or `3x*` for stars.")
    shown = serializers.CharField(help_text="The dice that were laid out with it.")


class BluffInPlaySerializer(Serializer):
    """A game of Bluff as its viewer sees it, and what the viewer can do now."""

    length = serializers.IntegerField(
        help_text="The number of entries so far: send it with your act."
    )
    round_ = serializers.IntegerField(source="now.round_number", help_text="From 1.")
    turn = serializers.IntegerField(
        allow_null=True, help_text="The seat to act; null once the game is over."
    )
    deadline = TimeField(allow_null=True, help_text="When its time runs out.")
    seats = BluffSeatSerializer(many=True, source="now.seats")
    bids = BidInPlaySerializer(
        many=True, source="now.said", help_text="The bids of the round, in order."
    )
    cup = serializers.CharField(
        allow_null=True,
        allow_blank=True,
        help_text="The dice under your own cup, such as `1134*`; null for spectators.",
    )
    legal = serializers.ListField(
        child=serializers.CharField(),
        help_text="The bids you can make now; empty when it isn't your turn.",
    )
    may_challenge = serializers.BooleanField(source="now.may_challenge")
    may_lay_out = serializers.BooleanField(
        source="now.may_lay_out", help_text="True: with a bid (ruling B14)."
    )
    over = serializers.BooleanField(source="now.over")


class BluffActBody(Body):
    """An act of your own seat in Bluff."""

    act = serializers.ChoiceField(["bid", "challenge", "leave"])
    bid = serializers.CharField(
        required=False,
        max_length=40,
        help_text=(
            "For a bid: one of `legal`, such as `4x5`. Dice laid out with it follow a `/`: "
            "`4x5/5*`."
        ),
    )
    length = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=100_000,
        help_text="The number of entries you know of. Not needed to leave.",
    )

    def validate(self, attrs: Any) -> Any:
        """Refuse a bid without its text, and an act without the length."""
        if (attrs["act"] == "bid") != ("bid" in attrs):
            raise serializers.ValidationError({"bid": "Only a bid has this."})
        if attrs["act"] != "leave" and "length" not in attrs:
            raise serializers.ValidationError({"length": "Send the number of entries you know of."})
        return attrs


def read_act(members: Mapping[str, Any]) -> ProgramAct:
    """Return the act of a body: a bid, a challenge, or leaving."""
    value = {"bid": members["bid"]} if members["act"] == "bid" else {}
    return ProgramAct(members["act"], value, members.get("length"))


BLUFF: Final = ProgramGame(
    seen=bluff_seen,
    serializer=BluffInPlaySerializer,
    body=BluffActBody,
    read_act=read_act,
    rules=("exact", "reroll", "scoring"),
    settled={"dice": 5},
)
