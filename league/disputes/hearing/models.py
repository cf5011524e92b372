"""Hearings: an arbiter looks into the result of a game."""

from __future__ import annotations

from typing import Final

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.record.reason import LENGTH
from games.models import Game
from games.models.fact import Fact, Guard, removal
from games.models.public_id import PublicModel
from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.standings.season.models import CLUB_OF_GAME

NEXT_HEARING: Final = Guard(
    name="next_hearing",
    operation=pgtrigger.Insert,
    declare=[
        ("hearings", "INTEGER := (SELECT count(*) FROM league_hearing WHERE game_id = NEW.game_id)")
    ],
    func="""
        IF NEW.number <> hearings + 1 THEN
            RAISE EXCEPTION 'hearing % of game % comes out of turn', NEW.number, NEW.game_id;
        END IF;
        IF EXISTS (SELECT FROM games_game WHERE replaces_id = NEW.game_id) THEN
            RAISE EXCEPTION 'game % is corrected: its newest revision counts', NEW.game_id;
        END IF;
        RETURN NEW;
    """,
)
"""The hearings of a game are numbered from 1. A corrected revision gets no more of them."""


class Hearing(PublicModel, Fact):
    """A hearing: an arbiter asks the players of a game what happened. The result is provisional
    until a ruling ends the hearing.

    `number` counts the hearings of one revision, of which one at most is open. `word`: the
    arbiter's question. The club's log seals a commitment to it; it can be removed if it names
    somebody."""

    game: models.ForeignKey[Game, Game] = column(
        models.ForeignKey(Game, on_delete=models.PROTECT, related_name="hearings", db_index=False)
    )
    number = column(models.PositiveSmallIntegerField())
    word = column(models.CharField(_("question"), max_length=LENGTH), text=True)
    role = column(models.CharField(max_length=16))
    opened_at = column(models.DateTimeField())
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )

    unsealed = ("word",)

    class Meta:
        ordering = ["opened_at", "pk"]
        triggers = [removal(["word"]), NEXT_HEARING]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="hearing_once")]

    @property
    def question(self) -> str:
        """Return the word; a note if it was removed."""
        return self.word or gettext("removed because it named somebody")


HEARING: Final = Noun(
    "hearing", Hearing, club=f"game__{CLUB_OF_GAME}", doers={"opened_by": "opened_at"}
)
