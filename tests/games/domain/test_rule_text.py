"""The rule texts by their names: what each settles, by the rulings that cite it."""

import pytest

from engine.record.bluff.rules import read_rules
from engine.record.kinds import KINDS
from engine.record.setting import rules_fault, settings_of
from games.domain.rule_text import RULE_TEXTS, RuleText, rule_texts
from games.models.game import Kind

EXACT = {
    "ravensburger-2009": "all",
    "fxschmid-1993": "all",
    "brettspielwelt": "challenger",
    "dutch-sheet": "all",
}
"""Who loses at an exact hit. Ruling B9 (R, S, B, N)."""
each_text = pytest.mark.parametrize("text", RULE_TEXTS.values(), ids=list(RULE_TEXTS))


@each_text
def test_the_engine_knows_what_a_text_settles(text: RuleText) -> None:
    assert rules_fault(KINDS[text.kind], dict(text.rules)) is None
    assert set(text.rules) == {setting.name for setting in settings_of(KINDS[text.kind])} - {
        "scoring"
    }


def test_b9_each_text_says_who_loses_at_an_exact_hit() -> None:
    bluff = {text.name: read_rules(dict(text.rules), "rules") for text in rule_texts(Kind.BLUFF)}
    assert {name: rules.exact for name, rules in bluff.items()} == EXACT
    assert not any(rules.reroll for rules in bluff.values()), (
        "an expansion, or an option (ruling B14)"
    )
    assert {rules.dice for rules in bluff.values()} == {5}


def test_k2_k3_the_booklet_announces_the_truth_and_no_zero() -> None:
    (text,) = rule_texts(Kind.LUEGEN_KNIFFEL)
    assert text.rules == {"truth": "exact", "allow_zero": False}
