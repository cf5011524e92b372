"""Lügen-Kniffel as a kind of game that can be recorded."""

from typing import Final

from engine.kniffel.game import SEATS
from engine.kniffel.state import game_of_state, game_state
from engine.record.kind import Kind
from engine.record.kniffel.compact import pack, unpack
from engine.record.kniffel.gaps import gaps
from engine.record.kniffel.note import note_mismatch, read_note
from engine.record.kniffel.outcome import clock_end, impossible_end, known_end, points_bounds
from engine.record.kniffel.rolls import rolls
from engine.record.kniffel.rules import read_rules
from engine.record.kniffel.settle import GAME_OVER, ending, settle, start
from engine.record.kniffel.turn import canonical, moves, read_turn, turn_json

KNIFFEL: Final = Kind(
    name="luegen-kniffel",
    unit="turn",
    seats=SEATS,
    opening_dice=1,
    settings=("truth", "allow_zero"),
    answer=("over", "rank", "totals", "bonus", "turns", "sheets"),
    game_over=GAME_OVER,
    read_rules=read_rules,
    read_round=read_turn,
    moves=moves,
    round_json=turn_json,
    canonical=canonical,
    start=start,
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
)
