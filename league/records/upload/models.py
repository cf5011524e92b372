"""Uploaded files of games, and their state."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.standings.season.models import Season


class ImportJob(PublicModel):
    """An uploaded file. A preview shows what would happen, the organiser confirms, and a job
    imports it.

    `report` is the import service's: counts, and each bad game with line, code, round, move and
    message, in English and as a template with values. `attempts` counts how often a worker has
    begun the next step; `failure` says why a job failed."""

    class State(models.TextChoices):
        """The state of the job; `done`, `refused`, `failed` and `dropped` are final."""

        UPLOADED = "uploaded", _("waiting for the preview")
        PREVIEWED = "previewed", _("waiting for you")
        CONFIRMED = "confirmed", _("waiting to run")
        DONE = "done", _("done")
        REFUSED = "refused", _("refused, nothing was imported")
        FAILED = "failed", _("failed")
        DROPPED = "dropped", _("discarded")

    class Failure(models.TextChoices):
        """Why a job failed: an error, the time limit, a worker that died in every attempt, or two
        deadlocks with other changes."""

        ERROR = "error", _("an error in the service")
        TIME = "time", _("it took too long")
        KILLED = "killed", _("it could not be finished")
        COLLIDED = "collided", _("other changes got in the way")

    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, verbose_name=_("season"), related_name="import_jobs"
    )
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        verbose_name=_("uploaded by"),
        related_name="+",
    )
    uploaded_at = models.DateTimeField(_("uploaded at"), db_default=Now(), editable=False)
    file_name = models.CharField(_("file name"), max_length=255)
    content = models.BinaryField()
    size = models.PositiveIntegerField(_("size in bytes"))
    create_players = models.BooleanField(_("create unknown players"), default=True)
    all_or_nothing = models.BooleanField(_("refuse the file if one game is bad"), default=False)
    state = models.CharField(
        _("state"), max_length=16, choices=State.choices, default=State.UPLOADED
    )
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    failure = models.CharField(
        _("why it failed"), max_length=16, choices=Failure.choices, blank=True, default=""
    )
    bytes_read = models.PositiveIntegerField(_("bytes read"), default=0)
    report = models.JSONField(_("report"), default=dict, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("uploaded file")
        verbose_name_plural = _("uploaded files")
        ordering = ["-uploaded_at"]

    def __str__(self) -> str:
        return f"{self.file_name} ({self.state})"


WORKING: Final = (ImportJob.State.UPLOADED, ImportJob.State.CONFIRMED)
"""The states of jobs that a worker has or will take."""
DROPPABLE: Final = (ImportJob.State.UPLOADED, ImportJob.State.PREVIEWED, ImportJob.State.FAILED)
"""The states of jobs that can still be dropped, because their import hasn't begun."""
