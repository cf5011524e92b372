"""Corrections by agreement in the browser: from the game's page to the proposal, and its preview
for every seat."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from games.models import Game
from games.queries.game import sealed_record
from league.core.log.services import Actor
from league.disputes.objection.services import objection_raise
from league.models import Agreement, Event, Player, Proposal, Role, User
from league.standings.ranking.services.counting import ranking_count
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.proposals import turned

pytestmark = pytest.mark.django_db
SAY: Final = "Say what was played…"
AGREE: Final = "Yes, that’s how it went"


def address(name: str, *args: Any) -> str:
    return reverse(name, args=args)


def of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def shown(response: Any) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


@pytest.fixture
def contested(played: Game, sitters: list[User]) -> Game:
    """The game, to whose result its first seat objects."""
    ranking_count(ranking_id=played.season_game.season.ranking_id)
    objection_raise(game=played, seat=0, word="Mixed up.", actor=Actor(sitters[0].pk))
    return played


def propose(game: Game, user: User) -> Proposal:
    of(user).post(
        address("game-propose", game.public_id), {"text": turned(game).decode(), "confirm": ""}
    )
    return Proposal.objects.latest("pk")


def test_from_the_game_s_page_by_taps_to_a_correction(contested: Game, sitters: list[User]) -> None:
    mine = of(sitters[1])
    page = address("game", contested.public_id)
    form = address("game-propose", contested.public_id)
    html = shown(mine.get(page))
    assert SAY in html
    assert f'href="{form}"' in html
    html = shown(mine.get(form))
    assert "What was played?" in html
    assert "Reason" not in html, "the reason is that all agree"
    html = shown(mine.post(form, {"text": turned(contested).decode()}))
    assert "Before and after" in html
    assert "asked whether they agree" in html
    answer = mine.post(form, {"text": turned(contested).decode(), "confirm": ""}, follow=True)
    proposal = Proposal.objects.get()
    assert answer.redirect_chain == [(address("proposal", proposal.public_id), 302)]
    html = shown(answer)
    assert AGREE not in html, "who proposes agrees"
    assert html.count("hasn’t answered yet") == 3
    assert "1 player agrees with a proposed correction" in shown(of(sitters[2]).get(page))
    for seat in (0, 2):
        html = shown(of(sitters[seat]).get(address("proposal", proposal.public_id)))
        assert "Before and after" in html, "the preview is shown to all"
        assert AGREE in html
        html = shown(
            of(sitters[seat]).post(
                address("proposal", proposal.public_id), {"seat": seat}, follow=True
            )
        )
        assert "Noted." in html
    answer = of(sitters[3]).post(address("proposal", proposal.public_id), {"seat": 3}, follow=True)
    corrected = Game.objects.get(replaces=contested)
    assert answer.redirect_chain == [(address("game", corrected.public_id), 302)]
    assert "Everybody agrees, so the game is corrected." in shown(answer)
    html = shown(mine.get(address("proposal", proposal.public_id)))
    assert "The game is corrected." in html
    assert AGREE not in html
    assert "Before and after" not in html


def test_a_result_of_which_the_end_is_known_is_tapped_in(
    contested: Game, sitters: list[User]
) -> None:
    form = address("game-propose", contested.public_id)
    html = shown(of(sitters[1]).get(form))
    assert 'name="reason"' not in html
    names = re.findall(r'select name="(place_[^"]+)"', html)
    assert len(names) == 4
    before = sealed_record(contested)[0].outcome
    assert before is not None
    ranks = dict(zip(names, before.rank[::-1], strict=True))
    html = shown(of(sitters[1]).post(form, {**ranks, "number": 1}))
    assert "This will be sealed" in html
    assert "Propose this" in html


def test_strangers_see_no_proposal_and_agree_with_none(
    contested: Game, sitters: list[User], ruler: User
) -> None:
    proposal = propose(contested, sitters[0])
    stranger = of(UserFactory.create())
    scorer = of(
        MembershipFactory.create(club=contested.season_game.season.club, role=Role.SCORER).user
    )
    page = address("proposal", proposal.public_id)
    for client in (stranger, scorer):
        assert client.get(page).status_code == 404
        assert client.post(page, {"seat": 1}).status_code == 404
        assert client.get(address("game-propose", contested.public_id)).status_code == 404
        assert "roposed correction" not in shown(client.get(address("game", contested.public_id)))
    assert Client().get(page)["Location"].startswith(address("account_login"))
    html = shown(of(ruler).get(page))
    assert AGREE not in html, "everybody who sat there has an account"
    of(ruler).post(page, {"seat": 1})
    of(sitters[1]).post(page, {"seat": 2})
    assert Agreement.objects.count() == 1


def test_who_rules_agrees_for_a_player_without_an_account(
    contested: Game, sitters: list[User], ruler: User
) -> None:
    Player.objects.filter(user=sitters[3]).update(user=None)
    proposal = propose(contested, sitters[0])
    html = shown(of(ruler).get(address("proposal", proposal.public_id)))
    assert AGREE in html
    of(ruler).post(address("proposal", proposal.public_id), {"seat": 3})
    assert Agreement.objects.get(seat=3).role == Role.ARBITER


def test_a_proposal_that_is_no_longer_the_one_says_so(contested: Game, sitters: list[User]) -> None:
    first = address("proposal", propose(contested, sitters[0]).public_id)
    second = address("proposal", propose(contested, sitters[1]).public_id)
    html = shown(of(sitters[2]).get(first))
    assert "A newer proposal has replaced it." in html
    assert f'href="{second}"' in html
    assert AGREE not in html
    html = shown(of(sitters[2]).get(second))
    assert "newer proposal has replaced it" not in html
    assert AGREE in html
    of(sitters[0]).post(address("objection-withdraw", contested.objections.get().public_id))
    html = shown(of(sitters[2]).get(second))
    assert "Nobody objects any more" in html
    assert AGREE not in html


def test_a_tap_that_comes_twice_is_one(contested: Game, sitters: list[User]) -> None:
    page = address("proposal", propose(contested, sitters[0]).public_id)
    client = of(sitters[1])
    assert client.post(page, {"seat": 1}).status_code == 302
    assert client.post(page, {"seat": 1}).status_code == 200
    assert Agreement.objects.filter(seat=1).count() == 1


def test_without_an_objection_nothing_is_proposed(played: Game, sitters: list[User]) -> None:
    assert of(sitters[0]).get(address("game-propose", played.public_id)).status_code == 404
    assert SAY not in shown(of(sitters[0]).get(address("game", played.public_id)))


def test_the_page_tells_until_when_one_can_object(played: Game, sitters: list[User]) -> None:
    assert "You can object until <time" in shown(
        of(sitters[0]).get(address("game", played.public_id))
    )
    Event.objects.update(objection_hours=0)
    assert "You can object until" not in shown(
        of(sitters[0]).get(address("game", played.public_id))
    )


def test_a_proposal_takes_as_many_queries_whoever_agrees(
    contested: Game, sitters: list[User], django_assert_max_num_queries: Queries
) -> None:
    proposal = propose(contested, sitters[0])
    page = address("proposal", proposal.public_id)
    mine = of(sitters[1])
    mine.get(page)
    with django_assert_max_num_queries(60):
        mine.get(page)
