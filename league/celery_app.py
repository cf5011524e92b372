"""The Celery application: jobs take ids and are safe to run twice, late or in any order."""

import os
import time
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from celery import Celery
from celery.beat import PersistentScheduler
from celery.bootsteps import StartStopStep
from celery.signals import before_task_publish, task_prerun
from celery.worker.consumer import Tasks
from django.db import close_old_connections

from league.up import heartbeat
from league.wings import noun_modules

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

CLOCK_STEP: Final = timedelta(seconds=2)
"""If the clock is corrected by less, the scheduler just waits."""
QUEUED_AT: Final = "queued_at"
"""The header of a call with the time when it was queued, in seconds since 1970."""

app = Celery("league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks([module.rpartition(".")[0] for module in noun_modules("tasks")])


class WorkerHeartbeat(StartStopStep):  # type: ignore[misc]
    """A worker's heartbeat: its event loop runs, and it is connected to the broker."""

    requires = (Tasks,)

    def start(self, consumer: Any) -> None:
        """Start the heartbeat, also after each reconnection."""
        heartbeat.beat()
        self.timer = consumer.timer.call_repeatedly(heartbeat.SECONDS, heartbeat.beat)

    def stop(self, consumer: Any) -> None:
        """Stop the heartbeat while there is no connection."""
        self.timer.cancel()


class Scheduler(PersistentScheduler):  # type: ignore[misc]
    """Celery's scheduler with a heartbeat; it goes on when the clock is set back, and starts after
    it was killed at any moment."""

    def setup_schedule(self) -> None:
        """Open the file of the last calls.

        Berkeley DB makes it under a temporary name. If the scheduler was killed just then, that
        file is left, and Berkeley DB would wait for its end forever.
        """
        file = Path(self.schedule_filename)
        for unfinished in file.parent.glob(f"__db.{file.name}*"):
            unfinished.unlink(missing_ok=True)
        super().setup_schedule()

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        """Send the jobs that are due, and return the seconds until the next call."""
        heartbeat.beat()
        if self.reset_future_calls():
            self._heap = None  # its times are in the future; Celery builds it anew
        return super().tick(*args, **kwargs)

    def reset_future_calls(self) -> bool:
        """Count jobs whose last call lies in the future, since the clock was set back, as called
        now. Return True if there were any."""
        future_entries = [
            entry
            for entry in self.schedule.values()
            if entry.last_run_at > entry.default_now() + CLOCK_STEP
        ]
        for entry in future_entries:
            entry.last_run_at = entry.default_now()
        return bool(future_entries)


app.steps["consumer"].add(WorkerHeartbeat)


def keep_connection(task: Any, **kwargs: Any) -> None:
    """Before a job, close the database connection if it is too old or lost, as Django does before a
    request.

    Otherwise keep it: by default Celery would connect again for every job, which takes longer than
    counting a game. `CELERY_DB_REUSE_MAX` prevents this.
    """
    if not task.request.is_eager:
        close_old_connections()


task_prerun.connect(keep_connection)


def note_time(headers: dict[str, Any], **kwargs: Any) -> None:
    """Note in a call's headers when it is queued, which Celery doesn't."""
    headers[QUEUED_AT] = time.time()


before_task_publish.connect(note_time)
