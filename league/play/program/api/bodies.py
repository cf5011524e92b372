"""The bodies that programs send: a mark, a new table, a seat, an automatic player."""

from __future__ import annotations

from typing import Any, Final

from rest_framework import serializers

from engine.bluff.ruleset import EXACT, SCORING
from engine.kniffel.combinations import TRUTH
from engine.record.kinds import KINDS
from games.models import Kind
from league.core.frame.api.serializers import Body, ModelSerializer
from league.play.online_table.models import OnlineTable
from league.play.online_table.services.automatic import STRENGTHS
from league.play.program.api.program_games import PROGRAM_GAMES

RULE_NAMES: Final = tuple(name for game in PROGRAM_GAMES.values() for name in game.rules)
"""The rules of all games that can be chosen for a new table."""


class ForGoodBody(Body):
    """The confirmation that the mark is permanent."""

    for_good = serializers.BooleanField(help_text="True: the mark can't be removed again.")

    def validate_for_good(self, value: bool) -> bool:
        """Refuse everything but true."""
        if not value:
            raise serializers.ValidationError("Send `true`: the mark is permanent.")
        return value


class SeedBody(Body):
    """A seat's contribution to the dice."""

    seed = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=32,
        help_text="Anything you like: the dice depend on it.",
    )


class NewOnlineTableBody(SeedBody, ModelSerializer[OnlineTable]):
    """The rules and settings of a new table. Each game has its own rules."""

    game = serializers.ChoiceField(
        Kind.choices, source="kind", default=Kind.BLUFF, help_text="The game that is played."
    )
    exact = serializers.ChoiceField(list(EXACT), default="all", help_text="Of Bluff: ruling B9.")
    reroll = serializers.BooleanField(default=False, help_text="Of Bluff: ruling B14.")
    scoring = serializers.ChoiceField(
        list(SCORING), default="placement", help_text="Of Bluff: ruling B13."
    )
    truth = serializers.ChoiceField(
        list(TRUTH), default="exact", help_text="Of Lügen-Kniffel: ruling K3."
    )
    allow_zero = serializers.BooleanField(default=False, help_text="Of Lügen-Kniffel: ruling K2.")
    programs_welcome = serializers.BooleanField(default=True, help_text="False: people only.")

    class Meta:
        model = OnlineTable
        fields = (
            "game",
            "exact",
            "reroll",
            "scoring",
            "truth",
            "allow_zero",
            "most_seats",
            "move_seconds",
            "bank_seconds",
            "listed",
            "programs_welcome",
            "seed",
        )

    def validate(self, attrs: Any) -> Any:
        """Refuse rules of another game, and collect those of the game in `rules`. By default the
        table has as many seats as the game allows.
        """
        kind = attrs["kind"]
        game = PROGRAM_GAMES[kind]
        foreign = [
            name for name in RULE_NAMES if name in self.initial_data and name not in game.rules
        ]
        if foreign:
            raise serializers.ValidationError(dict.fromkeys(foreign, "The game has no such rule."))
        chosen = {name: attrs.pop(name) for name in RULE_NAMES}
        rules = {name: chosen[name] for name in game.rules}
        rules.update(game.settled)
        attrs["rules"] = rules
        attrs.setdefault("most_seats", KINDS[kind].seats[-1])
        return attrs


class SeatBody(Body):
    """A seat of the lobby."""

    seat = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=7,
        help_text="For the host only: the seat to remove.",
    )


class StrengthBody(Body):
    """An automatic player."""

    strength = serializers.ChoiceField(list(STRENGTHS))
