"""Notes of announcements during a turn of Lügen-Kniffel."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.illegal import Illegal, Refused
from engine.kniffel.game import Game, Turn
from engine.kniffel.notation import announcement_text, parse_announcement
from engine.messages import say
from engine.record.kniffel.turn import TurnRecord
from engine.record.shape import Json, bad, join, members, whole


def read_note(
    game: Game, notes: Sequence[dict[str, Any]], value: Json, path: str
) -> dict[str, Any]:
    """Return a new note of an announcement by the seat whose turn it is, checked.

    `value`: the announcement, perhaps with its seat. Raise `Refused` with `no_such_announcement`
    (Ruling K2), `category_closed` (Ruling K5), `wrong_seat` if another seat is given, or
    `bad_record` for a second announcement.
    """
    parts = members(value, path, ("say",), ("seat",))
    assert game.roller is not None, "the caller must check that the game isn't over"
    path_of_say = join(path, "say")
    if notes:
        raise bad(path_of_say, "was already said in this turn: undo that first")
    if "seat" in parts:
        seat = whole(parts["seat"], join(path, "seat"), range(len(game.sheets)))
        if seat != game.roller:
            raise Refused(
                Illegal(
                    "wrong_seat",
                    say("it is seat {seat}'s turn to roll", seat=game.roller),
                    path=join(path, "seat"),
                )
            )
    announcement = parse_announcement(parts["say"] if isinstance(parts["say"], str) else "")
    if isinstance(announcement, Illegal):
        raise Refused(replace(announcement, path=path_of_say))
    wrong = game.fault(game.roller, Turn(announcement))
    if wrong is not None:
        raise Refused(replace(wrong, path=path_of_say))
    return {"say": announcement_text(announcement), "seat": game.roller}


def note_mismatch(
    game: Game, notes: Sequence[dict[str, Any]], turn: TurnRecord, path: str
) -> Illegal | None:
    """Return the fault of a turn whose announcement isn't the noted one."""
    if not notes or turn.announcement is None:
        return None
    noted = notes[-1]["say"]
    announced = announcement_text(turn.announcement)
    if announced == noted:
        return None
    return Illegal(
        "note_mismatch",
        say("{noted} was noted as said in this turn, not {said}", noted=noted, said=announced),
        path=join(path, "say"),
    )
