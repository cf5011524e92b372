"""What a table can agree on is read off the rulesets."""

from typing import Any

import pytest

from engine.record.kinds import KINDS
from engine.record.setting import rules_fault, settings_of


def test_bluff() -> None:
    choices = {
        setting.name: (list(setting.choices), setting.default)
        for setting in settings_of(KINDS["bluff"])
    }
    assert choices == {
        "exact": (["all", "challenger", "protected", "giveaway"], "all"),
        "reroll": ([False, True], False),
        "dice": (list(range(1, 21)), 5),
        "scoring": (["cntdice", "placement"], "placement"),
    }


def test_luegen_kniffel() -> None:
    choices = {
        setting.name: (list(setting.choices), setting.default)
        for setting in settings_of(KINDS["luegen-kniffel"])
    }
    assert choices == {
        "truth": (["exact", "at_least"], "exact"),
        "allow_zero": ([False, True], False),
    }


@pytest.mark.parametrize("kind", KINDS)
def test_every_choice_is_one_that_a_record_may_tell(kind: str) -> None:
    for setting in settings_of(KINDS[kind]):
        for value in setting.choices:
            assert rules_fault(KINDS[kind], {setting.name: value}) is None


@pytest.mark.parametrize(
    "rules", [{"exakt": "alle"}, {"exact": "alle"}, {"dice": 21}, {"dice": True}, [], None]
)
def test_what_no_record_may_tell_is_a_fault(rules: Any) -> None:
    assert rules_fault(KINDS["bluff"], rules)
