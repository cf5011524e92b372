"""The Celery application: jobs take ids and are safe to run twice, late or in any order."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

app = Celery("league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["league.clubs", "league.rankings", "league.imports"])
