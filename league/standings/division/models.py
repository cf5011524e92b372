"""The divisions of a season and their players."""

from __future__ import annotations

from typing import Final

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.public_id import PublicModel
from league.core.frame.names import all_seen
from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.core.player.models import Player
from league.standings.season.models import Season


class Division(PublicModel):
    """A division of a season, the highest first. `up` and `down`: how many players move to the next
    one when the season is closed; nobody moves up from the highest or down from the lowest."""

    season = models.ForeignKey(
        Season, on_delete=models.PROTECT, related_name="divisions", db_index=False
    )
    number = models.PositiveSmallIntegerField()
    name = column(models.CharField(_("name"), max_length=80, validators=[all_seen]), text=True)
    up = column(
        models.PositiveSmallIntegerField(_("go up"), default=0, validators=[MaxValueValidator(50)])
    )
    down = column(
        models.PositiveSmallIntegerField(
            _("go down"), default=0, validators=[MaxValueValidator(50)]
        )
    )

    class Meta:
        ordering = ["season", "number"]
        constraints = [
            models.UniqueConstraint(fields=["season", "number"], name="division_number_once")
        ]

    def __str__(self) -> str:
        return self.name


class DivisionPlayer(models.Model):
    """A player in a division; a player is in at most one per season."""

    pk = models.CompositePrimaryKey("season", "player")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", db_index=False)
    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="players")

    def __str__(self) -> str:
        return f"{self.player_id} in {self.division_id}"


DIVISION: Final = Noun(
    "division", Division, club="season__club", named=("season__public_id", "number")
)


DIVISION_PLAYER: Final = Noun(
    "division player",
    DivisionPlayer,
    club="season__club",
    named=("season__public_id", "player__public_id"),
    more={"division": "division__number"},
)
