"""Draws as facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models

from games.models.fact import Fact, removal
from games.models.public_id import PublicModel
from league.core.log.columns import column
from league.core.log.nouns import Noun

if TYPE_CHECKING:
    from league.stages.round.models import StageRound


class Draw(PublicModel, Fact):
    """One draw of a group's round: its input and its answer, in the format of draw files.

    Anybody can repeat it from `input` with `python -m engine draw`. A change `by_hand` is a further
    revision, with a reason, and its own cost in the answer. The club's log seals a commitment to
    the reason, so that it can be removed if it names somebody.
    """

    stage_round: models.ForeignKey[StageRound, StageRound] = column(
        models.ForeignKey(
            "league.StageRound", on_delete=models.PROTECT, related_name="draws", db_index=False
        ),
        name="round",
    )
    group = models.ForeignKey(
        "league.Group", on_delete=models.PROTECT, related_name="draws", db_index=False
    )
    revision = column(models.PositiveSmallIntegerField(default=1))
    input = column(models.TextField(), digest=True)
    answer = column(models.TextField(), digest=True)
    by_hand = column(models.BooleanField(default=False))
    reason = models.CharField(max_length=500, blank=True, default="")
    made_at = column(models.DateTimeField())
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )

    unsealed = ("reason",)

    class Meta:
        ordering = ["stage_round", "group", "revision"]
        triggers = [removal(["reason"])]
        constraints = [
            models.UniqueConstraint(fields=["stage_round", "group", "revision"], name="draw_once"),
            models.CheckConstraint(
                condition=models.Q(revision=1) | models.Q(by_hand=True),
                name="draw_again_by_hand_alone",
            ),
        ]


DRAW: Final = Noun(
    "draw",
    Draw,
    club="stage_round__stage__event__club",
    more={"group": "group__number"},
    doers={"made_by": "made_at"},
)
