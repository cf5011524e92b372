"""All that a new version does once its schema is there."""

from typing import Any

from django.apps import apps
from django.db.models.signals import post_migrate
from django.dispatch import receiver

from league.log.models import LogHead
from league.site.services.statement import club_state


@receiver(post_migrate)
def logs_state(*, sender: Any, apps: Any = apps, **kwargs: Any) -> None:
    """Let each log that began before it told all say what stands; not on the way back to an earlier schema."""
    columns = (
        {column.name for column in apps.get_model(LogHead._meta.label)._meta.fields} if sender.label == "league" else ()
    )
    if "stated" in columns:
        for club_id in LogHead.objects.filter(stated=False).order_by("pk").values_list("pk", flat=True):
            club_state(club_id=club_id)
