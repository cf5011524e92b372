"""Penalties and set orders on public pages and in the API: from the row to the game, and to the
ruling there."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from league.core.log.services import Actor
from league.models import Appearance, Season, TableScore
from league.stages.adjustment.domain import seats_put_last
from league.stages.adjustment.services.order import order_set
from league.stages.adjustment.services.penalty import penalty_add
from league.standings.ranking.services.counting import ranking_count
from league.standings.standing.queries.standing import row_of
from tests.factories import events
from tests.factories.counted import count, counted_season
from tests.factories.records import bluff_record
from tests.league.stages.result.test_result import published, table_of

pytestmark = pytest.mark.django_db
ARBITER = Actor(reason="As the arbiter ruled.")


def shown(client: Client, *address: str) -> str:
    return " ".join(client.get(reverse(address[0], args=address[1:])).content.decode().split())


def test_a_penalty_leads_from_the_table_to_the_game_where_it_is_a_line_of_its_own(
    client: Client,
) -> None:
    season = counted_season(3)
    game = Game.objects.earliest("pk")
    assert "penalty" not in shown(client, "season", season.club.slug, season.slug)
    penalty_add(game=game, seat=0, points=30, actor=ARBITER)
    count(season)
    player = Appearance.objects.get(ranking=season.ranking, game=game, seat=0).player
    row = row_of(season.ranking, player.public_id)
    assert "−30 penalty" in shown(client, "season", season.club.slug, season.slug)
    page = shown(client, "standing", season.club.slug, season.slug, player.public_id)
    assert "Penalty in this game" in page
    assert f'href="{reverse("game", args=[game.public_id])}#adjustments"' in page
    assert f'<td class="n strong">{row.points}</td>'.replace("-", "−") in page, (
        "the sum is the number of the table"
    )
    game_page = shown(client, "game", game.public_id)
    assert 'id="adjustments"' in game_page
    assert f"{player.name}: −30 penalty points" in game_page


def test_the_page_of_a_game_shows_what_was_played_and_that_the_order_is_another(
    client: Client,
) -> None:
    counted_season([bluff_record(1)])
    game = Game.objects.get()
    assert "adjustments" not in shown(client, "game", game.public_id)
    ranks = [
        rank or 0 for rank in Appearance.objects.order_by("seat").values_list("rank", flat=True)
    ]
    order_set(game=game, ranks=seats_put_last(ranks, [ranks.index(1)]), actor=ARBITER)
    page = shown(client, "game", game.public_id)
    assert "The order that counts:" in page


def test_the_api_tells_of_both(client: Client) -> None:
    season = counted_season([bluff_record(1)])
    game = Game.objects.get()
    address = f"/api/v1/games/{game.public_id}/"
    before = client.get(address).json()
    assert (before["penalties"], before["order"]) == ([], None)
    played = [seat["rank"] for seat in before["seats"]]
    penalty = penalty_add(game=game, seat=0, points=2, actor=ARBITER)
    order_set(game=game, ranks=[1, 1, 1], actor=ARBITER)
    count(season)
    answer = client.get(address).json()
    (fine,) = answer["penalties"]
    assert (fine["id"], fine["seat"], fine["points"]) == (penalty.public_id, 0, 2)
    assert (answer["order"]["ranks"], answer["order"]["played"]) == ([1, 1, 1], played)
    assert [seat["rank"] for seat in answer["seats"]] == [1, 1, 1]
    assert [seat["penalty"] for seat in answer["seats"]] == [2, 0, 0]
    assert answer["head"] == before["head"]
    assert len(answer["receipts"]) == len(before["receipts"]) + 2
    table = client.get(f"/api/v1/clubs/{season.club.slug}/seasons/{season.slug}/standings/").json()[
        "results"
    ]
    assert sorted(row["penalty"] for row in table) == [0, 0, 2]


def test_the_pages_of_a_table_and_a_stage_tell_of_both(client: Client, season: Season) -> None:
    stage = published(season, scoring="placement")
    events.play(stage.stage_rounds.get())
    table = table_of(stage)
    score = TableScore.objects.get(table=table)
    assert score.ranks is not None
    penalty_add(game=score.game, seat=1, points=4, actor=ARBITER)
    order_set(
        game=score.game, ranks=seats_put_last(score.ranks, [score.ranks.index(1)]), actor=ARBITER
    )
    ranking_count(ranking_id=season.ranking_id)
    page = shown(client, "table", table.public_id)
    assert "order set by an arbiter" in page
    assert "−4 penalty" in page
    ranking = shown(client, "stage", season.club.slug, stage.event.slug, str(stage.number))
    assert "−4 penalty" in ranking
    assert "round 1: a penalty, -4 points" in ranking
    answer = client.get(f"/api/v1/tables/{table.public_id}/").json()["games"][0]
    assert answer["order_set"]
    assert [finish["penalty"] for finish in answer["finishes"] if finish["penalty"]] == [4]
