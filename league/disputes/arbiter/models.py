"""Arbiters from outside: people who took no part in a disputed game and on whom its seats agree."""

from __future__ import annotations

from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.models.fact import Fact, Guard
from games.models.public_id import PublicModel
from league.core.account.models import User
from league.core.log.columns import column
from league.core.log.nouns import Noun, columns_at
from league.standings.season.models import CLUB_OF_GAME

LASTS: Final = timedelta(days=14)
"""How long an invitation holds, and with it the right of the arbiter to rule."""

NEXT_INVITATION: Final = Guard(
    name="next_invitation",
    operation=pgtrigger.Insert,
    func="""
        IF NEW.number <> 1 + (
            SELECT count(*) FROM league_arbiterinvitation WHERE game_id = NEW.game_id
        ) THEN
            RAISE EXCEPTION 'invitation % to rule on game % comes out of turn', NEW.number, NEW.game_id;
        END IF;
        IF EXISTS (SELECT FROM games_game WHERE replaces_id = NEW.game_id) THEN
            RAISE EXCEPTION 'game % is corrected: its newest revision counts', NEW.game_id;
        END IF;
        RETURN NEW;
    """,
)
"""The invitations of a game are numbered from 1. A corrected revision gets no more of them."""

STANDING_INVITATION: Final = Guard(
    name="standing_invitation",
    operation=pgtrigger.Insert,
    func="""
        IF EXISTS (
            SELECT FROM league_arbiterinvitationend WHERE invitation_id = NEW.invitation_id
        ) THEN
            RAISE EXCEPTION 'invitation % has ended', NEW.invitation_id;
        END IF;
        RETURN NEW;
    """,
)
"""Nobody accepts an invitation that has ended."""

SEATED_ASSENT: Final = Guard(
    name="seated_assent",
    operation=pgtrigger.Insert,
    func="""
        IF NOT EXISTS (
            SELECT FROM league_arbiterinvitation invitation
            JOIN games_seat seat USING (game_id)
            WHERE invitation.id = NEW.acceptance_id AND seat.number = NEW.seat
            AND NOT EXISTS (
                SELECT FROM league_arbiterinvitationend WHERE invitation_id = invitation.id
            )
            AND NOT EXISTS (SELECT FROM games_game WHERE replaces_id = invitation.game_id)
        ) THEN
            RAISE EXCEPTION 'seat % can''t assent to invitation %', NEW.seat, NEW.acceptance_id;
        END IF;
        RETURN NEW;
    """,
)
"""Only a seat of the game assents, while the invitation hasn't ended and the game isn't
corrected."""


class ArbiterInvitation(PublicModel, Fact):
    """An invitation, by a link, to rule on a disputed game.

    `game`: the revision that counted then. `number` counts the invitations of that game. `digest`:
    of the token in the link, which is stored nowhere. `role`: `player` if a seat of the game made
    it, else the role in which the account rules there."""

    game: models.ForeignKey[Game, Game] = column(
        models.ForeignKey(
            Game, on_delete=models.PROTECT, related_name="arbiter_invitations", db_index=False
        )
    )
    number = column(models.PositiveSmallIntegerField())
    digest = models.CharField(max_length=64, unique=True, editable=False)
    role = column(models.CharField(max_length=16))
    made_at = column(models.DateTimeField())
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )

    unproven = MappingProxyType(
        {"digest": "it opens the link alone; who accepted is an entry of its own"}
    )

    class Meta:
        ordering = ["pk"]
        triggers = [NEXT_INVITATION]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="arbiter_invitation_once"),
        ]

    @property
    def good_until(self) -> datetime:
        """Return the time until which somebody can accept, seats can assent, and the arbiter can
        rule."""
        return self.made_at + LASTS


class ArbiterAcceptance(Fact):
    """The acceptance of an invitation. `close_to`: the seats to which the arbiter declares to be
    close; often none."""

    invitation = models.OneToOneField(
        ArbiterInvitation, on_delete=models.PROTECT, primary_key=True, related_name="acceptance"
    )
    arbiter: models.ForeignKey[User, User] = column(
        models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    )
    close_to = column(ArrayField(models.PositiveSmallIntegerField(), default=list))
    accepted_at = column(models.DateTimeField())

    class Meta:
        triggers = [STANDING_INVITATION]

    def __str__(self) -> str:
        return f"acceptance of {self.invitation_id}"


class ArbiterAssent(Fact):
    """A seat's assent to the arbiter who accepted. `role`: `player` if the seat gave it, else the
    role of the account that gave it for a player without an account."""

    acceptance = models.ForeignKey(
        ArbiterAcceptance, on_delete=models.PROTECT, related_name="assents", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    role = column(models.CharField(max_length=16))
    assented_at = column(models.DateTimeField())
    assented_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )

    class Meta:
        ordering = ["seat"]
        triggers = [SEATED_ASSENT]
        constraints = [
            models.UniqueConstraint(fields=["acceptance", "seat"], name="seat_assents_once"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} to {self.acceptance_id}"


class ArbiterInvitationEnd(Fact):
    """The end of an invitation. `seat`: the seat that said no; None for all other ways."""

    class Way(models.TextChoices):
        """The ways in which an invitation ends before its time is over."""

        WITHDRAWN = "withdrawn", _("the invitation was withdrawn")
        DECLINED = "declined", _("a player said no")
        GIVEN_UP = "given_up", _("the invited arbiter declined")
        OTHER = "other", _("the players agreed on somebody else")

    invitation = models.OneToOneField(
        ArbiterInvitation, on_delete=models.PROTECT, primary_key=True, related_name="end"
    )
    way = column(models.CharField(max_length=16, choices=Way.choices))
    seat = column(models.PositiveSmallIntegerField(null=True), name="end_seat")
    role = column(models.CharField(max_length=16), name="end_role")
    ended_at = column(models.DateTimeField())
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )

    def __str__(self) -> str:
        return f"end of {self.invitation_id}"


ARBITER_INVITATION: Final = Noun(
    "arbiter invitation",
    ArbiterInvitation,
    club=f"game__{CLUB_OF_GAME}",
    more=columns_at("end", ArbiterInvitationEnd),
    doers={"made_by": "made_at", "end__ended_by": "ended_at"},
)


ARBITER_ACCEPTANCE: Final = Noun(
    "arbiter acceptance",
    ArbiterAcceptance,
    club=f"invitation__game__{CLUB_OF_GAME}",
    named=("invitation__public_id",),
)


ARBITER_ASSENT: Final = Noun(
    "arbiter assent",
    ArbiterAssent,
    club=f"acceptance__invitation__game__{CLUB_OF_GAME}",
    named=("acceptance__invitation__public_id", "seat"),
    doers={"assented_by": "assented_at"},
)
