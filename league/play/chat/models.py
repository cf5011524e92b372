"""The chat of private online tables. Its lines are short-lived and never logged."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.core.log.columns import column
from league.play.online_table.models import OnlineSeat, OnlineTable

LINE_LENGTH: Final = 200


class ChatLine(PublicModel):
    """A line that a seat wrote at a private table. `user`: its account, None for a guest."""

    table = models.ForeignKey(
        OnlineTable, on_delete=models.CASCADE, related_name="chat_lines", db_index=False
    )
    seat = models.ForeignKey(OnlineSeat, on_delete=models.CASCADE, related_name="chat_lines")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="chat_lines"
    )
    text = column(models.CharField(_("text"), max_length=LINE_LENGTH), text=True)
    said_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("chat message")
        verbose_name_plural = _("chat messages")
        ordering = ["pk"]
        indexes = [
            models.Index("table", "id", name="chat_line_of_table"),
            models.Index("said_at", name="chat_line_age"),
        ]

    def __str__(self) -> str:
        return self.public_id


class ChatMute(models.Model):
    """A seat that doesn't want to read another one."""

    seat = models.ForeignKey(
        OnlineSeat, on_delete=models.CASCADE, related_name="chat_mutes", db_index=False
    )
    muted = models.ForeignKey(OnlineSeat, on_delete=models.CASCADE, related_name="chat_muted_by")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "muted"], name="chat_muted_once")]

    def __str__(self) -> str:
        return f"{self.muted_id} by {self.seat_id}"


class ChatReport(models.Model):
    """A seat's report of a line to the organisers of the club."""

    line = models.ForeignKey(
        ChatLine, on_delete=models.CASCADE, related_name="reports", db_index=False
    )
    seat = models.ForeignKey(OnlineSeat, on_delete=models.CASCADE, related_name="chat_reports")
    reported_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["line", "seat"], name="chat_reported_once")]

    def __str__(self) -> str:
        return f"{self.line_id} by {self.seat_id}"
