"""The reminders of objections on which nobody has ruled."""

from __future__ import annotations

from django.db import models

from league.disputes.objection.models import Objection


class ObjectionReminder(models.Model):
    """When those who rule on an objection are told of it again, and when that was done.

    The objection itself is a fact and never changes. `reminded_at`, `escalated_at`: when people
    were reminded, and when all arbiters and organisers were told; None before. `next_at`: when a
    job has something to do; None once everything is told or the objection has ended."""

    objection = models.OneToOneField(
        Objection, on_delete=models.CASCADE, primary_key=True, related_name="reminder"
    )
    reminded_at = models.DateTimeField(null=True)
    escalated_at = models.DateTimeField(null=True)
    next_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["next_at"], name="reminder_due", condition=models.Q(next_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"reminder of {self.objection_id}"
