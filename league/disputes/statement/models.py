"""Statements about a disputed game, and the files that came with them."""

from __future__ import annotations

from typing import Final

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models.functions import NullIf
from django.utils.translation import gettext_lazy as _

from games.models import Game
from games.models.fact import Fact, Guard
from games.models.public_id import PublicModel
from league.core.account.models import User
from league.core.log.columns import column
from league.core.log.nouns import Noun
from league.standings.season.models import CLUB_OF_GAME

LONGEST_WORD: Final = 2000
"""The most characters of a statement."""

NEXT_STATEMENT: Final = Guard(
    name="next_statement",
    operation=pgtrigger.Insert,
    func="""
        IF NEW.number <> 1 + (SELECT count(*) FROM league_statement WHERE game_id = NEW.game_id) THEN
            RAISE EXCEPTION 'statement % on game % comes out of turn', NEW.number, NEW.game_id;
        END IF;
        IF NEW.seat IS NOT NULL
            AND NOT EXISTS (SELECT FROM games_seat WHERE game_id = NEW.game_id AND number = NEW.seat) THEN
            RAISE EXCEPTION 'game % has no seat %', NEW.game_id, NEW.seat;
        END IF;
        IF EXISTS (SELECT FROM games_game WHERE replaces_id = NEW.game_id) THEN
            RAISE EXCEPTION 'game % is corrected: its newest revision counts', NEW.game_id;
        END IF;
        RETURN NEW;
    """,
)
"""The statements on a game are numbered from 1. Each is for a seat of the game, or for none. A
corrected revision gets no more of them."""


def emptying(column: str, empty: str) -> Guard:
    """Return the trigger that lets a column of a fact be emptied once, with the time in
    `removed_at`. `empty`: the column's empty value in SQL."""
    return Guard(
        name="emptying",
        operation=pgtrigger.Insert | pgtrigger.Update,
        func=f"""
            IF (NEW.{column} = {empty}) <> (NEW.removed_at IS NOT NULL) THEN
                RAISE EXCEPTION 'what is removed is empty, and says when that was';
            END IF;
            IF TG_OP = 'UPDATE' AND NEW.{column} <> {empty} AND NEW.{column} <> OLD.{column} THEN
                RAISE EXCEPTION 'what was said can only be removed';
            END IF;
            IF TG_OP = 'UPDATE' AND OLD.removed_at IS NOT NULL AND NEW.removed_at <> OLD.removed_at THEN
                RAISE EXCEPTION 'what was removed stays so';
            END IF;
            RETURN NEW;
        """,
    )


class Statement(PublicModel, Fact):
    """A statement about a disputed game.

    `number` counts the statements on one revision of a game. `seat`: the seat for which it is made;
    None for a witness. `role`: `player` for the seat's own player, else the role of the author. The
    club's log seals a commitment to the `word`. When the word is removed it becomes empty, and
    `removed_at` is set."""

    game: models.ForeignKey[Game, Game] = column(
        models.ForeignKey(Game, on_delete=models.PROTECT, related_name="statements", db_index=False)
    )
    number = column(models.PositiveSmallIntegerField())
    seat = column(models.PositiveSmallIntegerField(null=True))
    word = column(models.CharField(_("statement"), max_length=LONGEST_WORD), text=True)
    role = column(models.CharField(max_length=16))
    made_at = column(models.DateTimeField())
    made_by: models.ForeignKey[User, User] = column(
        models.ForeignKey(
            settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
        ),
        name="by",
    )
    removed_at = column(models.DateTimeField(null=True))

    unsealed = ("word", "removed_at")

    class Meta:
        ordering = ["game", "number"]
        triggers = [emptying("word", "''"), NEXT_STATEMENT]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="statement_once")]
        indexes = [
            models.Index(
                fields=["game"], name="statement_kept", condition=models.Q(removed_at=None)
            ),
        ]


class Evidence(PublicModel, Fact):
    """A file that came with a statement, as the service stores it.

    `number` counts the files of one statement. `kind`: the media type, found in the file itself.
    `digest` and `size`: of the stored file; they stay when its `content` is removed. Then the
    content is empty, and `removed_at` is set."""

    class MediaType(models.TextChoices):
        """The media types of the files that are accepted."""

        PICTURE = "image/jpeg", _("picture")
        PDF = "application/pdf", _("PDF")
        TEXT = "text/plain", _("text file")

    statement: models.ForeignKey[Statement, Statement] = column(
        models.ForeignKey(Statement, on_delete=models.PROTECT, related_name="files", db_index=False)
    )
    number = column(models.PositiveSmallIntegerField())
    kind = column(models.CharField(max_length=32, choices=MediaType.choices))
    size = column(models.PositiveIntegerField())
    digest = column(models.BinaryField(max_length=32))
    content = models.BinaryField()
    removed_at = column(models.DateTimeField(null=True))

    unsealed = ("content", "removed_at")

    class Meta:
        ordering = ["statement", "number"]
        triggers = [emptying("content", "''::bytea")]
        constraints = [
            models.UniqueConstraint(fields=["statement", "number"], name="evidence_once")
        ]
        indexes = [
            models.Index(
                fields=["statement"], name="evidence_kept", condition=models.Q(removed_at=None)
            ),
        ]


STATEMENT: Final = Noun("statement", Statement, club=f"game__{CLUB_OF_GAME}")

KEPT_FILE: Final = NullIf(models.F("content"), models.Value(b""))
EVIDENCE: Final = Noun(
    "evidence",
    Evidence,
    club=f"statement__game__{CLUB_OF_GAME}",
    more={"content": models.Func(KEPT_FILE, function="sha256", output_field=models.BinaryField())},
)
