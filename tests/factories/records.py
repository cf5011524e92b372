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
from engine.illegal import Illegal
from engine.kniffel.combinations import ANNOUNCEABLE, COMBINATIONS, Announcement, is_true, score
from engine.kniffel.combinations import FACES as FACES_OF_SIX
from engine.kniffel.combinations import Ruleset as KniffelRules
from engine.kniffel.game import Game as KniffelGame
from engine.kniffel.game import Turn
from engine.kniffel.notation import announcement_text, roll_text
from engine.kniffel.rolls import Roll, dice_shown

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
    """A whole game as a record (its first `rounds` rounds, if given); `header` adds or replaces
    keys."""
    dice = random.Random(seed)
    game = Game(Ruleset(exact=exact), len(seats), opener := dice.randrange(len(seats)))
    rounds_played: list[dict[str, Any]] = []
    while not game.over and (rounds is None or len(rounds_played) < rounds):
        rounds_played.append(_round(game, dice, level))
    record = {
        "v": 1,
        "id": f"game-{seed}",
        "game": "bluff",
        "rules": {"exact": exact, "scoring": "cntdice"},
        "seats": list(seats),
        "opener": opener,
        "played_at": (
            FIRST_EVENING + timedelta(days=7 * (seed // 5), minutes=10 * seed)
        ).isoformat(),
        "rounds": rounds_played,
    }
    if game.over:
        record["result"] = {"rank": game.rank(), "points": game.cntdice()}
    return record | header


def outcome_of(record: dict[str, Any], *, points: bool = True) -> dict[str, Any]:
    """The record of the same game by a club that wrote down no more than its end, with points or
    without."""
    kept = {key: value for key, value in record.items() if key not in ("rounds", "turns", "result")}
    return kept | {"outcome": record["result"] if points else {"rank": record["result"]["rank"]}}


def line(record: dict[str, Any]) -> bytes:
    """A record as one line of a file."""
    return json.dumps(record).encode() + b"\n"


def _round(game: Game, dice: random.Random, level: str) -> dict[str, Any]:
    hands = [sort_hand("".join(dice.choices(FACES, k=owned))) for owned in game.owned]
    played = game.roll(hands)
    moves: list[int] = []
    while not moves or moves[-1] != CHALLENGE:
        bids = played.legal_bids()[:12]
        challenge = played.may_challenge() and (not bids or dice.random() < 0.35)
        moves.append(CHALLENGE if challenge else dice.choice(bids))
        assert played.apply(moves[-1]) is None
    count = played.count()
    round_: dict[str, Any] = {"moves": [move_text(move) for move in moves]}
    lost, _ = game.finish(played, count)
    match level:
        case "dealt":
            round_["dealt"] = hands
        case "dice":
            round_["revealed"] = hands
        case "bids":
            round_["count"] = count
        case "challenge":
            round_ = {
                "bidder": played.bidder,
                "challenger": played.challenger,
                "count": count,
                "moves": round_["moves"][-2:],
            }
        case "result":
            round_ = {"losses": list(lost)}
    return round_


def kniffel_record(
    seed: int = 0,
    *,
    seats: Sequence[str] = ("anna", "ben", "cleo"),
    turns: int | None = None,
    **header: Any,
) -> dict[str, Any]:
    """A whole game of Lügen-Kniffel, or its first `turns` turns: rolls for the best open field, now
    and then a lie."""
    dice = random.Random(seed)
    table = KniffelGame(len(seats), opener := dice.randrange(len(seats)), KniffelRules())
    turns_played: list[dict[str, Any]] = []
    while table.roller is not None and (turns is None or len(turns_played) < turns):
        turns_played.append(_turn(table, table.roller, dice))
    record = {
        "v": 1,
        "id": f"kniffel-{seed}",
        "game": "luegen-kniffel",
        "rules": {},
        "seats": list(seats),
        "opener": opener,
        "played_at": (
            FIRST_EVENING + timedelta(days=7 * (seed // 5), minutes=10 * seed)
        ).isoformat(),
        "turns": turns_played,
    }
    if table.over:
        record["result"] = {"rank": list(table.rank), "points": list(table.totals)}
    return record | header


def _turn(table: KniffelGame, roller: int, dice: random.Random) -> dict[str, Any]:
    open_fields = [name for name in COMBINATIONS if not table.sheets[roller][name].filled]
    rolls = [Roll((), tuple(sorted(dice.choices(FACES_OF_SIX, k=5))))]
    while len(rolls) < 3 and dice.random() < 0.8:
        fresh = rolls[-1].new
        keep = max(set(fresh), key=fresh.count)
        kept = tuple(face for face in fresh if face == keep)
        if len(kept) == len(fresh):
            break
        rolls.append(
            Roll(kept, tuple(sorted(dice.choices(FACES_OF_SIX, k=len(fresh) - len(kept)))))
        )
    shown = dice_shown(rolls)
    assert not isinstance(shown, Illegal)
    best = max(open_fields, key=lambda name: score(name, shown))
    said = Announcement(best, score(best, shown))
    if not said.points or dice.random() < 0.15:
        field = dice.choice(open_fields)
        said = Announcement(field, sorted(ANNOUNCEABLE[field])[len(ANNOUNCEABLE[field]) // 2])
    others = [seat for seat in range(len(table.sheets)) if seat != roller]
    doubters = tuple(
        seat
        for seat in others
        if dice.random() < (0.12 if is_true(said, shown, table.rules) else 0.3)
    )
    assert not isinstance(table.play(Turn(said, doubters, shown)), Illegal)
    turn: dict[str, Any] = {
        "rolls": [roll_text(roll) for roll in rolls],
        "say": announcement_text(said),
    }
    return turn | ({"doubts": list(doubters)} if doubters else {})


GIFT = {"moves": ["1x1", "1x2", "!"], "count": 1}
"""An exact hit under giveaway: a die goes from hand to hand, and the game comes no nearer to its
end."""


def gifts(number: int, **round: Any) -> dict[str, Any]:
    """A game of so many rounds, which nobody played; `round` adds or replaces keys of each."""
    rules = {"exact": "giveaway", "dice": 20}
    game = {
        "v": 1,
        "id": "gifts",
        "game": "bluff",
        "rules": rules,
        "seats": ["anna", "bea"],
        "opener": 0,
    }
    return game | {"rounds": [GIFT | round] * number}
