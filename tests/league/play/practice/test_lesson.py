"""The lesson: one round that is always the same, by its address alone."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override

from games.models import OpenGame
from league.play.practice.domain.lesson import STEPS, showdown_at

pytestmark = pytest.mark.django_db


def page(client: Client, **address: str | int) -> str:
    answer = client.get(reverse("lesson"), address)
    assert answer.status_code == 200
    return answer.content.decode()


def right(number: int) -> int:
    return next(place for place, answer in enumerate(STEPS[number].answers) if answer.right)


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_right_answers_lead_to_the_end_in_each_language(client: Client, language: str) -> None:
    for number in range(len(STEPS)):
        address = {"step": number, "answer": right(number)}
        answer = client.get(reverse("lesson"), address, headers={"Accept-Language": language})
        with override(language):
            assert escape(str(answer.context["given"].says)) in answer.content.decode()
        assert answer.context["number"] == number + 1
    assert 'value="easy"' in answer.content.decode()


def test_every_step_has_one_right_answer_and_a_wrong_one_says_why_and_stays(client: Client) -> None:
    for number, step in enumerate(STEPS):
        assert [answer.right for answer in step.answers].count(True) == 1
        for place, answer in enumerate(step.answers):
            if not answer.right:
                there = client.get(reverse("lesson"), {"step": number, "answer": place})
                assert there.context["number"] == number
                assert there.context["given"] == answer


def test_b7_six_dice_count_and_b8_the_one_who_bid_nine_loses_three() -> None:
    asked, shown = showdown_at(len(STEPS) - 1), showdown_at(len(STEPS))
    assert asked is not None
    assert shown is not None
    assert (shown.count, shown.bid, list(shown.losses)) == (6, "9x4", [0, 0, 3])
    assert list(asked.losses) == [0, 0, 0], "that is the question"


def test_the_cups_stay_down_until_the_last_step(client: Client) -> None:
    assert 'id="my-dice"' not in page(client)
    assert 'id="my-dice"' in page(client, step=1)
    for number in range(len(STEPS) - 1):
        assert "data-count" not in page(client, step=number)
    assert "data-count" in page(client, step=len(STEPS) - 1)


@pytest.mark.parametrize(
    "address", [{"step": "x"}, {"step": "-1"}, {"step": "9" * 99}, {"step": "²"}, {"answer": "9"}]
)
def test_an_address_that_leads_nowhere_begins_the_lesson(
    client: Client, address: dict[str, str]
) -> None:
    assert "Step 1 of 5" in page(client, **address)


def test_nothing_is_stored_and_the_way_there_is_on_the_page_of_practice(client: Client) -> None:
    page(client, step=99)
    assert not OpenGame.objects.exists()
    assert not client.cookies.get("sessionid")
    assert reverse("lesson") in client.get(reverse("practice")).content.decode()
