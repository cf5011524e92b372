"""A sealed round (Bluff) or turn (Lügen-Kniffel)."""

from typing import Final

import pgtrigger
from django.db import models

from games.models.fact import Fact, Guard
from games.models.game import Game

NEXT_ROUND: Final = Guard(
    name="next_round",
    operation=pgtrigger.Insert,
    declare=[("last", "RECORD")],
    func="""
        SELECT number, ends_game INTO last FROM games_round
            WHERE game_id = NEW.game_id ORDER BY number DESC LIMIT 1;
        IF last.ends_game THEN
            RAISE EXCEPTION 'game % is over', NEW.game_id;
        END IF;
        IF NEW.number <> COALESCE(last.number + 1, 0) THEN
            RAISE EXCEPTION 'round % of game % comes out of turn', NEW.number, NEW.game_id;
        END IF;
        RETURN NEW;
    """,
)
"""A round extends a game that isn't over: it has the next number."""


class Round(Fact):
    """An entry of a game's record, sealed.

    `body` is the compact form (`engine.record`; a dict per die would be 29 times larger than the
    notation); `digest` is sha256 over the digest before it and the canonical form of this round.
    `ends_game`: no round can follow it.
    """

    pk = models.CompositePrimaryKey("game", "number")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="rounds", db_index=False)
    number = models.PositiveSmallIntegerField()
    ends_game = models.BooleanField()
    body = models.BinaryField()
    digest = models.BinaryField(max_length=32)

    class Meta:
        ordering = ["game", "number"]
        triggers = [NEXT_ROUND]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number}"
