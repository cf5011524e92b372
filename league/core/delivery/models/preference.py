"""Which notices an account wants, and how."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


class NoticeTopic(models.TextChoices):
    """The topics of notices that people can choose."""

    PLACE = "place", _("My place: entered, on the waiting list, moved up or withdrawn")
    DATE = "date", _("My events: new time, new venue or cancelled")
    TABLE = "table", _("My table in each round")
    RESULT = "result", _("The end of my stage or event")
    MESSAGE = "message", _("Messages from the organisers")
    TURN = "turn", _("My turn in a turn-by-turn game")


MAILED_AT_FIRST = (NoticeTopic.PLACE, NoticeTopic.DATE, NoticeTopic.MESSAGE, NoticeTopic.TURN)
"""The topics sent by mail by default: an email for every round would be too many."""


def mailed_at_first() -> list[str]:
    """Return the topics sent by mail by default."""
    return [str(topic) for topic in MAILED_AT_FIRST]


def pushed_at_first() -> list[str]:
    """Return the topics pushed to devices by default: all, since a device is added on purpose."""
    return list(NoticeTopic.values)


class NoticePreference(models.Model):
    """The topics that an account gets by mail, and on its devices (`push`). Without a row it hasn't
    chosen."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="notice_preference",
    )
    mail = ArrayField(
        models.CharField(max_length=16, choices=NoticeTopic.choices), default=mailed_at_first
    )
    push = ArrayField(
        models.CharField(max_length=16, choices=NoticeTopic.choices), default=pushed_at_first
    )

    def __str__(self) -> str:
        return f"{self.user_id}: {self.mail}, {self.push}"
