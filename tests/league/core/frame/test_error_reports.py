"""What is reported to Sentry has no secrets, and nothing is reported unless an operator wants it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import sentry_sdk
from django.db import OperationalError
from django.test import Client
from sentry_sdk.transport import Transport

from league.apps import _report_errors
from league.core.frame.error_reports import error_reports_start, report_cleaned
from league.environment.variable import BadSetting

SECRET = "hidden-five"


class Reports(Transport):
    """What would be sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []

    def capture_envelope(self, envelope: Any) -> None:
        self.sent += [json.dumps(item.payload.json) for item in envelope.items]


@pytest.fixture
def reports() -> Iterator[Reports]:
    reports = Reports()
    error_reports_start("https://key@sentry.example.org/1", transport=reports)
    yield reports
    sentry_sdk.init()


@pytest.fixture
def failing_page(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The home page, which raises an error with a secret in a variable."""
    error: list[Exception] = [RuntimeError("/claim/the-secret-code/ failed")]

    def fail(*args: Any, **kwargs: Any) -> None:
        die = SECRET
        if die:
            raise error[0]

    monkeypatch.setattr("django.core.handlers.base.BaseHandler._get_response", fail)
    return error


def test_a_report_has_the_error_and_no_body_variable_cookie_or_key(
    reports: Reports, failing_page: Any
) -> None:
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = f"session-{SECRET}"
    answer = client.post(
        f"/claim/the-secret-code/?key=another-{SECRET}",
        {"die": SECRET},
        headers={"authorization": f"Bearer {SECRET}"},
    )
    assert answer.status_code == 500
    (report,) = reports.sent
    assert "RuntimeError" in report
    for secret in (SECRET, "the-secret-code"):
        assert secret not in report


def test_a_request_is_reported_by_its_address_without_keys() -> None:
    request = {
        "method": "GET",
        "url": "https://cups.example.org/claim/the-secret-code/",
        "query_string": "key=x",
        "env": {"REMOTE_ADDR": "203.0.113.7"},
        "headers": {"Cookie": "sessionid=x"},
    }
    crumb = {"message": "GET /play/practice/the-secret-code", "data": [("key", "?key=the-secret")]}
    event: Any = {"request": request, "breadcrumbs": {"values": [crumb]}, "level": 3}
    cleaned: Any = report_cleaned(event, {})
    assert cleaned["request"] == {
        "method": "GET",
        "url": "https://cups.example.org/claim/…/",
    }
    assert "the-secret" not in repr(cleaned)


def test_personal_data_is_not_sent_by_default(reports: Reports) -> None:
    assert sentry_sdk.get_client().should_send_default_pii() is False


def test_an_outage_is_no_report(reports: Reports, failing_page: Any) -> None:
    failing_page[0] = OperationalError("connection refused")
    assert Client(raise_request_exception=False).get("/").status_code == 503
    assert reports.sent == []


def test_what_is_no_dsn_is_refused_without_showing_it() -> None:
    with pytest.raises(BadSetting, match="SENTRY_DSN isn't the DSN") as refused:
        error_reports_start("ftp://secret")
    assert "secret" not in str(refused.value)


def test_a_setting_without_the_package_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "league.core.frame.error_reports", raising=False)
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(BadSetting, match="sentry-sdk isn't installed"):
        _report_errors("https://key@sentry.example.org/1")


def test_without_the_setting_nothing_is_imported() -> None:
    code = "import django, sys; django.setup(); print('sentry_sdk' in sys.modules)"
    output = subprocess.run(
        [sys.executable, "-c", code],
        env={"DJANGO_SETTINGS_MODULE": "league.settings", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert output.stdout.strip() == "False"
