"""Stepping through a game: whoever asks for the stage gets it alone, and an unchanged game isn't
sent twice."""

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from games.models.game import Kind
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.disputes.correction.services import game_correct
from league.models import Player, Scoring
from league.records.replay.web import pack
from league.standings.ranked_game.queries.game import neighbours_of
from tests.factories.counted import add_games, counted_season
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, kniffel_record, line

pytestmark = pytest.mark.django_db

KNIFFEL: dict[str, Any] = {"kind": Kind.LUEGEN_KNIFFEL, "scoring": Scoring.TOTALS}
TWO_ROUNDS = {
    "v": 1,
    "id": "two-rounds",
    "game": "bluff",
    "rules": {"reroll": True},
    "seats": ["anna", "ben"],
    "opener": 0,
    "rounds": [
        {"dealt": ["12345", "111**"], "moves": ["3x1/1>2*55", "4x1/1**>13", "!"]},
        {"losses": [0, 1]},
    ],
}
STEPS = [
    ("?round=1&move=1", "Round 1, move 1: anna bids 3 ones"),
    ("?round=1&move=3", "Round 1, move 3: anna calls “Cups up!”"),
    ("?round=1", "Round 1: bid 4 ones, counted 6"),
    ("?round=2", "Round 2"),
]


def played(record: dict[str, Any], **fields: Any) -> Game:
    counted_season([record], **fields)
    return Game.objects.get(external_id=record["id"])


def page(client: Client, game: Game, query: str = "", **headers: str) -> Any:
    return client.get(reverse("game", args=[game.public_id]) + query, headers=headers)


def stage(client: Client, game: Game, query: str = "", **headers: str) -> Any:
    return page(client, game, query, hx_target="stage", **headers)


@pytest.mark.parametrize(
    ("record", "fields"),
    [(bluff_record(3), {}), (kniffel_record(1), KNIFFEL)],
    ids=["bluff", "kniffel"],
)
def test_a_step_brings_the_stage_alone_as_the_page_has_it(
    client: Client, record: dict[str, Any], fields: dict[str, Any]
) -> None:
    game = played(record, **fields)
    whole, alone = page(client, game).content.decode(), stage(client, game).content.decode().strip()
    assert alone.startswith("<section")
    assert alone.endswith("</section>")
    assert re.sub(r"\s+", " ", alone) in re.sub(r"\s+", " ", whole)
    assert "<html" not in alone
    assert len(alone) < len(whole) / 2


def test_a_pasted_game_is_stepped_through_in_the_same_way(client: Client) -> None:
    address = reverse("replayed", args=[pack(line(bluff_record(3)).decode())])
    alone = client.get(address + "?round=2&move=1", headers={"HX-Target": "section#stage"})
    assert alone.content.decode().strip().startswith("<section")
    assert "HX-Target" in alone["Vary"]
    assert "<html" in client.get(address).content.decode()


@pytest.mark.parametrize(("query", "said"), STEPS)
def test_the_stage_says_the_step(client: Client, query: str, said: str) -> None:
    found = re.search(
        r'data-say="([^"]*)"', stage(client, played(TWO_ROUNDS), query).content.decode()
    )
    assert found
    assert unescape(found[1]) == said


def test_the_stage_of_luegen_kniffel_says_the_turn(client: Client) -> None:
    head = {
        "v": 1,
        "id": "k-1",
        "game": "luegen-kniffel",
        "rules": {},
        "seats": ["anna", "ben"],
        "opener": 0,
    }
    turns = [{"say": "fours=12"}, {"dice": "11123", "say": "fours=16", "doubts": [0]}]
    game = played(head | {"turns": turns}, **KNIFFEL)
    assert (
        'data-say="Turn 1: anna says three fours = 12, believed"'
        in stage(client, game, "?turn=1").content.decode()
    )
    caught = 'data-say="Turn 2: ben says four fours = 16, doubted, and a lie"'
    assert caught in stage(client, game, "?turn=2").content.decode()


def test_what_stands_around_the_stage_is_marked_by_its_place(client: Client) -> None:
    html = " ".join(page(client, played(TWO_ROUNDS), "?round=1&move=2").content.decode().split())
    assert 'data-here="1.2"' in html
    assert '<th scope="col" data-at="1" class="now">' in html
    assert re.findall(r'data-at="(1\.\d)" class="now"', html) == ["1.2"]
    whole_round = page(client, played(TWO_ROUNDS | {"id": "again"}), "?round=1").content.decode()
    assert re.findall(r'data-at="(1\.\d)" class="now"', whole_round) == ["1.1", "1.2", "1.3"]


def test_an_unchanged_game_is_not_sent_again_neither_whole_nor_its_stage(client: Client) -> None:
    game = played(bluff_record(3))
    whole, alone = page(client, game), stage(client, game)
    assert whole["ETag"] != alone["ETag"]
    assert "HX-Target" in whole["Vary"]
    assert "HX-Target" in alone["Vary"]
    assert page(client, game, if_none_match=whole["ETag"]).status_code == 304
    assert stage(client, game, if_none_match=alone["ETag"]).status_code == 304
    assert page(client, game, if_none_match=alone["ETag"]).status_code == 200
    assert page(client, game, "?round=1", if_none_match=whole["ETag"]).status_code == 200
    assert page(client, game, if_none_match=whole["ETag"], accept_language="de").status_code == 200


def test_a_game_is_sent_again_once_its_page_would_read_otherwise(client: Client) -> None:
    record = bluff_record(3)
    game = played(record)
    season = game.season_game.season

    tags = [page(client, game)["ETag"]]

    def changed() -> bool:
        tags.append(page(client, game)["ETag"])
        return str(tags[-1]) != str(tags[-2])

    assert not changed()
    player_rename(
        player=Player.objects.filter(club=season.club)[0], name="Another name", actor=Actor()
    )
    assert changed(), "a player was renamed"
    add_games(season, [bluff_record(4)])
    assert changed(), "a game was counted: there is a next one"
    game_correct(game=game, line=line(bluff_record(5, id=record["id"])), reason="two hands swapped")
    assert changed(), "the game was corrected"


def test_a_game_leads_to_the_games_before_and_after_it_in_the_season(client: Client) -> None:
    records = [
        bluff_record(seed, played_at=f"2026-09-0{4 - seed}T20:00:00+02:00") for seed in (1, 2, 3)
    ]
    counted_season(records)
    third, second, first = [Game.objects.get(external_id=record["id"]) for record in records]
    ranking = second.season_game.season.ranking
    assert neighbours_of(second, ranking) == (first.public_id, third.public_id)
    assert neighbours_of(first, ranking) == (None, second.public_id)
    assert neighbours_of(third, ranking) == (second.public_id, None)
    html = page(client, second).content.decode()
    assert re.search(rf'href="{reverse("game", args=[first.public_id])}" rel="prev"', html)
    assert re.search(rf'href="{reverse("game", args=[third.public_id])}" rel="next"', html)


def test_a_game_that_does_not_count_has_no_games_around_it() -> None:
    season = counted_season([bluff_record(1)])
    elsewhere = SeasonFactory.create(club=season.club)
    add_games(elsewhere, [bluff_record(2)])
    assert neighbours_of(Game.objects.get(external_id=bluff_record(2)["id"]), season.ranking) == (
        None,
        None,
    )


def drawn(client: Client, address: str) -> list[str | None]:
    return [template.name for template in client.get(address).templates]


def test_the_list_of_all_rounds_is_drawn_once_whichever_of_them_is_on_the_stage(
    client: Client,
) -> None:
    address = reverse("game", args=[played(TWO_ROUNDS).public_id])
    assert "games/game/round.html" in drawn(client, address)
    assert "games/game/round.html" not in drawn(client, f"{address}?round=1")
    # Its links keep the light, so in another one it is another list.
    assert "games/game/round.html" in drawn(client, f"{address}?round=1&light=belief")


def test_two_pasted_games_of_as_many_rounds_keep_their_own(client: Client) -> None:
    other = TWO_ROUNDS | {"seats": ["cleo", "dario"]}
    for record, name in ((TWO_ROUNDS, "anna"), (other, "cleo")):
        html = client.get(reverse("replayed", args=[pack(json.dumps(record))])).content.decode()
        assert name in html.split('id="round-1"')[1]
