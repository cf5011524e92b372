"""Lügen-Kniffel in the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rest_framework import serializers

from engine.kniffel.combinations import DICE
from league.core.frame.api.serializers import Body, Serializer, TimeField
from league.play.program.api.program_game import ProgramAct, ProgramGame
from league.play.program.domain.kniffel import kniffel_seen

ROLLER: Final = ("roll", "announce")
ANSWERS: Final = ("believe", "doubt")
ACTS: Final = (*ROLLER, *ANSWERS, "leave")
NEEDED: Final[Mapping[str, str]] = {"announce": "say", "believe": "turn", "doubt": "turn"}
"""The member that each act requires besides its length."""
ALLOWED: Final[Mapping[str, str]] = {**NEEDED, "roll": "keep"}
"""The only such member that each act may have."""


class KniffelSeatSerializer(Serializer):
    """A seat of a game of Lügen-Kniffel, as everybody sees it."""

    number = serializers.IntegerField(source="now.number", help_text="From 0.")
    total = serializers.IntegerField(source="now.total", help_text="Its points with the bonus.")
    open = serializers.ListField(
        child=serializers.CharField(),
        help_text="The combinations it can still announce, such as `fours`.",
    )
    points = serializers.DictField(
        child=serializers.IntegerField(), help_text="The noted points, by combination."
    )
    strikes = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Its strikes by combination, where there are any.",
    )
    answered = serializers.BooleanField(
        source="now.answered",
        help_text="True: it has answered in this turn. The answer itself isn't shown (ruling K16).",
    )
    has_left = serializers.BooleanField(source="now.has_left")
    rank = serializers.IntegerField(
        source="now.rank", allow_null=True, help_text="Its place, once the game is over."
    )


class OwnDiceSerializer(Serializer):
    """Your own dice, while it is your turn."""

    rolled = serializers.CharField(
        help_text="The dice rolled last, such as `13446`. `keep` gives their positions, from 0."
    )
    staying = serializers.CharField(help_text="The dice that stay under earlier cups.")


class KniffelInPlaySerializer(Serializer):
    """A game of Lügen-Kniffel as its viewer sees it, and what the viewer can do now."""

    length = serializers.IntegerField(
        help_text="The number of entries so far: send it when you roll or announce."
    )
    turn = serializers.IntegerField(
        help_text="The number of the turn, from 0: send it with your answer."
    )
    roller = serializers.IntegerField(
        source="now.roller",
        allow_null=True,
        help_text="The seat whose turn it is; null once the game is over.",
    )
    rolls = serializers.IntegerField(
        source="now.rolls", help_text="The number of rolls in this turn so far: 0 to 3."
    )
    announcement = serializers.CharField(
        allow_null=True, help_text="What it has announced, such as `fours=12`; null before."
    )
    to_act = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="The seats the table is waiting for: the roller, or all that haven't answered.",
    )
    deadline = TimeField(allow_null=True, help_text="When their time runs out.")
    seats = KniffelSeatSerializer(many=True)
    dice = OwnDiceSerializer(
        allow_null=True,
        help_text="Null for everybody except the roller, and before the first roll.",
    )
    legal = serializers.ListField(
        child=serializers.CharField(),
        help_text="All the announcements you can make now; empty when it isn't your turn.",
    )
    true = serializers.ListField(
        child=serializers.CharField(), help_text="The ones in `legal` that your dice really score."
    )
    may_roll = serializers.BooleanField(source="now.may_roll")
    may_answer = serializers.BooleanField(source="now.may_answer")
    over = serializers.BooleanField(source="now.over")


class KniffelActBody(Body):
    """An act of your own seat in Lügen-Kniffel."""

    act = serializers.ChoiceField(ACTS)
    keep = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=DICE - 1),
        required=False,
        max_length=DICE,
        help_text=(
            "For a roll: the positions of the dice in `rolled` to keep, from 0. If left out, "
            "all dice are rolled."
        ),
    )
    say = serializers.CharField(
        required=False,
        max_length=20,
        help_text="For `announce`: one of `legal`, such as `fours=12`.",
    )
    turn = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=100_000,
        help_text="For `believe` and `doubt`: the turn you are answering.",
    )
    length = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=100_000,
        help_text="The number of entries you know of. Not needed to answer or to leave.",
    )

    def validate(self, attrs: Any) -> Any:
        """Refuse an act that lacks a member, or has one of another act."""
        act = attrs["act"]
        for name in ("keep", "say", "turn"):
            if name in attrs and ALLOWED.get(act) != name:
                raise serializers.ValidationError({name: "This act doesn't take this member."})
        needed = NEEDED.get(act)
        if needed is not None and needed not in attrs:
            raise serializers.ValidationError({needed: "This act needs this member."})
        if act in ROLLER and "length" not in attrs:
            raise serializers.ValidationError({"length": "Send the number of entries you know of."})
        return attrs


def read_act(members: Mapping[str, Any]) -> ProgramAct:
    """Return the act of a body: the roller's, an answer, or leaving. Rulings K11 (K), K15, K16."""
    act = members["act"]
    length = members.get("length")
    if act == "roll":
        return ProgramAct("roll", {"keep": members.get("keep", [])}, length)
    if act == "announce":
        return ProgramAct("announce", {"say": members["say"]}, length)
    if act == "leave":
        return ProgramAct("leave", {}, length)
    return ProgramAct("answer", {"turn": members["turn"], "doubt": act == "doubt"}, length)


KNIFFEL: Final = ProgramGame(
    seen=kniffel_seen,
    serializer=KniffelInPlaySerializer,
    body=KniffelActBody,
    read_act=read_act,
    rules=("truth", "allow_zero"),
    settled={},
)
