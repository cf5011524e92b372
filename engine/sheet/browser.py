"""The rule data for the sheet in a browser, league/static/league/sheet.js.

`make rules` writes it from the engine to rules.json in the same folder.
"""

import json
from dataclasses import asdict
from itertools import combinations_with_replacement
from typing import Any, Final

from engine.bluff.ruleset import DICE as HAND
from engine.bluff.track import COUNT, FACE, FACES, TEXT
from engine.kniffel.combinations import ANNOUNCEABLE, COMBINATIONS, DICE, UPPER, score
from engine.kniffel.combinations import FACES as PIPS
from engine.kniffel.notation import dice_text
from engine.kniffel.rolls import ROLLS
from engine.kniffel.sheet import BONUS, BONUS_FROM, STRIKES_TO_CROSS
from engine.record.bluff import round as levels
from engine.record.bluff.kind import BLUFF
from engine.record.kind import AnyKind
from engine.record.kniffel.kind import KNIFFEL
from engine.record.length import MOVES, ROUNDS
from engine.sheet.sheet import AMENDS

RULINGS: Final = {
    "bad_doubter": "K9",
    "bad_keep": "K11",
    "category_closed": "K5",
    "clock_mismatch": "B20 K17",
    "count_mismatch": "B7",
    "game_over": "B11 K10",
    "losses_mismatch": "B8 B9",
    "must_keep_one_hidden": "B14",
    "must_roll_one": "K11",
    "must_show_one": "B14",
    "no_bid": "B5",
    "no_challenge": "B6",
    "no_such_announcement": "K2",
    "no_such_field": "B1 B2",
    "not_a_raise": "B4",
    "reroll_off": "B14",
    "round_begun": "B15 K14",
    "show_not_owned": "B14",
    "wrong_seat": "B6 B10 B17 K15",
}
"""The rulings behind each fault of a sheet, by its code; the other codes are about malformed
entries.
"""
BROKEN_OFF: Final = (
    (levels.BY_CLOCK, ["ended"]),
    (levels.LEFT_DEALT, ["forfeit dealt"]),
    (levels.LEFT, ["forfeit void", "forfeit moves"]),
    (levels.FORFEIT, ["forfeit"]),
    (levels.VOID_DEALT, ["void dealt"]),
    (levels.VOID, ["void"]),
)
"""The levels of rounds that end without a settled bet, each with its distinctive keys. They are
tried before all other levels.
"""


def browser_rules() -> dict[str, Any]:
    """Return the data of both games as a JSON object."""
    bluff = _common_data(BLUFF, ruling_letter="B")
    bluff.update(_bluff_data())
    kniffel = _common_data(KNIFFEL, ruling_letter="K")
    kniffel.update(_kniffel_data())
    return {
        "rounds": ROUNDS,
        "moves": MOVES,
        "reasons": list(AMENDS),
        BLUFF.name: bluff,
        KNIFFEL.name: kniffel,
    }


def _common_data(kind: AnyKind, *, ruling_letter: str) -> dict[str, Any]:
    """Return the data that both games have.

    `ruling_letter`: the letter with which the numbers of the game's rulings begin."""
    rulings = {}
    for error_code, numbers in RULINGS.items():
        game_rulings = [number for number in numbers.split() if number[0] == ruling_letter]
        if game_rulings:
            rulings[error_code] = game_rulings
    return {
        "settings": asdict(kind.read_rules({}, "rules")),
        "game_over": kind.game_over.message,
        "rulings": rulings,
    }


def _bluff_data() -> dict[str, Any]:
    complete = [(level, sorted(level.marks)) for level in levels.LEVEL_KEYS]
    return {
        "bids": TEXT,
        "counts": COUNT,
        "faces": "".join(FACES[face - 1] for face in FACE),
        "most_dice": HAND[-1],
        "keys": levels.KEYS,
        "levels": [_level_data(keys, marks) for keys, marks in (*BROKEN_OFF, *complete)],
        "hands": levels.HANDS,
        "no_moves": levels.NO_MOVES,
    }


def _level_data(keys: levels.LevelKeys, marks: list[str]) -> dict[str, Any]:
    """Return the keys and marks of a level: a round has the first level with a mark whose keys it
    has."""
    return keys._asdict() | {"marks": [mark.split() for mark in marks]}


def _kniffel_data() -> dict[str, Any]:
    scores = {}
    for dice in combinations_with_replacement(PIPS, DICE):
        scores[dice_text(dice)] = [score(name, dice) for name in COMBINATIONS]
    return {
        "combinations": COMBINATIONS,
        "upper": UPPER,
        "announceable": {name: sorted(points) for name, points in ANNOUNCEABLE.items()},
        "scores": scores,
        "dice": DICE,
        "rolls": ROLLS[-1],
        "bonus": BONUS,
        "bonus_from": BONUS_FROM,
        "strikes_to_cross": STRIKES_TO_CROSS,
    }


def browser_file() -> str:
    """Return the text of rules.json."""
    return json.dumps(browser_rules(), ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    print(browser_file(), end="")
