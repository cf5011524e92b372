"""Devices to which notices are pushed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from games.models.public_id import PublicModel


class PushSubscription(PublicModel):
    """A browser that shows an account's notices (W3C Push API).

    `endpoint` is its address at the push service: anybody with the address and the keys can write
    to the browser. `p256dh` and `auth` are its keys (RFC 8291), in base64url."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(max_length=1000, db_collation="C")
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["endpoint"], name="device_once")]
