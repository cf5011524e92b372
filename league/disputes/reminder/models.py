"""The reminders of cases that nobody has decided: objections, hearings and appeals."""

from __future__ import annotations

from typing import TypeAlias

from django.db import models

from games.models import Game
from league.disputes.appeal.models import Appeal
from league.disputes.hearing.models import Hearing
from league.disputes.objection.models import Objection

DisputeCase: TypeAlias = Objection | Hearing | Appeal


class CaseReminder(models.Model):
    """The reminders of a case: when they are due, and when they were made.

    The case is one `objection`, `hearing` or `appeal`: a fact, which never changes. `since`: when
    it began. `reminded_at`: when those told first were reminded. `escalated_at`: when everybody who
    can decide was told. `next_at`: when the next of the two is due; None once both are made or the
    case has ended."""

    objection = models.OneToOneField(
        Objection, on_delete=models.CASCADE, null=True, related_name="reminder"
    )
    hearing = models.OneToOneField(
        Hearing, on_delete=models.CASCADE, null=True, related_name="reminder"
    )
    appeal = models.OneToOneField(
        Appeal, on_delete=models.CASCADE, null=True, related_name="reminder"
    )
    since = models.DateTimeField()
    reminded_at = models.DateTimeField(null=True)
    escalated_at = models.DateTimeField(null=True)
    next_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["next_at"],
                name="case_reminder_due",
                condition=models.Q(next_at__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(objection__isnull=False, hearing=None, appeal=None)
                | models.Q(objection=None, hearing__isnull=False, appeal=None)
                | models.Q(objection=None, hearing=None, appeal__isnull=False),
                name="reminder_of_one_case",
            ),
        ]

    def __str__(self) -> str:
        return f"reminder of {self.case}"

    @property
    def case(self) -> DisputeCase:
        """Return the objection, hearing or appeal that waits."""
        case = self.objection or self.hearing or self.appeal
        if case is None:
            raise ValueError("a reminder is of one case")
        return case

    @property
    def kind(self) -> str:
        """Return the kind of the case: `objection`, `hearing` or `appeal`."""
        return kind_of(self.case)

    @property
    def game(self) -> Game:
        """Return the revision of the game that counted when the case began."""
        case = self.case
        return case.ruling.outcome if isinstance(case, Appeal) else case.game


def kind_of(case: DisputeCase) -> str:
    """Return the kind of a case, which is also the name of its column: `objection`, `hearing` or
    `appeal`."""
    if isinstance(case, Objection):
        return "objection"
    if isinstance(case, Hearing):
        return "hearing"
    return "appeal"
