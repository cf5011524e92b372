"""The service's emails. Each waits in the database until a mail server has taken it."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class Letter(models.Model):
    """A text to one address. Its body is emptied once it is sent or given up: its links are
    secrets.

    `unsubscribe`: the address that stops such emails with one click, if they can be stopped: also a
    secret. `attempts`: how often sending was tried; `error`: the kind of the last error,
    empty while a worker tries again; it is due again at `due_at`."""

    class State(models.TextChoices):
        """The state of an email; `sent` and `failed` are final."""

        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        FAILED = "failed", _("given up")

    to = models.EmailField()
    subject = models.TextField()
    body = models.TextField()
    unsubscribe = models.TextField(default="")
    state = models.CharField(max_length=16, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=64, default="")
    written_at = models.DateTimeField(db_default=Now(), editable=False)
    due_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], name="letter_due", condition=models.Q(state="waiting")),
        ]

    def __str__(self) -> str:
        return f"{self.pk} ({self.state})"
