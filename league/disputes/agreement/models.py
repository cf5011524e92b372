"""Proposals of what was played, and the agreements of the seats."""

from __future__ import annotations

from typing import Final

import pgtrigger
from django.conf import settings
from django.db import models

from games.models import Game
from games.models.fact import Fact, Guard
from games.models.public_id import PublicModel
from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.standings.season.models import CLUB_OF_GAME

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
    """What was played instead of what a game tells, to which seats object: it corrects the game
    once all of them agree.

    `content`: the record without its seats, which stay as they are, as canonical JSON. It names
    nobody. The newest proposal of a game is the one to agree with."""

    game: models.ForeignKey[Game, Game] = column(
        models.ForeignKey(Game, on_delete=models.PROTECT, related_name="proposals")
    )
    content = column(models.TextField(), digest=True)
    made_at = column(models.DateTimeField())

    class Meta:
        ordering = ["pk"]


class Agreement(Fact):
    """A seat agrees with a proposal: it was played so. `role`: that of a player for who sat there,
    and of whoever said it for a seat whose player has no account. The first one is that of who made
    the proposal."""

    proposal = models.ForeignKey(
        Proposal, on_delete=models.PROTECT, related_name="agreements", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    role = column(models.CharField(max_length=16))
    agreed_at = column(models.DateTimeField())
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )

    class Meta:
        ordering = ["seat"]
        triggers = [SEATED_AGREEMENT]
        constraints = [
            models.UniqueConstraint(fields=["proposal", "seat"], name="seat_agrees_once")
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} with {self.proposal_id}"


PROPOSAL: Final = Noun("proposal", Proposal, club=f"game__{CLUB_OF_GAME}")


AGREEMENT: Final = Noun(
    "agreement",
    Agreement,
    club=f"proposal__game__{CLUB_OF_GAME}",
    named=("proposal__public_id", "seat"),
    doers={"agreed_by": "agreed_at"},
)
