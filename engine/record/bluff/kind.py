"""Bluff as a kind of game that can be recorded."""

from typing import Final

from engine.bluff.game import Game
from engine.bluff.ruleset import OPENING_DICE, SEATS
from engine.bluff.state import game_of_state, game_state
from engine.record.bluff.bulk import bulk
from engine.record.bluff.compact import pack, unpack
from engine.record.bluff.gaps import gaps
from engine.record.bluff.note import note_mismatch, read_note
from engine.record.bluff.outcome import clock_end, impossible_end, known_end, points_bounds
from engine.record.bluff.rolls import rolls
from engine.record.bluff.round import canonical, moves, read_round, round_json
from engine.record.bluff.rules import read_rules
from engine.record.bluff.settle import GAME_OVER, ending, settle
from engine.record.kind import Kind

BLUFF: Final = Kind(
    name="bluff",
    unit="round",
    seats=SEATS,
    opening_dice=OPENING_DICE,
    settings=("exact", "reroll", "dice", "scoring"),
    answer=("over", "rank", "cntdice", "points", "rounds"),
    game_over=GAME_OVER,
    read_rules=read_rules,
    read_round=read_round,
    moves=moves,
    round_json=round_json,
    canonical=canonical,
    start=Game,
    settle=settle,
    ending=ending,
    known_end=known_end,
    impossible_end=impossible_end,
    points_bounds=points_bounds,
    clock_end=clock_end,
    pack=pack,
    unpack=unpack,
    rolls=rolls,
    gaps=gaps,
    state=game_state,
    game_of_state=game_of_state,
    read_note=read_note,
    note_mismatch=note_mismatch,
    bulk=bulk,
)
