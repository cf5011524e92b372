"""A Redis that hangs: pages answer, games come in, and what was queued is found afterwards."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any
from unittest.mock import patch

import kombu.pools
import pytest
import redis
from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCacheClient
from django.test import Client
from django.urls import reverse

from league.celery_app import app
from league.core import jobs
from league.core.frame.cache import redis_answers
from league.models import Season
from league.queues import QUEUED, SCHEDULE
from league.standings.ranking.tasks import count_ranking, sweep_rankings
from league.up import children
from league.up.children import Child, wait_until_ready
from league.wings import noun_modules
from tests.factories.records import bluff_record, line


@pytest.fixture
def own_redis(monkeypatch: pytest.MonkeyPatch) -> Iterator[Child]:
    """A Redis of this test's own, which jobs and cache use; it hangs and is let go on by the
    test."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("CUPS_UP_VAR", folder)
        child = children.redis()
        child.start()
        try:
            wait_until_ready([child], lambda message: None)
            address = f"{folder}/run/redis.sock"
            with use_redis(monkeypatch, address):
                yield child
        finally:
            os.kill(child.process.pid, signal.SIGCONT)
            child.stop()


class use_redis:  # noqa: N801
    """For the block, jobs and cache use the Redis that listens here."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
        self.monkeypatch, self.address = monkeypatch, address

    def __enter__(self) -> None:
        self.broker = app.conf.broker_url
        self.reset(f"redis+socket://{self.address}")
        options: Any = settings.CACHES["default"]["OPTIONS"]
        ours = RedisCacheClient([f"unix://{self.address}"], **options)
        self.monkeypatch.setattr(caches["default"], "_cache", ours)

    def __exit__(self, *error: object) -> None:
        self.reset(self.broker)

    @staticmethod
    def reset(broker: str) -> None:
        kombu.pools.reset()  # type: ignore[no-untyped-call]
        app._pool = app.amqp._producer_pool = None
        app.conf.broker_url = app.conf.broker_write_url = app.conf.broker_read_url = broker


def waiting(child: Child, queue: str) -> int:
    """How many calls lie in a queue, those that are taken last among them."""
    address = Path(os.environ["CUPS_UP_VAR"]) / "run" / "redis.sock"
    client: Any = redis.Redis(unix_socket_path=str(address))
    return sum(int(client.llen(name)) for name in (queue, f"{queue}\x06\x169"))


@pytest.mark.django_db(transaction=True)
def test_a_game_comes_in_while_redis_hangs_and_is_counted_after_it(
    own_redis: Child, season: Season, secret: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.kill(own_redis.process.pid, signal.SIGSTOP)
    answer = client.post(
        f"/api/v1/clubs/stern/games/?season={season.slug}",
        line(bluff_record(1)),
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert answer.status_code == 201
    assert client.get(reverse("account_login")).status_code == 200
    assert (
        client.post(reverse("account_login"), {"login": "a@b.example", "password": "x"}).status_code
        == 200
    )
    assert not redis_answers()
    assert season.ranking.version == 0

    os.kill(own_redis.process.pid, signal.SIGCONT)
    monkeypatch.setattr(jobs, "_away_until", 0.0)
    sweep_rankings()
    assert waiting(own_redis, "imports") == 1
    count_ranking(season.ranking_id)
    season.ranking.refresh_from_db()
    assert season.ranking.version == 1


def test_a_lost_call_holds_up_no_other(own_redis: Child) -> None:
    os.kill(own_redis.process.pid, signal.SIGSTOP)
    with patch.object(app, "send_task", wraps=app.send_task) as sent:
        assert [jobs.call("standings.ranking.tasks.count_ranking", 1) for _ in range(5)] == [
            False
        ] * 5
    assert sent.call_count == 1


def test_jobs_go_to_the_queue_of_their_kind(own_redis: Child) -> None:
    called = {
        "counting": "standings.ranking.tasks.count_ranking",
        "draws": "stages.round.tasks.draw_round",
        "previews": "records.upload.tasks.preview_large",
        "imports": "records.upload.tasks.run_imports",
        "analysis": "site.audit.tasks.audit_club",
        "mail": "core.delivery.tasks.send_letter",
        "push": "notices.notice.tasks.push_notice",
    }
    assert called.keys() == settings.QUEUES.keys()
    for job in called.values():
        assert jobs.call(job, 1)
    assert [waiting(own_redis, queue) for queue in settings.QUEUES] == [1] * len(settings.QUEUES)


def test_of_each_job_one_call_waits_for_a_row(own_redis: Child) -> None:
    for _ in range(5):
        assert jobs.call("standings.ranking.tasks.count_ranking", 1)
    assert jobs.call("standings.ranking.tasks.count_ranking", 2)
    assert jobs.call("standings.ranking.tasks.count_backlog", 1)
    assert (waiting(own_redis, "counting"), waiting(own_redis, "imports")) == (2, 1)


def test_a_job_may_be_called_for_again_before_it_looks_for_work(own_redis: Child) -> None:
    """What is committed once a job has begun to look, it may not see: the call for it must not be
    left out."""
    calls = []

    def look(ranking_id: int | None = None) -> list[tuple[int, bool]]:
        jobs.call("standings.ranking.tasks.count_ranking", 1)
        calls.append(waiting(own_redis, "counting"))
        return []

    jobs.call("standings.ranking.tasks.count_ranking", 1)
    with (
        patch("league.standings.ranking.tasks.ranking_count"),
        patch("league.standings.ranking.tasks.rankings_waiting", look),
        patch("league.standings.ranking.tasks.styles_waiting", lambda ranking_id: []),
    ):
        count_ranking.apply([1])
    assert calls == [2]


def test_a_call_that_is_lost_can_be_made_again(
    own_redis: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    with patch.object(app, "send_task", side_effect=OSError("the broker is away")):
        assert not jobs.call("standings.ranking.tasks.count_ranking", 1)
    monkeypatch.setattr(jobs, "_away_until", 0.0)
    assert jobs.call("standings.ranking.tasks.count_ranking", 1)
    assert waiting(own_redis, "counting") == 1


def test_a_call_that_nobody_takes_is_not_waited_for_without_end(
    own_redis: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "NOTE_SECONDS", 1)
    assert jobs.call("standings.ranking.tasks.count_ranking", 1)
    sleep(1.1)
    assert jobs.call("standings.ranking.tasks.count_ranking", 1)
    assert waiting(own_redis, "counting") == 2


def test_a_job_has_the_limits_of_its_queue() -> None:
    app.loader.import_default_modules()
    for job, queue in settings.QUEUED.items():
        task = app.tasks[job]
        assert (task.soft_time_limit, task.time_limit) == (
            settings.QUEUES[queue],
            settings.QUEUES[queue] + 60,
        )
    assert count_ranking.soft_time_limit == settings.QUEUES["counting"] < count_ranking.time_limit


def test_every_job_that_beat_calls_or_that_has_a_queue_is_known_to_workers() -> None:
    app.loader.import_default_modules()
    called = {call["task"] for call in SCHEDULE.values()} | set(QUEUED)
    modules = set(noun_modules("tasks"))
    assert called <= set(app.tasks)
    assert {job.rpartition(".")[0] for job in app.tasks if job.startswith("league.")} == modules
