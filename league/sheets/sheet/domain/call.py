"""Calls for the arbiter and rulings at the table, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext

from engine.record.kinds import KINDS
from engine.sheet.case import CASES, CaseDecision, UsualCase, case_of, decision_of


class DecisionInWords(NamedTuple):
    """A decision that the arbiter can make: its code, what the arbiter says, and what the table
    does `then`."""

    code: str
    label: str
    then: str


class CaseInWords(NamedTuple):
    """A usual case with the possible decisions. `ruling`: the number of the rule that applies, for
    instance “B18”; empty if there is none."""

    code: str
    ruling: str
    title: str
    text: str
    decisions: list[DecisionInWords]


class RulingInWords(NamedTuple):
    """A ruling on a sheet: the case, and the decision that the arbiter made."""

    case: CaseInWords
    decision: DecisionInWords


def cases_in_words(kind: str, *, dealt: bool) -> list[CaseInWords]:
    """Return the usual cases of a kind of game, given by name. `dealt`: only those that can happen
    at an online table."""
    cases = CASES[KINDS[kind]].values()
    return [_case_in_words(case) for case in cases if case.dealt or not dealt]


def ruling_in_words(kind: str, value: Mapping[str, Any]) -> RulingInWords:
    """Return the ruling of a sheet's entry. `kind`: the name of the kind of game; `value`: the value
    of the entry, with the codes of case and decision. Raise `Refused` for unknown codes."""
    case = case_of(KINDS[kind], value["case"])
    decision = decision_of(case, value["decision"])
    return RulingInWords(_case_in_words(case), _decision_in_words(decision))


def _case_in_words(case: UsualCase) -> CaseInWords:
    return CaseInWords(
        case.code,
        case.ruling,
        case.title.translated(gettext),
        case.text.translated(gettext),
        [_decision_in_words(decision) for decision in case.decisions],
    )


def _decision_in_words(decision: CaseDecision) -> DecisionInWords:
    label = decision.label.translated(gettext)
    return DecisionInWords(decision.code, label, decision.then.translated(gettext))


def rulings_for_scripts() -> dict[str, Any]:
    """Return the usual cases by kind of game and code, for the scorer's script, which shows the
    ruling: the title, the number of the rule, and each decision with what the table does then."""
    return {
        kind: {
            case.code: {
                "title": case.title,
                "ruling": case.ruling,
                "decisions": {code: [label, then] for code, label, then in case.decisions},
            }
            for case in cases_in_words(kind, dealt=False)
        }
        for kind in KINDS
    }
