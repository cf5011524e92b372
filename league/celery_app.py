"""The Celery application: jobs take ids and are safe to run twice, late or in any order."""

import os
from datetime import timedelta
from typing import Any, Final

from celery import Celery
from celery.beat import PersistentScheduler
from celery.bootsteps import StartStopStep
from celery.signals import task_prerun
from celery.worker.consumer import Tasks
from django.db import close_old_connections

from league.up import heartbeat
from league.wings import noun_modules

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

CLOCK_STEP: Final = timedelta(seconds=2)
"""When a clock is corrected by less, we just wait."""

app = Celery("league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks([module.rpartition(".")[0] for module in noun_modules("tasks")])


class WorkerHeartbeat(StartStopStep):  # type: ignore[misc]
    """A worker's heartbeat: its event loop runs, and it is connected to the broker."""

    requires = (Tasks,)

    def start(self, consumer: Any) -> None:
        """Start, also after each lost connection."""
        heartbeat.beat()
        self.timer = consumer.timer.call_repeatedly(heartbeat.SECONDS, heartbeat.beat)

    def stop(self, consumer: Any) -> None:
        """Pause while there is no connection."""
        self.timer.cancel()


class Scheduler(PersistentScheduler):  # type: ignore[misc]
    """Celery's scheduler with a heartbeat, which goes on when a clock is set back."""

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        """Call what is due, and return the seconds until the next look."""
        heartbeat.beat()
        if self.set_back():
            self._heap = None  # its times are in the future
        return super().tick(*args, **kwargs)

    def set_back(self) -> bool:
        """Set jobs with a last call in the future to now, and return True if there were any."""
        late = [
            entry
            for entry in self.schedule.values()
            if entry.last_run_at > entry.default_now() + CLOCK_STEP
        ]
        for entry in late:
            entry.last_run_at = entry.default_now()
        return bool(late)


app.steps["consumer"].add(WorkerHeartbeat)


def keep_connection(task: Any, **kwargs: Any) -> None:
    """Before a job, close a database connection that is too old or lost, as before a request; else
    keep it.

    Celery itself would connect again for every job, which takes longer than counting a game:
    CELERY_DB_REUSE_MAX."""
    if not task.request.is_eager:
        close_old_connections()


task_prerun.connect(keep_connection)
