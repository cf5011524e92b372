"""What the database, the broker and this host know of the service, read at each scrape."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

import django
import structlog
from django.db import Error
from django.db.models import Count, Exists, Min, OuterRef, Q
from django.db.models.functions import Now
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from engine import __version__
from games.models import OpenGame, SealedSheet
from league.core.delivery.models.letter import Letter
from league.core.log.models import SetAside
from league.core.sql import rows
from league.core.waiting_jobs import QueueState, queue_states
from league.notices.notice.models import NoticeSending
from league.play.online_table.models import OnlineTable
from league.site.audit.queries.audit import last_audits
from league.standings.ranking.queries.source import GAMES
from league.up.embedded import var_dir
from league.up.parts import EXPECTED, PartState, hosts, missed, parts

log = structlog.get_logger(__name__)

NO_HOST: Final = ("", "")
"""The labels `host` and `host_id` of a part that belongs to no host."""
RECENT_GAMES: Final = 1000
RECENT: Final = timedelta(days=1)
UNREAD: Final = """
    SELECT split_part(reader.name, '/', 1), count(unread.at), min(unread.at)
    FROM league_reader reader
    JOIN league_loghead head ON head.club_id = reader.club_id
    LEFT JOIN LATERAL (
        SELECT entry.at
        FROM league_logentry entry
        WHERE entry.club_id = reader.club_id
            AND entry.position > reader.position
            AND entry.position <= head.position
            AND (strpos(reader.name, '/') = 0 OR entry.action = ANY(%s))
        ORDER BY entry.position
        LIMIT 1
    ) unread ON true
    GROUP BY 1
    ORDER BY 1
"""
"""The kinds of readers, with the number of those that have an entry to read, and the time of the
oldest such entry. Readers of rankings, whose names have a slash, read only the entries of games."""
CONNECTIONS: Final = """
    SELECT count(*), current_setting('max_connections')::int
    FROM pg_stat_activity WHERE datname = current_database()
"""


class HostCollector(Collector):
    """Facts on this host alone."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the facts."""
        yield from disk()


class ServiceCollector(Collector):
    """Facts on the whole service. Every web host tells the same ones, but for its disk.

    `ask_database`: False if it is known to hang."""

    def __init__(self, *, ask_database: bool) -> None:
        self.ask_database = ask_database

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the facts; while the database is away, only what is known without it."""
        up = GaugeMetricFamily(
            "cups_up_up",
            "1 if a part is well, 0 if it is missed; without a host if it belongs to none.",
            labels=["host", "host_id", "part"],
        )
        yield build()
        yield from disk()
        queues = queue_states()
        up.add_metric([*NO_HOST, "redis"], float(queues is not None))
        if queues is not None:
            yield from waiting_jobs(queues)
        states = self._states()
        up.add_metric([*NO_HOST, "postgres"], float(states is not None))
        if states is not None:
            for labels, is_well in parts_well(states):
                up.add_metric(labels, float(is_well))
            yield from self._facts(states)
        yield up

    def _states(self) -> list[PartState] | None:
        """Return the state of all parts; None while the database is away."""
        if not self.ask_database:
            return None
        try:
            return parts()
        except Error as error:
            log.warning("metrics.no_database", exc_info=error)
            return None

    def _facts(self, states: list[PartState]) -> list[GaugeMetricFamily]:
        """Return what the database knows; nothing if it goes away meanwhile."""
        try:
            return [
                *hosts_and_parts(states),
                *letters(),
                *notices(),
                *log_readers(),
                *games(),
                *audits(),
                *database_connections(),
            ]
        except Error as error:
            log.warning("metrics.no_database", exc_info=error)
            return []


def parts_well(states: list[PartState]) -> Iterator[tuple[list[str], bool]]:
    """Yield the labels of each kind of part on each host, and whether it is well there; then those
    of expected kinds that belong to no host."""
    on_hosts = set()
    for state in hosts(states):
        on_hosts |= set(state.kinds)
        for kind in state.kinds:
            yield [state.host.name, state.host.id, kind], kind not in state.missed
    missing = missed(states)
    for kind in EXPECTED:
        if kind not in on_hosts:
            yield [*NO_HOST, kind], kind not in missing


def waiting_jobs(queues: list[QueueState]) -> Iterator[GaugeMetricFamily]:
    """Yield how many jobs wait in each queue, and since when the oldest does."""
    waiting = GaugeMetricFamily(
        "cups_up_queue_jobs", "Jobs that wait in a queue.", labels=["queue"]
    )
    oldest = GaugeMetricFamily(
        "cups_up_queue_oldest_seconds",
        "For how long the oldest job of a queue has waited.",
        labels=["queue"],
    )
    for queue in queues:
        waiting.add_metric([queue.name], queue.waiting)
        oldest.add_metric([queue.name], queue.oldest_seconds or 0.0)
    yield from (waiting, oldest)


def build() -> GaugeMetricFamily:
    """Return the versions that run here."""
    family = GaugeMetricFamily(
        "cups_up_build_info",
        "The versions of the service, of Python and of Django; always 1.",
        labels=["version", "python", "django"],
    )
    family.add_metric([__version__, platform.python_version(), django.__version__], 1.0)
    return family


def disk() -> Iterator[GaugeMetricFamily]:
    """Yield the bytes that are free for logs, emails and the embedded servers, and how many there
    are: in a container, this disk is small."""
    usage = shutil.disk_usage(var_dir())
    yield GaugeMetricFamily(
        "cups_up_disk_free_bytes", "Bytes free on the disk of CUPS_UP_VAR on this host.", usage.free
    )
    yield GaugeMetricFamily(
        "cups_up_disk_size_bytes", "Size of the disk of CUPS_UP_VAR on this host.", usage.total
    )


def hosts_and_parts(states: list[PartState]) -> Iterator[GaugeMetricFamily]:
    """Yield the heartbeats and restarts of the parts of each host."""
    labels = ["host", "host_id", "part"]
    age = GaugeMetricFamily(
        "cups_up_part_heartbeat_age_seconds",
        "Seconds since the last heartbeat of a part.",
        labels=labels,
    )
    late = GaugeMetricFamily(
        "cups_up_part_late", "1 if the last heartbeat of a part is too long ago.", labels=labels
    )
    restarts = GaugeMetricFamily(
        "cups_up_part_restarts", "How often the supervisor has restarted a part.", labels=labels
    )
    for state in states:
        if state.host is not None and state.seconds is not None:
            values = [state.host.name, state.host.id, state.name]
            age.add_metric(values, state.seconds)
            late.add_metric(values, float(state.late))
            restarts.add_metric(values, state.deaths)
    yield from (age, late, restarts)


def letters() -> Iterator[GaugeMetricFamily]:
    """Yield how many emails wait, since when the oldest does, and how many were given up lately."""
    waiting = Letter.objects.filter(state=Letter.State.WAITING)
    row = waiting.aggregate(count=Count("pk"), oldest=Min("written_at"))
    yield GaugeMetricFamily(
        "cups_up_letters_waiting", "Emails that no mail server has taken yet.", row["count"]
    )
    yield GaugeMetricFamily(
        "cups_up_letters_oldest_seconds",
        "Seconds since the oldest waiting email was written.",
        seconds_since(row["oldest"]),
    )
    given_up = Letter.objects.filter(state=Letter.State.FAILED, ended_at__gt=Now() - RECENT)
    yield GaugeMetricFamily(
        "cups_up_letters_given_up",
        "Emails given up in the last 24 hours, after their last attempt failed.",
        given_up.count(),
    )


def notices() -> Iterator[GaugeMetricFamily]:
    """Yield the notices that wait, and by how much they are overdue: during quiet hours they wait
    on purpose."""
    waiting = GaugeMetricFamily(
        "cups_up_notices_waiting",
        "Notices that wait to be sent, also until quiet hours are over.",
        labels=["channel"],
    )
    overdue = GaugeMetricFamily(
        "cups_up_notices_overdue_seconds",
        "For how long the oldest waiting notice has been due.",
        labels=["channel"],
    )
    grouped = (
        NoticeSending.objects.filter(state=NoticeSending.State.WAITING)
        .values("channel")
        .annotate(count=Count("pk"), due_at=Min("due_at"))
        .order_by("channel")
    )
    counts = {row["channel"]: row["count"] for row in grouped}
    due_times = {row["channel"]: row["due_at"] for row in grouped}
    for channel in NoticeSending.Channel.values:
        waiting.add_metric([channel], counts.get(channel, 0))
        overdue.add_metric([channel], seconds_since(due_times.get(channel)))
    yield from (waiting, overdue)


def log_readers() -> Iterator[GaugeMetricFamily]:
    """Yield how far the readers of all logs are behind, by kind (`count` of `count/k7f3m9x2qa`),
    and how many entries were set aside."""
    behind = GaugeMetricFamily(
        "cups_up_log_readers_behind",
        "Readers of logs, by kind, that have entries to read.",
        labels=["reader"],
    )
    lag = GaugeMetricFamily(
        "cups_up_log_reader_lag_seconds",
        "The age of the oldest entry that a kind of reader has to read.",
        labels=["reader"],
    )
    for kind, count, oldest in rows(UNREAD, [GAMES]):
        behind.add_metric([kind], count)
        lag.add_metric([kind], seconds_since(oldest))
    yield from (behind, lag)
    yield GaugeMetricFamily(
        "cups_up_log_entries_set_aside",
        "Entries of logs that a reader has failed on.",
        SetAside.objects.count(),
    )


def games() -> Iterator[GaugeMetricFamily]:
    """Yield the games in progress."""
    newest = OpenGame.objects.order_by("-pk").values("pk")[:RECENT_GAMES]
    sealed = SealedSheet.objects.filter(sheet__open_game=OuterRef("pk"))
    open_games = OpenGame.objects.filter(
        ~Exists(sealed), pk__in=newest, opened_at__gt=Now() - RECENT
    )
    yield GaugeMetricFamily(
        "cups_up_open_games",
        "Games opened in the last 24 hours that aren't sealed yet.",
        open_games.count(),
    )
    tables = GaugeMetricFamily(
        "cups_up_online_tables", "Online tables in play, live or turn by turn.", labels=["pace"]
    )
    row = OnlineTable.objects.filter(status=OnlineTable.Status.PLAYING).aggregate(
        live=Count("pk", filter=Q(move_days=0)), turns=Count("pk", filter=Q(move_days__gt=0))
    )
    tables.add_metric(["live"], row["live"])
    tables.add_metric(["turns"], row["turns"])
    yield tables


def audits() -> Iterator[GaugeMetricFamily]:
    """Yield what the last audit of each club has found."""
    last = last_audits()
    yield GaugeMetricFamily(
        "cups_up_audit_differences",
        "Cells that don't follow from the facts, as the last audits of all clubs found.",
        sum(audit.found or 0 for audit in last),
    )
    yield GaugeMetricFamily(
        "cups_up_audits_failed",
        "Clubs whose last audit ended with an error.",
        sum(bool(audit.error) for audit in last),
    )


def database_connections() -> Iterator[GaugeMetricFamily]:
    """Yield the connections to the database, and how many the server allows."""
    ((used, most),) = rows(CONNECTIONS)
    yield GaugeMetricFamily(
        "cups_up_database_connections", "Connections to the service's database.", used
    )
    yield GaugeMetricFamily(
        "cups_up_database_connections_max", "Connections that the database server allows.", most
    )


def seconds_since(moment: datetime | None) -> float:
    """Return the seconds since a time; 0 if it is None or still to come."""
    if moment is None:
        return 0.0
    return max((timezone.now() - moment).total_seconds(), 0.0)
