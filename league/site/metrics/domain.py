"""What each process counts of its own work.

The processes of a host write to files in one folder (`league/up/metrics_folder.py`), so that the
host can tell their sums. Every label has a bounded number of values."""

from __future__ import annotations

import os
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.multiprocess import MultiProcessCollector

from league.up.metrics_folder import FOLDER

OWN: Final = CollectorRegistry()
"""The figures of this process alone."""
REQUESTS: Final = Counter(
    "cups_up_requests",
    "Requests answered by Django, by the name of their route and the class of their status.",
    ["route", "status"],
    registry=OWN,
)
REQUEST_SECONDS: Final = Histogram(
    "cups_up_request_seconds",
    "Seconds until Django had answered a request, by the name of its route.",
    ["route"],
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10),
    registry=OWN,
)
REFUSED_REQUESTS: Final = Counter(
    "cups_up_refused_requests",
    "Requests refused before Django because they were beyond a limit, by status.",
    ["status"],
    registry=OWN,
)
STREAMS_OPEN: Final = Gauge(
    "cups_up_streams_open",
    "Open streams of pages and programs.",
    multiprocess_mode="livesum",
    registry=OWN,
)
JOBS: Final = Counter(
    "cups_up_jobs",
    "Jobs that a worker has ended, by task and outcome.",
    ["task", "outcome"],
    registry=OWN,
)
JOB_SECONDS: Final = Histogram(
    "cups_up_job_seconds",
    "Seconds that a job took, by task.",
    ["task"],
    buckets=(0.03, 0.1, 0.3, 1, 3, 10, 60, 600, 3600),
    registry=OWN,
)
LINES_HELD_BACK: Final = Counter(
    "cups_up_log_lines_held_back",
    "Lines about an outage that were kept out of the log, by the server that was away.",
    ["server"],
    registry=OWN,
)


def register_own_figures(registry: CollectorRegistry) -> None:
    """Add the figures of all processes of this host to a registry; without a folder for them, as in
    a test, those of this process."""
    if os.environ.get(FOLDER):
        MultiProcessCollector(registry)
    else:
        registry.register(OWN)
