"""The voiding of a game that should never have been entered, and its restoring."""

from __future__ import annotations

from typing import Final

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.record.reason import LENGTH
from games.models.fact import Fact, Guard, removal
from games.models.game import Game

NEXT_VOID: Final = Guard(
    name="next_void",
    operation=pgtrigger.Insert,
    declare=[("voids", "INTEGER := (SELECT count(*) FROM games_void WHERE game_id = NEW.game_id)")],
    func="""
        IF NEW.number <> voids + 1 OR NEW.stands <> (voids % 2 = 0) THEN
            RAISE EXCEPTION 'void % of game % comes out of turn', NEW.number, NEW.game_id;
        END IF;
        IF EXISTS (SELECT 1 FROM games_game WHERE replaces_id = NEW.game_id) THEN
            RAISE EXCEPTION 'game % is corrected: its newest revision counts', NEW.game_id;
        END IF;
        RETURN NEW;
    """,
)
"""The voids of a game are numbered from 1. It is voided and restored in turn, unless a
correction replaces it."""


class Void(Fact):
    """The voiding of a game or, unless it `stands`, its restoring. The newest `number` counts.

    `role`: the role of the account that decided. The club's log seals a commitment to the reason,
    which is public along with the game; it can be removed if it names somebody.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="voids", db_index=False)
    number = models.PositiveSmallIntegerField()
    stands = models.BooleanField()
    reason = models.CharField(_("reason"), max_length=LENGTH)
    role = models.CharField(max_length=16)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )

    unsealed = ("reason",)

    class Meta:
        ordering = ["game", "number"]
        triggers = [removal(["reason"]), NEXT_VOID]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="void_once")]

    @property
    def why(self) -> str:
        """Return the reason in words, even if it was removed."""
        return self.reason or gettext("removed because it named somebody")

    def __str__(self) -> str:
        return f"void {self.number} of game {self.game_id}"
