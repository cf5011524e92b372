"""Notices to an account about an event or a game, and their sendings."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.core.club.models import Club
from league.core.delivery.models.subscription import PushSubscription
from league.events.entry.models import EntryByMail
from league.events.event.models import Event


class Notice(PublicModel):
    """A notice about an event, or about a game outside of events, to an account or to somebody who
    entered without one (`by_mail`). An entry of the club's log makes it, at its `position`, once.

    The notices of a game turn by turn don't come from the log. Their `position` is the number of
    entries on the game's sheet when the turn began, or at the end.

    No words are stored: `occasion` and `parameters` become a text in the reader's language.
    `subject`: the public id of what it is about, such as an entry, a round, a stage or a player."""

    class Occasion(models.TextChoices):
        """The kinds of notices. `league.notices.notice.queries.announcement` has their rules."""

        ENTERED = "entered", _("entered")
        WAITING = "waiting", _("on the waiting list")
        MOVED_UP = "moved_up", _("moved up")
        WITHDRAWN = "withdrawn", _("withdrawn")
        CHANGED = "changed", _("changed")
        CANCELLED = "cancelled", _("cancelled")
        TABLE = "table", _("table")
        TAKEN_BACK = "taken_back", _("taken back")
        STAGE_FINISHED = "stage_finished", _("stage finished")
        FINISHED = "finished", _("finished")
        MESSAGE = "message", _("message")
        MOVED = "moved", _("table moved")
        CORRECTED = "corrected", _("game corrected")
        REPLACED = "replaced", _("another place in the end")
        VOIDED = "voided", _("game voided")
        RESTORED = "restored", _("voided game restored")
        OBJECTED = "objected", _("objection to a result")
        UNCONFIRMED = "unconfirmed", _("game that waits for confirmation")
        PROPOSED = "proposed", _("correction proposed")
        TURN = "turn", _("turn in a game")
        TURN_ENDS = "turn_ends", _("turn that ends soon")
        GAME_OVER = "game_over", _("game that is over")
        OBJECTION_WAITS = "objection_waits", _("objection that waits")
        OBJECTION_LATE = "objection_late", _("objection that has waited too long")
        HEARD = "heard", _("hearing about a game")
        RULED = "ruled", _("ruling on a game")
        APPEALED = "appealed", _("appeal against a ruling")
        ARBITER_ASKS = "arbiter_asks", _("arbiter to be agreed on")
        ARBITER_RULES = "arbiter_rules", _("game to rule on by agreement")
        STATEMENT = "statement", _("statement on a disputed game")
        CALLED = "called", _("call for the arbiter")
        HEARING_WAITS = "hearing_waits", _("hearing that waits")
        HEARING_LATE = "hearing_late", _("hearing that has waited too long")
        APPEAL_WAITS = "appeal_waits", _("appeal that waits")
        APPEAL_LATE = "appeal_late", _("appeal that has waited too long")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        null=True,
        related_name="notices",
        db_index=False,
    )
    by_mail = models.ForeignKey(
        EntryByMail, on_delete=models.CASCADE, null=True, related_name="notices", db_index=False
    )
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()
    subject = models.CharField(max_length=10, db_collation="C")
    occasion = models.CharField(max_length=16, choices=Occasion.choices)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, null=True, related_name="notices")
    parameters = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    seen_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "club", "position", "occasion", "subject"], name="notice_once"
            ),
            models.UniqueConstraint(
                fields=["by_mail", "club", "position", "occasion", "subject"],
                name="notice_by_mail_once",
            ),
            models.CheckConstraint(
                condition=models.Q(user__isnull=False, by_mail__isnull=True)
                | models.Q(user__isnull=True, by_mail__isnull=False),
                name="notice_for_somebody",
            ),
        ]
        indexes = [models.Index(fields=["user", "-created_at"], name="notices_of_account")]

    def __str__(self) -> str:
        return f"{self.occasion} at {self.position}"


class NoticeSending(models.Model):
    """The sending of a notice by mail, or to one device. `attempts`: how often a worker has begun.
    `error`: the kind of error of the last attempt. `due_at`: nobody tries before this time."""

    class Channel(models.TextChoices):
        """The way in which a notice is sent."""

        MAIL = "mail"
        PUSH = "push"

    class State(models.TextChoices):
        """The state of a sending; all but `waiting` are final. An email is `sent` once it is
        stored as a `Letter`."""

        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"
        UNWANTED = "unwanted"
        GONE = "gone"

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="sendings")
    channel = models.CharField(max_length=8, choices=Channel.choices)
    subscription = models.ForeignKey(
        PushSubscription, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    state = models.CharField(max_length=16, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=64, default="")
    due_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], name="sending_due", condition=models.Q(state="waiting"))
        ]

    def __str__(self) -> str:
        return f"{self.notice_id} by {self.channel} ({self.state})"
