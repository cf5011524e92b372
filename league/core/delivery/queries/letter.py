"""Emails that wait for the mail server or were given up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused
from typing import Final

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Min, Q, QuerySet
from django.db.models.functions import Now

from league.core.delivery.models.letter import Letter

OVERDUE: Final = timedelta(seconds=20)
"""An email that has been due for so long, and is untried, has lost its job."""
MOST: Final = 100
"""How many emails one sweep sends at most: if the mail server hangs, each takes a while."""

REFUSALS: Final = (SMTPRecipientsRefused.__name__, SMTPDataError.__name__)
"""The errors by which a mail server refuses one email. After any other, it may refuse them all."""


@dataclass(frozen=True, slots=True)
class Unsent:
    """The emails in one state: their number, when the first was written, and their last errors."""

    state: Letter.State
    count: int
    written_at: datetime
    errors: list[str]


def letters_waiting() -> list[int]:
    """Return the ids of emails that should have been tried by now, the longest due first."""
    overdue = Letter.objects.filter(state=Letter.State.WAITING, due_at__lt=Now() - OVERDUE)
    return list(overdue.order_by("due_at").values_list("pk", flat=True)[:MOST])


def letters_delayed() -> QuerySet[Letter]:
    """Return the emails that wait for another attempt because the mail server failed, and that no
    worker has."""
    waiting = Letter.objects.filter(state=Letter.State.WAITING)
    return waiting.exclude(error__in=["", *REFUSALS])


def unsent() -> list[Unsent]:
    """Return the waiting and failed emails, grouped by state, by one query; empty if all emails are
    sent."""
    groups = (
        Letter.objects.exclude(state=Letter.State.SENT)
        .values("state")
        .annotate(
            count=Count("pk"),
            since=Min("written_at"),
            errors=ArrayAgg("error", distinct=True, filter=~Q(error=""), default=[]),
        )
        .order_by("-state")
    )
    return [
        Unsent(Letter.State(group["state"]), group["count"], group["since"], group["errors"])
        for group in groups
    ]
