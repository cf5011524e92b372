"""Emails: written by services, sent by a job, so that a hanging mail server delays nobody."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from league.core.delivery.models.letter import Letter
from league.core.delivery.queries.letter import letters_delayed
from league.core.jobs import call, call_on_commit

log = structlog.get_logger(__name__)

WAITS: Final = (timedelta(minutes=5), timedelta(minutes=15), timedelta(hours=1), timedelta(hours=4))
"""The delay after each failed attempt. A server that accepts emails of strangers only at their
second attempt (greylisting, RFC 6647, 4.3) wants a pause of one to a few minutes."""
ATTEMPTS: Final = len(WAITS) + 1
HELD: Final = timedelta(seconds=settings.QUEUES["mail"] + 120)
"""How long an attempt may take before another worker tries: a hanging worker is killed a minute
after its limit."""
KEPT: Final = timedelta(days=14)
UNSUBSCRIBE: Final = "List-Unsubscribe"  # RFC 2369, 3.2
KILLED: Final = "Killed"


class LetterBox(BaseEmailBackend):
    """Django's mail backend: messages become `Letter`s, in the caller's transaction."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Store the messages as `Letter`s, and return their number."""
        for message in email_messages:
            letters_write(message=message)
        return len(email_messages)


@transaction.atomic
def letters_write(*, message: EmailMessage) -> None:
    """Store a `Letter` to each address of a message, and have it sent once the transaction is
    committed.

    The address in the header List-Unsubscribe is kept. Raise `ValueError` if the message isn't
    plain text, or no server could send it, for instance because its subject has two lines.
    """
    if message.message().get_content_type() != "text/plain":
        raise ValueError("A letter is plain text.")
    unsubscribe = message.extra_headers.get(UNSUBSCRIBE, "").strip("<>")
    for address in message.recipients():
        letter = Letter.objects.create(
            to=address,
            subject=str(message.subject),
            body=str(message.body),
            unsubscribe=unsubscribe,
        )
        call_on_commit("core.delivery.tasks.send_letter", letter.pk)


def letter_send(*, letter_id: int) -> None:
    """Send an email, unless it has ended, isn't due yet or another worker has it.

    If sending fails, the email is due again later; after `ATTEMPTS` attempts it is given up. If a
    worker dies before it has stored the server's answer, the email is sent again: nobody can know
    whether the server took it.
    """
    letter = Letter.objects.filter(
        pk=letter_id, state=Letter.State.WAITING, due_at__lte=Now()
    ).first()
    if letter is None:
        return
    if letter.attempts >= ATTEMPTS:
        _end(letter, Letter.State.FAILED, KILLED)
    elif _claim_attempt(letter):
        _send_and_store_outcome(letter)


def delayed_letter_send() -> None:
    """Send one of the emails that wait because the mail server failed, before it is due; if that
    works, call for the next one.

    If it fails again, the email is due when it was. Such an attempt isn't counted, so no email is
    given up sooner, and a server that is away is asked by one email a minute.
    """
    # By chance: one that always fails, such as a very large one, doesn't hold up the others.
    letter = letters_delayed().order_by("?").first()
    if letter is None or not _claim_early_attempt(letter):
        return
    error = _send(letter)
    if error:
        _row_if_unended(letter).update(error=error, due_at=letter.due_at)
    else:
        _end_as_sent(letter)


def letters_forget() -> None:
    """Delete the emails that ended longer ago than `KEPT`."""
    Letter.objects.filter(ended_at__lt=Now() - KEPT).delete()


def _send_and_store_outcome(letter: Letter) -> None:
    error = _send(letter)
    if not error:
        _end_as_sent(letter)
    elif letter.attempts < ATTEMPTS:
        _row_if_unended(letter).update(error=error, due_at=Now() + WAITS[letter.attempts - 1])
    else:
        _end(letter, Letter.State.FAILED, error)


def _claim_attempt(letter: Letter) -> bool:
    """Count an attempt, so that other workers leave the email alone; return False if another one
    was faster."""
    claimed = (
        _row_if_unended(letter)
        .filter(due_at__lte=Now())
        .update(attempts=F("attempts") + 1, error="", due_at=Now() + HELD)
    )
    letter.attempts += 1
    return bool(claimed)


def _claim_early_attempt(letter: Letter) -> bool:
    unclaimed = letters_delayed().filter(pk=letter.pk, attempts=letter.attempts)
    return bool(unclaimed.update(error="", due_at=Now() + HELD))


def _send(letter: Letter) -> str:
    """Send an email; return the kind of error, or "" if it was sent. The error's message isn't
    kept: it may hold the address, or parts of the body."""
    message = EmailMessage(
        letter.subject,
        letter.body,
        to=[letter.to],
        headers=_unsubscribe_headers(letter),
        connection=get_connection(settings.EMAIL_CARRIER),
    )
    try:
        message.send()
    except Exception as error:
        kind = type(error).__name__
        log.warning("letter.not_sent", letter=letter.pk, attempt=letter.attempts, error=kind)
        return kind
    return ""


def _unsubscribe_headers(letter: Letter) -> dict[str, str]:
    if not letter.unsubscribe:
        return {}
    return {
        UNSUBSCRIBE: f"<{letter.unsubscribe}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",  # RFC 8058
    }


def _end_as_sent(letter: Letter) -> None:
    """End an email, and call for one that waits because the mail server failed: it works again."""
    _end(letter, Letter.State.SENT)
    if letters_delayed().exists():
        call("core.delivery.tasks.send_delayed_letter")


def _end(letter: Letter, state: Letter.State, error: str = "") -> None:
    _row_if_unended(letter).update(
        state=state, error=error, subject="", body="", unsubscribe="", ended_at=Now()
    )
    if state == Letter.State.FAILED:
        log.error("letter.given_up", letter=letter.pk, error=error)


def _row_if_unended(letter: Letter) -> QuerySet[Letter]:
    """Return the email's row, or none if it has ended or another worker has begun a later
    attempt."""
    return Letter.objects.filter(pk=letter.pk, state=Letter.State.WAITING, attempts=letter.attempts)
