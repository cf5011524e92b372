"""A season: events counted together into one table."""

import secrets

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models.game import Kind
from league.clubs.models.club import Club


class Scoring(models.TextChoices):
    """How a finished game becomes points of the table."""

    CNTDICE = "cntdice", _("cntdice: dice that had left the game when you went out")
    PLACEMENT = "placement", _("placement: one point for each seat left behind")
    TOTALS = "totals", _("totals: the points of the score sheet")


class TieBreak(models.TextChoices):
    """What decides between rows, in the order that a season names. Values are `engine.scoring`'s criteria."""

    POINTS = "points", _("points")
    WINS = "wins", _("wins")
    POINTS_PER_GAME = "points_per_game", _("points per game")
    AVERAGE_RANK = "average_rank", _("average rank")
    BEST_GAME = "best_game", _("best game")
    GAMES = "games", _("more games")


class Visibility(models.TextChoices):
    """Who may see a season and its games."""

    PUBLIC = "public", _("everybody")
    LINK = "link", _("who has the link")
    MEMBERS = "members", _("members of the club")


def default_tie_breaks() -> list[str]:
    """Points first, then wins, then the best game."""
    return [TieBreak.POINTS, TieBreak.WINS, TieBreak.BEST_GAME]


def new_link_token() -> str:
    """A token that nobody can guess, for a season seen by link."""
    return secrets.token_urlsafe(16)


class Season(models.Model):
    """Games of one kind counted together. `version` rises with every change of the table; pages and ETags hang on it.

    `rules` names the settings of the record's `rules` that all games of the season share; what it leaves out is free.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="seasons")
    slug = models.SlugField(max_length=64)
    name = models.CharField(_("name"), max_length=120)
    starts_on = models.DateField(_("starts on"))
    ends_on = models.DateField(_("ends on"), null=True, blank=True)
    kind = models.CharField(_("game"), max_length=16, choices=Kind.choices, default=Kind.BLUFF)
    rules = models.JSONField(_("rules"), default=dict, blank=True)
    scoring = models.CharField(_("scoring"), max_length=16, choices=Scoring.choices, default=Scoring.CNTDICE)
    rated = models.BooleanField(_("with ratings"), default=True)
    tie_breaks = ArrayField(
        models.CharField(max_length=32, choices=TieBreak.choices),
        verbose_name=_("tie-breaks"),
        default=default_tie_breaks,
    )
    visibility = models.CharField(max_length=16, choices=Visibility.choices, default=Visibility.PUBLIC)
    link_token = models.CharField(max_length=32, default=new_link_token, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    version = models.PositiveIntegerField(default=0, editable=False)
    computed_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_day = models.DateField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-starts_on", "name"]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="season_slug_once_per_club"),
            models.CheckConstraint(
                condition=models.Q(ends_on__isnull=True) | models.Q(ends_on__gte=models.F("starts_on")),
                name="season_ends_after_it_starts",
            ),
            models.CheckConstraint(
                condition=~models.Q(kind=Kind.BLUFF, scoring=Scoring.TOTALS)
                & ~models.Q(kind=Kind.LUEGEN_KNIFFEL, scoring=Scoring.CNTDICE),
                name="season_scoring_fits_its_game",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Refuse no tie-break, or one named twice; the database checks the rest."""
        if not self.tie_breaks or len(set(self.tie_breaks)) != len(self.tie_breaks):
            raise ValidationError({"tie_breaks": _("Name at least one tie-break, and each once.")})
