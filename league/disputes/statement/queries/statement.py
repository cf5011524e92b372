"""Statements about a disputed game: who reads them, and for which seats an account can speak."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Lower

from games.models import Game, Seat
from league.core.player.models import Handle, Player
from league.core.viewer.permissions import Account
from league.core.viewer.queries.access import Viewer
from league.disputes.agreement.queries import seats_without_account
from league.disputes.arbiter import permissions  # noqa: F401 — says who may rule on a game
from league.disputes.objection.queries.objection import own_seat_of, seats_of_account
from league.disputes.statement.domain.limits import KEPT_FOR
from league.disputes.statement.models import Evidence, Statement
from league.disputes.statement.queries.dispute import with_dispute_end
from league.standings.season.queries.access import game_of_case_for

CLUB: Final = "game__season_game__season__club"
"""The lookup path from a statement to its club."""

FILES: Final = Prefetch("files", Evidence.objects.defer("content").order_by("number"))
"""The files of statements without their content."""


class Speaker(NamedTuple):
    """An account that can make statements about a game.

    `own_seat`: the seat of the account's player; None if they didn't sit there. `seats`: the seats
    for which the account can speak. `is_witness`: it can speak as a witness."""

    own_seat: int | None
    seats: list[int]
    is_witness: bool

    @property
    def has_a_say(self) -> bool:
        """Return True if the account can speak for a seat or as a witness."""
        return self.is_witness or bool(self.seats)

    def speaks_for(self, seat: int | None) -> bool:
        """Return True if the account can speak for a seat; with None, as a witness."""
        if seat is None:
            return self.is_witness
        return seat in self.seats


def game_for_statements(viewer: Viewer, game: str) -> Game:
    """Return a game by its public id, with its season and club, if the viewer sat at it, may rule
    on it, or works for its club or event. Raise `ObjectDoesNotExist` otherwise.

    Viewers who only work there see no statements but their own."""
    row = game_of_case_for(viewer, game)
    if may_read_statements(viewer.user, row):
        return row
    if viewer.user.has_perm("league.bear_witness", row):
        return row
    raise Game.DoesNotExist


def statement_for_ruler(viewer: Viewer, statement: str) -> Statement:
    """Return a statement that still has its words, with its game, season and club, for those who
    may remove them. Raise `ObjectDoesNotExist` otherwise."""
    row = Statement.objects.get(public_id=statement, removed_at=None)
    row.game = _game_for_ruler(viewer, row.game_id)
    return row


def evidence_for_ruler(viewer: Viewer, evidence: str) -> Evidence:
    """Return a file that is still there, with its statement and game, for those who may remove it.
    Raise `ObjectDoesNotExist` otherwise."""
    files = Evidence.objects.defer("content").select_related("statement")
    row = files.get(public_id=evidence, removed_at=None)
    row.statement.game = _game_for_ruler(viewer, row.statement.game_id)
    return row


def evidence_for(viewer: Viewer, evidence: str) -> Evidence:
    """Return a file that is still there, with its statement and game, for those who may read all
    statements on that game and for its author. Raise `ObjectDoesNotExist` otherwise."""
    files = Evidence.objects.defer("content").select_related("statement")
    row = files.get(public_id=evidence, removed_at=None)
    game = game_of_case_for(viewer, _public_id_of(row.statement.game_id))
    is_author = row.statement.made_by_id == viewer.user.pk
    if not (is_author or may_read_statements(viewer.user, game)):
        raise Evidence.DoesNotExist
    row.statement.game = game
    return row


def may_read_statements(user: Account, game: Game) -> bool:
    """Return True for those who sat at any revision of a game, and for those who may rule on it.
    The game must be loaded with its season and club."""
    if not user.is_authenticated:
        return False
    sat_there = seats_of_account(game.season_game.season.club_id, user.pk).filter(
        game__source=game.source,
        game__external_id=game.external_id,
    )
    return sat_there.exists() or user.has_perm("league.rule_on_game", game)


def may_remove_statements(user: Account, game: Game) -> bool:
    """Return True for the arbiters of the club who didn't sit there: they can remove words that
    name somebody. An arbiter from outside can only read."""
    return user.has_perm("league.correct_game", game) and own_seat_of(game, user.pk) is None


def statements_of(user: Account, game: Game) -> list[Statement]:
    """Return the statements on all revisions of a game that an account may read, in order, with
    their files but without the files' content. Four queries at most."""
    statements = statements_on(game)
    if not may_read_statements(user, game):
        statements = statements.filter(made_by=user.pk)
    return list(statements.prefetch_related(FILES))


def statements_on(game: Game) -> QuerySet[Statement]:
    """Return the statements on all revisions of a game, in order, with their authors."""
    statements = Statement.objects.filter(
        game__source=game.source, game__external_id=game.external_id
    )
    return statements.select_related("made_by", "game").order_by("game__revision", "number")


def speaker_of(user: Account, game: Game) -> Speaker:
    """Return for whom an account can speak about a game: a player for their own seat; an account
    that works for the club or event for seats without an account, and as a witness. Three queries
    at most."""
    own_seat = own_seat_of(game, user.pk)
    if own_seat is not None:
        return Speaker(own_seat, [own_seat], is_witness=False)
    if not user.has_perm("league.bear_witness", game):
        return Speaker(own_seat=None, seats=[], is_witness=False)
    return Speaker(own_seat=None, seats=seats_without_account(game), is_witness=True)


def statements_due(at: datetime) -> QuerySet[Statement]:
    """Return the statements whose words are due for removal at that time, since the dispute has
    been over long enough."""
    statements = Statement.objects.filter(removed_at=None)
    return with_dispute_end(statements).filter(dispute_ended_at__lt=at - KEPT_FOR)


def files_due(at: datetime) -> QuerySet[Evidence]:
    """Return the files that are due for removal at that time, since the dispute has been over long
    enough."""
    statements = with_dispute_end(Statement.objects.all()).filter(
        dispute_ended_at__lt=at - KEPT_FOR
    )
    return Evidence.objects.filter(removed_at=None, statement__in=statements.values("pk"))


def clubs_due(at: datetime) -> list[int]:
    """Return the row ids of the clubs that have words or files due for removal at that time."""
    of_statements = statements_due(at).values_list(CLUB, flat=True)
    of_files = files_due(at).values_list(f"statement__{CLUB}", flat=True)
    return sorted({*of_statements.order_by().distinct(), *of_files.order_by().distinct()})


def statements_by(club_id: int, players: Collection[Player]) -> QuerySet[Statement]:
    """Return the statements in a club that were made for the seats of these players, or by their
    accounts."""
    handles = Handle.objects.filter(club=club_id, player__in=players).values(lower=Lower("handle"))
    seats = Seat.objects.alias(lower=Lower("handle")).filter(
        lower__in=handles, game=OuterRef("game")
    )
    is_of_seat = Exists(seats.filter(number=OuterRef("seat")))
    accounts = [player.user_id for player in players if player.user_id is not None]
    return Statement.objects.filter(is_of_seat | Q(made_by__in=accounts), **{CLUB: club_id})


def _game_for_ruler(viewer: Viewer, game_id: int) -> Game:
    game = game_of_case_for(viewer, _public_id_of(game_id))
    if not may_remove_statements(viewer.user, game):
        raise Game.DoesNotExist
    return game


def _public_id_of(game_id: int) -> str:
    return Game.objects.values_list("public_id", flat=True).get(pk=game_id)
