"""A phone that writes down a game at its table, without an account."""

from datetime import datetime

from django.conf import settings
from django.db import models

from games.models.public_id import PublicModel


class Device(PublicModel):
    """A phone, or another device, that writes down a game at its table without an account.

    It is identified by a key, of which only the digest is stored. It can write until it ends, or is
    revoked.
    """

    key_digest = models.CharField(max_length=64, unique=True, editable=False)
    made_at = models.DateTimeField(editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )
    ends_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    def has_ended(self, at: datetime) -> bool:
        """Return True if the key isn't valid at this time, by the server's clock: it was
        revoked, or has ended."""
        return self.revoked_at is not None or self.ends_at <= at
