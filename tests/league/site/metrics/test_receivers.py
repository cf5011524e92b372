"""Jobs, refused requests and lines kept out of the log are counted where they happen."""

from __future__ import annotations

from http import HTTPStatus
from types import SimpleNamespace

import pytest

from league.core.frame.excess import request_refused
from league.core.frame.outages import POSTGRES, line_held_back
from league.site.metrics.domain import OWN
from league.site.metrics.receivers import job_ends, job_starts

TASK = SimpleNamespace(name="league.site.audit.tasks.audit_club")
NAME = "site.audit.tasks.audit_club"


def value(name: str, **labels: str) -> float:
    return OWN.get_sample_value(name, labels) or 0.0


@pytest.mark.parametrize(
    ("state", "outcome"),
    [("SUCCESS", "success"), ("FAILURE", "failure"), ("RETRY", "retry"), ("X", "other")],
)
def test_a_job_is_counted_with_its_outcome_and_duration(state: str, outcome: str) -> None:
    before = value("cups_up_jobs_total", task=NAME, outcome=outcome)
    timed = value("cups_up_job_seconds_count", task=NAME)
    job_starts(task_id="1")
    job_ends(task_id="1", task=TASK, state=state)
    assert value("cups_up_jobs_total", task=NAME, outcome=outcome) == before + 1
    assert value("cups_up_job_seconds_count", task=NAME) == timed + 1


def test_a_job_whose_start_nobody_noted_is_counted_without_a_duration() -> None:
    timed = value("cups_up_job_seconds_count", task=NAME)
    job_ends(task_id="unknown", task=TASK, state=None)
    assert value("cups_up_job_seconds_count", task=NAME) == timed


def test_a_refused_request_is_counted() -> None:
    before = value("cups_up_refused_requests_total", status="503")
    request_refused(HTTPStatus.SERVICE_UNAVAILABLE)
    assert value("cups_up_refused_requests_total", status="503") == before + 1


def test_a_line_kept_out_of_the_log_is_counted() -> None:
    before = value("cups_up_log_lines_held_back_total", server=POSTGRES)
    line_held_back(POSTGRES)
    assert value("cups_up_log_lines_held_back_total", server=POSTGRES) == before + 1
