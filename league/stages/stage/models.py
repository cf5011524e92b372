"""A stage, one format inside an event; its groups and its participants."""

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
    """How the games of a table become points of a stage."""

    CNTDICE = "cntdice", _("dice score of every game")
    TOTALS = "totals", _("total of every game")
    PLACEMENT = "placement", _("points for the place")
    WIN_DRAW_LOSS = "win_draw_loss", _("2 for a win, 1 for a draw")
    BEST_OF = "best_of", _("whoever wins the most games at a table wins it")
    STRIKES = "strikes", _("a strike for finishing last at a table, 1 point for everybody else")


BY_POINTS: Final = (StageScoring.CNTDICE, StageScoring.TOTALS)
"""The scorings that count points of games, and not only places. Seasons have scorings of the same
names; a stage can use those that fit the season's kind of game."""


class SharedPlace(models.TextChoices):
    """How players who share the last place that goes on from a knock-out's table are separated."""

    LOTS = "lots", _("by lots")
    GAME = "game", _("by another game")


class Seeding(models.TextChoices):
    """The order in which the players of a stage are seeded."""

    LOTS = "lots", _("by lot")
    RATING = "rating", _("by rating")
    RANKING = "ranking", _("by the season’s table")
    STAGE = "stage", _("by the stage before")
    HAND = "hand", _("by hand")


def new_secret() -> str:
    """Return a new secret for the seeds of a stage, 64 hexadecimal digits."""
    return secrets.token_hex(32)


class Stage(PublicModel):
    """One format inside an event. Stages are played in the order of `number`.

    All chance comes from `secret` (`engine.pairing.secret`). Its commitment is public from the
    beginning, the secret once the stage is finished; a stage that is reopened gets another one.
    `seeding_seed` and `seed`, the one of the lots for ties, are set and published at the first
    start. A stage started before there were secrets has none, and `seed` decides its draws.

    - `sizes`: the allowed table sizes, the preferred one first.
    - `rounds`: the number of planned rounds; None if it follows from the play, as in a knock-out.
    - `groups`: the number of groups, 1 for none. `by_division`: the groups are the season's
      divisions that have players, in a later stage the groups of the stage before; `groups` is set
      at the start.
    - `advance`: how many go on from a table of a knock-out. `third`: the third place is played for.
      `separation`: how players who share the last place that goes on are separated; empty in older
      stages, where the order of seats does it.
    - `takes`: how many of each group of the stage before take part; None for all who are checked
      in. `carry`: points of the stage before count.
    - `games`: the number of games of a table.
    - `meetings_first`: avoiding a second meeting counts more than taking turns at short tables.
    - `adjusted`: a table of another than the preferred size counts as one of that size.
    - `label_rounds`: the number of first rounds in which players with the same label, such as a
      club, are kept apart, if possible or, with `label_must`, always. `label_best`: the number of
      players of each label whose points add up in a ranking of labels; None for no such ranking.
    - `gone`: the entries of the stage before that had withdrawn when this one started.
    - `kept`: if results of the stage before were corrected and this stage keeps its players all the
      same, the digest of the players and seeding it would have now.
    - `version` rises with every change of the stage's pages.
    """

    class Status(models.TextChoices):
        """The course of a stage. It can go back as long as nothing rests on what is undone."""

        PLANNED = "planned", _("planned")
        RUNNING = "running", _("under way")
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
        history=_("Repeat short tables rather than opponents"),
    )
    label_rounds = column(
        models.PositiveSmallIntegerField(
            null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(40)]
        ),
        setting=True,
        history=_("Rounds that keep players from the same club or town apart"),
    )
    label_must = column(models.BooleanField(default=False), setting=True)
    label_best = column(
        models.PositiveSmallIntegerField(
            null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(100)]
        ),
        setting=True,
        history=_("Players counted per club or town"),
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
        """Return the public commitment to the secret; empty for a stage without one."""
        return _commitment_to(self.secret)

    @property
    def secret_shown(self) -> str:
        """Return the secret once the stage is finished, until then an empty string."""
        return self.secret if self.status == self.Status.FINISHED else ""

    @property
    def format_rules(self) -> FormatRules:
        """Return the rules of the stage's format."""
        return FORMATS[self.format]

    @property
    def rests_on_earlier(self) -> bool:
        """Return True if the results of earlier stages decide who takes part, or which points they
        bring."""
        return self.takes is not None or self.carry

    @property
    def knock_out(self) -> bool:
        """Return True if losers are out."""
        return self.format_rules.knock_out

    @property
    def by_place(self) -> bool:
        """Return True if a bracket or a ladder decides the order, and not the points."""
        return self.format_rules.by_place


def _commitment_to(secret: str) -> str:
    return commitment(secret) if secret else ""


def _replace_secrets(stages: dict[int, RowCells]) -> None:
    for cells in stages.values():
        cells["commitment"] = _commitment_to(cells["commitment"])


STAGE: Final = Noun(
    "stage",
    Stage,
    club="event__club",
    more={"gone": public_ids_of("gone", Entry)},
    finish=_replace_secrets,
)


class Group(PublicModel):
    """A group of a stage; a stage without groups has one without a name."""

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
    """An entry in a stage, as logged at the start of the stage or when it joined later.

    `seed` is its place in the seeding, from 1; `carried` the points, in 840ths, that it brings from
    the stage before.
    """

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
