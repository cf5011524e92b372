"""While a server is away, the log gets one line a minute about it."""

from __future__ import annotations

import logging
import sys
from typing import Any

import psycopg
import pytest
import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from league.core.frame.outages import (
    OUTAGE,
    POSTGRES,
    QUIET_SECONDS,
    VALKEY,
    OutageFilter,
    outage_behind,
    outage_marked,
    outage_of,
)

AWAY = OperationalError("connection refused")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the filter sees; a test changes them."""
    now = [1000.0]
    monkeypatch.setattr("league.core.frame.outages.time.monotonic", lambda: now[0])
    return now


def line(
    error: BaseException | None, text: str = "Service Unavailable: /\n['stack']"
) -> logging.LogRecord:
    exc_info = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("django.request", logging.ERROR, "", 1, text, (), exc_info)


def refused(sqlstate: str | None) -> OperationalError:
    """Django's error for a statement that the database refused."""
    error = OperationalError("refused")
    error.__cause__ = psycopg.OperationalError("refused")
    error.__cause__.sqlstate = sqlstate
    return error


def test_an_outage_is_one_line_a_minute_with_the_number_of_others(clock: list[float]) -> None:
    outages = OutageFilter()
    passed = []
    for _ in range(150):
        record = line(AWAY)
        if outages.filter(record):
            passed.append(record)
        clock[0] += 1.0
    assert len(passed) == 3
    assert passed[0].exc_info is not None, "the first has the traceback"
    assert [record.exc_info for record in passed[1:]] == [None, None]
    for record in passed[1:]:
        assert record.getMessage() == "Service Unavailable: / (59 lines like this were held back)"


def test_the_next_outage_has_its_traceback_again(clock: list[float]) -> None:
    outages = OutageFilter()
    assert outages.filter(line(AWAY))
    assert not outages.filter(line(AWAY))
    clock[0] += QUIET_SECONDS
    record = line(AWAY)
    assert outages.filter(record)
    assert record.exc_info is not None
    assert "held back" not in record.getMessage()


def test_each_server_has_its_own_line(clock: list[float]) -> None:
    outages = OutageFilter()
    assert outages.filter(line(AWAY))
    assert outages.filter(line(RedisConnectionError()))
    assert not outages.filter(line(RedisConnectionError()))


def test_all_other_lines_pass(clock: list[float]) -> None:
    outages = OutageFilter()
    for error in (None, KeyError("x"), refused("40P01"), ResponseError("WRONGTYPE")):
        assert outages.filter(line(error))
        assert outages.filter(line(error))


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (AWAY, POSTGRES),
        (InterfaceError("connection already closed"), POSTGRES),
        (psycopg.OperationalError("refused"), POSTGRES),
        (refused("57P01"), POSTGRES),
        (refused("08006"), POSTGRES),
        (refused("53300"), POSTGRES),
        (refused("57014"), None),
        (refused("55P03"), None),
        (refused("53100"), None),
        (RedisConnectionError(), VALKEY),
        (RedisTimeoutError(), VALKEY),
        (BrokerError(), VALKEY),
        (ResponseError(), None),
        (ConnectionRefusedError(), None),
    ],
    ids=repr,
)
def test_an_outage_is_told_from_an_error(error: BaseException, cause: str | None) -> None:
    assert outage_behind(error) == cause


def test_an_error_that_an_outage_has_led_to_is_part_of_it() -> None:
    error = KeyError("lost")
    error.__context__ = AWAY
    assert outage_behind(error) == POSTGRES


def test_errors_that_lead_to_each_other_end() -> None:
    first = KeyError()
    second = KeyError()
    first.__cause__ = second
    second.__cause__ = first
    assert outage_behind(first) is None


def test_celery_passes_the_error_as_an_argument() -> None:
    record = logging.LogRecord(
        "celery", logging.ERROR, "", 1, "%s: %s", ("consumer", RedisConnectionError()), None
    )
    assert outage_of(record) == VALKEY


@pytest.mark.parametrize("given", [AWAY, True])
def test_a_structured_line_is_marked_by_its_error(given: Any) -> None:
    try:
        raise AWAY
    except OperationalError:
        event = outage_marked(None, "error", {"event": "x", "exc_info": given})
    assert event[OUTAGE] == POSTGRES
    assert OUTAGE not in outage_marked(None, "info", {"event": "x"})
    assert sys.exc_info()[1] is None


def test_a_structured_line_loses_its_traceback_the_second_time(clock: list[float]) -> None:
    outages = OutageFilter()

    def structured() -> logging.LogRecord:
        event = {"event": "live.reconnect", OUTAGE: POSTGRES, "exception": "Traceback …"}
        return logging.LogRecord("live", logging.WARNING, "", 1, event, (), None)

    first = structured()
    assert outages.filter(first)
    assert isinstance(first.msg, dict)
    assert "exception" in first.msg
    clock[0] += QUIET_SECONDS - 1
    assert not outages.filter(structured())
    clock[0] += 1
    later = structured()
    assert outages.filter(later)
    assert later.msg == {"event": "live.reconnect", OUTAGE: POSTGRES, "held_back": 1}


def test_every_line_of_the_service_goes_through_it() -> None:
    handlers: Any = settings.LOGGING["handlers"]
    assert handlers["console"]["filters"] == ["outages"]
    chain = settings.LOG_CHAIN
    assert chain.index(outage_marked) < chain.index(structlog.processors.format_exc_info)
