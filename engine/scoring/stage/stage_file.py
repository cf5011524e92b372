"""The stage file, version 1: the input of a stage's ranking as one JSON object.

With it anybody can compute the ranking again.

Keys: `v` (1); the rules `scoring`, `size`, `tie_breaks`, `seed`, and perhaps `games` (else 1),
`bye`, `free` (else false), `label_best` and `adjusted` (else true); `participants` and `rounds`. A
participant has `id`, and perhaps `name` (else the id), `seeding`, `carried`, `withdrawn` and
`label`. The rounds are in order of play; each has `tables`, and perhaps `byes`, a list of ids. A
table has `players`, ids in seat order, and `games`, none while it isn't over; a game has `rank`,
and perhaps `cntdice` or `totals`, `order`, the ranks that an arbiter has set, and `penalty`, the
points deducted, in seat order. Points are whole numbers, or texts such as `28/3`.
"""

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
    """Return the stage in a JSON text, or its fault; never raise an exception.

    Errors: `bad_json`, `unknown_key`, `bad_stage` with the path.
    """
    value = parse(line)
    if isinstance(value, Illegal):
        return value
    try:
        results = _stage(value)
    except Refused as refused:
        fault = refused.illegal
        if fault.code == "bad_record":
            return replace(fault, code="bad_stage")
        return fault
    return results_fault(results) or results


def _stage(value: Json) -> StageResults:
    required = ("v", "scoring", "size", "tie_breaks", "seed", "participants", "rounds")
    parts = members(value, "", required, ("games", "bye", "free", "label_best", "adjusted"))
    whole(parts["v"], "v", range(VERSION, VERSION + 1))
    entries = items(parts["participants"], "participants", range(MOST_PARTICIPANTS + 1))
    rounds = [
        members(stage_round, f"rounds[{i}]", ("tables",), ("byes",))
        for i, stage_round in enumerate(items(parts["rounds"], "rounds", range(MOST_ROUNDS + 1)))
    ]
    rules = _rules(parts)
    participants = [_participant(entry, f"participants[{i}]") for i, entry in enumerate(entries)]
    tables: list[TableResult] = []
    for number, stage_round in enumerate(rounds, start=1):
        tables += _tables(stage_round, number)
    byes: list[RoundBye] = []
    for number, stage_round in enumerate(rounds, start=1):
        byes += _byes(stage_round, number)
    return StageResults(rules, tuple(participants), tuple(tables), tuple(byes))


def _rules(parts: Object) -> StageRules:
    scorings = {scoring.value: scoring for scoring in StageScoring}
    tie_breaks = {tie_break.value: tie_break for tie_break in StageTieBreak}
    scoring = one_of(parts["scoring"], "scoring", scorings)
    size = whole(parts["size"], "size", SEATS)
    names = items(parts["tie_breaks"], "tie_breaks")
    order = [one_of(name, f"tie_breaks[{i}]", tie_breaks) for i, name in enumerate(names)]
    seed = text(parts["seed"], "seed")
    games = whole(parts.get("games", 1), "games", range(1, MOST_GAMES + 1))
    bye = _points(parts["bye"], "bye") if "bye" in parts else None
    free = truth(parts.get("free", False), "free")
    label_best = None
    if "label_best" in parts:
        label_best = whole(parts["label_best"], "label_best", range(1, MOST_PARTICIPANTS + 1))
    return StageRules(
        scoring=scoring,
        size=size,
        tie_breaks=tuple(order),
        seed=seed,
        games=games,
        bye=bye,
        free=free,
        label_best=label_best,
        adjusted=truth(parts.get("adjusted", True), "adjusted"),
    )


def _participant(value: Json, path: str) -> StageParticipant:
    parts = members(value, path, ("id",), ("name", "seeding", "carried", "withdrawn", "label"))
    player_id = text(parts["id"], join(path, "id"))
    name = text(parts.get("name", player_id), join(path, "name"))
    seeding = None
    if "seeding" in parts:
        seeding = whole(parts["seeding"], join(path, "seeding"), range(1, MOST_PARTICIPANTS + 1))
    return StageParticipant(
        player_id=player_id,
        name=name,
        seeding=seeding,
        carried=_points(parts.get("carried", 0), join(path, "carried")),
        withdrawn=truth(parts.get("withdrawn", False), join(path, "withdrawn")),
        label=text(parts["label"], join(path, "label")) if "label" in parts else "",
    )


def _tables(stage_round: Object, number: int) -> Iterator[TableResult]:
    path_of_tables = f"rounds[{number - 1}].tables"
    for i, value in enumerate(items(stage_round["tables"], path_of_tables)):
        path = f"{path_of_tables}[{i}]"
        table = members(value, path, ("players", "games"), ())
        entries = items(table["players"], f"{path}.players", SEATS)
        players = [text(entry, f"{path}.players[{seat}]") for seat, entry in enumerate(entries)]
        entries = items(table["games"], f"{path}.games")
        games = [_game(entry, f"{path}.games[{j}]") for j, entry in enumerate(entries)]
        yield TableResult(number, tuple(players), tuple(games))


def _game(value: Json, path: str) -> GameResult:
    parts = members(value, path, ("rank",), ("cntdice", "totals", "order", "penalty"))
    return GameResult(
        rank=_numbers_by_seat(parts, "rank", path) or (),
        cntdice=_numbers_by_seat(parts, "cntdice", path),
        totals=_numbers_by_seat(parts, "totals", path),
        order=_numbers_by_seat(parts, "order", path),
        penalty=_numbers_by_seat(parts, "penalty", path),
    )


def _numbers_by_seat(parts: Object, key: str, path: str) -> tuple[int, ...] | None:
    if key not in parts:
        return None
    numbers = items(parts[key], join(path, key))
    return tuple([whole(number, f"{path}.{key}[{seat}]") for seat, number in enumerate(numbers)])


def _byes(stage_round: Object, number: int) -> Iterator[RoundBye]:
    path = f"rounds[{number - 1}].byes"
    for i, player_id in enumerate(items(stage_round.get("byes", []), path)):
        yield RoundBye(number, text(player_id, f"{path}[{i}]"))


def _points(value: Json, path: str) -> Fraction:
    if isinstance(value, str):
        fraction = _POINTS.fullmatch(value)
        if fraction is None:
            raise bad(path, "must be a whole number, or a fraction such as 28/3")
        return Fraction(int(fraction[1]), int(fraction[2]))
    return Fraction(whole(value, path, range(10**9)))


def write_stage(results: StageResults) -> str:
    """Return the stage file of a stage as one line of JSON, whatever the order of its parts."""
    rules = results.rules
    round_numbers = [table.round_number for table in results.tables]
    round_numbers += [bye.round_number for bye in results.byes]
    rounds = max(round_numbers, default=0)
    participants = sorted(results.participants, key=lambda participant: participant.player_id)
    value: Object = {
        "v": VERSION,
        "scoring": rules.scoring.value,
        "size": rules.size,
        "tie_breaks": [tie_break.value for tie_break in rules.tie_breaks],
        "seed": rules.seed,
        "games": rules.games,
        "participants": [_participant_json(participant) for participant in participants],
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
    value: Object = {"id": participant.player_id, "name": participant.name}
    optional = without_blanks(
        {
            "seeding": participant.seeding,
            "carried": _points_json(participant.carried) if participant.carried else None,
            "withdrawn": participant.withdrawn,
            "label": participant.label,
        }
    )
    return value | optional


def _round_json(results: StageResults, number: int) -> Object:
    tables = [table for table in results.tables if table.round_number == number]
    value: Object = {
        "tables": [
            {"players": list(table.players), "games": [_game_json(game) for game in table.games]}
            for table in sorted(tables, key=lambda table: table.players)
        ]
    }
    byes = sorted([bye.player for bye in results.byes if bye.round_number == number])
    if byes:
        value["byes"] = list[Json](byes)
    return value


def _game_json(game: GameResult) -> Object:
    numbers_by_key = {
        "rank": game.rank,
        "cntdice": game.cntdice,
        "totals": game.totals,
        "order": game.order,
        "penalty": game.penalty if any(game.penalty or ()) else None,
    }
    return {
        key: list[Json](numbers) for key, numbers in numbers_by_key.items() if numbers is not None
    }


def _points_json(points: Fraction) -> Json:
    if points.denominator == 1:
        return points.numerator
    return str(points)
