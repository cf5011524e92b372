"""Knock-outs in the draw file: the input, from which a round can be drawn again, and the answer.

A draw file with the key `bracket` is a knock-out: `{"kind": "single" | "double", "advance": 1}`,
perhaps with `"third": true`, or with the `version` of the earlier plan by which it began. `sizes`
has one entry. The best seeded of `players` has the highest score; ids break ties. `finished` has
the rounds before, each a list of tables, each a list of ids, the best first; `absent` has the ids
of the players who have withdrawn.
"""

from dataclasses import replace
from typing import Final

from engine.illegal import Illegal, Refused
from engine.pairing.brackets.bracket import BracketInput, BracketRound, fault
from engine.pairing.brackets.bracket_plan import VERSION, Kind
from engine.pairing.draw_input import TableIds
from engine.record.shape import (
    Json,
    Object,
    each,
    items,
    members,
    one_of,
    text,
    truth,
    whole,
)

VERSIONS: Final = range(1, VERSION + 1)
KINDS: Final[dict[str, Kind]] = {"single": "single", "double": "double"}


def read_bracket(value: Json, version: int = VERSION) -> BracketInput | Illegal:
    """Return the knock-out in a parsed line of a draw file, or the error with its path.

    `version`: the version of the plan if the file names none."""
    try:
        bracket_input = _bracket_input(value, version)
    except Refused as refused:
        illegal = refused.illegal
        if illegal.code == "bad_record":
            return replace(illegal, code="bad_draw")
        return illegal
    return fault(bracket_input) or bracket_input


def bracket_input_json(bracket_input: BracketInput) -> Object:
    """Return the input as a JSON object of the draw file; `read_bracket` reads it back."""
    best = len(bracket_input.participants)
    players: list[Json] = [
        {"id": player_id, "score": best - i}
        for i, player_id in enumerate(bracket_input.participants)
    ]
    bracket: Object = {"kind": bracket_input.kind, "advance": bracket_input.advance}
    if bracket_input.third:
        bracket["third"] = True
    if bracket_input.version != VERSION:
        bracket["version"] = bracket_input.version
    value: Object = {
        "v": 1,
        "sizes": [bracket_input.size],
        "seed": bracket_input.seed,
        "players": players,
        "bracket": bracket,
    }
    finished: Json = [[list(table) for table in tables] for tables in bracket_input.finished]
    if finished:
        value["finished"] = finished
    if bracket_input.absent:
        value["absent"] = [*sorted(bracket_input.absent)]
    return value


def bracket_round_json(bracket_round: BracketRound) -> Object:
    """Return the answer as a JSON object.

    It has `tables` and `walkovers` with their labels, `bye`, `over`, the `places`, and the
    `version` of the plan.
    """
    return {
        "ok": True,
        "tables": [list(table.ids) for table in bracket_round.tables],
        "labels": [table.label for table in bracket_round.tables],
        "why": [list(table.why) for table in bracket_round.tables],
        "walkovers": [
            {"label": table.label, "order": list(table.ids), "why": list(table.why)}
            for table in bracket_round.walkovers
        ],
        "bye": list(bracket_round.byes),
        "over": bracket_round.over,
        "places": [
            {"id": place.player_id, "place": place.place, "out": place.out}
            for place in bracket_round.places
        ],
        "version": bracket_round.version,
    }


def _bracket_input(value: Json, version: int) -> BracketInput:
    parts = members(value, "", ("v", "sizes", "seed", "players", "bracket"), ("finished", "absent"))
    whole(parts["v"], "v", range(1, 2))
    bracket = members(parts["bracket"], "bracket", ("kind", "advance"), ("third", "version"))
    (size,) = items(parts["sizes"], "sizes", range(1, 2))
    return BracketInput(
        size=whole(size, "sizes[0]"),
        advance=whole(bracket["advance"], "bracket.advance"),
        kind=one_of(bracket["kind"], "bracket.kind", KINDS),
        seed=text(parts["seed"], "seed"),
        participants=_ids_by_score(parts["players"]),
        finished=each(parts.get("finished", []), "finished", _tables),
        absent=frozenset(each(parts.get("absent", []), "absent", text)),
        third=truth(bracket.get("third", False), "bracket.third"),
        version=whole(bracket.get("version", version), "bracket.version", VERSIONS),
    )


def _ids_by_score(value: Json) -> TableIds:
    return tuple([player_id for _, player_id in sorted(each(value, "players", _seeding_key))])


def _seeding_key(value: Json, path: str) -> tuple[int, str]:
    player = members(value, path, ("id", "score"), ())
    return -whole(player["score"], f"{path}.score"), text(player["id"], f"{path}.id")


def _tables(value: Json, path: str) -> tuple[TableIds, ...]:
    return each(value, path, _table)


def _table(value: Json, path: str) -> TableIds:
    return each(value, path, text)
