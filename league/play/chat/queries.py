"""The chat of a private table as a seat reads it, and the lines that were reported, as organisers
do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Count, Min

from league.core.club.models import Club
from league.core.viewer.queries.access import Viewer, club_for_organiser
from league.play.chat.models import ChatLine, ChatMute
from league.play.online_table.models import OnlineSeat, OnlineTable

SHOWN: Final = 30
"""Lines that a seat reads at most, the latest."""
AROUND: Final = 5
"""Lines that organisers read before and after one that was reported."""
REPORTED: Final = 20


class Chat(NamedTuple):
    """The chat as one seat reads it: the latest lines in their order, without those of `muted`
    seats."""

    lines: list[ChatLine]
    muted: list[OnlineSeat]


class ReportedLine(NamedTuple):
    """A line that was reported, how often and since when, with the lines around it."""

    line: ChatLine
    reports: int
    since: datetime
    around: list[ChatLine]


def has_chat(table: OnlineTable) -> bool:
    """Return True for a private table: friendly, and not on the club's page."""
    return not table.listed and not table.is_counted


def chat_of(table: OnlineTable, seat: OnlineSeat) -> Chat:
    """The chat of a private table for one of its seats. Two queries."""
    mutes = ChatMute.objects.filter(seat=seat).select_related("muted").order_by("muted__number")
    muted = [mute.muted for mute in mutes]
    lines = (
        ChatLine.objects.filter(table=table)
        .exclude(seat__in=muted)
        .select_related("seat")
        .order_by("-pk")
    )
    return Chat(list(lines[:SHOWN])[::-1], muted)


def line_of_table(table: OnlineTable, line_id: str) -> ChatLine | None:
    """The line of a table by its public id; None if there is none."""
    return ChatLine.objects.filter(table=table, public_id=line_id).first()


def reported_line_for(viewer: Viewer, slug: str, line_id: str) -> ChatLine:
    """A line of a club that was reported, for its organisers. Raises `ObjectDoesNotExist`."""
    club = club_for_organiser(viewer, slug)
    lines = ChatLine.objects.filter(table__club=club, reports__isnull=False).distinct()
    return lines.select_related("table__club").get(public_id=line_id)


def reported_lines(club: Club) -> list[ReportedLine]:
    """The lines of a club that were reported, the latest first, each with those around it. Two
    queries."""
    lines = ChatLine.objects.filter(table__club=club).annotate(
        reported=Count("reports"),
        since=Min("reports__reported_at"),
    )
    found = list(
        lines.filter(reported__gt=0).select_related("seat", "table").order_by("-since")[:REPORTED]
    )
    of_tables: dict[int, list[ChatLine]] = {}
    tables = {line.table_id for line in found}
    for line in ChatLine.objects.filter(table__in=tables).select_related("seat").order_by("pk"):
        of_tables.setdefault(line.table_id, []).append(line)
    return [
        ReportedLine(line, line.reported, line.since, _around(line, of_tables[line.table_id]))
        for line in found
    ]


def _around(line: ChatLine, of_table: Sequence[ChatLine]) -> list[ChatLine]:
    """Some lines before and after one, and it, in their order."""
    place = of_table.index(line)
    return list(of_table[max(0, place - AROUND) : place + AROUND + 1])
