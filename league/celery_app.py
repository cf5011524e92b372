"""The Celery application: jobs take ids and are safe to run twice, late or in any order."""

import os
from typing import Any

from celery import Celery
from celery.signals import task_prerun
from django.db import close_old_connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

app = Celery("league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["league.clubs", "league.rankings", "league.imports"])


def keep_connection(task: Any, **kwargs: Any) -> None:
    """Before a job, let go of a database connection that is too old or was lost, as before a request; else keep it.

    By itself Celery connects anew for every job, which takes longer than to count a game: CELERY_DB_REUSE_MAX.
    """
    if not task.request.is_eager:
        close_old_connections()


task_prerun.connect(keep_connection)
