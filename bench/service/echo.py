"""The service's worker with one job more: it answers at once, so that its time is the bare round
trip."""

from __future__ import annotations

import redis

from league.celery_app import app


@app.task(name="bench.echo", ignore_result=True)
def echo(key: str) -> None:
    """Put something where the sender waits."""
    redis.Redis.from_url(app.conf.broker_url.replace("redis+socket://", "unix://", 1)).rpush(key, 1)
