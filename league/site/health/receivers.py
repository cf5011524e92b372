"""What a new version does once its schema is migrated."""

from typing import Any

from django.apps import apps
from django.db.models import Model
from django.db.models.signals import post_migrate
from django.dispatch import receiver

from league.stages.table.services.seats import seats_count
from league.standings.ranking.models import Ranking
from league.standings.rating.services.ties import ties_average


@receiver(post_migrate)
def seasons_count(*, sender: Any, apps: Any = apps, **kwargs: Any) -> None:
    """Count older seasons with guests or substitutes again, unless the database was migrated
    backwards."""
    if sender.label == "league" and _has_column(apps, Ranking, "seats_counted"):
        seats_count()


@receiver(post_migrate)
def rankings_rate(*, sender: Any, apps: Any = apps, **kwargs: Any) -> None:
    """Rate older rankings with shared places again, unless the database was migrated backwards."""
    if sender.label == "league" and _has_column(apps, Ranking, "ties_averaged"):
        ties_average()


def _has_column(apps: Any, model: type[Model], name: str) -> bool:
    return name in {column.name for column in apps.get_model(model._meta.label)._meta.fields}
