"""A stage: one format inside an event, and who takes part in it."""

from __future__ import annotations

import secrets
from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from engine.pairing.secret import commitment
from games.models.public_id import PublicModel
from league.core.frame.names import all_seen
from league.core.log.columns import column
from league.core.log.nouns import Noun, RowCells, public_ids_of
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.stages.stage.format import FORMATS, Format, FormatRules


class StageScoring(models.TextChoices):
    """The way in which a table's games become points of a stage."""

    CNTDICE = "cntdice", _("dice score of every game")
    TOTALS = "totals", _("total of every game")
    PLACEMENT = "placement", _("points for the place")
    WIN_DRAW_LOSS = "win_draw_loss", _("2 for a win, 1 for a draw")
    BEST_OF = "best_of", _("who wins most games of a table wins it")
    STRIKES = "strikes", _("a strike for who is last at a table, 1 point for all others")


BY_POINTS: Final = (StageScoring.CNTDICE, StageScoring.TOTALS)
"""Those that count what is told of a game beside the places; the season's scorings of the same
names fit its game."""


class SharedPlace(models.TextChoices):
    """The way in which those are separated who share the last place of a knock-out's table that
    goes on."""

    LOTS = "lots", _("by lots")
    GAME = "game", _("by another game")


class Seeding(models.TextChoices):
    """In which order a stage begins."""

    LOTS = "lots", _("by lot")
    RATING = "rating", _("by rating")
    RANKING = "ranking", _("by the season’s table")
    STAGE = "stage", _("by the stage before")
    HAND = "hand", _("by hand")


def new_secret() -> str:
    """A secret from which the seeds of a stage come, 64 hexadecimal digits."""
    return secrets.token_hex(32)


class Stage(PublicModel):
    """One format inside an event. Stages are played in the order of `number`.

    `sizes`: those that a table may have, the wanted one first. `rounds`: how many are planned; None
    for a knock-out, whose length follows. `groups`: how many there are, 1 for none. `advance`: how
    many of a knock-out's table go on, `third`: whether the third place is played for, `separation`:
    how those are separated who share the last place that goes on; one that is empty goes by the
    order of seats, as all did before there was a choice. `takes`: how many of each group of the
    stage before take part; None: everybody who is checked in. `carry`: points of the stage before
    count on. `games`: how many a table plays. `version` rises with everything that the stage's
    pages show. All chance comes from `secret`, as `engine.pairing.secret` has it; everybody sees
    its commitment from the first moment on, and itself once the stage is finished. A stage that
    goes on after that gets another one. `seeding_seed` and `seed`, that of the lots between who is
    level, are settled and seen when the stage starts first. A stage that was begun before there
    were secrets has none, and `seed` decides its draws. `label_rounds`: in so many of its first
    rounds those of one label, such as a club, are kept apart, and always if `label_must`; None: in
    no round. `label_best`: so many of each label add up in a ranking of labels; None: in none.
    `by_division`: the groups are the divisions of the season in which somebody plays, in a later
    stage the groups of the one before; `groups` says how many once it has started.
    `meetings_first`: whether meeting nobody again counts more than taking turns at tables smaller
    than wanted. `adjusted`: a table smaller or larger than wanted counts as one of the wanted size;
    else as it is, as in the season. `gone`: the entries of the stage before that had withdrawn when
    this one started. `kept`: where results of the stage before were corrected since, and this one
    stays made up as it was, the digest of who would be in it now, and how."""

    class Status(models.TextChoices):
        """The course of a stage. It goes back as long as nothing rests on what is undone."""

        PLANNED = "planned", _("planned")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")

    event: models.ForeignKey[Event, Event] = column(
        models.ForeignKey(Event, on_delete=models.PROTECT, related_name="stages", db_index=False)
    )
    number = column(models.PositiveSmallIntegerField())
    name = column(
        models.CharField(max_length=80, validators=[all_seen]),
        setting=True,
        history=_("Name"),
        text=True,
    )
    format = column(models.CharField(max_length=16, choices=Format.choices), setting=True)
    status = column(
        models.CharField(
            max_length=16, choices=Status.choices, default=Status.PLANNED, editable=False
        ),
    )
    sizes = column(
        ArrayField(models.PositiveSmallIntegerField()), setting=True, history=_("Table sizes")
    )
    rounds = column(
        models.PositiveSmallIntegerField(
            null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(40)]
        ),
        setting=True,
        history=_("Planned rounds"),
    )
    groups = column(
        models.PositiveSmallIntegerField(
            default=1, validators=[MinValueValidator(1), MaxValueValidator(64)]
        ),
        setting=True,
    )
    by_division = column(models.BooleanField(default=False), setting=True)
    advance = column(
        models.PositiveSmallIntegerField(
            "go on from a table", default=1, validators=[MinValueValidator(1), MaxValueValidator(5)]
        ),
        setting=True,
    )
    third = column(models.BooleanField("a table for the third place", default=False), setting=True)
    separation = column(
        models.CharField(
            max_length=8, choices=SharedPlace.choices, default=SharedPlace.LOTS, blank=True
        ),
        setting=True,
    )
    takes = column(
        models.PositiveSmallIntegerField(
            "come from each group",
            null=True,
            blank=True,
            validators=[MinValueValidator(1), MaxValueValidator(1000)],
        ),
        setting=True,
    )
    carry = column(models.BooleanField("points count on", default=False), setting=True)
    games = column(
        models.PositiveSmallIntegerField(
            "games a table", default=1, validators=[MinValueValidator(1), MaxValueValidator(9)]
        ),
        setting=True,
    )
    meetings_first = column(
        models.BooleanField(default=False),
        setting=True,
        history=_("Rather sit at a short table again than meet somebody again"),
    )
    label_rounds = column(
        models.PositiveSmallIntegerField(
            null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(40)]
        ),
        setting=True,
        history=_("Rounds in which those of one club or town are kept apart"),
    )
    label_must = column(models.BooleanField(default=False), setting=True)
    label_best = column(
        models.PositiveSmallIntegerField(
            null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(100)]
        ),
        setting=True,
        history=_("So many of each club or town add up"),
    )
    scoring = column(
        models.CharField(max_length=16, choices=StageScoring.choices),
        setting=True,
        history=_("Points in this stage"),
    )
    adjusted = column(models.BooleanField(default=True), setting=True)
    tie_breaks = column(
        ArrayField(models.CharField(max_length=32)), setting=True, history=_("Order of tie-breaks")
    )
    seeding = column(
        models.CharField(max_length=16, choices=Seeding.choices, default=Seeding.LOTS), setting=True
    )
    secret = column(
        models.CharField(max_length=64, blank=True, default=new_secret, editable=False),
        name="commitment",
        earlier="",
    )
    seed = column(models.CharField(max_length=64, blank=True, default="", editable=False))
    seeding_seed = column(models.CharField(max_length=64, blank=True, default="", editable=False))
    gone = ArrayField(models.IntegerField(), default=list, editable=False)
    kept = column(models.CharField(max_length=64, blank=True, default="", editable=False))
    version = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        ordering = ["event", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="stage_number_once")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def commitment(self) -> str:
        """What everybody sees of its secret before its end; empty where it has none."""
        return _commitment_to(self.secret)

    @property
    def secret_shown(self) -> str:
        """Its secret once it is finished, else nothing."""
        return self.secret if self.status == self.Status.FINISHED else ""

    @property
    def format_rules(self) -> FormatRules:
        """All that is special about its format."""
        return FORMATS[self.format]

    @property
    def rests_on_earlier(self) -> bool:
        """True where the results of earlier stages say who takes part, or how many points somebody
        brings."""
        return self.takes is not None or self.carry

    @property
    def knock_out(self) -> bool:
        """True where those who lose are out."""
        return self.format_rules.knock_out

    @property
    def by_place(self) -> bool:
        """True where a bracket or a ladder says who is ahead of whom, and not the points."""
        return self.format_rules.by_place


def _commitment_to(secret: str) -> str:
    return commitment(secret) if secret else ""


def _commit(stages: dict[int, RowCells]) -> None:
    """Put the commitments to the secrets in the place of the secrets."""
    for cells in stages.values():
        cells["commitment"] = _commitment_to(cells["commitment"])


STAGE: Final = Noun(
    "stage",
    Stage,
    club="event__club",
    more={"gone": public_ids_of("gone", Entry)},
    finish=_commit,
)


class Group(PublicModel):
    """One of the groups of a stage; a stage without groups has one without a name."""

    stage: models.ForeignKey[Stage, Stage] = column(
        models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="group_set", db_index=False)
    )
    number = models.PositiveSmallIntegerField()
    name = column(models.CharField(max_length=80, blank=True, default=""), text=True)

    class Meta:
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="group_number_once")
        ]

    def __str__(self) -> str:
        return self.name or str(self.number)


GROUP: Final = Noun(
    "group",
    Group,
    club="stage__event__club",
    where=models.Q(stage__by_division=True, number__lte=models.F("stage__groups"))
    & ~models.Q(stage__status=Stage.Status.PLANNED),
)


class Participant(models.Model):
    """An entry in a stage, as the log tells of the stage's start and of who joined it later.

    `seed` is the place in the seeding of the stage, from 1; `carried` the points, in 840ths, that
    it brings from the ranking of the stage before."""

    pk = models.CompositePrimaryKey("stage", "entry")
    stage = models.ForeignKey(
        Stage, on_delete=models.CASCADE, related_name="participants", db_index=False
    )
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="participations")
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="participants")
    seed = models.PositiveSmallIntegerField()
    carried = models.IntegerField(default=0)

    class Meta:
        ordering = ["stage", "seed"]

    def __str__(self) -> str:
        return f"{self.entry_id} in {self.stage_id}"
