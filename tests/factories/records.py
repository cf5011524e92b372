"""Legal records of games played at random, the same ones for the same seed."""

import json
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from engine.bluff.game import Game
from engine.bluff.hand import sort_hand
from engine.bluff.move import CHALLENGE, move_text
from engine.bluff.ruleset import Exact, Ruleset
from engine.bluff.track import FACES

FIRST_EVENING = datetime(2026, 9, 3, 17, tzinfo=UTC)


def bluff_record(
    seed: int = 0,
    *,
    seats: Sequence[str] = ("anna", "ben", "cleo"),
    exact: Exact = "all",
    level: str = "dice",
    rounds: int | None = None,
    **header: Any,
) -> dict[str, Any]:
    """A whole game as a record (its first `rounds` rounds, if given); `header` adds or replaces keys."""
    dice = random.Random(seed)
    game = Game(Ruleset(exact=exact), len(seats), opener := dice.randrange(len(seats)))
    told = []
    while not game.over and (rounds is None or len(told) < rounds):
        told.append(_round(game, dice, level))
    record = {
        "v": 1,
        "id": f"game-{seed}",
        "game": "bluff",
        "rules": {"exact": exact, "scoring": "cntdice"},
        "seats": list(seats),
        "opener": opener,
        "played_at": (FIRST_EVENING + timedelta(days=7 * (seed // 5), minutes=10 * seed)).isoformat(),
        "rounds": told,
    }
    if game.over:
        record["result"] = {"rank": game.rank(), "points": game.cntdice()}
    return record | header


def line(record: dict[str, Any]) -> bytes:
    """A record as one line of a file."""
    return json.dumps(record).encode() + b"\n"


def _round(game: Game, dice: random.Random, level: str) -> dict[str, Any]:
    hands = [sort_hand("".join(dice.choices(FACES, k=owned))) for owned in game.owned]
    played = game.roll(hands)
    moves = []
    while not moves or moves[-1] != CHALLENGE:
        bids = played.legal_bids()[:12]
        challenge = played.may_challenge() and (not bids or dice.random() < 0.35)
        moves.append(CHALLENGE if challenge else dice.choice(bids))
        assert played.apply(moves[-1]) is None
    count = played.count()
    told: dict[str, Any] = {"moves": [move_text(move) for move in moves]}
    lost, _ = game.finish(played, count)
    match level:
        case "dealt":
            told["dealt"] = hands
        case "dice":
            told["revealed"] = hands
        case "bids":
            told["count"] = count
        case "challenge":
            told = {
                "bidder": played.bidder,
                "challenger": played.challenger,
                "count": count,
                "moves": told["moves"][-2:],
            }
        case "result":
            told = {"losses": list(lost)}
    return told
