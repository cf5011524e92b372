"""Rulings: what an arbiter decided about the result of a game, by the number in the club."""

from __future__ import annotations

from typing import Final

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.record.reason import LENGTH
from games.models import Game
from games.models.fact import Fact, Guard, removal
from games.models.public_id import PublicModel
from league.core.account.models import User
from league.core.club.models import Club
from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.disputes.hearing.models import Hearing

LONGEST_FINDING: Final = 1000
"""The most characters of a ruling's findings."""
NEXT_RULING: Final = Guard(
    name="next_ruling",
    operation=pgtrigger.Insert,
    declare=[
        ("rulings", "INTEGER := (SELECT count(*) FROM league_ruling WHERE club_id = NEW.club_id)")
    ],
    func="""
        IF NEW.number <> rulings + 1 THEN
            RAISE EXCEPTION 'ruling % of club % comes out of turn', NEW.number, NEW.club_id;
        END IF;
        RETURN NEW;
    """,
)
"""The rulings of a club are numbered from 1."""


class Ruling(PublicModel, Fact):
    """A ruling of an arbiter on the result of a `game` (the revision that counted then). Only a
    further ruling undoes it.

    `number` counts the rulings of a club. `verb`: the decision; `seat`, `points`, `ranks` and
    `round_number` are set if the verb asks for them. `outcome`: the revision that counts since
    then. `findings`: the facts found, by the `standard` of proof. `rule`: the number of the rule;
    empty for none. `close_to`: the seats to which the arbiter declared to be close. `hearing`: the
    hearing that the ruling ended. `seconded_by`: the second arbiter of an appeal. `changed`: the
    changed rows of rankings, without names. `named`: the public page names the players. `key`: made
    by the client; the same key again is the same ruling. The club's log seals commitments to both
    texts, which can be removed."""

    class Verb(models.TextChoices):
        """The decisions that an arbiter can make."""

        STANDS = "stands", _("the result stands")
        CORRECTED = "corrected", _("the game is corrected")
        VOIDED = "voided", _("the game is void")
        RESTORED = "restored", _("the game counts again")
        REPLAYED = "replayed", _("the game is played again from a round")
        ROUND_VOIDED = "round_voided", _("a round is void")
        ORDERED = "ordered", _("another order is set")
        PENALISED = "penalised", _("penalty points")
        NO_SHOW = "no_show", _("a player didn’t show up")
        LIFTED = "lifted", _("penalties and the set order are lifted")
        WARNED = "warned", _("a warning")

    class Standard(models.TextChoices):
        """The standard of proof: how sure the arbiter has to be of the facts."""

        LIKELY = "likely", _("more likely than not")
        CERTAIN = "certain", _("beyond reasonable doubt")

    club: models.ForeignKey[Club, Club] = models.ForeignKey(
        Club, on_delete=models.PROTECT, related_name="rulings", db_index=False
    )
    number = column(models.PositiveIntegerField())
    game: models.ForeignKey[Game, Game] = column(
        models.ForeignKey(Game, on_delete=models.PROTECT, related_name="rulings", db_index=False)
    )
    outcome: models.ForeignKey[Game, Game] = column(
        models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+")
    )
    hearing: models.OneToOneField[Hearing | None, Hearing | None] = column(
        models.OneToOneField(Hearing, on_delete=models.PROTECT, null=True, related_name="ruling")
    )
    verb = column(models.CharField(max_length=16, choices=Verb.choices))
    seat = column(models.PositiveSmallIntegerField(null=True))
    points = column(models.PositiveIntegerField(null=True))
    ranks: ArrayField[list[int] | None, list[int] | None] = column(
        ArrayField(models.PositiveSmallIntegerField(), null=True)
    )
    round_number = column(models.PositiveSmallIntegerField(null=True))
    rule = column(models.CharField(_("rule"), max_length=8, blank=True, default=""))
    standard = column(models.CharField(max_length=8, choices=Standard.choices))
    findings = column(models.CharField(_("facts found"), max_length=LONGEST_FINDING), text=True)
    reason = column(models.CharField(_("reason"), max_length=LENGTH), text=True)
    close_to: ArrayField[list[int], list[int]] = column(
        ArrayField(models.PositiveSmallIntegerField(), default=list)
    )
    changed = column(models.JSONField(default=list))
    named = column(
        models.BooleanField(_("name the players on the public page of this ruling"), default=False)
    )
    key = column(models.UUIDField())
    role = column(models.CharField(max_length=16))
    ruled_at = column(models.DateTimeField())
    ruled_by: models.ForeignKey[User | None, User | None] = column(
        models.ForeignKey(
            User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
        )
    )
    seconded_by: models.ForeignKey[User | None, User | None] = column(
        models.ForeignKey(
            User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
        )
    )

    unsealed = ("findings", "reason")

    class Meta:
        ordering = ["club", "number"]
        triggers = [removal(["findings", "reason"]), NEXT_RULING]
        constraints = [
            models.UniqueConstraint(fields=["club", "number"], name="ruling_once"),
            models.UniqueConstraint(fields=["game", "key"], name="ruling_once_per_key"),
        ]

    def __str__(self) -> str:
        return f"ruling {self.number}"

    @property
    def why(self) -> str:
        """Return the reason; a note if it was removed."""
        return self.reason or gettext("removed because it named somebody")

    @property
    def found(self) -> str:
        """Return the findings; a note if they were removed."""
        return self.findings or gettext("removed because it named somebody")


RULING: Final = Noun("ruling", Ruling)
