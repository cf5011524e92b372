"""One game with everything that the API tells of it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Final

from engine.record.check import replay
from games.models import Game
from games.queries.game import game_correction, sealed_record
from games.queries.void import game_void
from league.core.log.queries import receipts_about
from league.standings.adjustment.queries import standing_order, standing_penalties
from league.standings.ranked_game.actions import GameAction, ObjectionAction
from league.standings.ranked_game.queries.game import seats_of

RECEIPTS: Final = (
    GameAction.SEALED,
    GameAction.CORRECTED,
    GameAction.VOIDED,
    GameAction.RESTORED,
    GameAction.PENALIZED,
    GameAction.PENALTY_LIFTED,
    GameAction.ORDER_SET,
    GameAction.ORDER_LIFTED,
    ObjectionAction.ENDED,
)
"""The actions on a game for which players keep receipts: that it was sealed, and the rulings."""


def receipts_of(game: Game) -> list[str]:
    """Return the receipts of the log entries about a game, the oldest first. The game must be
    loaded with its season."""
    return receipts_about(game.season_game.season.club_id, game.public_id, RECEIPTS)


def game_row(game: Game) -> dict[str, Any]:
    """Return a game as a row: the columns of `game_rows`, and what its record adds. `game` comes
    from a loader, which reads its season and whether it is provisional."""
    season = game.season_game.season
    seats = seats_of(game)
    record, head = sealed_record(game)
    ending = replay(record).ending
    header = json.loads(game.header)
    correction = game_correction(game)
    void = game_void(game)
    order = standing_order(game)
    void_row = None
    if void is not None:
        void_row = {"at": void.made_at, "reason": void.reason, "role": void.role}
    order_row = None
    if order is not None:
        order_row = {
            "ranks": order.ranks,
            "played": ending.rank,
            "role": order.role,
            "made_at": order.made_at,
        }
    entered_by = game.entered_by
    corrected = game.replaces
    dice = ending.cntdice or [None] * len(seats)
    seat_rows = []
    for seat, cntdice in zip(seats, dice, strict=True):
        rating = None if seat.mu is None else seat
        seat_rows.append({**asdict(seat), "cntdice": cntdice, "rating": rating})
    return {
        "game__public_id": game.public_id,
        "game__external_id": game.external_id,
        "game__revision": game.revision,
        "game__kind": game.kind,
        "ranking__club__slug": season.club.slug,
        "ranking__season__slug": season.slug,
        "game__event": game.event,
        "game__table": game.table,
        "game__played_at": game.played_at,
        "over": ending.over and void is None,
        "provisional": void is None and game.is_provisional,  # type: ignore[attr-defined]  # as loaders read it along
        "void": void_row,
        "counted": all(seat.rank is not None for seat in seats),
        "only_end": record.outcome is not None,
        "rounds": len(record.rounds),
        "seats": seat_rows,
        "penalties": standing_penalties(game),
        "order": order_row,
        "rules": header["rules"],
        "opener": header["opener"],
        "entered_at": game.entered_at,
        "entered_by": entered_by.public_id if entered_by else None,
        "head": head.hex(),
        "receipts": receipts_of(game),
        "corrects": corrected.public_id if corrected else None,
        "corrected_by": correction.public_id if correction else None,
        "reason": game.reason or None,
        "reason_removed": game.replaces is not None and not game.reason,
        "difference": game.public_id if corrected else None,
    }
