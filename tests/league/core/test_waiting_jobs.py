"""What waits in the queues, and for how long."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from league.celery_app import QUEUED_AT, app
from league.core import waiting_jobs
from league.core.waiting_jobs import PRIORITY_SEPARATOR, queue_states

QUEUE = "waiting-jobs-of-a-test"


@pytest.fixture(autouse=True)
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    """A queue that no other test uses, in the broker of all tests."""
    monkeypatch.setattr(waiting_jobs, "QUEUES", {QUEUE: 60})
    broker = waiting_jobs._broker()
    keys = (QUEUE, f"{QUEUE}{PRIORITY_SEPARATOR}9")
    broker.delete(*keys)
    yield broker
    broker.delete(*keys)
    broker.close()


def message(seconds_ago: float) -> str:
    return json.dumps({"headers": {QUEUED_AT: time.time() - seconds_ago}})


def test_an_empty_queue_has_no_oldest_job() -> None:
    assert queue_states() == [waiting_jobs.QueueState(QUEUE, 0, None)]


def test_jobs_of_all_priorities_are_counted_and_the_oldest_is_found(broker: Any) -> None:
    broker.lpush(QUEUE, message(20), message(10))
    broker.lpush(f"{QUEUE}{PRIORITY_SEPARATOR}9", message(300))
    (state,) = queue_states() or []
    assert state.waiting == 3
    assert state.oldest_seconds == pytest.approx(300, abs=5)


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", "{}", '{"headers": {}}', '{"headers": {"queued_at": "soon"}}']
)
def test_a_call_without_a_time_is_counted(broker: Any, text: str) -> None:
    broker.lpush(QUEUE, text)
    assert queue_states() == [waiting_jobs.QueueState(QUEUE, 1, None)]


def test_no_job_waits_for_less_than_nothing(broker: Any) -> None:
    broker.lpush(QUEUE, message(-3600))
    (state,) = queue_states() or []
    assert state.oldest_seconds == 0.0


def test_nothing_is_known_while_the_broker_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Redis:
        raise RedisConnectionError

    monkeypatch.setattr(waiting_jobs, "_broker", refuse)
    assert queue_states() is None


def test_a_call_notes_when_it_was_queued() -> None:
    app.send_task("league.nothing", queue=QUEUE)
    (state,) = queue_states() or []
    assert state.waiting == 1
    assert state.oldest_seconds == pytest.approx(0, abs=5)
