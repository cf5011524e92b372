"""A ranking: a list of players made from a set of games."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from engine.scoring.standings import Criterion
from games.models.public_id import PublicModel
from league.core.club.models import Club
from league.core.log.columns import column


class Scoring(models.TextChoices):
    """How a finished game becomes points of a ranking."""

    CNTDICE = (
        "cntdice",
        _("dice score (cntdice): the dice that had left the game when you went out"),
    )
    PLACEMENT = (
        "placement",
        _("points for places (placement): one for each player you finish ahead of"),
    )
    TOTALS = "totals", _("totals: the points on the score sheet")


class TieBreak(models.TextChoices):
    """The criteria that separate rows, in the order a ranking names. Values are those of
    `engine.scoring.standings.Criterion`."""

    POINTS = "points", _("points")
    WINS = "wins", _("wins")
    POINTS_PER_GAME = "points_per_game", _("points per game")
    AVERAGE_RANK = "average_rank", _("average rank")
    BEST_GAME = "best_game", _("best game")
    GAMES = "games", _("more games")


def default_tie_breaks() -> list[str]:
    """Return the default: points, then wins, then the best game."""
    return [TieBreak.POINTS, TieBreak.WINS, TieBreak.BEST_GAME]


class Ranking(PublicModel):
    """A list of players made from games by a scoring and an order of tie-breaks, rated or not.

    Its owner points to it and says which games count; it knows no owner. `version` rises with every
    change of the list; pages, ETags and the live stream depend on it. `last_day` is the last day of
    play, with which the arrows beside ranks compare; `game_count` is the number of finished games
    that count. `seats_counted`: seats of guests and substitutes count as entries say; older
    rankings are counted again once. `ties_averaged`: shared places are rated as the mean of their
    orders; older rankings are rated again once.

    The other columns hold the jobs' progress: `rated_from` (`rated_from_id`) is the first place in
    the order of play whose ratings must be computed again; a rebuild has reached the position
    `rebuilt_to` of the club's log, and once all games are replayed, the player `rebuilt_player`.
    None if there is nothing to do."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="rankings")
    scoring = column(
        models.CharField(
            _("scoring"), max_length=16, choices=Scoring.choices, default=Scoring.CNTDICE
        ),
        setting=True,
    )
    tie_breaks = column(
        ArrayField(
            models.CharField(max_length=32, choices=TieBreak.choices),
            verbose_name=_("tie-breaks"),
            default=default_tie_breaks,
        ),
        setting=True,
    )
    rated = column(models.BooleanField(_("with ratings"), default=True), setting=True)
    version = models.PositiveIntegerField(default=0, editable=False)
    computed_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_day = models.DateField(null=True, blank=True, editable=False)
    game_count = models.IntegerField(default=0, db_default=0, editable=False)
    last_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_id = models.CharField(
        max_length=192, blank=True, default="", db_collation="C", editable=False
    )
    rated_from = models.DateTimeField(null=True, blank=True, editable=False)
    rated_from_id = models.CharField(
        max_length=192, blank=True, default="", db_collation="C", editable=False
    )
    rebuilt_to = models.PositiveIntegerField(null=True, blank=True, editable=False)
    rebuilt_player = models.IntegerField(null=True, blank=True, editable=False)
    rebuilt_until = models.PositiveIntegerField(null=True, blank=True, editable=False)
    rebuilds_asked = models.PositiveIntegerField(default=0, editable=False)
    seats_counted = models.BooleanField(default=True, editable=False)
    ties_averaged = models.BooleanField(default=True, editable=False)

    def clean(self) -> None:
        """Refuse an empty list of tie-breaks, or one named twice; the database checks the rest."""
        if not self.tie_breaks or len(set(self.tie_breaks)) != len(self.tie_breaks):
            raise ValidationError({"tie_breaks": _("Name at least one tie-break, and each once.")})

    @property
    def order(self) -> list[Criterion]:
        """Return the tie-breaks as the engine names them."""
        return [Criterion(name) for name in self.tie_breaks]
