"""Objections: a seat says that the result of its game isn't what was played, and what came of that; and proposals of
what was played, with which all seats have to agree."""

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
"""The objections of a seat are numbered from 1, each once the one before has ended; they are of a seat that the
game has, and of no revision that a correction replaces."""


class Objection(PublicModel, Fact):
    """A seat of a game objects to its result, which is provisional until the objection has an `end`.

    `number` counts those of one seat, of which one at most is open. `role`: that of a player for who sat there, and of
    whoever said it for the seat. The club's log seals a commitment to the `word` why; it can be removed for the sake of
    somebody's name.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="objections", db_index=False)
    seat = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    word = models.CharField(_("word"), max_length=LENGTH)
    role = models.CharField(max_length=16)
    raised_at = models.DateTimeField()
    raised_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )

    unsealed = ("word",)

    class Meta:
        ordering = ["raised_at", "pk"]
        triggers = [removal(["word"]), NEXT_OBJECTION]
        constraints = [models.UniqueConstraint(fields=["game", "seat", "number"], name="objection_of_seat_once")]

    @property
    def why(self) -> str:
        """The word in words, also where it was removed."""
        return self.word or gettext("removed, as it named somebody")


class ObjectionEnd(Fact):
    """The end of an objection: the seat took it back, somebody let the result stand for a `reason`, or the game was
    corrected or voided, which has a reason of its own."""

    class Way(models.TextChoices):
        """All that ends an objection."""

        WITHDRAWN = "withdrawn", _("the objection was withdrawn")
        STANDS = "stands", _("the result stands")
        CORRECTED = "corrected", _("the game was corrected")
        VOIDED = "voided", _("the game was voided")

    objection = models.OneToOneField(Objection, on_delete=models.PROTECT, primary_key=True, related_name="end")
    way = models.CharField(max_length=16, choices=Way.choices)
    reason = models.CharField(_("reason"), max_length=LENGTH, blank=True, default="")
    role = models.CharField(max_length=16)
    ended_at = models.DateTimeField()
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )

    unsealed = ("reason",)

    class Meta:
        triggers = [removal(["reason"])]

    def __str__(self) -> str:
        return f"end of {self.objection_id}"


SEATED_AGREEMENT: Final = Guard(
    name="seated_agreement",
    operation=pgtrigger.Insert,
    func="""
        IF NOT EXISTS (
            SELECT FROM league_proposal proposal JOIN games_seat seat USING (game_id)
            WHERE proposal.id = NEW.proposal_id AND seat.number = NEW.seat
            AND NOT EXISTS (SELECT FROM games_game WHERE replaces_id = proposal.game_id)
        ) THEN
            RAISE EXCEPTION 'seat % can''t agree with proposal %', NEW.seat, NEW.proposal_id;
        END IF;
        RETURN NEW;
    """,
)
"""Who agrees sits at the game, and nobody agrees with what is corrected already."""


class Proposal(PublicModel, Fact):
    """What was played instead of what a game tells, to which seats object: it corrects the game once all of them agree.

    `content`: the record without its seats, which stay as they are, as canonical JSON. It names nobody. The newest
    proposal of a game is the one to agree with.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="proposals")
    content = models.TextField()
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]


class Agreement(Fact):
    """A seat agrees with a proposal: it was played so. `role`: that of a player for who sat there, and of whoever said
    it for a seat whose player has no account. The first one is that of who made the proposal."""

    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="agreements", db_index=False)
    seat = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=16)
    agreed_at = models.DateTimeField()
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["seat"]
        triggers = [SEATED_AGREEMENT]
        constraints = [models.UniqueConstraint(fields=["proposal", "seat"], name="seat_agrees_once")]

    def __str__(self) -> str:
        return f"seat {self.seat} with {self.proposal_id}"
