"""Making notices. A reader of each club's log continues where it stopped, and makes each notice
once."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import timedelta
from re import Pattern
from typing import Final

from celery.exceptions import SoftTimeLimitExceeded
from django.contrib.postgres.expressions import ArraySubquery
from django.db import OperationalError, transaction
from django.db.models import Count, Q, Subquery
from django.db.models.functions import Coalesce, Now

from engine.grouping import lists_by_key
from league.core.account.models import User
from league.core.club.models import Club
from league.core.delivery.models.preference import NoticePreference
from league.core.delivery.models.subscription import PushSubscription
from league.core.delivery.queries.preference import preferences_of
from league.core.jobs import call_on_commit
from league.core.locks import Space, transaction_lock
from league.core.log.models import LogEntry, LogHead, Reader, SetAside
from league.core.log.readers import reader_advance, reader_finish, reader_set_aside
from league.core.player.models import Player
from league.events.entry.models import EntryByMail
from league.notices.message.models import EventMessage
from league.notices.notice.models import Notice, NoticeSending
from league.notices.notice.queries.announcement import ANNOUNCING, NOTICES, notices_of

READER: Final = "notices"
BATCH: Final = 100
"""Entries of the log that are read in one transaction."""
KEPT: Final = timedelta(days=90)
TEMPORARY: Final = (OperationalError, SoftTimeLimitExceeded)
"""Errors that no entry of the log causes: trying the same entry again may work."""
JOBS: Final = {
    NoticeSending.Channel.MAIL: "notices.notice.tasks.mail_notice",
    NoticeSending.Channel.PUSH: "notices.notice.tasks.push_notice",
}

NoticeKey = tuple[int | None, int | None, str, str]
"""What tells the notices of one log entry apart: account, entry by mail, occasion and subject."""


def notices_read(*, club_id: int) -> None:
    """Make the notices of all entries that a club's log got since last time, then retry the entries
    that were set aside and are due.

    An entry that fails is set aside with its error, and the others are read without it. Raise
    `Busy` while another job reads."""
    has_more = True
    while has_more:
        retries, has_more = _read_batch(club_id)
    for position in retries:
        with transaction.atomic():
            transaction_lock(Space.NOTICES, club_id)
            if _announce(LogEntry.objects.get(club=club_id, position=position)):
                reader_finish(club_id, READER, position)


@transaction.atomic
def _read_batch(club_id: int) -> tuple[list[int], bool]:
    """Make the notices of the next batch of entries. Return the positions of the entries to retry
    now, and whether more entries may follow."""
    transaction_lock(Space.NOTICES, club_id)
    reader = Reader.objects.filter(club=club_id, name=READER).values("position")
    set_aside = SetAside.objects.filter(club=club_id, reader=READER, due_at__lte=Now())
    due = set_aside.order_by("position").values("position")
    heads = LogHead.objects.values_list(
        "position", Coalesce(Subquery(reader), 0), ArraySubquery(due)
    )
    head, position, retries = heads.get(club=club_id)
    if position == head:
        return retries, False

    waiting = LogEntry.objects.filter(
        club=club_id, position__gt=position, position__lte=head, action__in=ANNOUNCING
    )
    entries = list(waiting.order_by("position")[:BATCH])
    for entry in entries:
        _announce(entry)
    has_more = len(entries) == BATCH
    reader_advance(club_id, READER, entries[-1].position if has_more else head)
    return retries, has_more


def _announce(entry: LogEntry) -> bool:
    """Make the notices of an entry in the caller's transaction. Return False if that failed and the
    entry is set aside."""
    try:
        with transaction.atomic():
            notices_write(notices=notices_of(entry), club=entry.club_id, position=entry.position)
    except TEMPORARY:
        raise
    except Exception as error:
        reader_set_aside(entry.club_id, READER, entry.position, error)
        return False
    return True


def notices_write(*, notices: Sequence[Notice], club: int, position: int) -> None:
    """Store the notices of one position of a club's log that aren't stored yet, each with its
    sendings, in the caller's transaction. Jobs send them once it is committed.

    Notices to accounts that aren't active are left out."""
    if not notices:
        return
    stored = {_key(notice) for notice in Notice.objects.filter(club=club, position=position)}
    accounts = {notice.user_id for notice in notices if notice.user_id}
    active = set(User.objects.filter(pk__in=accounts, is_active=True).values_list("pk", flat=True))
    new: dict[NoticeKey, Notice] = {}
    for notice in notices:
        is_reachable = notice.user_id is None or notice.user_id in active
        if is_reachable and _key(notice) not in stored:
            new[_key(notice)] = notice

    made = Notice.objects.bulk_create(list(new.values()))
    unseen_write(users={notice.user_id for notice in made if notice.user_id})
    for sending in NoticeSending.objects.bulk_create(_sendings(made)):
        if sending.state == NoticeSending.State.WAITING:
            call_on_commit(JOBS[NoticeSending.Channel(sending.channel)], sending.pk)


def _key(notice: Notice) -> NoticeKey:
    return notice.user_id, notice.by_mail_id, notice.occasion, notice.subject


def _sendings(notices: Sequence[Notice]) -> list[NoticeSending]:
    users = {notice.user_id for notice in notices if notice.user_id}
    preferences = preferences_of(users)
    phones = set(User.objects.filter(pk__in=users, email="").values_list("pk", flat=True))
    subscriptions = PushSubscription.objects.filter(user__in=users)
    devices = lists_by_key((device.user_id, device) for device in subscriptions)
    sendings = []
    for notice in notices:
        topic = NOTICES[notice.occasion].topic
        preference = preferences.get(notice.user_id or 0) or NoticePreference()
        by_mail = topic in preference.mail and notice.user_id not in phones
        sendings.append(_sending(notice, NoticeSending.Channel.MAIL, by_mail))
        by_push = topic in preference.push
        for device in devices.get(notice.user_id or 0, []):
            sendings.append(_sending(notice, NoticeSending.Channel.PUSH, by_push, device))
    return sendings


def _sending(
    notice: Notice,
    channel: NoticeSending.Channel,
    wanted: bool,
    device: PushSubscription | None = None,
) -> NoticeSending:
    sending = NoticeSending(
        notice=notice, channel=channel, subscription=device, due_at=Now(), ended_at=None
    )
    if not wanted:
        sending.state = NoticeSending.State.UNWANTED
        sending.ended_at = Now()
    return sending


def unseen_write(*, users: Collection[int]) -> None:
    """Store the number of unseen notices of each of these accounts, in the caller's transaction."""
    accounts = list(User.objects.filter(pk__in=users).order_by("pk").select_for_update(no_key=True))
    unseen = Notice.objects.filter(user__in=accounts, seen_at=None).order_by().values_list("user")
    counts = dict(unseen.annotate(count=Count("pk")))
    for user in accounts:
        user.unseen = counts.get(user.pk, 0)
    User.objects.bulk_update(accounts, ["unseen"])


@transaction.atomic
def notices_see(*, user: User, notices: Collection[str] | None = None) -> int:
    """Mark notices of an account as seen: those named by public id, or all. Return how many were
    unseen before."""
    unseen = Notice.objects.filter(user=user, seen_at=None)
    if notices is not None:
        unseen = unseen.filter(public_id__in=notices)
    new = unseen.update(seen_at=Now())
    unseen_write(users=[user.pk])
    return new


def event_letters_stop(*, entry: EntryByMail) -> None:
    """Stop the letters of an event to the address of somebody who entered by mail."""
    EntryByMail.objects.filter(pk=entry.pk).update(silent=True)


@transaction.atomic
def notices_forget() -> None:
    """Delete the notices that are older than `KEPT`."""
    old = Notice.objects.filter(created_at__lt=Now() - KEPT)
    users = set(old.filter(user__isnull=False, seen_at=None).values_list("user", flat=True))
    old.delete()
    unseen_write(users=users)


def notices_erase(*, club: Club, players: Sequence[Player], named: Pattern[str]) -> None:
    """Delete the club's notices to the accounts of these players, its notices to others that
    contain a name (`named`), and the words of its messages that contain one.

    An account that has another player in the club keeps its notices.
    """
    accounts = {player.user_id for player in players if player.user_id}
    erased_players = [player.pk for player in players]
    others = Player.objects.filter(club=club, user__in=accounts).exclude(pk__in=erased_players)
    forgotten = accounts - set(others.values_list("user", flat=True))
    naming = []
    with_parameters = Notice.objects.filter(club=club).exclude(parameters={})
    for notice in with_parameters.only("parameters").iterator():
        if named.search(json.dumps(notice.parameters, ensure_ascii=False)):
            naming.append(notice.pk)

    gone = Notice.objects.filter(Q(user__in=forgotten) | Q(pk__in=naming), club=club)
    users = forgotten | set(gone.filter(user__isnull=False).values_list("user", flat=True))
    gone.delete()
    unseen_write(users=users)
    for message in EventMessage.objects.filter(event__club=club):
        if named.search(f"{message.subject} {message.text}"):
            EventMessage.objects.filter(pk=message.pk).update(subject="", text="")
