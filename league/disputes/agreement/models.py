"""Proposals to correct a game, and the agreements of its seats."""

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
"""Only seats of the game agree, and only until the game is corrected."""


class Proposal(PublicModel, Fact):
    """A proposal of what was really played in a game to which a seat objects. It corrects the game
    once all seats agree. Only the newest proposal of a game can be agreed with.

    `content`: the proposed record as canonical JSON, without its seats, which stay the same. It
    names nobody."""

    game: models.ForeignKey[Game, Game] = column(
        models.ForeignKey(Game, on_delete=models.PROTECT, related_name="proposals")
    )
    content = column(models.TextField(), digest=True)
    made_at = column(models.DateTimeField())

    class Meta:
        ordering = ["pk"]


class Agreement(Fact):
    """The agreement of a seat with a proposal; the first one is the proposer's. `role`: `player` if
    the seat itself agrees, else the role of the account that agrees for a player without an
    account."""

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
