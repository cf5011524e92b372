"""A season: games counted together into one table."""

from __future__ import annotations

import secrets
from typing import Final

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from games.models import Game, PlayAgain, Void
from games.models.fact import Fact
from games.models.game import Kind
from games.models.public_id import PublicModel
from league.core.club.models import Club
from league.core.frame.names import all_seen
from league.core.log.columns import column
from league.core.log.nouns import Noun, columns_at
from league.standings.ranking.models import Ranking, Scoring


class Visibility(models.TextChoices):
    """Who may see a season and its games."""

    PUBLIC = "public", _("everybody")
    LINK = "link", _("anybody with the link")
    MEMBERS = "members", _("members of the club")


class Notes(models.TextChoices):
    """What a club writes down of a game. The scoring of its seasons and stages, and the fields of
    the result form, follow from it."""

    PLACES = "places", _("who finished where")
    POINTS = "points", _("the points, too: dice scores, or the totals of the score sheets")
    ROUNDS = "rounds", _("every round")


def new_link_token() -> str:
    """Return an unguessable token for a season seen by link."""
    return secrets.token_urlsafe(16)


class Season(PublicModel):
    """Games of one kind, counted together into the ranking that is its table.

    `rules` has the settings of the record's `rules` that all games of the season share; settings
    that it leaves out are free. `notes`: what the club writes down of a game. `online`: players may
    open online tables whose games count in it. An `archived` season is listed below the others, and
    is otherwise the same."""

    club = models.ForeignKey(
        Club,
        on_delete=models.PROTECT,
        verbose_name=_("club"),
        related_name="seasons",
        db_index=False,
    )
    ranking = models.OneToOneField(
        Ranking, on_delete=models.PROTECT, related_name="season", editable=False
    )
    slug = column(
        models.SlugField(_("address"), max_length=64, db_index=False), setting=True, text=True
    )
    name = column(
        models.CharField(_("name"), max_length=120, validators=[all_seen]), setting=True, text=True
    )
    starts_on = column(models.DateField(_("starts on")), setting=True)
    ends_on = column(models.DateField(_("ends on"), null=True, blank=True), setting=True)
    kind = column(
        models.CharField(_("game"), max_length=16, choices=Kind.choices, default=Kind.BLUFF),
        setting=True,
    )
    rules = column(models.JSONField(_("rules"), default=dict, blank=True), setting=True)
    notes = column(
        models.CharField(
            _("what you write down"), max_length=8, choices=Notes.choices, default=Notes.PLACES
        ),
        setting=True,
    )
    visibility = column(
        models.CharField(
            _("who may see it"),
            max_length=16,
            choices=Visibility.choices,
            default=Visibility.PUBLIC,
        ),
        setting=True,
    )
    link_token = models.CharField(max_length=32, default=new_link_token, editable=False)
    archived = column(models.BooleanField(_("archived"), default=False), setting=True)
    online = column(
        models.BooleanField(_("games at online tables may count"), default=False), setting=True
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["-starts_on", "name"]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="season_slug_once_per_club"),
            models.CheckConstraint(
                condition=models.Q(ends_on__isnull=True)
                | models.Q(ends_on__gte=models.F("starts_on")),
                name="season_ends_after_it_starts",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Refuse the address of another page of the club; the database checks the rest."""
        if self.slug in RESERVED:
            raise ValidationError({"slug": _("Another page of the club uses this address.")})


SEASON: Final = Noun("season", Season, more=columns_at("ranking", Ranking))
SCORINGS: Final[dict[str, tuple[Scoring, ...]]] = {
    Kind.BLUFF: (Scoring.CNTDICE, Scoring.PLACEMENT),
    Kind.LUEGEN_KNIFFEL: (Scoring.TOTALS, Scoring.PLACEMENT),
}
"""The scorings that fit each game, the usual one first."""


ONLINE_KINDS: Final = (Kind.BLUFF, Kind.LUEGEN_KNIFFEL)
"""The games that can be played at online tables."""


NOTES_OF: Final = {
    Kind.BLUFF: {
        Notes.PLACES: _("who finished where"),
        Notes.POINTS: _(
            "dice scores (cntdice): how many dice had left the game when each player went out"
        ),
        Notes.ROUNDS: _("every round"),
    },
    Kind.LUEGEN_KNIFFEL: {
        Notes.PLACES: _("who finished where"),
        Notes.POINTS: _("the totals of the score sheets"),
        Notes.ROUNDS: _("every turn"),
    },
}
"""What can be written down of each game, in words."""


def notes_scoring(kind: str, notes: str) -> Scoring:
    """Return the scoring that follows from what is written down of games of this kind."""
    return Scoring.PLACEMENT if notes == Notes.PLACES else SCORINGS[kind][0]


def scoring_notes(scoring: str) -> Notes:
    """Return the least detail that a club has to write down for a scoring."""
    return Notes.PLACES if scoring == Scoring.PLACEMENT else Notes.POINTS


class AllTime(models.Model):
    """A club's ranking over all its public seasons of any game: by placement, which every game
    has."""

    SLUG = "all-time"
    """Its place below the club, where seasons have theirs."""

    club = models.OneToOneField(
        Club, on_delete=models.PROTECT, primary_key=True, related_name="all_time"
    )
    ranking = models.OneToOneField(Ranking, on_delete=models.PROTECT, related_name="all_time")

    def __str__(self) -> str:
        return f"{self.club}: all time"


RANKING: Final = Noun(
    "ranking", AllTime, named=("ranking__public_id",), more=columns_at("ranking", Ranking)
)

RESERVED: Final = (
    AllTime.SLUG,
    "calendar",
    "claims",
    "desk",
    "events",
    "log",
    "players",
    "rulings",
)
"""Slugs that no season may have, because other pages of a club are there."""


class SeasonGame(Fact):
    """A game's season, set when it is entered and never changed."""

    game = models.OneToOneField(
        Game, on_delete=models.PROTECT, primary_key=True, related_name="season_game"
    )
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="season_games")

    def __str__(self) -> str:
        return f"{self.season_id}: {self.game_id}"


CLUB_OF_GAME: Final = "season_game__season__club"
"""The lookup path from a game to its club."""
VOID: Final = Noun(
    "void",
    Void,
    club=f"game__{CLUB_OF_GAME}",
    named=("game__public_id", "number"),
    more={"stands": "stands", "role": "role", "made_at": "made_at"},
    doers={"made_by": "made_at"},
)
PLAY_AGAIN: Final = Noun(
    "play again",
    PlayAgain,
    club=f"void__game__{CLUB_OF_GAME}",
    named=("void__game__public_id", "void__number"),
    more={
        "open_game": "open_game__public_id",
        "round": "round_number",
        "voids_round": "voids_round",
    },
)
