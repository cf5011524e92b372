"""Objections in the browser: from the game's page to the desk, and the mark wherever the result
is."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from games.models import Game
from league.core.claim.services import claim_codes_make
from league.core.log.services import Actor
from league.disputes.objection.services import objection_raise
from league.events.helper.services import helper_add
from league.models import Claim, Club, Event, Objection, ObjectionEnd, Player, Role, Season, User
from league.stages.result.services.void import game_void_add
from league.standings.ranking.services.counting import ranking_count
from tests.factories import events
from tests.factories.league import MembershipFactory, UserFactory
from tests.league.disputes.ruling.rulings import let_stand, ruling_form

pytestmark = pytest.mark.django_db
WORD: Final = "The last die was a star."
MARK: Final = '<span class="pill pill-gold"> provisional </span>'
WRONG: Final = "Something is wrong"


def address(name: str, *args: Any) -> str:
    return reverse(name, args=args)


def of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def shown(response: Any) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def page(game: Game, user: User | None = None) -> str:
    return shown(of(user).get(address("game", game.public_id)))


def contest(game: Game, seat: int = 0, user: User | None = None) -> Objection:
    return objection_raise(game=game, seat=seat, word=WORD, actor=Actor(user.pk if user else None))


def test_a_seat_objects_on_the_game_s_page_and_withdraws_with_a_tap(
    played: Game, sitters: list[User]
) -> None:
    mine = of(sitters[1])
    html = page(played, sitters[1])
    assert WRONG in html
    assert MARK not in html
    answer = mine.post(
        address("game-object", played.public_id), {"seat": 1, "word": WORD}, follow=True
    )
    html = shown(answer)
    assert answer.redirect_chain == [(address("game", played.public_id), 302)]
    assert "The result is provisional now." in html
    assert MARK in html
    assert WORD in html
    assert WRONG not in html, "the seat has objected"
    objection = Objection.objects.get()
    html = shown(mine.post(address("objection-withdraw", objection.public_id), follow=True))
    assert "The objection is withdrawn." in html
    assert MARK not in html
    assert WRONG in html


def test_the_mark_is_everywhere_the_result_is(played: Game, sitters: list[User]) -> None:
    season = played.season_game.season
    contest(played, 0, sitters[0])
    ranking_count(ranking_id=season.ranking_id)
    player = Player.objects.get(user=sitters[0]).public_id
    rivals = len(sitters) - 1
    places: dict[str, tuple[list[str], int]] = {
        "game": ([played.public_id], 1),
        "table": ([played.table_game.table.public_id], 1),
        "season-games": ([season.club.slug, season.slug], 1),
        "player": ([player], 2 + rivals),  # the figures, the game, and how they did against rivals
    }
    for name, (args, count) in places.items():
        assert shown(Client().get(address(name, *args))).count(MARK) == count, name
    assert "This result is provisional" in page(played)


def test_the_mark_is_on_the_event_s_pages_and_at_the_players_whose_points_hang_on_it(
    played: Game, sitters: list[User], evening: Season
) -> None:
    table = played.table_game.table
    night = [evening.club.slug, "night-1"]
    places: dict[str, tuple[list[Any], int]] = {
        "table-live": ([table.public_id], 1),
        "event-live": (night, 1),
        "stage-round": ([*night, 1, 1], 1),
        "stage-ranking": ([*night, 1], len(sitters)),
        "event": (night, len(sitters)),
        "hall": (night, len(sitters) + 1),  # the round, and each of them in the ranking
        "season": ([evening.club.slug, evening.slug], len(sitters) + 2),  # two are on the podium
    }
    ranking_count(ranking_id=evening.ranking_id)
    for name, (args, _) in places.items():
        assert "provisional" not in shown(Client().get(address(name, *args))), name
    objection = contest(played, 0, sitters[0])
    for name, (args, count) in places.items():
        html = shown(Client().get(address(name, *args)))
        assert (
            len(re.findall('<span class="pill pill-gold"> ?provisional ?</span>', html)) == count
        ), name
    assert "A result of this event is provisional" in shown(Client().get(address("event", *night)))
    let_stand(objection, actor=Actor(reason="It was counted rightly."))
    for name, (args, _) in places.items():
        assert "provisional" not in shown(Client().get(address(name, *args))), name


def test_strangers_see_the_mark_and_the_table_and_arbiters_the_word(
    played: Game, sitters: list[User], ruler: User
) -> None:
    assert MARK not in page(played), "a page that is kept is made anew"
    contest(played, 0, sitters[0])
    for user, reads in (
        (None, False),
        (UserFactory.create(), False),
        (sitters[2], True),
        (ruler, True),
    ):
        html = page(played, user)
        assert MARK in html
        assert (WORD in html) == reads, user


def test_a_phone_without_an_account_objects_for_the_player_it_is(played: Game) -> None:
    seat = played.seats.get(number=2)
    (code,) = claim_codes_make(
        club=played.season_game.season.club,
        players=[Player.objects.get(handle=seat.handle)],
        actor=Actor(),
    )
    phone = Client()
    phone.post(address("claim-player", code.code))
    assert Claim.objects.get().user == Player.objects.get(handle=seat.handle).user
    assert WRONG in shown(phone.get(address("game", played.public_id)))
    phone.post(address("game-object", played.public_id), {"seat": 2, "word": WORD})
    objection = Objection.objects.get()
    assert (objection.seat, objection.role) == (2, Role.PLAYER)
    assert objection.raised_by == Claim.objects.get().user


def test_nobody_objects_for_another_seat_but_who_rules(
    played: Game, sitters: list[User], ruler: User
) -> None:
    form = address("game-object", played.public_id)
    assert of(sitters[0]).post(form, {"seat": 1, "word": WORD}).status_code == 200, (
        "nothing is done"
    )
    assert of(UserFactory.create()).post(form, {"seat": 1, "word": WORD}).status_code == 404
    assert (
        Client()
        .post(form, {"seat": 1, "word": WORD})["Location"]
        .startswith(address("account_login"))
    )
    assert not Objection.objects.exists()
    assert "On whose behalf?" in shown(of(ruler).get(form))
    of(ruler).post(form, {"seat": 1, "word": WORD})
    assert Objection.objects.get().role == Role.ARBITER
    assert "by an arbiter" in page(played)


def test_one_seat_does_not_withdraw_for_another(played: Game, sitters: list[User]) -> None:
    objection = contest(played, 0, sitters[0])
    button = address("objection-withdraw", objection.public_id)
    assert of(sitters[1]).post(button).status_code == 404
    assert of(sitters[0]).get(button).status_code == 405
    assert not ObjectionEnd.objects.exists()
    for _ in range(2):
        assert of(sitters[0]).post(button)["Location"] == address("game", played.public_id)
    assert ObjectionEnd.objects.count() == 1


def test_the_desk_lists_what_waits_and_leads_to_the_case(
    played: Game, club: Club, ruler: User
) -> None:
    desk = of(ruler)
    assert "No objections" in shown(desk.get(address("desk-objections", club.slug)))
    contest(played)
    html = shown(desk.get(address("desk-objections", club.slug)))
    assert f'href="{address("game-case", played.public_id)}"' in html
    desk.post(address("game-rule", played.public_id, "stands"), ruling_form())
    assert MARK not in page(played)
    assert "No objections" in shown(desk.get(address("desk-objections", club.slug)))


def test_everybody_reads_how_an_objection_ended_and_why(
    played: Game, sitters: list[User], ruler: User
) -> None:
    mine = contest(played, 1, sitters[1])
    of(sitters[1]).post(address("objection-withdraw", mine.public_id))
    contest(played)
    of(ruler).post(
        address("game-rule", played.public_id, "stands"),
        ruling_form(reason="The photo shows a five."),
    )
    html = page(played)
    assert "2 past objections" in html
    assert "the result stands" in html
    assert "The photo shows a five." in html
    assert "the objection was withdrawn" in html
    assert MARK not in html
    assert WORD not in html


def test_who_sat_there_rules_on_nothing(played: Game, sitters: list[User], club: Club) -> None:
    MembershipFactory.create(club=club, user=sitters[3], role=Role.ORGANISER)
    contest(played, 0, sitters[0])
    rule = address("game-rule", played.public_id, "stands")
    assert "You sat at this table" in shown(of(sitters[3]).post(rule, ruling_form()))
    assert not ObjectionEnd.objects.exists()


def test_an_arbiter_of_the_event_rules_and_a_player_does_not(played: Game, club: Club) -> None:
    contest(played)
    case = address("game-case", played.public_id)
    rule = address("game-rule", played.public_id, "stands")
    helper = UserFactory.create()
    helper_add(event=Event.objects.get(), user=helper, role=Role.ARBITER, actor=events.ACTOR)
    assert (
        of(MembershipFactory.create(club=club, role=Role.PLAYER).user).get(rule).status_code == 404
    )
    waiting = address("desk-event-objections", club.slug, Event.objects.get().slug)
    assert waiting in shown(
        of(helper).get(address("desk-event", club.slug, Event.objects.get().slug))
    )
    assert case in shown(of(helper).get(waiting))
    other = events.event(Event.objects.get().season, slug="another-night")
    helper_add(event=other, user=helper, role=Role.ARBITER, actor=events.ACTOR)
    assert "No objections" in shown(
        of(helper).get(address("desk-event-objections", club.slug, other.slug))
    )
    of(helper).post(rule, ruling_form())
    assert ObjectionEnd.objects.get().role == "event_arbiter"


def test_a_void_game_takes_no_objection(played: Game, sitters: list[User]) -> None:
    contest(played, 1, sitters[1])
    game_void_add(game=played, actor=Actor(reason="Practice."))
    html = page(played, sitters[0])
    assert WRONG not in html
    assert MARK not in html
    form = address("game-object", played.public_id)
    assert (
        "this game is void" in shown(of(sitters[0]).post(form, {"seat": 0, "word": WORD})).lower()
    )


def test_the_form_goes_with_the_window(played: Game, sitters: list[User], ruler: User) -> None:
    Event.objects.update(objection_hours=0)
    assert WRONG not in page(played, sitters[0])
    assert address("game-object", played.public_id) not in page(played, ruler)


def test_a_stranger_s_page_takes_no_query_more_and_a_reader_s_one(
    played: Game, sitters: list[User], django_assert_num_queries: Queries
) -> None:
    season = played.season_game.season
    ranking_count(ranking_id=season.ranking_id)
    mine = of(sitters[0])
    mine.get(address("game", played.public_id))
    with django_assert_num_queries(13):
        mine.get(address("game", played.public_id))
    with CaptureQueriesContext(connection) as strangers:
        page(played)
    assert sum("league_objection" in query["sql"] for query in strangers) == 1, (
        "the mark is read with the game"
    )
    contest(played, 1)
    # Five more: the objections with their players, the proposal, and what waits for a ruling
    # (objections, hearing, appeal).
    with django_assert_num_queries(18):
        mine.get(address("game", played.public_id))
