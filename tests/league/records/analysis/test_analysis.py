"""The analysis on the page of a game: positions as each seat saw them, chances, costs, luck, what
nobody can know."""

import re
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCacheClient
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries
from redis.exceptions import RedisError

from engine.analysis.belief import FITTED
from engine.analysis.game import analyse
from games.domain import analysis as kept
from games.domain.analysis import analysis_of
from games.models import Game
from games.queries.game import game_record
from league.core.frame.rendering import RENDERINGS
from league.templatetags.figures import figure, percent, signed
from tests.factories.counted import counted_season
from tests.factories.records import bluff_record

pytestmark = pytest.mark.django_db

HEAD = {
    "v": 1,
    "id": "g",
    "game": "bluff",
    "rules": {"reroll": True},
    "seats": ["anna", "ben", "cleo"],
    "opener": 0,
}
DEALT = {"dealt": ["12345", "111**", "44555"], "moves": ["3x1/1>2*55", "4x1", "5x*", "!"]}
DICE = {"revealed": ["12345", "22*55", "33344"], "moves": ["2x5", "3x5/5*", "!"]}
BIDS = {"moves": ["2x2", "3x2", "!"], "count": 4}
CHALLENGE = {"moves": ["4x3", "!"], "bidder": 2, "challenger": 0, "count": 4}
LOSSES = {"losses": [1, 0, 0]}


@pytest.fixture(autouse=True)
def _nothing_kept_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tests share one cache, so each has keys of its own."""
    monkeypatch.setattr(kept, "CODE", uuid4().hex)


def game_of(*rounds: dict[str, Any]) -> Game:
    """The only game of a season, with these rounds."""
    counted_season([HEAD | {"rounds": list(rounds)}])
    return Game.objects.get()


def random_game(seed: int = 3, **options: Any) -> Game:
    counted_season([bluff_record(seed, **options)])
    return Game.objects.get()


def shown(client: Client, game: Game, query: str = "") -> str:
    response = client.get(reverse("game", args=[game.public_id]) + query)
    assert response.status_code == 200
    return response.content.decode()


def stage(html: str) -> str:
    return html[html.index('id="stage"') : html.index('id="analysis"')]


def section(html: str) -> str:
    return html[html.index('id="analysis"') : html.index('id="all"')]


def said(html: str) -> str:
    """Words, pictures by what they say to a screen reader."""
    text = re.sub(r'<(?:span|svg)[^>]*aria-label="([^"]*)"[^>]*>', r" \1 ", html)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def cups(html: str) -> dict[str, str]:
    """What lies before each seat on the felt."""
    felt = stage(html).split('<ul class="cups">')[1].split("</ul>")[0]
    names = re.findall(r"<b>(\w+)</b>", felt)
    return dict(
        zip(names, [said(part.split("</li>")[0]) for part in felt.split("</b>")[1:]], strict=True)
    )


def test_a_position_shows_the_seat_to_act_its_own_dice_alone(client: Client) -> None:
    seen = cups(shown(client, game_of(DEALT), "?round=1&move=2"))
    assert "one, one, one, star, star" in seen["ben"]
    assert "to act" in seen["ben"]
    assert "one hidden die, hidden die, hidden die, hidden die" in seen["anna"], (
        "the die laid out lies open"
    )
    assert "bid" in seen["anna"]
    assert "hidden die, hidden die, hidden die, hidden die, hidden die" in seen["cleo"]


@pytest.mark.parametrize(
    ("view", "open_cups"),
    [
        ("table", set()),
        ("seat-1", {"anna"}),
        ("seat-3", {"cleo"}),
        ("all", {"anna", "ben", "cleo"}),
        ("", {"ben"}),
        ("seat-4", {"ben"}),
        ("<b>", {"ben"}),
    ],
)
def test_the_switch_says_whose_cups_are_open(
    client: Client, view: str, open_cups: set[str]
) -> None:
    seen = cups(shown(client, game_of(DEALT), f"?round=1&move=2&view={view}"))
    assert {name for name, dice in seen.items() if "hidden die" not in dice} == open_cups


def test_dice_rerolled_later_are_those_of_the_moment(client: Client) -> None:
    game = game_of(DEALT)
    before = cups(shown(client, game, "?round=1&move=1&view=all"))["anna"]
    after = cups(shown(client, game, "?round=1&move=2&view=all"))["anna"]
    assert "one, two, three, four, five" in before
    assert "one, two, five, five, star" in after


def test_only_the_bids_made_so_far_stand_on_the_track(client: Client) -> None:
    html = stage(shown(client, game_of(DEALT), "?round=1&move=3"))
    assert "Bids on the track: 3 ones → 4 ones<" in html
    assert "Round 1, move 3</h2>" in html


def test_what_a_seat_held_before_a_reroll_is_not_told_by_the_dice_it_ended_with(
    client: Client,
) -> None:
    html = shown(client, game_of(DICE), "?round=1&move=1&view=all")
    assert "not written down" in cups(html)["ben"]
    assert "some cups stay closed" in html
    assert "one, two, three, four, five" in cups(html)["anna"]


@pytest.mark.parametrize("record", [BIDS, CHALLENGE], ids=["bids", "challenge"])
def test_where_no_dice_are_told_no_viewer_sees_any(client: Client, record: dict[str, Any]) -> None:
    game = game_of(record)
    for view in ("all", "seat-1", "table", ""):
        html = shown(client, game, f"?round=1&move=2&view={view}")
        assert set(
            re.findall(
                r'<use href="[^#"]+#(d\w)"/>',
                stage(html).split('<ul class="cups">')[1].split("</ul>")[0],
            )
        ) == {"dh"}
    assert "This hand wasn’t written down" in html


def test_of_a_round_of_losses_there_is_nothing_to_judge(client: Client) -> None:
    html = shown(client, game_of(LOSSES))
    assert "No moves of this game were written down" in html
    assert "course" not in html
    assert "For round 2 only the losses were written down" in shown(
        client, game_of_next(DEALT, LOSSES | {"losses": [0, 1, 0]})
    )


def game_of_next(*rounds: dict[str, Any]) -> Game:
    """One more game."""
    counted_season([HEAD | {"id": "next", "rounds": list(rounds)}])
    return Game.objects.get(external_id="next")


def test_a_challenge_whose_bids_before_are_not_told_says_so(client: Client) -> None:
    html = stage(shown(client, game_of(CHALLENGE), "?round=1&move=1"))
    assert "The bids before this one weren’t written down" in html


def test_the_way_through_the_game_leads_from_move_to_move_and_round_to_round(
    client: Client,
) -> None:
    game = game_of(DEALT, {"losses": [0, 1, 0]}, {"opener": 0, "moves": ["1x1"]})
    address, seen = "?round=1&move=1", []
    while address:
        seen.append(address)
        html = stage(shown(client, game, address))
        found = re.search(r'href="([^"#]+)#stage" data-step="ArrowRight"', html)
        address = found[1].replace("&amp;", "&") if found else ""
    assert seen == [
        *(f"?round=1&move={move}" for move in range(1, 5)),
        "?round=1",
        "?round=2",
        "?round=3&move=1",
        "?round=3",
    ]
    assert 'data-step="ArrowLeft"' not in stage(shown(client, game, "?round=1&move=1"))


def test_links_keep_viewer_and_light(client: Client) -> None:
    html = shown(client, game_of(DEALT), "?round=1&move=2&view=all&light=belief")
    assert 'href="?round=1&amp;move=3&amp;view=all&amp;light=belief#stage"' in html
    assert 'href="?round=1&amp;view=all&amp;light=belief#stage"' in html


@pytest.mark.parametrize("move", ["0", "5", "-1", "x", "²", "1e1", "99999999999999999999"])
def test_a_move_that_there_is_not_shows_the_round(client: Client, move: str) -> None:
    assert "Round 1</h2>" in shown(client, game_of(DEALT), f"?round=1&move={move}")


def test_a_decision_is_told_with_chances_worth_and_cost(client: Client) -> None:
    game = random_game()
    decision = analyse(game_record(game)).costliest()[0]
    place = f"?round={decision.round_number + 1}&move={decision.decision.move + 1}"
    text = said(stage(shown(client, game, place)))
    made, best = decision.decision.made, decision.decision.best
    assert best
    assert said(f"chosen {percent(made.chance)} {signed(made.worth, 2)}") in text
    assert said(f"best {percent(best.chance)} {signed(best.worth, 2)}") in text
    assert f"Cost {figure(decision.decision.cost, 2)} dice" in text
    assert f"Actual count {decision.decision.count}" in text


def test_the_graph_has_a_point_for_each_decision_and_each_leads_to_its_position(
    client: Client,
) -> None:
    game = random_game()
    analysis = analyse(game_record(game))
    graph = section(shown(client, game)).split("<svg")[1].split("</svg>")[0]
    links = re.findall(r'href="\?round=(\d+)&amp;move=(\d+)#stage"', graph)
    assert links == [
        (str(number), str(decision.move + 1))
        for number, played in enumerate(analysis.rounds, start=1)
        for decision in played.decisions
    ]
    decided = [decision for played in analysis.rounds for decision in played.decisions]
    assert graph.count('class="up"') == sum(decision.challenged for decision in decided)
    assert graph.count('class="cost"') == sum(bool(decision.cost) for decision in decided)
    assert graph.count('class="turn"') == len(analysis.rounds)


def test_the_costliest_decisions_come_first_and_no_more_than_five(client: Client) -> None:
    game = random_game()
    costs = [costly.decision.cost for costly in analyse(game_record(game)).costliest()]
    table = (
        section(shown(client, game)).split('class="ledger folds costly"')[1].split("</table>")[0]
    )
    assert re.findall(r'<td class="n strong">([^<]+)</td>', table) == [
        figure(cost, 2) for cost in costs[:5]
    ]


@pytest.mark.parametrize("light", ["", "?light=belief"])
def test_luck_is_told_per_seat_with_what_fair_dice_stay_within_in_any_light(
    client: Client, light: str
) -> None:
    game = random_game()
    table = section(shown(client, game, light)).split('id="luck"')[1].split("</table>")[0]
    luck = analyse(game_record(game)).luck()
    assert luck is not None
    assert re.findall(r"<strong>([^<]+)</strong>", table) == [signed(seat.luck, 2) for seat in luck]
    assert re.findall(r"±&#8239;([^<]+)\)</span>", table) == [figure(seat.half, 2) for seat in luck]


def test_a_game_that_does_not_tell_every_roll_has_no_luck_but_the_reason(client: Client) -> None:
    luck = (
        section(shown(client, random_game(level="bids")))
        .split('id="luck"')[1]
        .split("</section>")[0]
    )
    assert "not every roll of this game was written down" in luck
    assert "<table" not in luck


def test_the_second_light_lets_bids_tell_of_dice(client: Client) -> None:
    game = random_game()
    assert analyse(game_record(game), FITTED).rounds != analyse(game_record(game)).rounds
    assert section(shown(client, game, "?light=belief")) != section(shown(client, game))
    assert section(shown(client, game, "?light=other")) == section(shown(client, game))


def test_names_are_escaped_in_the_graph_and_everywhere(client: Client) -> None:
    game = random_game(seats=("<b>ben</b>", 'a"b', "<script>x"))
    html = shown(client, game, "?round=1&move=1")
    for markup in ("<b>ben", "<script>x", 'a"b'):
        assert markup not in html


def test_nothing_is_styled_or_scripted_in_the_page(client: Client) -> None:
    html = shown(client, random_game(), "?round=1&move=1")
    assert not re.search(r'\sstyle="|<style|\son\w+="', html)


def test_the_analysis_is_made_once_and_kept_by_the_digest_of_the_game(client: Client) -> None:
    game = random_game()
    with patch.object(kept, "analyse", wraps=analyse) as made:
        first = section(shown(client, game))
        caches[RENDERINGS].clear()
        assert section(shown(client, game)) == first
        assert made.call_count == 1
        shown(client, game, "?light=belief")
        assert made.call_count == 2
        caches[RENDERINGS].clear()
        with patch.object(kept, "CODE", "other-code"):
            shown(client, game)
        assert made.call_count == 3


def test_of_a_game_that_nobody_sealed_nothing_is_kept() -> None:
    record = game_record(random_game())
    with patch.object(kept, "cache") as untouched:
        assert analysis_of(record, 0.0, None) == analyse(record)
    assert not untouched.mock_calls


def test_a_cache_that_is_down_costs_no_page(client: Client) -> None:
    game = random_game()
    with patch.object(RedisCacheClient, "get_client", side_effect=RedisError("down")):
        assert "Move by move" in shown(client, game)


@pytest.mark.parametrize("rounds", [1, None])
def test_a_position_costs_no_more_queries_than_the_page(
    client: Client, rounds: int | None, django_assert_num_queries: Queries
) -> None:
    game = random_game(6, rounds=rounds)
    with django_assert_num_queries(6):
        shown(client, game, "?round=1&move=1&view=all&light=belief")
