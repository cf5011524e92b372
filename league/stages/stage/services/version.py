"""The version of a stage, on which its pages depend."""

from __future__ import annotations

from typing import Any

from django.db.models import F

from league.stages.stage.models import Stage


def version_raise(**which: Any) -> None:
    """Raise the version of the stages that match the lookups, because their pages have changed."""
    Stage.objects.filter(**which).update(version=F("version") + 1)
