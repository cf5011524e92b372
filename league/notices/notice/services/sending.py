"""Sending notices: by mail exactly once, and to each device at least once. A second push replaces
the first."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from league.core.delivery.models.subscription import PushSubscription
from league.core.delivery.queries.preference import preference_of
from league.core.delivery.services.letter import KILLED, UNSUBSCRIBE
from league.core.delivery.services.preference import stop_token
from league.core.delivery.services.push import KEPT_SECONDS, Pushed, push_send
from league.notices.notice.models import NoticeSending
from league.notices.notice.queries.announcement import NOTICES
from league.notices.notice.queries.notice import NoticeText, letters_token, notice_text

log = structlog.get_logger(__name__)
WAITS: Final = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=20))
"""How long a sending waits after each failed attempt."""
ATTEMPTS: Final = len(WAITS) + 1
HELD: Final = timedelta(seconds=settings.QUEUES["push"] + 120)
"""How long a sending belongs to its worker. A worker that hangs is killed a minute after its time
limit, so this is longer."""
TOO_LATE: Final = timedelta(seconds=KEPT_SECONDS)
OUTDATED: Final = "Outdated"


def sending_mail(*, sending_id: int) -> None:
    """Send a notice's email exactly once: the email is stored in the same transaction as the end of
    the sending."""
    sending = _due_sending(sending_id, NoticeSending.Channel.MAIL)
    if (
        sending is None
        or not _is_wanted(sending)
        or not _is_still_news(sending)
        or not _claim_attempt(sending)
    ):
        return
    try:
        with transaction.atomic():
            if _end(sending, NoticeSending.State.SENT):
                _letter(sending).send()
    except Exception as error:
        _retry_or_give_up(sending, type(error).__name__)


def sending_push(*, sending_id: int) -> None:
    """Push a notice to its device, or delete the device if it is gone.

    If a worker dies after the push service's answer, another worker pushes the notice again. The
    browser shows it only once, because both pushes have the notice's public id as their tag.
    """
    sending = _due_sending(sending_id, NoticeSending.Channel.PUSH)
    if sending is None or not _is_wanted(sending) or not _is_still_news(sending):
        return
    device = sending.subscription
    if device is None:
        _end(sending, NoticeSending.State.GONE)
    elif sending.notice.created_at < timezone.now() - TOO_LATE:
        _end(sending, NoticeSending.State.FAILED, "Late")
    elif _claim_attempt(sending):
        _push(sending, device)


def _push(sending: NoticeSending, device: PushSubscription) -> None:
    text = _text_in_club_language(sending)
    answer = push_send(
        subscription=device,
        text={
            "title": text.title,
            "body": "\n".join(filter(None, (text.body, text.receipt))),
            "url": text.path,
            "lang": sending.notice.club.language,
        },
        tag=sending.notice.public_id,
    )
    if answer.pushed == Pushed.SENT:
        _end(sending, NoticeSending.State.SENT)
    elif answer.pushed == Pushed.GONE:
        _end(sending, NoticeSending.State.GONE, answer.error)
        device.delete()
    elif answer.pushed == Pushed.REFUSED:
        _end(sending, NoticeSending.State.FAILED, answer.error)
    else:
        _retry_or_give_up(sending, answer.error)


def _due_sending(sending_id: int, channel: NoticeSending.Channel) -> NoticeSending | None:
    """Return a sending with the rows that its text needs; None if it has ended, isn't due or
    another worker has it."""
    sendings = NoticeSending.objects.select_related(
        "notice__event__club", "notice__club", "notice__user", "notice__by_mail", "subscription"
    )
    sending = sendings.filter(
        pk=sending_id, channel=channel, state=NoticeSending.State.WAITING, due_at__lte=Now()
    ).first()
    if sending is not None and sending.attempts >= ATTEMPTS:
        _end(sending, NoticeSending.State.FAILED, KILLED)
        return None
    return sending


def _is_wanted(sending: NoticeSending) -> bool:
    """End the sending if its reader no longer wants the notice."""
    notice = sending.notice
    if notice.user is None:
        is_wanted = notice.by_mail is not None and not notice.by_mail.silent
    else:
        preference = preference_of(notice.user)
        by_mail = sending.channel == NoticeSending.Channel.MAIL
        topics = preference.mail if by_mail else preference.push
        is_wanted = NOTICES[notice.occasion].topic in topics and notice.user.is_active
    if not is_wanted:
        _end(sending, NoticeSending.State.UNWANTED)
    return is_wanted


def _is_still_news(sending: NoticeSending) -> bool:
    """End the sending if its notice is outdated."""
    is_news = NOTICES[sending.notice.occasion].is_news
    is_current = is_news is None or is_news(sending.notice)
    if not is_current:
        _end(sending, NoticeSending.State.UNWANTED, OUTDATED)
    return is_current


def _claim_attempt(sending: NoticeSending) -> bool:
    """Count an attempt before it begins, so that other workers leave the sending alone. Return
    False if one of them was faster."""
    claimed = _row_if_unended(sending).update(attempts=F("attempts") + 1, due_at=Now() + HELD)
    sending.attempts += 1
    return bool(claimed)


def _retry_or_give_up(sending: NoticeSending, error: str) -> None:
    log.warning("notice.not_sent", sending=sending.pk, attempt=sending.attempts, error=error)
    if sending.attempts < ATTEMPTS:
        _row_if_unended(sending).update(
            error=error[:64], due_at=Now() + WAITS[sending.attempts - 1]
        )
    else:
        _end(sending, NoticeSending.State.FAILED, error)


def _end(sending: NoticeSending, state: NoticeSending.State, error: str = "") -> bool:
    """Return False if the sending has already ended or another worker has it."""
    return bool(_row_if_unended(sending).update(state=state, error=error[:64], ended_at=Now()))


def _row_if_unended(sending: NoticeSending) -> QuerySet[NoticeSending]:
    """Return the sending's row, or none if it has ended or another worker has begun a later
    attempt."""
    return NoticeSending.objects.filter(
        pk=sending.pk, state=NoticeSending.State.WAITING, attempts=sending.attempts
    )


def _text_in_club_language(sending: NoticeSending) -> NoticeText:
    with translation.override(sending.notice.club.language):
        return notice_text(sending.notice)


def _letter(sending: NoticeSending) -> EmailMessage:
    notice = sending.notice
    topic = NOTICES[notice.occasion].topic
    if notice.user is None:
        assert notice.by_mail is not None
        address = notice.by_mail.email
        path = reverse("event-letters-stop", args=[letters_token(notice.by_mail)])
    else:
        address = notice.user.email
        path = reverse("notices-stop", args=[stop_token(notice.user.public_id, topic)])
    stop_address = settings.PUBLIC_ORIGIN + path
    with translation.override(notice.club.language):
        text = notice_text(notice)
        context = {
            "notice": notice,
            "topic": topic,
            "text": text,
            "origin": settings.PUBLIC_ORIGIN,
            "stop": stop_address,
        }
        body = render_to_string("league/notices/notice/notice.txt", context)
    return EmailMessage(text.title, body, to=[address], headers={UNSUBSCRIBE: f"<{stop_address}>"})
