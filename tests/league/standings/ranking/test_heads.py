"""The list of heads: what stands for every game behind a table, to be kept by whoever wants to."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from engine.record.canonical import digests
from games.models import Game
from games.queries.game import game_record
from league.disputes.correction.services import game_correct
from league.models import Season, Visibility
from league.standings.ranking.services.counting import ranking_count
from tests.factories.counted import counted_season, season_of_games
from tests.factories.league import MembershipFactory, SeasonFactory
from tests.factories.records import bluff_record, line

pytestmark = pytest.mark.django_db


def address(season: Season) -> str:
    return reverse("season-heads", args=[season.club.slug, season.slug])


def head_of(game: Game) -> str:
    """The last digest, computed from the rounds."""
    return digests(game_record(game))[-1].hex()


def test_a_line_a_game_in_order_of_play(client: Client) -> None:
    season = counted_season(
        [bluff_record(7), bluff_record(2), bluff_record(5, id="a game # 5", rounds=1)]
    )
    response = client.get(address(season))
    games = {game.external_id: game for game in Game.objects.all()}
    order = ("game-2", "a game # 5", "game-7")
    assert response.getvalue().decode() == "".join(
        f"{head_of(games[record])} {record}\n" for record in order
    )
    assert response["Content-Type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize("count", [1, 3, 4])
def test_portions_join_to_the_same_lines(
    client: Client, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    season = counted_season(season_of_games(8))
    whole = client.get(address(season)).getvalue()
    assert whole.count(b"\n") == 8
    monkeypatch.setattr("league.standings.season.queries.listing.HEADS_TOGETHER", count)
    assert client.get(address(season)).getvalue() == whole


def test_of_a_corrected_game_the_correction_alone(client: Client) -> None:
    season = counted_season([bluff_record(4)])
    game = Game.objects.get()
    newer = game_correct(
        game=game, line=line(bluff_record(5, id="game-4")), reason="Two hands were swapped."
    )
    ranking_count(ranking_id=season.ranking_id)
    assert client.get(address(season)).getvalue().decode() == f"{head_of(newer)} game-4\n"


def test_the_season_leads_to_it_and_says_what_it_is_for(client: Client) -> None:
    season = counted_season(1)
    html = client.get(reverse("season", args=[season.club.slug, season.slug])).content.decode()
    how = html.split('id="how"')[1]
    assert f'href="{address(season)}"' in how
    assert "whether a game behind this table was changed" in how


@pytest.mark.parametrize("visibility", [Visibility.PUBLIC, Visibility.LINK])
def test_programmers_find_the_data_of_a_table_beside_it(
    client: Client, visibility: Visibility
) -> None:
    season = counted_season(1, visibility=visibility)
    page = reverse("season", args=[season.club.slug, season.slug])
    html = client.get(f"{page}?key={season.link_token}", follow=True).content.decode()
    data = html.split('id="data"')[1].split("</dd>")[0]
    table, records, api, manual = re.findall(r'href="([^"]+)"', data)
    assert b"".join(client.get(table)).startswith(b"rank,")
    assert json.loads(b"".join(Client().get(records)))["id"] == Game.objects.get().external_id
    assert Client().get(api).json()["slug"] == season.slug
    assert manual == "/docs/api"


def test_it_is_for_those_who_may_see_the_season(client: Client) -> None:
    season = counted_season(1, visibility=Visibility.MEMBERS)
    assert client.get(address(season)).status_code == 404
    client.force_login(MembershipFactory.create(club=season.club).user)
    assert client.get(address(season)).status_code == 200


def test_without_games_it_is_empty(client: Client) -> None:
    assert client.get(address(SeasonFactory.create())).getvalue() == b""
