"""Making notices: a reader of each club's log, which begins where it stopped and makes each notice
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
PORTION: Final = 100
"""Entries of the log that are read in one transaction."""
KEPT: Final = timedelta(days=90)
NOT_THE_ENTRYS: Final = (OperationalError, SoftTimeLimitExceeded)
"""Errors of which no entry is the cause."""
JOBS: Final = {
    NoticeSending.Channel.MAIL: "notices.notice.tasks.mail_notice",
    NoticeSending.Channel.PUSH: "notices.notice.tasks.push_notice",
}


def notices_read(*, club_id: int) -> None:
    """Make the notices of all that a club's log tells since last time, then try again what was set
    aside and is due.

    An entry that fails is set aside with its reason, and the others are read without it. Raises
    `Busy` while another job reads."""
    more = True
    while more:
        retries, more = _read(club_id)
    for position in retries:
        with transaction.atomic():
            transaction_lock(Space.NOTICES, club_id)
            if _announced(LogEntry.objects.get(club=club_id, position=position)):
                reader_finish(club_id, READER, position)


@transaction.atomic
def _read(club_id: int) -> tuple[list[int], bool]:
    """Read a portion; the entries that were set aside and are to be tried again now, and whether
    more may wait behind the portion."""
    transaction_lock(Space.NOTICES, club_id)
    reader = Reader.objects.filter(club=club_id, name=READER).values("position")
    aside = SetAside.objects.filter(club=club_id, reader=READER, due_at__lte=Now()).order_by(
        "position"
    )
    columns = Coalesce(Subquery(reader), 0), ArraySubquery(aside.values("position"))
    head, position, retries = LogHead.objects.values_list("position", *columns).get(club=club_id)
    if position == head:
        return retries, False
    waiting = LogEntry.objects.filter(
        club=club_id, position__gt=position, position__lte=head, action__in=ANNOUNCING
    )
    entries = list(waiting.order_by("position")[:PORTION])
    for entry in entries:
        _announced(entry)
    more = len(entries) == PORTION
    reader_advance(club_id, READER, entries[-1].position if more else head)
    return retries, more


def _announced(entry: LogEntry) -> bool:
    """Make the notices of an entry, in the caller's transaction; False if that failed and it is set
    aside."""
    try:
        with transaction.atomic():
            notices_write(notices=notices_of(entry), club=entry.club_id, position=entry.position)
    except NOT_THE_ENTRYS:
        raise
    except Exception as error:
        reader_set_aside(entry.club_id, READER, entry.position, error)
        return False
    return True


def notices_write(*, notices: Sequence[Notice], club: int, position: int) -> None:
    """Store those notices of a club and a position that aren't there, each with its sendings, in
    the caller's transaction; jobs are called for them once that is committed."""
    if not notices:
        return
    there = {_whose(one) for one in Notice.objects.filter(club=club, position=position)}
    users = User.objects.filter(pk__in={one.user_id for one in notices}, is_active=True)
    active = {None, *users.values_list("pk", flat=True)}
    new = {_whose(one): one for one in notices if one.user_id in active}
    made = Notice.objects.bulk_create(notice for whose, notice in new.items() if whose not in there)
    unseen_write(users={notice.user_id for notice in made if notice.user_id})
    for sending in NoticeSending.objects.bulk_create(_sendings(made)):
        if sending.state == NoticeSending.State.WAITING:
            call_on_commit(JOBS[NoticeSending.Channel(sending.channel)], sending.pk)


def _whose(notice: Notice) -> tuple[int | None, int | None, str, str]:
    """By what a notice is one of those that an entry of the log makes."""
    return notice.user_id, notice.by_mail_id, notice.occasion, notice.subject


def _sendings(notices: Sequence[Notice]) -> list[NoticeSending]:
    """One by mail for each notice, and one for each device of its reader; an unwanted one has ended
    already."""
    users = {notice.user_id for notice in notices if notice.user_id}
    chosen = preferences_of(users)
    phones = set(User.objects.filter(pk__in=users, email="").values_list("pk", flat=True))
    devices = lists_by_key(
        (device.user_id, device) for device in PushSubscription.objects.filter(user__in=users)
    )
    sendings = []
    for notice in notices:
        wanted = chosen.get(notice.user_id or 0) or NoticePreference()
        topic = NOTICES[notice.occasion].topic
        by_mail = topic in wanted.mail and notice.user_id not in phones
        sendings.append(_sending(notice, NoticeSending.Channel.MAIL, by_mail))
        for device in devices.get(notice.user_id or 0, []):
            sendings.append(
                _sending(notice, NoticeSending.Channel.PUSH, topic in wanted.push, device)
            )
    return sendings


def _sending(
    notice: Notice,
    channel: NoticeSending.Channel,
    wanted: bool,
    device: PushSubscription | None = None,
) -> NoticeSending:
    return NoticeSending(
        notice=notice,
        channel=channel,
        subscription=device,
        state=NoticeSending.State.WAITING if wanted else NoticeSending.State.UNWANTED,
        due_at=Now(),
        ended_at=None if wanted else Now(),
    )


def unseen_write(*, users: Collection[int]) -> None:
    """Store how many notices of these accounts are new, in the caller's transaction."""
    accounts = list(User.objects.filter(pk__in=users).order_by("pk").select_for_update(no_key=True))
    unseen = Notice.objects.filter(user__in=accounts, seen_at=None).order_by().values_list("user")
    counts = dict(unseen.annotate(count=Count("pk")))
    for user in accounts:
        user.unseen = counts.get(user.pk, 0)
    User.objects.bulk_update(accounts, ["unseen"])


@transaction.atomic
def notices_see(*, user: User, notices: Collection[str] | None = None) -> int:
    """Note that an account has seen these notices, given by public id, or all; returns for how many
    that is new."""
    unseen = Notice.objects.filter(user=user, seen_at=None)
    if notices is not None:
        unseen = unseen.filter(public_id__in=notices)
    new = unseen.update(seen_at=Now())
    unseen_write(users=[user.pk])
    return new


def event_letters_stop(*, asked: EntryByMail) -> None:
    """Let no more letters of an event come to who entered by mail."""
    EntryByMail.objects.filter(pk=asked.pk).update(silent=True)


@transaction.atomic
def notices_forget() -> None:
    """Delete the notices that were made longer ago than `KEPT`."""
    old = Notice.objects.filter(created_at__lt=Now() - KEPT)
    users = set(old.filter(user__isnull=False, seen_at=None).values_list("user", flat=True))
    old.delete()
    unseen_write(users=users)


def notices_erase(*, club: Club, players: Sequence[Player], named: Pattern[str]) -> None:
    """Delete what the accounts of these players were told by their club, what others were told with
    such a name, and messages of the club with one.

    An account that is yet another player of the club keeps its notices.
    """
    accounts = {player.user_id for player in players if player.user_id}
    others = Player.objects.filter(club=club, user__in=accounts).exclude(
        pk__in=[player.pk for player in players]
    )
    forgotten = accounts - set(others.values_list("user", flat=True))
    telling = [
        notice.pk
        for notice in Notice.objects.filter(club=club)
        .exclude(parameters={})
        .only("parameters")
        .iterator()
        if named.search(json.dumps(notice.parameters, ensure_ascii=False))
    ]
    gone = Notice.objects.filter(Q(user__in=forgotten) | Q(pk__in=telling), club=club)
    users = forgotten | set(gone.filter(user__isnull=False).values_list("user", flat=True))
    gone.delete()
    unseen_write(users=users)
    for message in EventMessage.objects.filter(event__club=club):
        if named.search(f"{message.subject} {message.text}"):
            EventMessage.objects.filter(pk=message.pk).update(subject="", text="")
