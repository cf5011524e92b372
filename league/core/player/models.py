"""The players of a club, their handles, and their seats in games."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

import pgtrigger
from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchQueryField, SearchVectorField
from django.db import models
from django.db.models.functions import Cast, Lower, Now
from django.utils.translation import gettext_lazy as _

from games.models import OpenSeat, Seat
from games.models.fact import Fact, Guard
from games.models.public_id import ALPHABET, LENGTH, PublicModel
from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.name_key import LONGEST, Folded, FoldedWords, NameKey, folded_words
from league.core.log.columns import column
from league.core.log.nouns import Noun

PSEUDONYM = re.compile(rf"player-[{ALPHABET}]{{{LENGTH}}}")
"""The handle of an erased player; nobody can choose a handle of this form."""


def pseudonym(public_id: str) -> str:
    """Return the handle that a player with this public id gets when erased."""
    return f"player-{public_id}"


def guest_pseudonym(table_id: str, seat: int) -> str:
    """Return the pseudonym of an erased guest: made of the public id of the online table and the
    number of the seat."""
    return f"guest-{table_id}-{seat}"


class Words(models.Func):
    """The words of texts, as an index of a released migration has them. Unused otherwise."""

    template = (
        "array_to_tsvector(array_remove(regexp_split_to_array(regexp_replace("
        "pg_catalog.normalize(lower(%(expressions)s), 'NFD'), '[\u0300-\u036f]', '', 'g')"
        ", '[-\u00a0 _.,;:/()\"''‘’“”]+'), ''))"
    )
    arg_joiner = " || ' ' || "
    output_field = SearchVectorField()


class Match(models.Func):
    """Return True if words match a query."""

    template = "(%(expressions)s)"
    arg_joiner = " @@ "
    output_field = models.BooleanField()


def words_begin(text: str) -> Match | models.Q:
    """Return the condition that each word of a text is the beginning of a word in the player's name
    or handle. No player matches a text without words, or one that is too long."""
    words = folded_words(text)
    if not words or len(text) > LONGEST:
        return models.Q(pk__in=[])
    lexemes = [word.replace("\\", "\\\\") for word in words]
    query = " & ".join(f"'{lexeme}':*" for lexeme in lexemes)
    return Match(FoldedWords("search_text"), Cast(models.Value(query), SearchQueryField()))


ERASED_NOW: Final = """EXISTS (
            SELECT FROM league_logentry entry
            WHERE entry.club_id = player.club_id AND entry.subject = player.public_id AND entry.subject <> ''
                AND entry.action = 'player.erased' AND pg_xact_status(
                    (pg_current_xact_id()::text::bigint >> 32 << 32 | entry.xmin::text::bigint)::text::xid8
                ) = 'in progress'
        )"""
"""The condition that this very transaction has logged a player's erasure: a visible entry whose
transaction is in progress is our own.

Only because it says that the subject isn't empty is the entry found by the index of subjects."""


SAME_IDENTITY: Final = Guard(
    name="same_identity",
    operation=pgtrigger.Update,
    func="""
        IF (NEW.public_id, NEW.club_id) <> (OLD.public_id, OLD.club_id) THEN
            RAISE EXCEPTION 'player % stays who it is', OLD.public_id;
        END IF;
        RETURN NEW;
    """,
)
"""A player's public id and club never change: the log, records and pseudonyms refer to players by
them."""


class Player(PublicModel):
    """A player of a club. The same person in another club is another player; one account may be
    linked to both.

    `handle` is the current one of the player's `handles`. `same_as` is the player into whom this
    one was merged by hand; `merged_into` is the last of that chain, for whom games count. An erased
    player keeps the id and a pseudonym.

    The database computes `name_key`, for sorting, and `search_text`, for searching."""

    club = models.ForeignKey(
        Club, on_delete=models.PROTECT, verbose_name=_("club"), related_name="players"
    )
    handle = column(models.CharField(_("handle"), max_length=64), text=True)
    name = column(models.CharField(_("display name"), max_length=120), text=True)
    user: models.ForeignKey[User | None, User | None] = column(
        models.ForeignKey(
            settings.AUTH_USER_MODEL,
            on_delete=models.SET_NULL,
            null=True,
            blank=True,
            verbose_name=_("account"),
            related_name="players",
        ),
        name="account",
    )
    same_as = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        editable=False,
    )
    merged_into = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="merged",
        editable=False,
    )
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    name_key = models.GeneratedField(
        expression=NameKey("name"), output_field=models.TextField(db_collation="C"), db_persist=True
    )
    search_text = models.GeneratedField(
        expression=Folded("name", "handle"),
        output_field=models.TextField(db_collation="C"),
        db_persist=True,
    )

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ["name_key"]
        triggers = [SAME_IDENTITY]
        indexes = [
            GinIndex(FoldedWords("search_text"), name="player_by_search_words", fastupdate=False)
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(same_as__isnull=True, merged_into__isnull=True)
                | models.Q(same_as__isnull=False, merged_into__isnull=False),
                name="player_is_merged_or_not",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def current(self) -> Player:
        """The player for whom games count: the one that this one was merged into, or itself."""
        return self.merged_into or self

    @property
    def pseudonym(self) -> str:
        """The name and handle once the player is erased."""
        return pseudonym(self.public_id)


PLAYER: Final = Noun("player", Player)


KEPT_HANDLE: Final = Guard(
    name="kept_handle",
    operation=pgtrigger.Insert | pgtrigger.Update,
    func=f"""
        IF NOT EXISTS (SELECT FROM league_player WHERE id = NEW.player_id AND club_id = NEW.club_id) THEN
            RAISE EXCEPTION 'a handle finds a player of its own club';
        ELSIF TG_OP = 'UPDATE' AND lower(NEW.handle) IS DISTINCT FROM lower(OLD.handle) AND NOT (
            NEW.handle IS NULL AND EXISTS (SELECT FROM league_player player WHERE id = NEW.player_id AND {ERASED_NOW})
        ) THEN
            RAISE EXCEPTION 'a handle can only be forgotten, with a player whom the log calls erased';
        END IF;
        RETURN NEW;
    """,  # noqa: S608
)
"""A handle belongs to a player of its club for good. Its capitals can change; it is emptied when
the player is erased, in the transaction that logs it."""


class HandleQuerySet(models.QuerySet["Handle"]):
    """Handles that can be read as texts."""

    def words(self) -> list[str]:
        """Return the texts of the handles, except forgotten ones."""
        return [handle for handle in self.values_list("handle", flat=True) if handle is not None]


class Handle(Fact):
    """A current or former handle of a player: records with either find the same player.

    Its player changes only by a merge. `handle` is None once it is forgotten."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+", db_index=False)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="handles")
    handle = models.CharField(_("handle"), max_length=64, null=True)  # noqa: DJ001 — unique, but for what is forgotten
    since = models.DateTimeField(db_default=Now(), editable=False)

    unsealed = ("handle",)
    unproven = MappingProxyType(
        {"since": "the entry that tells of the handle has a time of its own"}
    )
    objects = HandleQuerySet.as_manager()

    class Meta:
        ordering = ["-since", "-pk"]
        constraints = [
            models.UniqueConstraint("club", Lower("handle"), name="handle_once_per_club")
        ]
        triggers = [KEPT_HANDLE]

    def __str__(self) -> str:
        return self.handle or ""


def guest_erased_now(games: str, game_id: str) -> str:
    """Return the SQL condition that this very transaction has logged the erasure of the guest in a
    seat, at the online table of the seat's game."""
    return f"""EXISTS (
            SELECT FROM {games} game JOIN league_logentry entry
                ON 'club:' || entry.club_id = game.source AND 'online-' || entry.subject = game.external_id
            WHERE game.id = OLD.{game_id} AND NEW.handle = 'guest-' || entry.subject || '-' || OLD.number
                AND entry.action = 'player.guest_erased' AND (entry.payload::jsonb ->> 'seat')::int = OLD.number
                AND pg_xact_status(
                    (pg_current_xact_id()::text::bigint >> 32 << 32 | entry.xmin::text::bigint)::text::xid8
                ) = 'in progress'
        )"""


def erased_seat(games: str, game_id: str) -> Guard:
    """Return the trigger that lets a seat's handle change only to a pseudonym: that of its player,
    or of its guest, in the transaction that logs the erasure. `games`: the table of the games;
    `game_id`: the seat's column for its game."""
    return Guard(
        name="erased_seat",
        operation=pgtrigger.Update,
        func=f"""
        IF EXISTS (
            SELECT FROM {games} game
            JOIN league_handle named
                ON 'club:' || named.club_id = game.source AND lower(named.handle) = lower(OLD.handle)
            JOIN league_player player ON player.id = named.player_id
            WHERE game.id = OLD.{game_id} AND NEW.handle = 'player-' || player.public_id
                AND player.public_id = substr(NEW.handle, 8) AND {ERASED_NOW}
        ) THEN
            RETURN NEW;
        END IF;
        IF {guest_erased_now(games, game_id)} THEN
            RETURN NEW;
        END IF;
        RAISE EXCEPTION 'seat % of game % takes no pseudonym but that of its player, whom the log calls erased',
            OLD.number, OLD.{game_id};
    """,
    )


class PlayerSeat(Seat):
    """A seat of a game, with the trigger for erased players: `games` knows no players."""

    class Meta:
        proxy = True
        default_permissions = ()
        triggers = [erased_seat("games_game", "game_id")]


class PlayerOpenSeat(OpenSeat):
    """A seat of an open game, like `PlayerSeat` for sealed games."""

    class Meta:
        proxy = True
        default_permissions = ()
        triggers = [erased_seat("games_opengame", "open_game_id")]
