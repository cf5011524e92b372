"""The data of the rules for the sheet in a browser, league/static/league/sheet.js: `make rules`
writes it to rules.json beside that file, from the engine alone."""

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
"""The rulings that a fault of a sheet cites, by its code; other codes are about how an entry is
written."""
BROKEN_OFF: Final = (
    (levels.BY_CLOCK, ["ended"]),
    (levels.LEFT_DEALT, ["forfeit dealt"]),
    (levels.LEFT, ["forfeit void", "forfeit moves"]),
    (levels.FORFEIT, ["forfeit"]),
    (levels.VOID_DEALT, ["void dealt"]),
    (levels.VOID, ["void"]),
)
"""The levels of rounds without a bet that is settled, each with the keys that mark it, before all
others."""


def browser_rules() -> dict[str, Any]:
    """The data of both games, as JSON has it."""
    return {
        "rounds": ROUNDS,
        "moves": MOVES,
        "reasons": list(AMENDS),
        BLUFF.name: _kind(BLUFF, "B") | _bluff(),
        KNIFFEL.name: _kind(KNIFFEL, "K") | _kniffel(),
    }


def _kind(kind: AnyKind, letter: str) -> dict[str, Any]:
    """The settings if none are told, and the words and rulings of faults; `letter` begins those of
    the game."""
    rulings = {
        code: [number for number in numbers.split() if number[0] == letter]
        for code, numbers in RULINGS.items()
    }
    return {
        "settings": asdict(kind.read_rules({}, "rules")),
        "game_over": kind.game_over.message,
        "rulings": {code: numbers for code, numbers in rulings.items() if numbers},
    }


def _bluff() -> dict[str, Any]:
    """The 220 bids in raising order, the count and the face of each; the keys of a round, by its
    level of detail."""
    whole = [(level, sorted(level.marks)) for level in levels.LEVEL_KEYS]
    return {
        "bids": TEXT,
        "counts": COUNT,
        "faces": "".join(FACES[face - 1] for face in FACE),
        "most_dice": HAND[-1],
        "keys": levels.KEYS,
        "levels": [_level(*level) for level in (*BROKEN_OFF, *whole)],
        "hands": levels.HANDS,
        "no_moves": levels.NO_MOVES,
    }


def _level(keys: levels.LevelKeys, marks: list[str]) -> dict[str, Any]:
    """The keys of a level; a round is at the first that has a mark of which the round has all
    keys."""
    return keys._asdict() | {"marks": [mark.split() for mark in marks]}


def _kniffel() -> dict[str, Any]:
    """The combinations with the points that can be announced, and the score of each in all 252 ways
    dice can lie."""
    every_roll = combinations_with_replacement(PIPS, DICE)
    return {
        "combinations": COMBINATIONS,
        "upper": UPPER,
        "announceable": {name: sorted(points) for name, points in ANNOUNCEABLE.items()},
        "scores": {
            dice_text(dice): [score(name, dice) for name in COMBINATIONS] for dice in every_roll
        },
        "dice": DICE,
        "rolls": ROLLS[-1],
        "bonus": BONUS,
        "bonus_from": BONUS_FROM,
        "strikes_to_cross": STRIKES_TO_CROSS,
    }


def browser_file() -> str:
    """The file that browsers get."""
    return json.dumps(browser_rules(), ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    print(browser_file(), end="")
