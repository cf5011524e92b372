"""Calls for the arbiter and rulings at the table, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext

from engine.record.kinds import KINDS
from engine.sheet.case import CASES, CaseDecision, UsualCase, case_of, decision_of


class DecisionInWords(NamedTuple):
    """A decision: its code, what the arbiter says, and what the table does then."""

    code: str
    label: str
    then: str


class CaseInWords(NamedTuple):
    """A usual case with its decisions. `ruling`: the number of the rule by which it goes; empty if
    there is none."""

    code: str
    ruling: str
    title: str
    text: str
    decisions: list[DecisionInWords]


class RulingInWords(NamedTuple):
    """A ruling as the sheet tells it: the case, and the decision that was made."""

    case: CaseInWords
    decision: DecisionInWords


def cases_in_words(kind: str, *, dealt: bool) -> list[CaseInWords]:
    """Return the cases of a kind of game, by its name; with `dealt` only those that happen at an
    online table."""
    cases = CASES[KINDS[kind]].values()
    return [_case(case) for case in cases if case.dealt or not dealt]


def ruling_in_words(kind: str, value: Mapping[str, Any]) -> RulingInWords:
    """Return the ruling that an entry of a sheet tells by its `value`. Raise `Refused` for codes
    that there aren't."""
    case = case_of(KINDS[kind], value["case"])
    return RulingInWords(_case(case), _decision(decision_of(case, value["decision"])))


def _case(case: UsualCase) -> CaseInWords:
    return CaseInWords(
        case.code,
        case.ruling,
        case.title.translated(gettext),
        case.text.translated(gettext),
        [_decision(decision) for decision in case.decisions],
    )


def _decision(decision: CaseDecision) -> DecisionInWords:
    label = decision.label.translated(gettext)
    return DecisionInWords(decision.code, label, decision.then.translated(gettext))


def rulings_for_scripts() -> dict[str, Any]:
    """Return the cases of each kind of game, by code, as the scorer's script says what was ruled:
    title, number of the rule, and each decision with what the table does then."""
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
