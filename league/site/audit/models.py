"""Audits of clubs, and what they found."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from league.core.club.models import Club


class Audit(models.Model):
    """An audit of a club: everything replayed and compared. `found` is None while it runs, and if
    it failed (`error` says how); `differences` holds the first ones found.

    `progress`: what was verified up to now, and the number of differences found (`services.py`).
    `attempts`: time slices begun since its last progress; `resumed`: how often it went on after its
    worker had died."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="audits")
    started_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)
    found = models.PositiveIntegerField(null=True)
    differences = models.JSONField(default=list)
    error = models.TextField(blank=True, default="")
    styles = models.BooleanField(default=True, db_default=True)
    progress = models.JSONField(default=dict, db_default={})
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    resumed = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        ordering = ["-started_at"]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.found}"
