"""One game, with all that is told of it."""

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
"""The actions on a game whose entries a player wants to keep a receipt of: that it was sealed, and
what was ruled."""


def receipts_of(game: Game) -> list[str]:
    """Read the receipts of what the club's log tells of a game, which comes with its season, the
    oldest first."""
    return receipts_about(game.season_game.season.club_id, game.public_id, RECEIPTS)


def game_row(game: Game) -> dict[str, Any]:
    """A game that a loader gave with all that is told of it: a row of `game_rows`, and what its
    record says besides."""
    season = game.season_game.season
    seats = seats_of(game)
    record, head = sealed_record(game)
    ending = replay(record).ending
    header = json.loads(game.header)
    correction = game_correction(game)
    void = game_void(game)
    order = standing_order(game)
    dice = ending.cntdice or [None] * len(seats)
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
        "void": void and {"at": void.made_at, "reason": void.reason, "role": void.role},
        "counted": all(seat.rank is not None for seat in seats),
        "only_end": record.outcome is not None,
        "rounds": len(record.rounds),
        "seats": [
            {**asdict(seat), "cntdice": cntdice, "rating": None if seat.mu is None else seat}
            for seat, cntdice in zip(seats, dice, strict=True)
        ],
        "penalties": standing_penalties(game),
        "order": order
        and {
            "ranks": order.ranks,
            "played": ending.rank,
            "role": order.role,
            "made_at": order.made_at,
        },
        "rules": header["rules"],
        "opener": header["opener"],
        "entered_at": game.entered_at,
        "entered_by": game.entered_by.public_id if game.entered_by else None,
        "head": head.hex(),
        "receipts": receipts_of(game),
        "corrects": game.replaces.public_id if game.replaces else None,
        "corrected_by": correction.public_id if correction else None,
        "reason": game.reason or None,
        "reason_removed": game.replaces is not None and not game.reason,
        "difference": game.public_id if game.replaces else None,
    }
