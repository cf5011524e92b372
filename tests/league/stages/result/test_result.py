"""Results are sealed once, whoever enters them and how often; points and places follow from them
alone."""

import json
import threading
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from engine.illegal import Refused
from games.models import Game
from league.core.claim.models import Claim
from league.core.claim.services import claim_codes_make, claim_end
from league.models import (
    Entry,
    Event,
    Player,
    Role,
    Season,
    Stage,
    StageScoring,
    Table,
    TableScore,
    User,
)
from league.stages.result.domain.result import group_ranking
from league.stages.result.services.result import table_outcome_enter
from league.stages.round.services import round_take_back
from league.standings.player.services import player_link, player_merge
from league.standings.ranking.services.counting import ranking_count
from tests.factories import events
from tests.factories.league import MembershipFactory, PlayerFactory, UserFactory
from tests.factories.records import bluff_record
from tests.league.core.frame.api.programs import member_key
from tests.league.floor.api.conftest import asker

pytestmark = pytest.mark.django_db


def published(season: Season, count: int = 8, slug: str = "night-1", **settings: Any) -> Stage:
    night = events.event(season, slug, status=Event.Status.RUNNING)
    events.crowd(night, count, slug[0])
    stage = events.stage(night, **settings)
    events.drawn(stage)
    return stage


def table_of(stage: Stage, number: int = 1) -> Table:
    found = Table.objects.select_related("stage_round__stage__event__season__ranking")
    return found.filter(stage_round__stage=stage, number=number).latest("pk")


def ids_at(table: Table) -> list[str]:
    return list(
        Entry.objects.filter(seats__table=table)
        .order_by("seats__seat")
        .values_list("public_id", flat=True)
    )


def in_seat_order(table: Table) -> dict[str, int]:
    return {id: place for place, id in enumerate(ids_at(table), start=1)}


def sent(table: Table, places: dict[str, int], **more: Any) -> dict[str, Any]:
    return {"number": 1, **{f"place_{id}": str(place) for id, place in places.items()}, **more}


def test_the_same_result_twice_is_one_game(season: Season) -> None:
    table = table_of(published(season))
    games = {
        table_outcome_enter(table=table, ranks=in_seat_order(table), actor=events.ACTOR, number=1)
        for _ in range(2)
    }
    assert len(games) == 1
    assert Game.objects.count() == 1


def test_another_result_for_the_same_game_is_refused(season: Season) -> None:
    table = table_of(published(season))
    ranks = in_seat_order(table)
    table_outcome_enter(table=table, ranks=ranks, actor=events.ACTOR, number=1)
    turned = {id: 5 - rank for id, rank in ranks.items()}
    with pytest.raises(Refused):
        table_outcome_enter(table=table, ranks=turned, actor=events.ACTOR, number=1)
    with pytest.raises(Refused) as refused:
        table_outcome_enter(table=table, ranks=turned, actor=events.ACTOR, number=2)
    assert refused.value.illegal.code == "table_finished"
    assert Game.objects.count() == 1


def test_no_result_for_a_round_that_was_taken_back(season: Season) -> None:
    stage = published(season)
    table = table_of(stage)
    round_take_back(stage_round=table.stage_round, actor=events.ACTOR)
    with pytest.raises(Refused) as refused:
        table_outcome_enter(table=table, ranks=in_seat_order(table), actor=events.ACTOR)
    assert refused.value.illegal.code == "round_closed"
    assert Game.objects.count() == 0


def test_only_those_at_the_table_can_be_in_its_result(season: Season) -> None:
    stage = published(season)
    here, there = table_of(stage), table_of(stage, 2)
    with pytest.raises(Refused) as refused:
        table_outcome_enter(table=here, ranks=in_seat_order(there), actor=events.ACTOR)
    assert refused.value.illegal.code == "wrong_table"


def test_who_was_merged_into_somebody_still_sits_there(season: Season) -> None:
    stage = published(season)
    table = table_of(stage)
    ranks = in_seat_order(table)
    seated = Entry.objects.select_related("player").get(public_id=next(iter(ranks)))
    (kept,) = events.players(season.club, 1, "kept")
    player_merge(kept_player=kept, merged=seated.player, actor=events.ACTOR)
    table_outcome_enter(table=table, ranks=ranks, actor=events.ACTOR)
    assert TableScore.objects.get().entries == list(
        Entry.objects.filter(seats__table=table)
        .order_by("seats__seat")
        .values_list("pk", flat=True)
    )


@pytest.mark.django_db(transaction=True)
def test_two_scorers_at_once_enter_one_game(season: Season) -> None:
    table = table_of(published(season))
    ranks = in_seat_order(table)
    begin = threading.Barrier(2)

    def enter() -> None:
        begin.wait()
        table_outcome_enter(table=table, ranks=ranks, actor=events.ACTOR, number=1)
        connection.close()

    threads = [threading.Thread(target=enter) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Game.objects.count() == 1
    assert Table.objects.get(pk=table.pk).finished


def test_the_order_in_which_results_come_in_changes_nothing(season: Season) -> None:
    stage = published(season, 12, seed="5e")
    tables = [table_of(stage, number) for number in (1, 2, 3)]
    points = []
    for numbers in ((0, 1, 2), (2, 0, 1)):
        for number in numbers:
            table = tables[number]
            table_outcome_enter(table=table, ranks=in_seat_order(table), actor=events.ACTOR)
        facts = events.facts(stage)
        rows = group_ranking(facts, facts.groups[0].pk)
        points.append([(row.rank, row.participant.player_id, row.score) for row in rows])
        round_take_back(stage_round=tables[0].stage_round, actor=events.ACTOR, with_results=True)
        events.drawn(stage)
        tables = [table_of(stage, number) for number in (1, 2, 3)]
    assert points[0] == points[1]


def test_a_result_costs_the_same_for_16_and_400_on_its_page_and_by_the_api(
    desk: Client, season: Season
) -> None:
    by_api = asker(member_key(season.club, Role.ORGANISER)[0])
    assert (
        by_api("/clubs/stern/events/").status_code == 200
    )  # the key's first use of the day is noted
    asked = []
    for slug, count in (("small", 16), ("large", 400)):
        stage = published(season, count, slug)
        first, second = table_of(stage), table_of(stage, 2)
        form = sent(first, in_seat_order(first), sure="yes")
        finishes = [{"entry": id, "rank": rank} for id, rank in in_seat_order(second).items()]
        ranking_count(ranking_id=season.ranking_id)
        with CaptureQueriesContext(connection) as queries:
            assert (
                desk.post(reverse("table-result", args=[first.public_id]), form).status_code == 302
            )
        asked.append(len(queries))
        with CaptureQueriesContext(connection) as queries:
            assert (
                by_api(f"/tables/{second.public_id}/outcome/", {"finishes": finishes}).status_code
                == 200
            )
        asked.append(len(queries))
        with CaptureQueriesContext(connection) as queries:
            ranking_count(ranking_id=season.ranking_id)
        asked.append(len(queries))
    assert Game.objects.count() == 4
    assert asked == [23, 22, 12] * 2  # with the savepoints of a test


def test_a_result_is_looked_at_before_it_is_sealed(desk: Client, season: Season) -> None:
    table = table_of(published(season))
    address = reverse("table-result", args=[table.public_id])
    ids = ids_at(table)
    places = {ids[0]: 2, ids[1]: 1, ids[2]: 2}
    html = desk.post(address, sent(table, places)).content.decode()
    assert "This will be sealed" in html
    assert "Didn’t play:" in html
    assert Game.objects.count() == 0
    answer = desk.post(address, sent(table, places, sure="yes"))
    assert answer.headers["Location"] == "/clubs/stern/desk/events/night-1/"
    assert TableScore.objects.get().ranks == [2, 1, 2]
    desk.post(address, sent(table, places, sure="yes"))
    assert Game.objects.count() == 1


def test_who_enters_another_result_than_somebody_before_is_led_to_what_stands(
    desk: Client, season: Season
) -> None:
    table = table_of(published(season))
    address = reverse("table-result", args=[table.public_id])
    places = in_seat_order(table)
    desk.post(address, sent(table, places, sure="yes"))
    answer = desk.post(
        address, sent(table, {id: 5 - place for id, place in places.items()}, sure="next")
    )
    assert answer.headers["Location"] == reverse("table", args=[table.public_id])
    assert (
        "Somebody else has already entered a different result"
        in desk.get(answer.headers["Location"]).content.decode()
    )
    assert TableScore.objects.get().ranks == [1, 2, 3, 4]


def test_one_player_alone_is_no_result(desk: Client, season: Season) -> None:
    table = table_of(published(season))
    address = reverse("table-result", args=[table.public_id])
    html = desk.post(address, sent(table, {ids_at(table)[0]: 1}, sure="yes")).content.decode()
    assert "at least two players" in html
    assert Game.objects.count() == 0


def test_dice_scores_are_asked_for_where_they_count(desk: Client, season: Season) -> None:
    table = table_of(published(season, scoring=StageScoring.CNTDICE))
    address = reverse("table-result", args=[table.public_id])
    places = in_seat_order(table)
    assert "Points are dice: how many had left the game" in desk.get(address).content.decode()
    assert (
        "or let the stage count places instead"
        in desk.post(address, sent(table, places)).content.decode()
    )
    some = desk.post(
        address, sent(table, places, **{f"points_{next(iter(places))}": "20"})
    ).content.decode()
    assert "Points are sealed for everybody or for nobody" in some
    points = {f"points_{id}": str(value) for id, value in zip(places, (20, 17, 11, 5), strict=True)}
    wrong = {f"points_{id}": str(value) for id, value in zip(places, (20, 11, 17, 5), strict=True)}
    for step in ({}, {"sure": "yes"}):
        refused = desk.post(address, sent(table, places, **step, **wrong)).content.decode()
        assert "A seat that went out later never has fewer" in refused
        assert "This will be sealed" not in refused
    assert desk.post(address, sent(table, places, sure="yes", **points)).status_code == 302
    assert TableScore.objects.get().points == [20, 17, 11, 5]


def test_several_games_are_entered_one_after_the_other(desk: Client, season: Season) -> None:
    table = table_of(published(season, games=2))
    address = reverse("table-result", args=[table.public_id])
    answer = desk.post(address, sent(table, in_seat_order(table), sure="yes"))
    assert answer.headers["Location"] == address
    assert "game 2 of 2" in desk.get(address).content.decode()
    desk.post(address, sent(table, in_seat_order(table), sure="yes", number=2))
    assert Table.objects.get(pk=table.pk).finished
    assert desk.get(address).status_code == 302


def test_a_record_is_sealed_for_the_table(desk: Client, season: Season) -> None:
    table = table_of(published(season, sizes=[2], count=4))
    handles = list(
        Entry.objects.filter(seats__table=table)
        .order_by("seats__seat")
        .values_list("player__handle")
    )
    record = json.dumps(bluff_record(1, seats=[handle for (handle,) in handles]))
    address = reverse("table-result", args=[table.public_id])
    assert "This will be sealed" in desk.post(address, {"text": record}).content.decode()
    assert desk.post(address, {"text": record, "sure": "yes"}).status_code == 302
    assert TableScore.objects.count() == 1
    others = json.dumps(bluff_record(2, seats=["nobody", "here"]))
    assert "wrong_table" in desk.post(address, {"text": others, "sure": "yes"}).content.decode()


@pytest.mark.parametrize(
    ("role", "may"), [(Role.SCORER, True), (Role.PLAYER, False), (None, False)]
)
def test_who_may_enter_a_result(
    client: Client, season: Season, role: Role | None, may: bool
) -> None:
    table = table_of(published(season))
    user = UserFactory.create(username="somebody")
    if role:
        MembershipFactory.create(club=season.club, user=user, role=role)
    client.force_login(user)
    assert client.get(reverse("table-result", args=[table.public_id])).status_code == (
        200 if may else 404
    )


def test_who_sits_there_may_enter_the_result_of_that_table_alone(
    client: Client, season: Season
) -> None:
    stage = published(season)
    table = table_of(stage)
    user: User = UserFactory.create(username="ana")
    seated = Entry.objects.select_related("player").get(public_id=ids_at(table)[0])
    player_link(player=seated.player, account=user, actor=events.ACTOR)
    client.force_login(user)
    assert client.get(reverse("table-result", args=[table.public_id])).status_code == 200
    assert (
        client.get(reverse("table-result", args=[table_of(stage, 2).public_id])).status_code == 404
    )
    answer = client.post(
        reverse("table-result", args=[table.public_id]),
        sent(table, in_seat_order(table), sure="yes"),
    )
    assert answer.headers["Location"] == reverse("table", args=[table.public_id])


def test_a_phone_without_an_account_enters_the_result_of_the_own_table_until_the_claim_is_undone(
    client: Client, season: Season
) -> None:
    stage = published(season)
    table = table_of(stage)
    seated = Entry.objects.select_related("player").get(public_id=ids_at(table)[0])
    (code,) = claim_codes_make(club=season.club, players=[seated.player], actor=events.ACTOR)
    client.post(reverse("claim-player", args=[code.code]))
    result = reverse("table-result", args=[table.public_id])
    assert client.get(result).status_code == 200
    assert (
        client.get(reverse("table-result", args=[table_of(stage, 2).public_id])).status_code == 404
    )
    client.post(result, sent(table, in_seat_order(table), sure="yes"))
    assert table.results.count() == 1
    claim_end(claim=Claim.objects.get(), actor=events.ACTOR)
    assert client.get(reverse("my-tables")).status_code == 302, "the phone is signed out"


def test_who_was_merged_into_my_player_is_me(client: Client, season: Season) -> None:
    table = table_of(published(season))
    seated = Entry.objects.select_related("player").get(public_id=ids_at(table)[0])
    kept: Player = PlayerFactory.create(club=season.club, user=UserFactory.create(username="ana"))
    player_merge(kept_player=kept, merged=seated.player, actor=events.ACTOR)
    assert kept.user
    client.force_login(kept.user)
    assert client.get(reverse("table-result", args=[table.public_id])).status_code == 200
    assert seated.event.name in client.get(reverse("my-calendar")).content.decode()


def test_the_last_result_sent_again_without_a_number_is_one_game(season: Season) -> None:
    table = table_of(published(season))
    ranks = in_seat_order(table)
    by_api = asker(member_key(season.club)[0])
    body = {"finishes": [{"entry": id, "rank": rank} for id, rank in ranks.items()]}
    address = f"/tables/{table.public_id}/outcome/"
    first, again = by_api(address, body), by_api(address, body)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["games"] == again.json()["games"]
    assert Game.objects.count() == 1
    turned = {"finishes": [{"entry": id, "rank": 5 - rank} for id, rank in ranks.items()]}
    other = by_api(address, turned)
    assert (other.status_code, other.json()["code"]) == (422, "table_finished")


def test_at_a_table_of_more_games_the_same_result_without_a_number_is_the_next_game(
    season: Season,
) -> None:
    table = table_of(published(season, games=2))
    ranks = in_seat_order(table)
    for count in (1, 2, 2):
        table_outcome_enter(table=table, ranks=ranks, actor=events.ACTOR)
        assert Game.objects.count() == count
