"""The tables of a round, their seats, their games, and their results."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from games.models import Game
from games.models.fact import Fact, removal
from games.models.public_id import PublicModel
from league.core.log.columns import column
from league.core.log.nouns import Noun, public_ids_of
from league.events.entry.models import Entry
from league.stages.round.models import StageRound
from league.stages.stage.models import Group


class Table(PublicModel):
    """A table of a round, at which one or more games are played. `number` is its place in the draw.

    `label` names a table of a knock-out. `place`, where it stands, and `starts_at` come from the
    published timetable; without one the place is the number. `finished` follows from the scores:
    all its games are over.
    """

    stage_round = models.ForeignKey(
        StageRound, on_delete=models.PROTECT, related_name="tables", db_index=False
    )
    group = models.ForeignKey(
        Group, on_delete=models.PROTECT, related_name="tables", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=40, blank=True, default="")
    place = models.CharField(max_length=40, blank=True, default="")
    starts_at = models.DateTimeField(null=True, blank=True)
    finished = models.BooleanField(default=False)

    class Meta:
        ordering = ["stage_round", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage_round", "number"],
                name="table_number_once",
                deferrable=models.Deferrable.DEFERRED,
            )
        ]

    def __str__(self) -> str:
        return f"table {self.number} of {self.stage_round_id}"


class TableSeat(models.Model):
    """A player's seat at a table; the first seat opens. Seats follow from the newest draw of the
    table's group or, on a ladder, from the challenge."""

    pk = models.CompositePrimaryKey("table", "seat")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats", db_index=False)
    seat = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seats")

    class Meta:
        ordering = ["table", "seat"]

    def __str__(self) -> str:
        return f"{self.entry_id} at {self.table_id}"


class TableGame(Fact):
    """The fact that a game was played at a table, as its game `number`. A correction has a row of
    its own, with its game's `revision`, so that each number has one first game."""

    game = models.OneToOneField(
        Game, on_delete=models.PROTECT, primary_key=True, related_name="table_game"
    )
    table: models.ForeignKey[Table, Table] = column(
        models.ForeignKey(
            Table, on_delete=models.PROTECT, related_name="table_games", db_index=False
        )
    )
    number = column(models.PositiveSmallIntegerField())
    revision = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number", "revision"], name="table_game_once")
        ]

    def __str__(self) -> str:
        return f"game {self.number} of table {self.table_id}"


TABLE_GAME: Final = Noun(
    "table game",
    TableGame,
    club="table__stage_round__stage__event__club",
    named=("game__public_id",),
)


class TableScore(models.Model):
    """What a game brought the entries at its table; it follows from the sealed rounds of the newest
    revision.

    `ranks` and `points` (the dice score, or the totals of the sheets; None if unknown) are in the
    order of `entries`, as they were played, and None until the game is over. `order`: the ranks
    that an arbiter has set; `penalties`: the points that each entry loses; None without any.
    """

    pk = models.CompositePrimaryKey("table", "number")
    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="results", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+", db_index=False)
    entries = ArrayField(models.IntegerField())
    ranks = ArrayField(models.PositiveSmallIntegerField(), null=True)
    points = ArrayField(models.IntegerField(), null=True)
    order = ArrayField(models.PositiveSmallIntegerField(), null=True)
    penalties = ArrayField(models.PositiveSmallIntegerField(), null=True)

    class Meta:
        ordering = ["table", "number"]

    def __str__(self) -> str:
        return f"game {self.number} of table {self.table_id}"


class Walkover(Fact):
    """The fact that a table was given without play, because too few of its players were left, or
    that this was undone (`stands` is false). The newest revision counts. `absent`: the entries of
    the players who weren't there.

    Everybody can read the reason. The club's log seals a commitment to it, so that it can be
    removed if it names somebody.
    """

    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, related_name="walkovers", db_index=False
    )
    revision = models.PositiveSmallIntegerField()
    stands = column(models.BooleanField())
    absent = ArrayField(models.IntegerField())
    reason = models.CharField(max_length=500)
    made_at = column(models.DateTimeField())
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        related_name="+",
        db_index=False,
    )

    unsealed = ("reason",)

    class Meta:
        ordering = ["table", "revision"]
        triggers = [removal(["reason"])]
        constraints = [models.UniqueConstraint(fields=["table", "revision"], name="walkover_once")]

    def __str__(self) -> str:
        return f"walkover {self.revision} of table {self.table_id}"


WALKOVER: Final = Noun(
    "walkover",
    Walkover,
    club="table__stage_round__stage__event__club",
    named=("table__public_id", "revision"),
    more={"absent": public_ids_of("absent", Entry, in_order=True)},
    doers={"made_by": "made_at"},
)
