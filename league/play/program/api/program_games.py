"""The games that programs can play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from games.models import Kind
from league.play.program.api import bluff, kniffel
from league.play.program.api.program_game import ProgramGame
from league.play.program.domain.table import GameRead

PROGRAM_GAMES: Final[Mapping[str, ProgramGame]] = {
    Kind.BLUFF: bluff.BLUFF,
    Kind.LUEGEN_KNIFFEL: kniffel.KNIFFEL,
}
"""By the kind of game."""
ACT_BODY: Final[Any] = PolymorphicProxySerializer(
    component_name="OnlineActBody",
    serializers=[game.body for game in PROGRAM_GAMES.values()],
    resource_type_field_name=None,
)
"""The body of an act in any game, for the schema."""


@extend_schema_field(
    PolymorphicProxySerializer(
        component_name="GameInPlay",
        serializers=[game.serializer for game in PROGRAM_GAMES.values()],
        resource_type_field_name=None,
    )
)
class GameField(serializers.Field[GameRead, Any, Any, Any]):
    """A game in play, in the shape of its kind."""

    def to_representation(self, value: GameRead) -> Any:
        """Return the game as its viewer sees it."""
        game = PROGRAM_GAMES[value.kind]
        return game.serializer().to_representation(game.seen(value))
