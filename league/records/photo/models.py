"""The photo of a game's score sheet."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models.functions import NullIf
from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.models.fact import Fact, removal
from games.models.public_id import PublicModel
from league.core.account.models import User
from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.standings.season.models import CLUB_OF_GAME


class Photo(PublicModel, Fact):
    """A photo of a game's score sheet, re-encoded as a JPEG.

    `digest` is the picture's, and stays when the picture is removed and `content` is empty."""

    game: models.ForeignKey[Game, Game] = column(
        models.ForeignKey(Game, on_delete=models.PROTECT, related_name="photos", db_index=False)
    )
    added_by: models.ForeignKey[User, User] = column(
        models.ForeignKey(
            settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
        ),
        name="by",
    )
    added_at = column(models.DateTimeField(db_index=True))
    digest = column(models.BinaryField(max_length=32))
    content = models.BinaryField()

    unsealed = ("content",)

    class Meta:
        verbose_name = _("photo")
        verbose_name_plural = _("photos")
        ordering = ["game", "added_at", "pk"]
        triggers = [removal(["content"])]
        constraints = [models.UniqueConstraint(fields=["game", "digest"], name="photo_once")]

    def __str__(self) -> str:
        return f"photo of game {self.game_id}"


KEPT_PICTURE: Final = NullIf(models.F("content"), models.Value(b""))
PHOTO: Final = Noun(
    "photo",
    Photo,
    club=f"game__{CLUB_OF_GAME}",
    more={
        "content": models.Func(KEPT_PICTURE, function="sha256", output_field=models.BinaryField())
    },
)
