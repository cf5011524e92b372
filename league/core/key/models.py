"""API keys of programs, and the answers that they got."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.core.club.models import Club
from league.core.log.columns import column


class ApiKey(PublicModel):
    """A program's key to one club, which acts as the account that made it. Only the digest of the
    secret is stored.

    A key with the scope `play` plays at online tables, and does nothing else.
    """

    PREFIX = "cups_"

    class Scope(models.TextChoices):
        """What a key may do."""

        CLUB = "club", _("read, enter games, run events")
        PLAY = "play", _("play at online tables")

    club = models.ForeignKey(
        Club, on_delete=models.CASCADE, verbose_name=_("club"), related_name="api_keys"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        verbose_name=_("account"),
        related_name="api_keys",
    )
    label = column(models.CharField(_("label"), max_length=80), logged=False, text=True)
    scope = models.CharField(
        _("what it may do"),
        max_length=8,
        choices=Scope.choices,
        default=Scope.CLUB,
        db_default=Scope.CLUB,
    )
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(_("made at"), db_default=Now(), editable=False)
    last_used_at = models.DateTimeField(_("last used at"), null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        ordering = ["club", "label"]

    def __str__(self) -> str:
        return f"{self.label} ({self.club})"

    @classmethod
    def new_secret(cls) -> str:
        """Return a new secret, to be shown once."""
        return cls.PREFIX + secrets.token_urlsafe(32)


class IdempotencyKey(models.Model):
    """A stored answer: the same request sent again gets the same answer, and nothing happens
    twice."""

    api_key = models.ForeignKey(
        ApiKey,
        on_delete=models.CASCADE,
        verbose_name=_("API key"),
        related_name="+",
        db_index=False,
    )
    key = models.CharField(_("key of the request"), max_length=64)
    request_digest = models.CharField(_("digest of the request"), max_length=64)
    status = models.PositiveSmallIntegerField(_("status"))
    answer = models.JSONField(_("answer"))
    created_at = models.DateTimeField(_("made at"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("answer to a request")
        verbose_name_plural = _("answers to requests")
        constraints = [
            models.UniqueConstraint(fields=["api_key", "key"], name="idempotency_key_once")
        ]

    def __str__(self) -> str:
        return self.key
