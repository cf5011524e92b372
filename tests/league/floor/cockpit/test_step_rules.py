"""The registry of an event's steps: each has its words and what it does."""

import pytest

from league.floor.cockpit.desk.step_rules import EVENT_STEPS, StepRules
from league.floor.cockpit.domain.cockpit import EventStep

LINKED = {EventStep.TAKE_BACK}
"""Steps that lead to a page of their own, and never come next."""


def test_every_name_has_its_rules() -> None:
    assert set(EVENT_STEPS) == set(EventStep)


@pytest.mark.parametrize("rules", EVENT_STEPS.values(), ids=list(EVENT_STEPS))
def test_a_step_says_what_it_does(rules: StepRules) -> None:
    if rules.confirmed:
        assert rules.button, f"{rules.name}: name its button"
        assert rules.effects, f"{rules.name}: say what it does"
        assert (rules.status is None) != (rules.service is None), (
            f"{rules.name}: it moves the event, or has a service"
        )
    else:
        assert rules.panel or rules.name in LINKED, (
            f"{rules.name}: nothing does it, and the cockpit has no words for it"
        )
