"""The project package and the Django app of people, clubs, seasons, standings and ratings."""

from league.celery_app import app as celery_app

__all__ = ["celery_app"]
