"""The stage file, version 1: all that a stage is ranked from, as one JSON object, so that anybody
can rank it anew.

Keys: `v` (1); the rules `scoring`, `size`, `tie_breaks`, `seed`, and perhaps `games` (else 1),
`bye`, `free` (else false), `label_best` and `adjusted` (else true); `participants` and `rounds`. A
participant has `id`, and perhaps `name` (else the id), `seeding`, `carried`, `withdrawn` and
`label`. The rounds are in order of play; each has `tables`, and perhaps `byes`, a list of ids. A
table has `players`, ids in seat order, and `games`, none while it isn't over; a game has `rank`,
and perhaps `cntdice` or `totals`, `order`, the ranks that an arbiter has set, and `penalty`, the
points that are taken off, in seat order. Points are whole numbers, or texts such as `28/3`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from engine.illegal import Illegal, Refused
from engine.record.canonical import canonical_json
from engine.record.kinds import SEATS
from engine.record.record import parse
from engine.record.shape import (
    Json,
    Object,
    bad,
    items,
    join,
    members,
    one_of,
    text,
    truth,
    whole,
    without_blanks,
)
from engine.scoring.stage.results import (
    GameResult,
    RoundBye,
    StageParticipant,
    StageResults,
    TableResult,
    results_fault,
)
from engine.scoring.stage.rules import StageRules, StageScoring, StageTieBreak

VERSION: Final = 1
MOST_GAMES: Final = 99
MOST_PARTICIPANTS: Final = 100_000
MOST_ROUNDS: Final = 10_000
_POINTS: Final = re.compile("([0-9]{1,9})/([1-9][0-9]{0,2})")


def read_stage(line: bytes | str) -> StageResults | Illegal:
    """The stage that a JSON text holds, without fault; never an exception.

    Codes: `bad_json`, `unknown_key`, `bad_stage` with the path of what is wrong.
    """
    value = parse(line)
    if isinstance(value, Illegal):
        return value
    try:
        results = _stage(value)
    except Refused as refused:
        fault = refused.illegal
        return replace(fault, code="bad_stage") if fault.code == "bad_record" else fault
    return results_fault(results) or results


def _stage(value: Json) -> StageResults:
    required = ("v", "scoring", "size", "tie_breaks", "seed", "participants", "rounds")
    parts = members(value, "", required, ("games", "bye", "free", "label_best", "adjusted"))
    whole(parts["v"], "v", range(VERSION, VERSION + 1))
    participants = items(parts["participants"], "participants", range(MOST_PARTICIPANTS + 1))
    rounds = [
        members(stage_round, f"rounds[{i}]", ("tables",), ("byes",))
        for i, stage_round in enumerate(items(parts["rounds"], "rounds", range(MOST_ROUNDS + 1)))
    ]
    return StageResults(
        _rules(parts),
        tuple([_participant(entry, f"participants[{i}]") for i, entry in enumerate(participants)]),
        tuple(
            [
                table
                for number, stage_round in enumerate(rounds, start=1)
                for table in _tables(stage_round, number)
            ]
        ),
        tuple(
            [
                bye
                for number, stage_round in enumerate(rounds, start=1)
                for bye in _byes(stage_round, number)
            ]
        ),
    )


def _rules(parts: Object) -> StageRules:
    return StageRules(
        one_of(parts["scoring"], "scoring", {scoring.value: scoring for scoring in StageScoring}),
        whole(parts["size"], "size", SEATS),
        tuple(
            [
                one_of(
                    name,
                    f"tie_breaks[{i}]",
                    {participant.value: participant for participant in StageTieBreak},
                )
                for i, name in enumerate(items(parts["tie_breaks"], "tie_breaks"))
            ]
        ),
        text(parts["seed"], "seed"),
        whole(parts.get("games", 1), "games", range(1, MOST_GAMES + 1)),
        _points(parts["bye"], "bye") if "bye" in parts else None,
        truth(parts.get("free", False), "free"),
        whole(parts["label_best"], "label_best", range(1, MOST_PARTICIPANTS + 1))
        if "label_best" in parts
        else None,
        truth(parts.get("adjusted", True), "adjusted"),
    )


def _participant(value: Json, path: str) -> StageParticipant:
    parts = members(value, path, ("id",), ("name", "seeding", "carried", "withdrawn", "label"))
    player_id = text(parts["id"], join(path, "id"))
    return StageParticipant(
        player_id,
        text(parts.get("name", player_id), join(path, "name")),
        whole(parts["seeding"], join(path, "seeding"), range(1, MOST_PARTICIPANTS + 1))
        if "seeding" in parts
        else None,
        _points(parts.get("carried", 0), join(path, "carried")),
        truth(parts.get("withdrawn", False), join(path, "withdrawn")),
        text(parts["label"], join(path, "label")) if "label" in parts else "",
    )


def _tables(stage_round: Object, number: int) -> Iterator[TableResult]:
    at = f"rounds[{number - 1}].tables"
    for i, value in enumerate(items(stage_round["tables"], at)):
        path = f"{at}[{i}]"
        table = members(value, path, ("players", "games"), ())
        players = items(table["players"], f"{path}.players", SEATS)
        yield TableResult(
            number,
            tuple(
                [
                    text(player_id, f"{path}.players[{seat}]")
                    for seat, player_id in enumerate(players)
                ]
            ),
            tuple(
                [
                    _game(game, f"{path}.games[{j}]")
                    for j, game in enumerate(items(table["games"], f"{path}.games"))
                ]
            ),
        )


def _game(value: Json, path: str) -> GameResult:
    keys = ("rank", "cntdice", "totals", "order", "penalty")
    parts = members(value, path, keys[:1], keys[1:])
    rank, *figures = (
        tuple(
            [
                whole(figure, f"{path}.{key}[{seat}]")
                for seat, figure in enumerate(items(parts[key], join(path, key)))
            ]
        )
        if key in parts
        else None
        for key in keys
    )
    return GameResult(rank or (), *figures)


def _byes(stage_round: Object, number: int) -> Iterator[RoundBye]:
    path = f"rounds[{number - 1}].byes"
    for i, player_id in enumerate(items(stage_round.get("byes", []), path)):
        yield RoundBye(number, text(player_id, f"{path}[{i}]"))


def _points(value: Json, path: str) -> Fraction:
    """A whole number, or a text such as `28/3`; below a milliard."""
    if isinstance(value, str):
        fraction = _POINTS.fullmatch(value)
        if fraction is None:
            raise bad(path, "must be a whole number, or a fraction such as 28/3")
        return Fraction(int(fraction[1]), int(fraction[2]))
    return Fraction(whole(value, path, range(10**9)))


def write_stage(results: StageResults) -> str:
    """The stage file of a stage, as one line of JSON: the same for the same stage, whatever the
    order of its parts."""
    rules = results.rules
    rounds = max(
        [
            *(table.round_number for table in results.tables),
            *(bye.round_number for bye in results.byes),
        ],
        default=0,
    )
    value: Object = {
        "v": VERSION,
        "scoring": rules.scoring.value,
        "size": rules.size,
        "tie_breaks": [tie_break.value for tie_break in rules.tie_breaks],
        "seed": rules.seed,
        "games": rules.games,
        "participants": [
            _participant_json(participant)
            for participant in sorted(
                results.participants, key=lambda participant: participant.player_id
            )
        ],
        "rounds": [_round_json(results, number) for number in range(1, rounds + 1)],
    }
    optional = without_blanks(
        {
            "bye": None if rules.bye is None else _points_json(rules.bye),
            "free": rules.free,
            "label_best": rules.label_best,
        }
    )
    if not rules.adjusted:
        optional["adjusted"] = False
    return canonical_json(value | optional).decode()


def _participant_json(participant: StageParticipant) -> Object:
    return {"id": participant.player_id, "name": participant.name} | without_blanks(
        {
            "seeding": participant.seeding,
            "carried": _points_json(participant.carried) if participant.carried else None,
            "withdrawn": participant.withdrawn,
            "label": participant.label,
        }
    )


def _round_json(results: StageResults, number: int) -> Object:
    tables = sorted(
        [table for table in results.tables if table.round_number == number],
        key=lambda table: table.players,
    )
    value: Object = {
        "tables": [
            {"players": list(table.players), "games": [_game_json(game) for game in table.games]}
            for table in tables
        ]
    }
    byes = sorted([bye.player for bye in results.byes if bye.round_number == number])
    return value | ({"byes": list[Json](byes)} if byes else {})


def _game_json(game: GameResult) -> Object:
    figures = {
        "rank": game.rank,
        "cntdice": game.cntdice,
        "totals": game.totals,
        "order": game.order,
        "penalty": game.penalty if any(game.penalty or ()) else None,
    }
    return {key: list[Json](seats) for key, seats in figures.items() if seats is not None}


def _points_json(points: Fraction) -> Json:
    return points.numerator if points.denominator == 1 else str(points)
