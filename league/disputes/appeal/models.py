"""Appeals: a seat asks others to look at a ruling once more."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.record.reason import LENGTH
from games.models.fact import Fact, removal
from games.models.public_id import PublicModel
from league.core.log.columns import column
from league.core.log.nouns import Noun, columns_at
from league.disputes.ruling.models import Ruling


class Appeal(PublicModel, Fact):
    """An appeal of a seat against a ruling. A ruling has one at most. The result is provisional
    until the appeal has an `end`.

    `word`: what is wrong with the ruling. The club's log seals a commitment to it; it can be
    removed if it names somebody."""

    ruling: models.OneToOneField[Ruling, Ruling] = column(
        models.OneToOneField(Ruling, on_delete=models.PROTECT, related_name="appeal")
    )
    seat = column(models.PositiveSmallIntegerField())
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
        triggers = [removal(["word"])]

    @property
    def why(self) -> str:
        """Return the word; a note if it was removed."""
        return self.word or gettext("removed because it named somebody")


class AppealEnd(Fact):
    """The end of an appeal: the seat withdrew it, or a further `ruling` decided it, which is
    final."""

    appeal = models.OneToOneField(
        Appeal, on_delete=models.PROTECT, primary_key=True, related_name="end"
    )
    ruling = models.OneToOneField(
        Ruling, on_delete=models.PROTECT, null=True, related_name="decides"
    )
    ended_at = column(models.DateTimeField())
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )

    def __str__(self) -> str:
        return f"end of {self.appeal_id}"


class AppealDraft(PublicModel):
    """A first arbiter's draft of the decision of an appeal, for a second arbiter. It isn't a fact:
    nothing rests on it, and it is deleted when the appeal ends. `body`: decision and finding, as
    `draft_body` writes them."""

    appeal = models.ForeignKey(
        Appeal, on_delete=models.PROTECT, related_name="drafts", db_index=False
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    body = models.JSONField()
    key = models.UUIDField()
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["appeal", "author"], name="draft_of_arbiter_once")
        ]


APPEAL: Final = Noun(
    "appeal",
    Appeal,
    club="ruling__club",
    more={"decision": "end__ruling__public_id", **columns_at("end", AppealEnd)},
    doers={"raised_by": "raised_at", "end__ended_by": "ended_at"},
)
