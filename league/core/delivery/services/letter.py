"""Letters: written where somebody asks for one, sent by a job; a mail server that hangs holds up
nobody."""

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
from league.core.jobs import call_on_commit

log = structlog.get_logger(__name__)

WAITS: Final = (timedelta(minutes=5), timedelta(minutes=15), timedelta(hours=1), timedelta(hours=4))
"""How long a letter waits after each attempt that failed. A server that takes letters of strangers
only at their second attempt (greylisting, RFC 6647, 4.3) wants to be left alone for a minute to a
few. """
ATTEMPTS: Final = len(WAITS) + 1
HELD: Final = timedelta(seconds=settings.QUEUES["mail"] + 120)
"""For so long nobody else tries: a minute after its limit a worker that hangs is killed."""
KEPT: Final = timedelta(days=14)
UNSUBSCRIBE: Final = "List-Unsubscribe"  # RFC 2369, 3.2
KILLED: Final = "Killed"


class LetterBox(BaseEmailBackend):
    """Django's way to send mail: whatever is handed in becomes letters, in the caller's
    transaction."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write the messages down, and return how many there were."""
        for message in email_messages:
            letters_write(message=message)
        return len(email_messages)


@transaction.atomic
def letters_write(*, message: EmailMessage) -> None:
    """Write a letter to each address of a message, and call for its sending once that is committed.

    The address of its header List-Unsubscribe, if it has one, comes along. Raises `ValueError` for
    what no server could send, such as a subject of two lines, and for more than plain text."""
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
    """Hand a letter to the carrier, unless it has ended, isn't due yet or another worker has it.

    What fails is due again later; after `ATTEMPTS` it is given up. A worker that dies between the
    carrier's answer and ours sends it once more: nobody can know which letters it took."""
    letter = Letter.objects.filter(
        pk=letter_id, state=Letter.State.WAITING, due_at__lte=Now()
    ).first()
    if letter is None:
        return
    if letter.attempts >= ATTEMPTS:
        _end(letter, Letter.State.FAILED, KILLED)
    elif _claim(letter):
        error = _carried(letter)
        if not error:
            _end(letter, Letter.State.SENT)
        elif letter.attempts < ATTEMPTS:
            _unended(letter).update(error=error, due_at=Now() + WAITS[letter.attempts - 1])
        else:
            _end(letter, Letter.State.FAILED, error)


def letters_forget() -> None:
    """Delete the letters that ended longer ago than `KEPT`."""
    Letter.objects.filter(ended_at__lt=Now() - KEPT).delete()


def _claim(letter: Letter) -> bool:
    """Count an attempt before it begins; False if another worker was first."""
    claimed = _unended(letter).update(attempts=F("attempts") + 1, due_at=Now() + HELD)
    letter.attempts += 1
    return bool(claimed)


def _carried(letter: Letter) -> str:
    """Send it; empty, or the kind of error. Its words may hold the address or what the server
    repeats of the body."""
    carrier = get_connection(settings.EMAIL_CARRIER)
    try:
        EmailMessage(
            letter.subject,
            letter.body,
            to=[letter.to],
            headers=_headers(letter),
            connection=carrier,
        ).send()
    except Exception as error:
        kind = type(error).__name__
        log.warning("letter.not_sent", letter=letter.pk, attempt=letter.attempts, error=kind)
        return kind
    return ""


def _headers(letter: Letter) -> dict[str, str]:
    """By which a mail program offers to stop such letters with one click (RFC 8058)."""
    if not letter.unsubscribe:
        return {}
    return {
        UNSUBSCRIBE: f"<{letter.unsubscribe}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def _end(letter: Letter, state: Letter.State, error: str = "") -> None:
    """Write how the letter ended, and forget what it said."""
    _unended(letter).update(
        state=state, error=error, subject="", body="", unsubscribe="", ended_at=Now()
    )
    if state == Letter.State.FAILED:
        log.error("letter.given_up", letter=letter.pk, error=error)


def _unended(letter: Letter) -> QuerySet[Letter]:
    """The letter's row, if no other worker has begun since or written its end."""
    return Letter.objects.filter(pk=letter.pk, state=Letter.State.WAITING, attempts=letter.attempts)
