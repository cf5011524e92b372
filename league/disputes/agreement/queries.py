"""Proposals to correct a game: the open one, and the seats that can agree with it."""

from __future__ import annotations

import json
from typing import Any, Final

from django.db.models import Exists, OuterRef
from django.db.models.functions import Coalesce, Lower

from engine.record.canonical import canonical_json
from games.models import Game, Seat
from league.core.player.models import Handle
from league.core.viewer.permissions import Account
from league.core.viewer.queries.access import Viewer
from league.disputes.agreement.models import Agreement, Proposal
from league.disputes.correction import permissions  # noqa: F401 — says who may rule on a game
from league.disputes.objection.queries.objection import objected, own_seat_of
from league.standings.season.queries.access import game_for

NAMING: Final = ("seats", "names", "reason")
"""The keys of a record whose values can name somebody."""


def proposal_of(game: Game) -> Proposal | None:
    """Return the newest proposal for a game, with its agreements: the one with which the seats can
    agree now. None if there is no proposal, or if no seat objects to the game any more. Two queries
    at most."""
    proposals = Proposal.objects.filter(objected("game"), game=game).prefetch_related("agreements")
    return proposals.order_by("-pk").first()


def proposal_for(viewer: Viewer, proposal: str) -> Proposal:
    """Return a proposal by its public id, with its game, season and club, for those who sat at the
    game or may rule on it. Raise `ObjectDoesNotExist` otherwise."""
    proposals = Proposal.objects.select_related("game").prefetch_related("agreements")
    row = proposals.get(public_id=proposal)
    row.game = game_for(viewer, row.game.public_id)
    if not may_read(viewer.user, row.game):
        raise Proposal.DoesNotExist
    return row


def game_for_proposal(viewer: Viewer, game: str) -> Game:
    """Return a game by its public id if a seat objects to it and the viewer sat at it. Raise
    `ObjectDoesNotExist` otherwise."""
    row = game_for(viewer, game)
    own_seat = own_seat_of(row, viewer.user.pk)
    if own_seat is None or not row.objections.filter(end=None).exists():
        raise Game.DoesNotExist
    return row


def may_read(user: Account, game: Game) -> bool:
    """Return True if an account may see the proposals for a game: it sat there or may rule on the
    game."""
    return own_seat_of(game, user.pk) is not None or user.has_perm("league.correct_game", game)


def seats_to_agree(proposal: Proposal, user: Account) -> list[int]:
    """Return the seats that haven't agreed yet and for which an account can agree: its own seat; or,
    if it rules on the game and didn't sit there, the seats whose players have no account. Empty if
    the proposal isn't open any more."""
    if proposal_of(proposal.game) != proposal:
        return []
    own_seat = own_seat_of(proposal.game, user.pk)
    seats: list[int] = []
    if own_seat is not None:
        seats = [own_seat]
    elif user.has_perm("league.correct_game", proposal.game):
        seats = seats_without_account(proposal.game)
    agreed = Agreement.objects.filter(proposal=proposal).values_list("seat", flat=True)
    return sorted(set(seats) - set(agreed))


def seats_without_account(game: Game) -> list[int]:
    """Return the seats of a game whose players, by any of their handles, have no account. One
    query."""
    handles = Handle.objects.alias(
        lower=Lower("handle"), account=Coalesce("player__merged_into__user", "player__user")
    ).filter(club=game.season_game.season.club_id, lower=OuterRef("lower"), account__isnull=False)
    seats = Seat.objects.alias(lower=Lower("handle")).filter(~Exists(handles), game=game)
    return list(seats.order_by("number").values_list("number", flat=True))


def proposal_content(line: bytes) -> tuple[list[str], str]:
    """Return the handles of a record's seats, and the record's content as a proposal stores it,
    without the keys whose values could name somebody."""
    record: dict[str, Any] = json.loads(line)
    content = {key: value for key, value in record.items() if key not in NAMING}
    return record["seats"], canonical_json(content).decode()


def proposal_line(proposal: Proposal) -> bytes:
    """Return the record that a proposal would make of its game, with the handles of today."""
    seats = Seat.objects.filter(game=proposal.game_id).order_by("number")
    record = json.loads(proposal.content)
    record["seats"] = list(seats.values_list("handle", flat=True))
    return canonical_json(record)
