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
"""The values that identify a notice among those of one log entry: account, entry by mail, occasion
and subject."""


def notices_read(*, club_id: int) -> None:
    """Make the notices of all entries that a club's log has got since the last time, and retry the
    entries that were set aside and are due.

    An entry that fails is set aside with its error, and reading goes on after it. Raise `Busy`
    while another job reads the log.
    """
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
    due_positions = set_aside.order_by("position").values("position")
    positions = LogHead.objects.values_list(
        "position", Coalesce(Subquery(reader), 0), ArraySubquery(due_positions)
    )
    end, read_position, retries = positions.get(club=club_id)
    if read_position == end:
        return retries, False

    unread = LogEntry.objects.filter(
        club=club_id, position__gt=read_position, position__lte=end, action__in=ANNOUNCING
    )
    entries = list(unread.order_by("position")[:BATCH])
    for entry in entries:
        _announce(entry)
    has_more = len(entries) == BATCH
    reader_advance(club_id, READER, entries[-1].position if has_more else end)
    return retries, has_more


def _announce(entry: LogEntry) -> bool:
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
    """Store those notices of a position in a club's log that aren't stored yet, each with its
    sendings, in the caller's transaction. Jobs send them once it is committed.

    Notices to inactive accounts are left out.
    """
    if not notices:
        return
    stored_keys = {_key(notice) for notice in Notice.objects.filter(club=club, position=position)}
    accounts = {notice.user_id for notice in notices if notice.user_id}
    active = set(User.objects.filter(pk__in=accounts, is_active=True).values_list("pk", flat=True))
    new_notices: dict[NoticeKey, Notice] = {}
    for notice in notices:
        is_reachable = notice.user_id is None or notice.user_id in active
        if is_reachable and _key(notice) not in stored_keys:
            new_notices[_key(notice)] = notice

    stored_notices = Notice.objects.bulk_create(list(new_notices.values()))
    unseen_write(users={notice.user_id for notice in stored_notices if notice.user_id})
    for sending in NoticeSending.objects.bulk_create(_unsaved_sendings(stored_notices)):
        if sending.state == NoticeSending.State.WAITING:
            call_on_commit(JOBS[NoticeSending.Channel(sending.channel)], sending.pk)


def _key(notice: Notice) -> NoticeKey:
    return notice.user_id, notice.by_mail_id, notice.occasion, notice.subject


def _unsaved_sendings(notices: Sequence[Notice]) -> list[NoticeSending]:
    users = {notice.user_id for notice in notices if notice.user_id}
    preferences = preferences_of(users)
    phones = set(User.objects.filter(pk__in=users, email="").values_list("pk", flat=True))
    subscriptions = PushSubscription.objects.filter(user__in=users)
    devices = lists_by_key((device.user_id, device) for device in subscriptions)
    sendings = []
    for notice in notices:
        topic = NOTICES[notice.occasion].topic
        preference = preferences.get(notice.user_id or 0) or NoticePreference()
        wants_mail = topic in preference.mail and notice.user_id not in phones
        sendings.append(_unsaved_sending(notice, NoticeSending.Channel.MAIL, is_wanted=wants_mail))
        wants_push = topic in preference.push
        for device in devices.get(notice.user_id or 0, []):
            sendings.append(
                _unsaved_sending(notice, NoticeSending.Channel.PUSH, device, is_wanted=wants_push)
            )
    return sendings


def _unsaved_sending(
    notice: Notice,
    channel: NoticeSending.Channel,
    device: PushSubscription | None = None,
    *,
    is_wanted: bool,
) -> NoticeSending:
    sending = NoticeSending(
        notice=notice, channel=channel, subscription=device, due_at=Now(), ended_at=None
    )
    if not is_wanted:
        sending.state = NoticeSending.State.UNWANTED
        sending.ended_at = Now()
    return sending


def unseen_write(*, users: Collection[int]) -> None:
    """Store the number of unseen notices in each of these accounts (row ids), in the caller's
    transaction."""
    accounts = list(User.objects.filter(pk__in=users).order_by("pk").select_for_update(no_key=True))
    unseen = Notice.objects.filter(user__in=accounts, seen_at=None).order_by().values_list("user")
    counts = dict(unseen.annotate(count=Count("pk")))
    for user in accounts:
        user.unseen = counts.get(user.pk, 0)
    User.objects.bulk_update(accounts, ["unseen"])


@transaction.atomic
def notices_see(*, user: User, notices: Collection[str] | None = None) -> int:
    """Mark an account's notices as seen: those with these public ids, or all if `notices` is None.
    Return how many were unseen before."""
    unseen = Notice.objects.filter(user=user, seen_at=None)
    if notices is not None:
        unseen = unseen.filter(public_id__in=notices)
    newly_seen = unseen.update(seen_at=Now())
    unseen_write(users=[user.pk])
    return newly_seen


def event_letters_stop(*, entry: EntryByMail) -> None:
    """Stop the emails of an event to the address of somebody who entered by mail."""
    EntryByMail.objects.filter(pk=entry.pk).update(silent=True)


@transaction.atomic
def notices_forget() -> None:
    """Delete the notices that are older than `KEPT`."""
    old = Notice.objects.filter(created_at__lt=Now() - KEPT)
    users = set(old.filter(user__isnull=False, seen_at=None).values_list("user", flat=True))
    old.delete()
    unseen_write(users=users)


def notices_erase(*, club: Club, players: Sequence[Player], name_pattern: Pattern[str]) -> None:
    """Delete the club's notices to the accounts of these players, its notices to others that
    contain a name (`name_pattern`), and the texts of its messages that contain one.

    An account that has another player in the club keeps its notices.
    """
    accounts = {player.user_id for player in players if player.user_id}
    erased_players = [player.pk for player in players]
    others = Player.objects.filter(club=club, user__in=accounts).exclude(pk__in=erased_players)
    erased_accounts = accounts - set(others.values_list("user", flat=True))
    notices_with_name = []
    with_parameters = Notice.objects.filter(club=club).exclude(parameters={})
    for notice in with_parameters.only("parameters").iterator():
        if name_pattern.search(json.dumps(notice.parameters, ensure_ascii=False)):
            notices_with_name.append(notice.pk)

    to_delete = Notice.objects.filter(
        Q(user__in=erased_accounts) | Q(pk__in=notices_with_name), club=club
    )
    users = erased_accounts | set(
        to_delete.filter(user__isnull=False).values_list("user", flat=True)
    )
    to_delete.delete()
    unseen_write(users=users)
    for message in EventMessage.objects.filter(event__club=club):
        if name_pattern.search(f"{message.subject} {message.text}"):
            EventMessage.objects.filter(pk=message.pk).update(subject="", text="")
