"""Saying something in free words at a private table, muting and reporting. No log tells of it."""

from __future__ import annotations

import unicodedata
from datetime import timedelta
from re import Pattern
from typing import Final

from django.db import transaction
from django.utils import timezone

from engine.illegal import Illegal, Refused
from engine.messages import say
from league.play.chat.models import LINE_LENGTH, ChatLine, ChatMute, ChatReport
from league.play.chat.queries import has_chat
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.services.table import table_changed

MOST: Final = 5
"""Lines that a seat says at most …"""
WITHIN: Final = timedelta(seconds=20)
"""… in this time."""
KEPT: Final = timedelta(days=30)
JOINERS: Final = "\u200c\u200d"
"""What scripts and emoji need to join signs; all else that is invisible is left out."""


@transaction.atomic
def line_say(*, table: OnlineTable, seat: OnlineSeat, text: str) -> ChatLine:
    """Let a seat say a line at a private table.

    Raises `Refused`: `no_chat` at a listed table, `nothing_said`, `line_too_long`, `too_fast`.
    """
    if not has_chat(table):
        raise Refused(
            Illegal("no_chat", say("free words are for private tables: here there are the phrases"))
        )
    text = line_tidied(text)
    if not text:
        raise Refused(Illegal("nothing_said", say("write something first"), path="text"))
    if len(text) > LINE_LENGTH:
        raise Refused(
            Illegal("line_too_long", say("a line has at most {most} characters", most=LINE_LENGTH))
        )
    OnlineSeat.objects.select_for_update().get(pk=seat.pk)
    if ChatLine.objects.filter(seat=seat, said_at__gt=timezone.now() - WITHIN).count() >= MOST:
        raise Refused(Illegal("too_fast", say("you say a lot: wait a moment")))
    line = ChatLine.objects.create(table=table, seat=seat, user_id=seat.user_id, text=text)
    table_changed(table)
    return line


def line_tidied(text: str) -> str:
    """Return a text on one line without signs that nobody sees, such as those that turn the
    direction of a page."""
    seen = [
        sign
        for sign in text
        if sign in JOINERS or sign.isspace() or unicodedata.category(sign)[0] != "C"
    ]
    return " ".join("".join(seen).split())


def seat_mute(*, seat: OnlineSeat, other: OnlineSeat, muted: bool) -> None:
    """Let a seat read nothing more of another one, or read it again. Twice is once."""
    if muted and seat.pk != other.pk:
        ChatMute.objects.get_or_create(seat=seat, muted=other)
    else:
        ChatMute.objects.filter(seat=seat, muted=other).delete()


def line_report(*, line: ChatLine, seat: OnlineSeat) -> None:
    """Report a line of another seat to the organisers of the club. Twice is once."""
    if line.seat_id != seat.pk:
        ChatReport.objects.get_or_create(line=line, seat=seat)


def line_remove(*, line: ChatLine) -> None:
    """Remove a line that was reported, and the reports with it."""
    table = line.table
    line.delete()
    table_changed(table)


def reports_dismiss(*, line: ChatLine) -> None:
    """Leave a line that was reported as it is; its reports go."""
    line.reports.all().delete()


def seat_lines_erase(*, seat: OnlineSeat) -> None:
    """Delete all that a seat has said."""
    ChatLine.objects.filter(seat=seat).delete()


def lines_erase(*, club_id: int, named: Pattern[str]) -> None:
    """Delete the lines of a club that tell a name which is erased, whoever said them."""
    rows = ChatLine.objects.filter(table__club=club_id).values_list("pk", "text")
    telling = [pk for pk, text in rows.iterator() if named.search(text)]
    ChatLine.objects.filter(pk__in=telling).delete()


def lines_forget() -> int:
    """Delete the lines that are 30 days old; return how many rows that were."""
    deleted, _ = ChatLine.objects.filter(said_at__lt=timezone.now() - KEPT).delete()
    return deleted
