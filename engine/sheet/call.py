"""Calls for the arbiter, and the rulings that answer them: entries that don't change the game."""

from __future__ import annotations

from typing import Any, Final

from engine.illegal import Illegal, Refused
from engine.messages import say
from engine.record.kind import AnyKind
from engine.record.shape import join, members, whole
from engine.sheet.case import case_of, decision_of
from engine.sheet.entry import SheetEntry

VALUE: Final = "value"
"""The path of an entry's value, as faults name it."""


def apply_aside(kind: AnyKind, entry: SheetEntry, call: int | None, last_begun: int) -> int | None:
    """Return the round of the open call after one more entry; None if no call is open then.

    `entry`: a call, its withdrawal or a ruling. `call`: the round of the call that is open before
    it, None without one. `last_begun`: the current round. Rounds count from 1. Raise `Refused` with
    `called_already`, `no_call`, `no_such_case`, `no_such_decision`, or with `bad_record` for an
    entry about another round.
    """
    if entry.act == "call":
        return _round_of_new_call(entry.value, call, last_begun)
    if call is None:
        raise Refused(
            Illegal(
                "no_call", say("there is no open call at this table: it was answered or withdrawn")
            )
        )
    if entry.act == "call_off":
        members(entry.value, VALUE, (), ())
    else:
        _check_ruling(kind, entry.value, call)
    return None


def _round_of_new_call(value: dict[str, Any], call: int | None, last_begun: int) -> int:
    parts = members(value, VALUE, ("round",), ())
    if call is not None:
        raise Refused(Illegal("called_already", say("this table has already called the arbiter")))
    return whole(parts["round"], join(VALUE, "round"), range(last_begun, last_begun + 1))


def _check_ruling(kind: AnyKind, value: dict[str, Any], call: int) -> None:
    parts = members(value, VALUE, ("round", "case", "decision"), ())
    whole(parts["round"], join(VALUE, "round"), range(call, call + 1))
    case = case_of(kind, parts["case"], join(VALUE, "case"))
    decision_of(case, parts["decision"], join(VALUE, "decision"))
