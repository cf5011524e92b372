"""Notices as somebody reads them: their words in the active language, their times in the club's
zone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.core import signing
from django.db.models import QuerySet
from django.db.models.functions import Now

from league.core.account.models import User
from league.core.log.models import LogHead, Reader, SetAside
from league.core.log.queries import receipts_at
from league.core.player.models import Player
from league.events.entry.models import Entry, EntryByMail
from league.events.event.models import Event
from league.notices.message.models import EventMessage
from league.notices.notice.domain import NoticeNames
from league.notices.notice.models import Notice, NoticeSending
from league.notices.notice.queries.announcement import NOTICES
from league.notices.notice.queries.recipient import told_of

OVERDUE: Final = timedelta(seconds=20)  # one that nobody has tried for so long lost its call
SALT: Final = "cups-up/stop-event-letters/1"
MOST: Final = 100
"""The sendings that are called for at a time: a push service that hangs takes a while for each."""


@dataclass(frozen=True, slots=True)
class NoticeText:
    """A notice in words: what it says in a line, the rest, the address of the page that it is
    about, and the receipt of the log's entry that made it; empty where the notice has none."""

    title: str
    body: str
    path: str
    receipt: str = ""


@dataclass(frozen=True, slots=True)
class ReadNotice:
    """A notice on its reader's page."""

    notice: Notice
    text: NoticeText


@dataclass(frozen=True, slots=True)
class Reached:
    """The number who have a place in an event, and of those whom a message finds: by an account, or
    by the address with which they entered."""

    people: int
    found: int


def notices_of_account(user: User) -> QuerySet[Notice]:
    """Read what an account was told, the latest first, with events and clubs."""
    return Notice.objects.filter(user=user).select_related("event__club", "club")


def read_notices(notices: Sequence[Notice]) -> list[ReadNotice]:
    """Notices with their words, in three queries at most."""
    words = notice_names(notices)
    return [ReadNotice(notice, notice_text(notice, words)) for notice in notices]


def notice_text(notice: Notice, words: NoticeNames | None = None) -> NoticeText:
    """A notice in the active language; without `words` they are asked for."""
    words = words or notice_names([notice])
    rules = NOTICES[notice.occasion]
    title, body, path = rules.words(notice, words)
    receipt = words.receipts.get(_place(notice), "") if rules.has_receipt else ""
    return NoticeText(title, body, path, receipt)


def notice_names(notices: Collection[Notice]) -> NoticeNames:
    """The names, messages and receipts that these notices need, in three queries at most."""
    players = {player for notice in notices for player in notice.parameters.get("seats", ())}
    letters = {notice.subject for notice in notices if notice.occasion == Notice.Occasion.MESSAGE}
    names = (
        Player.objects.filter(public_id__in=players).values_list("public_id", "name")
        if players
        else ()
    )
    messages = EventMessage.objects.filter(public_id__in=letters) if letters else ()
    receipts = receipts_at(
        {_place(notice) for notice in notices if NOTICES[notice.occasion].has_receipt}
    )
    return NoticeNames(dict(names), {message.public_id: message for message in messages}, receipts)


def _place(notice: Notice) -> tuple[int, int]:
    """The place of the entry that made a notice: the club's row id, and the position in its log."""
    return notice.club_id, notice.position


def letters_token(asked: EntryByMail) -> str:
    """Sign the part of a letter's address by which somebody who entered by mail stops the letters
    of an event."""
    return signing.dumps(asked.pk, salt=SALT)


def asked_by_letter(token: str) -> EntryByMail:
    """The entry by mail of such an address, with its event. Raises `EntryByMail.DoesNotExist`."""
    try:
        asked = signing.loads(token, salt=SALT)
    except signing.BadSignature as error:
        raise EntryByMail.DoesNotExist from error
    return EntryByMail.objects.select_related("event").get(pk=asked)


def reached(event: Event) -> Reached:
    """Count those who have a place in an event, and whom of them a message reaches."""
    entries = Entry.objects.filter(event=event, status=Entry.Status.ENTERED)
    return Reached(entries.count(), told_of(entries).count())


def messages_of(event: Event) -> list[EventMessage]:
    """Read what organisers wrote to all who have a place in an event, the latest first, with who
    wrote it."""
    return list(EventMessage.objects.filter(event=event).exclude(text="").select_related("sent_by"))


def clubs_waiting(reader: str) -> list[int]:
    """Clubs, by id, whose log the reader of notices hasn't read to its end, or that has set
    something aside."""
    heads = LogHead.objects.values_list("club", "position")
    read = dict(Reader.objects.filter(name=reader).values_list("club", "position"))
    due = set(
        SetAside.objects.filter(reader=reader, due_at__lte=Now()).values_list("club", flat=True)
    )
    return [
        club
        for club, position in heads.order_by("club")
        if position > read.get(club, 0) or club in due
    ]


def sendings_waiting() -> list[tuple[int, str]]:
    """The ids and channels of sendings that should have been tried by now, the longest due
    first."""
    overdue = NoticeSending.objects.filter(
        state=NoticeSending.State.WAITING, due_at__lt=Now() - OVERDUE
    )
    return list(overdue.order_by("due_at").values_list("pk", "channel")[:MOST])
