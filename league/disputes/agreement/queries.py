"""Proposals of what was played: which one is open, who agrees with it, and for whom somebody
can."""

from __future__ import annotations

import json
from typing import Any

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


def proposal_of(game: Game) -> Proposal | None:
    """The proposal with which the seats of a game can agree, with the agreements: the newest one
    while a seat objects. Two queries at most."""
    proposals = Proposal.objects.filter(objected("game"), game=game).prefetch_related("agreements")
    return proposals.order_by("-pk").first()


def proposal_for(viewer: Viewer, proposal: str) -> Proposal:
    """A proposal for a game that the viewer may see and sat at, or may rule on, with that, its
    season and its club, by the public id. Raises `ObjectDoesNotExist`."""
    row = (
        Proposal.objects.select_related("game")
        .prefetch_related("agreements")
        .get(public_id=proposal)
    )
    row.game = game_for(viewer, row.game.public_id)
    if not may_read(viewer.user, row.game):
        raise Proposal.DoesNotExist
    return row


def game_for_proposal(viewer: Viewer, game: str) -> Game:
    """A game to which a seat objects and at which the viewer sat, by the public id. Raises
    `Game.DoesNotExist`."""
    contested_game = game_for(viewer, game)
    own_seat = own_seat_of(contested_game, viewer.user.pk)
    if own_seat is None or not contested_game.objections.filter(end=None).exists():
        raise Game.DoesNotExist
    return contested_game


def may_read(user: Account, game: Game) -> bool:
    """True for who sat at a game, and for who may rule on it: they see what is proposed."""
    return own_seat_of(game, user.pk) is not None or user.has_perm("league.correct_game", game)


def seats_to_agree(proposal: Proposal, user: Account) -> list[int]:
    """The seats for which somebody can agree now: the own one; for who rules on the game and didn't
    sit there, those whose players have no account. None once the proposal is no longer the one to
    agree with."""
    if proposal_of(proposal.game) != proposal:
        return []
    own_seat = own_seat_of(proposal.game, user.pk)
    seats = [own_seat] if own_seat is not None else []
    if own_seat is None and user.has_perm("league.correct_game", proposal.game):
        seats = seats_without_account(proposal.game)
    agreed = Agreement.objects.filter(proposal=proposal).values_list("seat", flat=True)
    return sorted({*seats} - {*agreed})


def seats_without_account(game: Game) -> list[int]:
    """The seats of a game whose players, by whatever handle, have no account. One query."""
    handles = Handle.objects.alias(
        lower=Lower("handle"), account=Coalesce("player__merged_into__user", "player__user")
    ).filter(club=game.season_game.season.club_id, lower=OuterRef("lower"), account__isnull=False)
    seats = Seat.objects.alias(lower=Lower("handle")).filter(~Exists(handles), game=game)
    return list(seats.order_by("number").values_list("number", flat=True))


def proposal_content(line: bytes) -> tuple[list[str], str]:
    """The seats of a record, by handles, and what a proposal keeps of the rest: nothing that could
    name somebody."""
    value: dict[str, Any] = json.loads(line)
    parts = {key: part for key, part in value.items() if key not in ("seats", "names", "reason")}
    return value["seats"], canonical_json(parts).decode()


def proposal_line(proposal: Proposal) -> bytes:
    """The record that a proposal would make of its game, whose seats it has, by the handles of
    today."""
    handles = (
        Seat.objects.filter(game=proposal.game_id)
        .order_by("number")
        .values_list("handle", flat=True)
    )
    return canonical_json({**json.loads(proposal.content), "seats": list(handles)})
