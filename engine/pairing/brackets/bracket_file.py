"""Knock-outs in the draw file: the input that can be drawn again, and the answer.

A draw file with the key `bracket` is a knock-out: `{"kind": "single" | "double", "advance": 1}`, perhaps with
`"third": true`. `sizes` has one entry. The best seeded of `players` has the highest score; where scores are equal the
ids decide. `finished` has the rounds before, each a list of tables, each a list of ids, the best first; `absent` has
the ids of those who have withdrawn.
"""

from dataclasses import replace
from typing import Final

from engine.illegal import Illegal
from engine.pairing.brackets.bracket import BracketInput, BracketRound, RoundTable, fault
from engine.pairing.brackets.bracket_plan import Kind
from engine.pairing.draw_input import TableIds
from engine.record.shape import Json, Object, Refused, items, members, one_of, text, truth, whole

VERSION: Final = 1
"""Of the way in which knock-outs are drawn: another one may draw another round from the same input."""
KINDS: Final[dict[str, Kind]] = {"single": "single", "double": "double"}


def read_bracket(value: Json) -> BracketInput | Illegal:
    """The knock-out that a parsed line of a draw file tells, or what is wrong with it and where."""
    try:
        given = _read(value)
    except Refused as refused:
        illegal = refused.illegal
        return replace(illegal, code="bad_draw") if illegal.code == "bad_record" else illegal
    return fault(given) or given


def bracket_input_json(given: BracketInput) -> Object:
    """The input as a JSON object of the draw file, from which `read_bracket` makes it again."""
    best = len(given.participants)
    players: list[Json] = [{"id": id, "score": best - i} for i, id in enumerate(given.participants)]
    bracket: Object = {"kind": given.kind, "advance": given.advance}
    if given.third:
        bracket["third"] = True
    written: Object = {"v": 1, "sizes": [given.size], "seed": given.seed, "players": players, "bracket": bracket}
    if given.finished:
        written["finished"] = [[list(table) for table in finished] for finished in given.finished]
    if given.absent:
        written["absent"] = [*sorted(given.absent)]
    return written


def bracket_round_json(drawn: BracketRound) -> Object:
    """The answer as a JSON object: `tables` and `walkovers` with their labels, `bye`, `over` and the `places`."""
    return {
        "ok": True,
        "tables": [list(table.ids) for table in drawn.tables],
        "labels": [table.label for table in drawn.tables],
        "why": [list(table.why) for table in drawn.tables],
        "walkovers": [_walkover_json(table) for table in drawn.walkovers],
        "bye": list(drawn.byes),
        "over": drawn.over,
        "places": [{"id": place.id, "place": place.place, "out": place.out} for place in drawn.places],
        "version": VERSION,
    }


def _walkover_json(table: RoundTable) -> Object:
    return {"label": table.label, "order": list(table.ids), "why": list(table.why)}


def _read(value: Json) -> BracketInput:
    """The input as it is written; `Refused` where it isn't a draw file."""
    given = members(value, "", ("v", "sizes", "seed", "players", "bracket"), ("finished", "absent"))
    whole(given["v"], "v", range(1, 2))
    bracket = members(given["bracket"], "bracket", ("kind", "advance"), ("third",))
    return BracketInput(
        size=whole(items(given["sizes"], "sizes", range(1, 2))[0], "sizes[0]"),
        advance=whole(bracket["advance"], "bracket.advance"),
        kind=one_of(bracket["kind"], "bracket.kind", KINDS),
        seed=text(given["seed"], "seed"),
        participants=_seeding(given["players"]),
        finished=tuple(
            [
                _tables(finished, f"finished[{i}]")
                for i, finished in enumerate(items(given.get("finished", []), "finished"))
            ]
        ),
        absent=frozenset([text(id, f"absent[{i}]") for i, id in enumerate(items(given.get("absent", []), "absent"))]),
        third=truth(bracket.get("third", False), "bracket.third"),
    )


def _seeding(value: Json) -> TableIds:
    """The ids of the players, the highest score first."""
    players = []
    for i, entry in enumerate(items(value, "players")):
        path = f"players[{i}]"
        player = members(entry, path, ("id", "score"), ())
        players.append((-whole(player["score"], f"{path}.score"), text(player["id"], f"{path}.id")))
    return tuple([id for _, id in sorted(players)])


def _tables(value: Json, path: str) -> tuple[TableIds, ...]:
    """The tables of a finished round."""
    tables = []
    for i, table in enumerate(items(value, path)):
        ids = items(table, f"{path}[{i}]")
        tables.append(tuple([text(id, f"{path}[{i}][{j}]") for j, id in enumerate(ids)]))
    return tuple(tables)
