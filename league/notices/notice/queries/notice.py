"""Notices as people read them: words in the active language, times in the club's zone."""

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
from league.notices.notice.queries.recipient import reachable

OVERDUE: Final = timedelta(seconds=20)
"""If a sending has been due for so long and nobody tried it, its job was lost."""
SALT: Final = "cups-up/stop-event-letters/1"
MOST: Final = 100
"""The most sendings that one sweep starts: if a push service hangs, each takes a while."""


@dataclass(frozen=True, slots=True)
class NoticeText:
    """A notice in words. `path`: the address of the page that it is about. `receipt`: the
    receipt of the log's entry that made it; empty if this kind of notice has none."""

    title: str
    body: str
    path: str
    receipt: str = ""


@dataclass(frozen=True, slots=True)
class ReadNotice:
    """A notice with its text, for its reader's page."""

    notice: Notice
    text: NoticeText


@dataclass(frozen=True, slots=True)
class Reached:
    """The number of players who have a place in an event, and how many of them a message reaches:
    by an account, or by the address with which they entered (`found`)."""

    people: int
    found: int


def notices_of_account(user: User) -> QuerySet[Notice]:
    """Return the notices of an account, the latest first, with events and clubs."""
    return Notice.objects.filter(user=user).select_related("event__club", "club")


def notices_in_words(notices: Sequence[Notice]) -> list[ReadNotice]:
    """Return the notices with their texts in the active language. Three queries at most."""
    looked_up = notice_names(notices)
    return [ReadNotice(notice, notice_text(notice, looked_up)) for notice in notices]


def notice_text(notice: Notice, looked_up: NoticeNames | None = None) -> NoticeText:
    """Return the text of a notice in the active language. Without `looked_up`, look up the names
    that it needs."""
    looked_up = looked_up or notice_names([notice])
    rules = NOTICES[notice.occasion]
    title, body, path = rules.words(notice, looked_up)
    receipt = ""
    if rules.has_receipt:
        receipt = looked_up.receipts.get(_log_position(notice), "")
    return NoticeText(title, body, path, receipt)


def notice_names(notices: Collection[Notice]) -> NoticeNames:
    """Look up the names, messages and receipts that these notices need. Three queries at most."""
    player_ids: set[str] = set()
    message_ids: set[str] = set()
    positions: set[tuple[int, int]] = set()
    for notice in notices:
        player_ids.update(notice.parameters.get("seats", ()))
        if notice.occasion == Notice.Occasion.MESSAGE:
            message_ids.add(notice.subject)
        if NOTICES[notice.occasion].has_receipt:
            positions.add(_log_position(notice))

    names: dict[str, str] = {}
    if player_ids:
        players = Player.objects.filter(public_id__in=player_ids)
        names = dict(players.values_list("public_id", "name"))
    messages: dict[str, EventMessage] = {}
    if message_ids:
        for message in EventMessage.objects.filter(public_id__in=message_ids):
            messages[message.public_id] = message
    return NoticeNames(names, messages, receipts_at(positions))


def _log_position(notice: Notice) -> tuple[int, int]:
    return notice.club_id, notice.position


def letters_token(entry: EntryByMail) -> str:
    """Return the signed part of the address at which somebody who entered by mail can stop an
    event's emails."""
    return signing.dumps(entry.pk, salt=SALT)


def entry_by_letters_token(token: str) -> EntryByMail:
    """Return the entry by mail that `letters_token` signed, with its event. Raise
    `EntryByMail.DoesNotExist` if the token is forged."""
    try:
        row_id = signing.loads(token, salt=SALT)
    except signing.BadSignature as error:
        raise EntryByMail.DoesNotExist from error
    return EntryByMail.objects.select_related("event").get(pk=row_id)


def reached(event: Event) -> Reached:
    """Count the players who have a place in an event, and how many of them a message reaches."""
    entries = Entry.objects.filter(event=event, status=Entry.Status.ENTERED)
    return Reached(entries.count(), reachable(entries).count())


def messages_of(event: Event) -> list[EventMessage]:
    """Return the messages to all who have a place in an event, the latest first, with the accounts
    that wrote them."""
    return list(EventMessage.objects.filter(event=event).exclude(text="").select_related("sent_by"))


def clubs_waiting(reader: str) -> list[int]:
    """Return the row ids of the clubs with work for a reader of their logs (given by its name): it
    hasn't read the log to its end, or an entry that it set aside is due again."""
    heads = LogHead.objects.values_list("club", "position")
    read_positions = dict(Reader.objects.filter(name=reader).values_list("club", "position"))
    set_aside = SetAside.objects.filter(reader=reader, due_at__lte=Now())
    clubs_with_retries = set(set_aside.values_list("club", flat=True))
    clubs = []
    for club, position in heads.order_by("club"):
        if position > read_positions.get(club, 0) or club in clubs_with_retries:
            clubs.append(club)
    return clubs


def sendings_waiting() -> list[tuple[int, str]]:
    """Return the row ids and channels of overdue sendings, the longest due first."""
    overdue = NoticeSending.objects.filter(
        state=NoticeSending.State.WAITING, due_at__lt=Now() - OVERDUE
    )
    return list(overdue.order_by("due_at").values_list("pk", "channel")[:MOST])
