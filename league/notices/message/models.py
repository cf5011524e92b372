"""Messages of organisers to the players of an event."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from games.models.public_id import PublicModel
from league.core.frame.names import all_seen
from league.events.event.models import Event


class EventMessage(PublicModel):
    """A message of organisers to all players who have a place in an event. It can be emptied if it
    names somebody."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="event_messages")
    subject = models.CharField(max_length=120, validators=[all_seen])
    text = models.TextField(max_length=2000)
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
        db_index=False,
    )
    sent_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["event", "-sent_at", "-pk"]

    def __str__(self) -> str:
        return self.subject
