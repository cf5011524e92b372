"""A result to which a seat objects is marked as provisional wherever it, or what rests on it, is
shown; and no longer once nobody objects. Whoever has a page already is given the new one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from league.core.log.services import Actor
from league.counting.event_counting.services import counting_change, divisions_set
from league.disputes.objection.models import Objection
from league.disputes.objection.services import objection_raise
from league.models import (
    Club,
    Draw,
    Event,
    Format,
    Player,
    Ranking,
    Role,
    Season,
    Stage,
    StageRound,
    User,
)
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import all_time_create
from tests.factories import events
from tests.factories.league import MembershipFactory, SeasonFactory, UserFactory
from tests.league.disputes.ruling.rulings import let_stand

pytestmark = pytest.mark.django_db
ACTOR = Actor(reason="test")


class Evening(NamedTuple):
    """An evening of a Swiss stage and of a knock-out made up by it. `game`: one of the first round;
    `seat`: who sat there first; `second`, `cup`: draws that rest on it, of the second round and of
    the knock-out's first one; `first`: the draw of the first round, which rests on nothing;
    `reader`: an organiser."""

    game: Game
    seat: Player
    first: Draw
    second: Draw
    cup: Draw
    reader: User


def played(stage: Stage, rounds: int) -> list[Draw]:
    """Play so many rounds of a stage; their draws. Those at the first table of the first round
    finish ahead of all others after it, so that they go on."""
    drawn: list[StageRound] = []
    best: list[str] = []
    for _ in range(rounds):
        drawn.append(events.drawn(stage))
        events.play(drawn[-1], best=best)
        facts = events.facts(stage)
        best = list(facts.ids(facts.tables[0]))
    stage_finish(stage=stage, actor=ACTOR)
    return [Draw.objects.get(stage_round=stage_round) for stage_round in drawn]


@pytest.fixture
def evening(club: Club) -> Evening:
    season: Season = SeasonFactory.create(club=club, slug="autumn", scoring="placement")
    all_time_create(club=club, actor=ACTOR)
    counting_change(season=season, actor=ACTOR, per="event", best=3)
    night = events.event(season, status=Event.Status.RUNNING)
    events.crowd(night, 8)
    first, second = played(events.stage(night, sizes=[4], rounds=2), 2)
    cup, _ = played(events.stage(night, format=Format.SINGLE, sizes=[2], rounds=None, takes=4), 2)
    event_move(event=night, status=Event.Status.FINISHED, actor=ACTOR)
    games = Game.objects.select_related("season_game__season__club", "season_game__season__ranking")
    game = games.filter(table_game__table__stage_round=first.stage_round).earliest("pk")
    seat = Player.objects.get(handle=game.seats.get(number=0).handle)
    divisions_set(season=season, actor=ACTOR, divisions=[("A", 0, 0)], players={seat.public_id: 1})
    for ranking in Ranking.objects.all():
        ranking_count(ranking_id=ranking.pk)
    return Evening(
        game,
        seat,
        first,
        second,
        cup,
        MembershipFactory.create(club=club, role=Role.ORGANISER).user,
    )


def addresses(evening: Evening) -> Iterator[str]:
    """Every page and every answer that shows the result, or a rank, points or a draw that rests on
    it."""
    game, table = evening.game.public_id, evening.game.table_game.table.public_id
    seat, season, event, stage = (
        evening.seat.public_id,
        ["stern", "autumn"],
        ["stern", "night-1"],
        ["stern", "night-1", 1],
    )
    yield reverse("home")
    yield reverse("club", args=["stern"])
    yield reverse("season", args=season)
    yield reverse("season", args=["stern", "all-time"])
    yield reverse("season-print", args=season)
    yield reverse("season-games", args=season)
    yield reverse("season-events", args=season)
    yield reverse("standing", args=[*season, seat])
    yield reverse("rank-days", args=[*season, seat])
    yield reverse("player", args=[seat])
    yield reverse("event", args=event)
    yield reverse("stage-ranking", args=stage)
    yield reverse("stage-rounds", args=stage)
    yield reverse("stage-round", args=[*stage, 1])
    yield reverse("stage-round", args=[*stage, 2])
    yield reverse("stage-round", args=["stern", "night-1", 2, 1])
    yield reverse("stage-ranking", args=["stern", "night-1", 2])
    yield reverse("bracket", args=["stern", "night-1", 2])
    yield reverse("draw", args=[evening.second.public_id])
    yield reverse("draw", args=[evening.cup.public_id])
    yield reverse("table", args=[table])
    yield reverse("table-live", args=[table])
    yield reverse("game", args=[game])
    yield reverse("game-case", args=[game])
    yield reverse("desk-round", args=[*stage, 1])
    yield reverse("desk-event", args=event)
    api = "/api/v1/clubs/stern"
    yield f"{api}/games/"
    yield f"{api}/seasons/autumn/standings/"
    yield f"{api}/seasons/autumn/events/"
    yield f"{api}/seasons/autumn/players/{seat}/standing/"
    yield f"{api}/seasons/autumn/players/{seat}/points/"
    yield f"{api}/seasons/autumn/players/{seat}/ranks/"
    yield f"{api}/seasons/autumn/players/{seat}/ratings/"
    yield f"{api}/seasons/autumn/players/{seat}/rivals/"
    yield f"{api}/all-time/standings/"
    yield f"{api}/events/night-1/entries/"
    yield f"{api}/events/night-1/stages/1/ranking/"
    yield f"{api}/events/night-1/stages/2/ranking/"
    yield f"{api}/events/night-1/stages/2/bracket/"
    yield f"{api}/events/night-1/stages/1/rounds/1/tables/"
    yield f"/api/v1/players/{seat}/"
    yield f"/api/v1/tables/{table}/"
    yield f"/api/v1/games/{game}/"
    yield f"/api/v1/draws/{evening.second.public_id}/"
    yield f"/api/v1/draws/{evening.cup.public_id}/"


def is_marked(answer: Any) -> bool:
    """Whether a page has the mark, or an answer of the API says it of anything."""
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    text = content.decode()
    if answer["Content-Type"].startswith("application/json"):
        return bool(re.search(r'provisional":\s*(?:true|\[")', text))
    return bool(re.search(r"\bprovisional\b", text, re.IGNORECASE))


def objection_of(evening: Evening) -> Objection:
    raised: Objection = objection_raise(
        game=evening.game,
        seat=0,
        word="The last die was a star.",
        actor=Actor(UserFactory.create().pk),
    )
    return raised


def test_the_mark_stands_on_every_page_and_in_every_answer_as_long_as_a_seat_objects(
    evening: Evening,
) -> None:
    client = Client()
    client.force_login(evening.reader)
    before = {address: client.get(address) for address in addresses(evening)}
    assert {answer.status_code for answer in before.values()} == {200}
    assert [address for address, answer in before.items() if is_marked(answer)] == []
    objection = objection_of(evening)
    unmarked = []
    for address, seen in before.items():
        headers = {"If-None-Match": seen["ETag"]} if seen.has_header("ETag") else {}
        answer = client.get(address, headers=headers)
        if answer.status_code != 200 or not is_marked(answer):
            unmarked.append((address, answer.status_code))
    assert unmarked == []
    let_stand(objection, actor=Actor(evening.reader.pk, "The photo shows it."))
    assert [address for address in before if is_marked(client.get(address))] == []


def test_a_draw_names_the_disputed_games_on_which_it_rests_and_no_others(evening: Evening) -> None:
    client = Client()
    objection_of(evening)
    link = reverse("game", args=[evening.game.public_id])
    named = [
        link in client.get(reverse("draw", args=[draw.public_id])).content.decode()
        for draw in evening[2:5]
    ]
    assert named == [False, True, True]


def test_a_table_of_a_bracket_is_marked_with_all_that_come_from_it(club: Club) -> None:
    season = SeasonFactory.create(club=club, scoring="placement")
    night = events.event(season, status=Event.Status.RUNNING)
    events.crowd(night, 8)
    cup = events.stage(night, format=Format.SINGLE, sizes=[2], rounds=None)
    events.play(events.drawn(cup))
    events.drawn(cup)
    games = Game.objects.select_related("season_game__season__club", "season_game__season__ranking")
    game = games.earliest("pk")
    objection_raise(game=game, seat=0, word="No.", actor=Actor(UserFactory.create().pk))
    client = Client()
    tables = client.get(f"/api/v1/clubs/stern/events/night-1/stages/{cup.number}/bracket/").json()[
        "tables"
    ]
    assert [
        sum(table["provisional"] for table in tables if table["round"] == number)
        for number in (1, 2, 3)
    ] == [1] * 3
    hall = client.get(reverse("hall", args=["stern", "night-1"])).content.decode()
    assert hall.count("provisional") == 3, "the round that is drawn, and the two in the ranking"
    page = client.get(reverse("bracket", args=["stern", "night-1", cup.number])).content.decode()
    assert page.count("provisional") == 6, "three tables, in the picture and in the list"
