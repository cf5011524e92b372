"""The chat of a private table as a seat reads it, and the reported lines for organisers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Count, Min

from engine.grouping import lists_by_key
from league.core.club.models import Club
from league.core.viewer.queries.access import Viewer, club_for_organiser
from league.play.chat.models import ChatLine, ChatMute
from league.play.online_table.models import OnlineSeat, OnlineTable

SHOWN: Final = 30
"""The most lines that a seat reads, the latest ones."""
AROUND: Final = 5
"""How many lines organisers read before and after a reported one."""
REPORTED: Final = 20
"""The most reported lines that organisers see."""


class Chat(NamedTuple):
    """The chat as one seat reads it: the latest lines in order, without those of the seats it has
    `muted`.
    """

    lines: list[ChatLine]
    muted: list[OnlineSeat]


class ReportedLine(NamedTuple):
    """A reported line with its number of reports, the time of the first, and the lines around
    it.
    """

    line: ChatLine
    reports: int
    since: datetime
    around: list[ChatLine]


def has_chat(table: OnlineTable) -> bool:
    """Return True for a private table: friendly, and not on the club's page."""
    return not table.listed and not table.is_counted


def chat_of(table: OnlineTable, seat: OnlineSeat) -> Chat:
    """Return the chat of a private table for one of its seats. Two queries."""
    mutes = ChatMute.objects.filter(seat=seat).select_related("muted").order_by("muted__number")
    muted = [mute.muted for mute in mutes]
    lines = ChatLine.objects.filter(table=table).exclude(seat__in=muted).select_related("seat")
    latest = list(lines.order_by("-pk")[:SHOWN])
    latest.reverse()
    return Chat(latest, muted)


def line_of_table(table: OnlineTable, line_id: str) -> ChatLine | None:
    """Return a line of a table by its public id, or None."""
    return ChatLine.objects.filter(table=table, public_id=line_id).first()


def reported_line_for(viewer: Viewer, slug: str, line_id: str) -> ChatLine:
    """Return a reported line of a club, for its organisers. Raise `ObjectDoesNotExist`
    otherwise."""
    club = club_for_organiser(viewer, slug)
    lines = ChatLine.objects.filter(table__club=club, reports__isnull=False).distinct()
    return lines.select_related("table__club").get(public_id=line_id)


def reported_lines(club: Club) -> list[ReportedLine]:
    """Return the reported lines of a club, the latest first, each with the lines around it. Two
    queries.
    """
    lines = ChatLine.objects.filter(table__club=club).annotate(
        reported=Count("reports"),
        since=Min("reports__reported_at"),
    )
    of_reports = lines.filter(reported__gt=0).select_related("seat", "table")
    reported = list(of_reports.order_by("-since")[:REPORTED])
    tables = {line.table_id for line in reported}
    all_lines = ChatLine.objects.filter(table__in=tables).select_related("seat").order_by("pk")
    by_table = lists_by_key((line.table_id, line) for line in all_lines)
    result = []
    for line in reported:
        around = _around(line, by_table[line.table_id])
        result.append(ReportedLine(line, line.reported, line.since, around))
    return result


def _around(line: ChatLine, lines: Sequence[ChatLine]) -> list[ChatLine]:
    index = lines.index(line)
    return list(lines[max(0, index - AROUND) : index + AROUND + 1])
