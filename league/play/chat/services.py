"""Writing lines at a private table, muting and reporting. Nothing of it is logged."""

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
"""A seat may write this many lines …"""
WITHIN: Final = timedelta(seconds=20)
"""… within this time."""
KEPT: Final = timedelta(days=30)
"""How long lines are kept."""
JOINERS: Final = "\u200c\u200d"
"""Invisible characters that scripts and emoji need to join others. All other invisible ones are
removed.
"""


@transaction.atomic
def line_say(*, table: OnlineTable, seat: OnlineSeat, text: str) -> ChatLine:
    """Let a seat write a line at a private table.

    Raise `Refused`: `no_chat` at a listed table, `nothing_said`, `line_too_long`, `too_fast`.
    """
    if not has_chat(table):
        message = say("you can only write freely at private tables: choose a phrase instead")
        raise Refused(Illegal("no_chat", message))
    text = line_tidied(text)
    if not text:
        raise Refused(Illegal("nothing_said", say("write something first"), path="text"))
    if len(text) > LINE_LENGTH:
        message = say("a message can have at most {most} characters", most=LINE_LENGTH)
        raise Refused(Illegal("line_too_long", message))

    # A lock, so that the seat's lines are counted correctly: the row itself isn't needed.
    OnlineSeat.objects.select_for_update().get(pk=seat.pk)
    recent = ChatLine.objects.filter(seat=seat, said_at__gt=timezone.now() - WITHIN)
    if recent.count() >= MOST:
        raise Refused(
            Illegal("too_fast", say("you are sending messages too quickly: wait a moment"))
        )
    line = ChatLine.objects.create(table=table, seat=seat, user_id=seat.user_id, text=text)
    table_changed(table)
    return line


def line_tidied(text: str) -> str:
    """Return a text on one line without invisible characters, such as those that change the
    direction of writing.
    """
    visible = "".join(character for character in text if _is_kept(character))
    return " ".join(visible.split())


def _is_kept(character: str) -> bool:
    if character in JOINERS or character.isspace():
        return True
    return not unicodedata.category(character).startswith("C")


def seat_mute(*, seat: OnlineSeat, other: OnlineSeat, muted: bool) -> None:
    """Hide the lines of another seat from a seat, or show them again. Idempotent."""
    if muted and seat.pk != other.pk:
        ChatMute.objects.get_or_create(seat=seat, muted=other)
    else:
        ChatMute.objects.filter(seat=seat, muted=other).delete()


def line_report(*, line: ChatLine, seat: OnlineSeat) -> None:
    """Report a line of another seat to the organisers of the club. Idempotent."""
    if line.seat_id != seat.pk:
        ChatReport.objects.get_or_create(line=line, seat=seat)


def line_remove(*, line: ChatLine) -> None:
    """Remove a reported line together with its reports."""
    table = line.table
    line.delete()
    table_changed(table)


def reports_dismiss(*, line: ChatLine) -> None:
    """Delete the reports of a line and keep the line."""
    line.reports.all().delete()


def seat_lines_erase(*, seat: OnlineSeat) -> None:
    """Delete all lines of a seat."""
    ChatLine.objects.filter(seat=seat).delete()


def lines_erase(*, club_id: int, named: Pattern[str]) -> None:
    """Delete the lines of a club that contain an erased name, whichever seat wrote them."""
    rows = ChatLine.objects.filter(table__club=club_id).values_list("pk", "text")
    line_ids = [pk for pk, text in rows.iterator() if named.search(text)]
    ChatLine.objects.filter(pk__in=line_ids).delete()


def lines_forget() -> int:
    """Delete the lines that are 30 days old; return the number of deleted rows."""
    deleted, _ = ChatLine.objects.filter(said_at__lt=timezone.now() - KEPT).delete()
    return deleted
