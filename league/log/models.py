"""The log of a club: every action, in the order of its commit, and how far each reader has come."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.fact import Fact, Guard


class Action(models.TextChoices):
    """Everything that can stand in a log."""

    CLUB_CREATED = "club.created", _("club created")
    CLUB_CHANGED = "club.changed", _("club changed")
    MEMBER_ADDED = "member.added", _("role given")
    MEMBER_REMOVED = "member.removed", _("role taken")
    MEMBER_INVITED = "member.invited", _("somebody invited")
    INVITATION_WITHDRAWN = "member.uninvited", _("invitation withdrawn")
    KEY_CREATED = "key.created", _("key made")
    KEY_REVOKED = "key.revoked", _("key revoked")
    PLAYER_CREATED = "player.created", _("player created")
    PLAYER_RENAMED = "player.renamed", _("player renamed")
    PLAYER_LINKED = "player.linked", _("player linked to an account")
    PLAYER_MERGED = "player.merged", _("players merged")
    PLAYER_PARTED = "player.parted", _("merge undone")
    PLAYER_ERASED = "player.erased", _("player erased")
    SEASON_CREATED = "season.created", _("season created")
    SEASON_CHANGED = "season.changed", _("season changed")
    SEASON_COUNTING = "season.counting", _("what the events count for changed")
    SEASON_DIVISIONS = "season.divisions", _("divisions changed")
    SEASON_CLOSED = "season.closed", _("season closed")
    SEASON_COPIED = "season.copied", _("season copied")
    SEASON_LINK_RENEWED = "season.link_renewed", _("link of a season renewed")
    RANKING_CREATED = "ranking.created", _("ranking created")
    IMPORT_UPLOADED = "import.uploaded", _("file uploaded")
    IMPORT_CONFIRMED = "import.confirmed", _("import confirmed")
    IMPORT_DROPPED = "import.dropped", _("file dropped")
    IMPORT_ENDED = "import.ended", _("import ended")
    GAME_SEALED = "game.sealed", _("game sealed")
    GAME_CORRECTED = "game.corrected", _("game corrected")
    RANKING_REBUILT = "ranking.rebuilt", _("ranking computed anew")
    EVENT_CREATED = "event.created", _("event created")
    EVENT_CHANGED = "event.changed", _("event changed")
    EVENT_REBUILT = "event.rebuilt", _("event computed anew")
    SERIES_CREATED = "series.created", _("series of events created")
    EVENT_MESSAGE = "event.message", _("message to all who have a place")
    ENTRY_ADDED = "entry.added", _("entered for an event")
    ENTRY_CHANGED = "entry.changed", _("entry changed")
    ENTRY_MOVED_UP = "entry.moved_up", _("moved up from the waiting list")
    ENTRY_CHECKED_IN = "entry.checked_in", _("checked in")
    ENTRIES_KEPT_APART = "entry.kept_apart", _("two entries kept apart, or no longer")
    STAGE_CREATED = "stage.created", _("stage created")
    STAGE_CHANGED = "stage.changed", _("stage changed")
    STAGE_STARTED = "stage.started", _("stage started")
    STAGE_FINISHED = "stage.finished", _("stage finished")
    ROUND_ASKED = "round.asked", _("draw asked for")
    ROUND_FAILED = "round.failed", _("round could not be drawn")
    ROUND_DRAWN = "round.drawn", _("round drawn")
    ROUND_CHANGED = "round.changed", _("draw changed by hand")
    ROUND_PUBLISHED = "round.published", _("draw published")
    TABLE_CHALLENGED = "table.challenged", _("challenge set up")
    TABLE_WALKOVER = "table.walkover", _("table given without play, or that undone")
    ROUND_KEPT = "round.kept", _("round kept as played after a correction")
    ROUND_TAKEN_BACK = "round.taken_back", _("round taken back")
    ROUND_CLOCK = "round.clock", _("clock of a round set, started or stopped")
    PLACES_CHANGED = "places.changed", _("places of the hall changed")
    SLOTS_CHANGED = "slots.changed", _("times of play changed")
    ENTRY_AWAY = "entry.away", _("said when somebody can’t play")
    TIMETABLE_ASKED = "timetable.asked", _("timetable asked for")
    TIMETABLE_FAILED = "timetable.failed", _("timetable could not be made")
    TIMETABLE_MADE = "timetable.made", _("timetable made")
    TIMETABLE_CHANGED = "timetable.changed", _("timetable changed by hand")
    TIMETABLE_PUBLISHED = "timetable.published", _("timetable published")
    TIMETABLE_DROPPED = "timetable.dropped", _("timetable taken back")


class LogHead(models.Model):
    """The end of a club's log. Who appends holds its row, so positions have no gaps and are in the order of commit."""

    club = models.OneToOneField("league.Club", on_delete=models.PROTECT, primary_key=True, related_name="+")
    position = models.PositiveIntegerField(default=0)
    digest = models.BinaryField(max_length=32, default=b"")

    def __str__(self) -> str:
        return f"{self.club_id}: {self.position}"


class NextEntry(Guard):
    """An entry extends the log: it has the position after the last."""

    name = "next_entry"
    when = pgtrigger.Before
    operation = pgtrigger.Insert
    func = """
        IF NEW.position <> 1 + COALESCE(
            (SELECT max(position) FROM league_logentry WHERE club_id = NEW.club_id), 0
        ) THEN
            RAISE EXCEPTION 'entry % of club % comes out of turn', NEW.position, NEW.club_id;
        END IF;
        RETURN NEW;
    """


class Forgetting(Guard):
    """The names beside an entry can be forgotten, and nothing else."""

    name = "forgetting"
    when = pgtrigger.Before
    operation = pgtrigger.Update
    func = """
        IF NEW.names IS NOT NULL THEN
            RAISE EXCEPTION 'the names beside an entry can only be forgotten';
        END IF;
        RETURN NEW;
    """


class LogEntry(Fact):
    """One action. `digest` is sha256 over the digest before it and the entry's canonical form (`league.log.chain`).

    `subject` is the public id of what the action is about. `payload` says the rest, before and after included, as
    canonical JSON; names of people are only in it as salted commitments, whose words and salts are `names`: {place:
    [salt, word]}, which can be forgotten.
    """

    pk = models.CompositePrimaryKey("club", "position")
    club = models.ForeignKey("league.Club", on_delete=models.PROTECT, related_name="log", db_index=False)
    position = models.PositiveIntegerField()
    action = models.CharField(max_length=20, choices=Action.choices)
    subject = models.CharField(max_length=10, blank=True, db_collation="C")
    payload = models.TextField()
    names = models.JSONField(null=True, blank=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+", db_index=False
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
                fields=["club", "subject"],
                name="log_of_stages",
                condition=models.Q(action__in=["stage.started", "stage.changed", "table.challenged"]),
            )
        ]
        triggers = [NextEntry(), Forgetting()]

    def __str__(self) -> str:
        return f"{self.position}: {self.action}"


class Reader(models.Model):
    """Who reads a club's log, and up to which position: all entries until there are done, or set aside.

    `read_at`: when it last did an entry; what is made of the entries hasn't changed since.
    """

    pk = models.CompositePrimaryKey("club", "name")
    club = models.ForeignKey("league.Club", on_delete=models.PROTECT, related_name="+", db_index=False)
    name = models.CharField(max_length=32, db_collation="C")
    position = models.PositiveIntegerField(default=0)
    read_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.name}: {self.position}"


class SetAside(models.Model):
    """An entry at which a reader failed, with the reason. It is tried again at `due_at`."""

    club = models.ForeignKey("league.Club", on_delete=models.PROTECT, related_name="+", db_index=False)
    reader = models.CharField(max_length=32, db_collation="C")
    position = models.PositiveIntegerField()
    attempts = models.PositiveSmallIntegerField(default=1)
    error = models.TextField()
    due_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "reader", "position"], name="set_aside_once")]

    def __str__(self) -> str:
        return f"{self.reader} at {self.position}: {self.error}"
