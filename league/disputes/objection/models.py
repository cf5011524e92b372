"""Objections: a seat says that the result of its game is wrong. And how the objection ended."""

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
from league.core.log.nouns import Noun, columns_at
from league.standings.season.models import CLUB_OF_GAME

NEXT_OBJECTION: Final = Guard(
    name="next_objection",
    operation=pgtrigger.Insert,
    declare=[
        (
            "ended",
            """BOOLEAN[] := ARRAY(
                SELECT EXISTS (SELECT FROM league_objectionend WHERE objection_id = objection.id)
                FROM league_objection objection WHERE game_id = NEW.game_id AND seat = NEW.seat
            )""",
        )
    ],
    func="""
        IF NEW.number <> 1 + cardinality(ended) OR false = ANY(ended) THEN
            RAISE EXCEPTION 'objection % of seat % in game % comes out of turn', NEW.number, NEW.seat, NEW.game_id;
        END IF;
        IF NOT EXISTS (SELECT FROM games_seat WHERE game_id = NEW.game_id AND number = NEW.seat) THEN
            RAISE EXCEPTION 'game % has no seat %', NEW.game_id, NEW.seat;
        END IF;
        IF EXISTS (SELECT FROM games_game WHERE replaces_id = NEW.game_id) THEN
            RAISE EXCEPTION 'game % is corrected: its newest revision counts', NEW.game_id;
        END IF;
        RETURN NEW;
    """,
)
"""The objections of a seat are numbered from 1; the next one can begin when the one before has
ended. The game has this seat, and isn't corrected."""


class Objection(PublicModel, Fact):
    """An objection of a seat to the result of its game. The result is provisional until the
    objection has an `end`.

    `number` counts the objections of one seat, of which one at most is open. `role`: `player` if
    the seat itself objected, else the role of the account that objected for it. `word`: what is
    wrong. The club's log seals a commitment to it; it can be removed if it names somebody."""

    game: models.ForeignKey[Game, Game] = column(
        models.ForeignKey(Game, on_delete=models.PROTECT, related_name="objections", db_index=False)
    )
    seat = column(models.PositiveSmallIntegerField())
    number = column(models.PositiveSmallIntegerField())
    word = column(models.CharField(_("word"), max_length=LENGTH), text=True)
    role = column(models.CharField(max_length=16))
    raised_at = column(models.DateTimeField())
    raised_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )

    unsealed = ("word",)

    class Meta:
        ordering = ["raised_at", "pk"]
        triggers = [removal(["word"]), NEXT_OBJECTION]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "seat", "number"], name="objection_of_seat_once"
            )
        ]

    @property
    def why(self) -> str:
        """Return the word; a note if it was removed."""
        return self.word or gettext("removed because it named somebody")


class ObjectionEnd(Fact):
    """The end of an objection: the seat withdrew it, an arbiter let the result stand for a
    `reason`, or the game was corrected, voided or ruled on, which has a reason of its own."""

    class Way(models.TextChoices):
        """The ways in which an objection ends."""

        WITHDRAWN = "withdrawn", _("the objection was withdrawn")
        STANDS = "stands", _("the result stands")
        CORRECTED = "corrected", _("the game was corrected")
        VOIDED = "voided", _("the game was voided")
        RULED = "ruled", _("an arbiter ruled")

    objection = models.OneToOneField(
        Objection, on_delete=models.PROTECT, primary_key=True, related_name="end"
    )
    way = column(models.CharField(max_length=16, choices=Way.choices))
    reason = column(
        models.CharField(_("reason"), max_length=LENGTH, blank=True, default=""), text=True
    )
    role = column(models.CharField(max_length=16), name="end_role")
    ended_at = column(models.DateTimeField())
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )

    unsealed = ("reason",)

    class Meta:
        triggers = [removal(["reason"])]

    def __str__(self) -> str:
        return f"end of {self.objection_id}"


OBJECTION: Final = Noun(
    "objection",
    Objection,
    club=f"game__{CLUB_OF_GAME}",
    more=columns_at("end", ObjectionEnd),
    doers={"raised_by": "raised_at", "end__ended_by": "ended_at"},
)
