"""The log of a club: every action in the order of its commit, and the position of each reader."""

from __future__ import annotations

from typing import Final

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from games.models.fact import Fact, Guard
from league.core.log.actions import LONGEST
from league.core.log.texts import REASON


class LogHead(models.Model):
    """The end of a club's log. Appending locks this row, so positions have no gaps and follow the
    order of commit."""

    club = models.OneToOneField(
        "league.Club", on_delete=models.PROTECT, primary_key=True, related_name="+"
    )
    position = models.PositiveIntegerField(default=0)
    digest = models.BinaryField(max_length=32, default=b"")

    def __str__(self) -> str:
        return f"{self.club_id}: {self.position}"


NEXT_ENTRY: Final = Guard(
    name="next_entry",
    operation=pgtrigger.Insert,
    func="""
        IF NEW.position <> 1 + COALESCE(
            (SELECT max(position) FROM league_logentry WHERE club_id = NEW.club_id), 0
        ) THEN
            RAISE EXCEPTION 'entry % of club % comes out of turn', NEW.position, NEW.club_id;
        END IF;
        RETURN NEW;
    """,
)
"""A new entry has the position after the last."""


FORGETTING: Final = Guard(
    name="forgetting",
    operation=pgtrigger.Update,
    func="""
        IF NEW.names IS NOT NULL AND (NEW.names IN ('{}', COALESCE(OLD.names, '{}')) OR EXISTS (
            SELECT FROM jsonb_each(NEW.names) word WHERE OLD.names -> word.key IS DISTINCT FROM word.value
        )) THEN
            RAISE EXCEPTION 'the names beside an entry can only be forgotten';
        END IF;
        RETURN NEW;
    """,
)
"""Some or all of the words of an entry can be forgotten; nothing else can change."""


class LogEntry(Fact):
    """An action. `digest` is the SHA-256 of the previous digest and the entry's canonical form
    (`engine.record.club_log`).

    `subject` is the public id of what was acted on; `payload` says the rest, with values before and
    after, as canonical JSON. Names of people, free texts and the reason are in it only as salted
    commitments. Their salts and words are in `names`: {place: [salt, word]}, and can be forgotten.
    Older entries have texts in the payload itself, and the reason in `reason`."""

    pk = models.CompositePrimaryKey("club", "position")
    club = models.ForeignKey(
        "league.Club", on_delete=models.PROTECT, related_name="log", db_index=False
    )
    position = models.PositiveIntegerField()
    action = models.CharField(max_length=LONGEST)
    subject = models.CharField(max_length=10, blank=True, db_collation="C")
    payload = models.TextField()
    names = models.JSONField(null=True, blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    request_id = models.CharField(max_length=36, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()
    digest = models.BinaryField(max_length=32)

    unsealed = ("names",)

    class Meta:
        ordering = ["club", "position"]
        indexes = [
            models.Index(
                fields=["club", "subject"], name="log_of_subject", condition=~models.Q(subject="")
            )
        ]
        triggers = [NEXT_ENTRY, FORGETTING]

    def __str__(self) -> str:
        return f"{self.position}: {self.action}"

    @property
    def why(self) -> str:
        """The reason; empty if none was given or it was erased.

        Reasons stand among the `names`, which can be erased, with their salt; older ones stand in
        a column of their own."""
        if not self.names or REASON not in self.names:
            return self.reason
        _salt, reason = self.names[REASON]
        return str(reason)


class Reader(models.Model):
    """A reader of a club's log, with the position up to which it has handled all entries or set
    them aside.

    `read_at`: when it last handled an entry; what it derives hasn't changed since."""

    pk = models.CompositePrimaryKey("club", "name")
    club = models.ForeignKey(
        "league.Club", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    name = models.CharField(max_length=32, db_collation="C")
    position = models.PositiveIntegerField(default=0)
    read_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.name}: {self.position}"


class SetAside(models.Model):
    """An entry that a reader failed on, with the error. It is tried again at `due_at`."""

    club = models.ForeignKey(
        "league.Club", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    reader = models.CharField(max_length=32, db_collation="C")
    position = models.PositiveIntegerField()
    attempts = models.PositiveSmallIntegerField(default=1)
    error = models.TextField()
    due_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "reader", "position"], name="set_aside_once")
        ]

    def __str__(self) -> str:
        return f"{self.reader} at {self.position}: {self.error}"
