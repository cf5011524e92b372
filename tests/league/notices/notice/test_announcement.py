"""The registry of notices: each has its topic, its words and what makes it."""

import re

import pytest

from league.core.log.actions import ACTIONS
from league.models import Notice, NoticeTopic
from league.notices.notice.queries.announcement import NOTICES, SUBJECTS, NoticeRules
from league.site.manual.web import page_file
from tests.languages import languages_of


def test_every_occasion_has_its_rules_and_every_topic_a_notice() -> None:
    assert set(NOTICES) == set(Notice.Occasion.values)
    assert {rules.topic for rules in NOTICES.values()} == set(NoticeTopic)


@pytest.mark.parametrize("rules", NOTICES.values(), ids=list(NOTICES))
def test_a_notice_is_made_by_actions_that_tell_of_an_event(rules: NoticeRules) -> None:
    if rules.topic == NoticeTopic.TURN:
        assert not rules.actions, "a turn's clock makes it, or the row of an end"
        return
    assert rules.actions, f"{rules.occasion}: name the actions that make it"
    for action in rules.actions:
        assert ACTIONS[action.value] is action
        assert action.value.partition(".")[0] in SUBJECTS, (
            f"say in SUBJECTS how {action.value} leads to an event"
        )


@pytest.mark.parametrize("language", languages_of("notices"))
def test_every_topic_stands_in_the_manual(language: str) -> None:
    rows = re.findall(r"^\| .+ \|$", page_file("notices", language).read_text(), re.MULTILINE)
    assert len(rows) == 1 + len(NoticeTopic), (
        f"templates/docs/notices ({language}): a row for each topic"
    )
