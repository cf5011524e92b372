"""Bluff in the game record: its ruleset, the verdict on a game, the canonical form of its rounds."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.bluff.game import Game
from engine.bluff.ruleset import DICE, EXACT, SCORING, SEATS, Ruleset
from engine.illegal import Illegal
from engine.record.bluff.round import RoundRecord, canonical, read_round, round_json
from engine.record.bluff.settle import GAME_OVER, RoundResult, check_round
from engine.record.format import Format
from engine.record.shape import Json, join, members, one_of, truth, whole
from engine.record.verdict import Verdict

if TYPE_CHECKING:
    from engine.record.record import Record


def read_rules(value: Json, path: str) -> Ruleset:
    """The ruleset that `value` tells, defaults filled in; raises `Fault`."""
    told = members(value, path, (), ("exact", "reroll", "dice", "scoring"))
    default = Ruleset()
    return Ruleset(
        exact=one_of(told.get("exact", default.exact), join(path, "exact"), EXACT),
        reroll=truth(told.get("reroll", default.reroll), join(path, "reroll")),
        dice=whole(told.get("dice", default.dice), join(path, "dice"), DICE),
        scoring=one_of(told.get("scoring", default.scoring), join(path, "scoring"), SCORING),
    )


def new_game(record: "Record") -> Game:
    """The game of a record of Bluff before its first round."""
    assert isinstance(record.rules, Ruleset)
    return Game(record.rules, len(record.seats), record.opener)


def check(record: "Record") -> Verdict:
    """The verdict on a game of Bluff: the first fault in reading order, or what came of it."""
    game = new_game(record)
    results: list[RoundResult] = []
    for i, value in enumerate(record.rounds):
        result = _next_round(game, value, f"rounds[{i}]", last=i + 1 == len(record.rounds))
        if isinstance(result, Illegal):
            return Verdict(record.id, error=replace(result, round=i), rounds=results)
        results.append(result)
    return Verdict(
        record.id,
        over=game.over,
        rank=game.rank(),
        points=game.points(),
        rounds=results,
        cntdice=game.cntdice(),
    )


def _next_round(game: Game, value: Json, path: str, *, last: bool) -> RoundResult | Illegal:
    if game.over:
        return replace(GAME_OVER, path=path)
    told = read_round(value, game.seats, path)
    return told if isinstance(told, Illegal) else check_round(game, told, path, last=last)


def facts(record: "Record") -> Iterator[RoundRecord]:
    """The canonical rounds of a record that is ok; ValueError at a round that can't be read."""
    opener_known = True
    for i, value in enumerate(record.rounds):
        told = read_round(value, len(record.seats), f"rounds[{i}]")
        if isinstance(told, Illegal) or told.fault is not None:
            raise ValueError(f"rounds[{i}] can't be read")
        yield canonical(told, opener_known=opener_known)
        opener_known = told.level != "result" and (opener_known or told.opener is not None)


def _canonical(record: "Record") -> Iterator[dict[str, Json]]:
    return map(round_json, facts(record))


FORMAT: Final = Format("rounds", SEATS, read_rules, check, _canonical)
