"""The page of a game of Lügen-Kniffel: every turn as far as it was told, the sheets, and the
rulings."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from engine.analysis.kniffel import analyse
from engine.kniffel.combinations import COMBINATIONS
from engine.record.check import check
from games.models import Game
from games.models.game import Kind
from games.queries.game import game_record
from games.templatetags.kniffel import COMBINATION
from league.models import Player, Scoring
from tests.factories.counted import add_games, counted_season
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, kniffel_record

pytestmark = pytest.mark.django_db

KNIFFEL: dict[str, Any] = {"kind": Kind.LUEGEN_KNIFFEL, "scoring": Scoring.TOTALS}
EVERY_END: dict[str, Any] = {
    "v": 1,
    "id": "every-end",
    "game": "luegen-kniffel",
    "rules": {},
    "seats": ["anna", "ben", "cleo"],
    "opener": 0,
    "turns": [
        {"rolls": ["44425", "44>466", "4>15"], "say": "fours=12", "doubts": [1]},
        {"dice": "11123", "say": "fours=16", "doubts": [2]},
        {"say": "full=25"},
        {"rolls": ["12346"], "say": "kniffel=50", "doubts": [2]},
        {"rolls": ["12346", "55666"], "say": "sixes=12"},
        {"dice": "44466", "say": "fives=5", "doubts": [0, 1]},
        {"dice": "12346", "say": "large=40", "doubts": [1]},
    ],
}
"""Turns at each level of detail: true, a lie, believed, a Kniffel that nobody notes, a lie that
passed."""


def played(record: dict[str, Any], **fields: Any) -> Game:
    """The game of a season of Lügen-Kniffel with just this record."""
    counted_season([record], **KNIFFEL | fields)
    return Game.objects.get(external_id=record["id"])


def shown(client: Client, game: Game, query: str = "") -> str:
    response = client.get(reverse("game", args=[game.public_id]) + query)
    assert response.status_code == 200
    return response.content.decode()


def words(html: str) -> str:
    """The words of a part of the page: pictures by what they say to a screen reader."""
    said = re.sub(r'<(?:span|svg)[^>]*aria-label="([^"]*)"[^>]*>', r" \1 ", html)
    return " ".join(re.sub(r"<[^>]+>", " ", said).split())


def stage(client: Client, game: Game, number: int) -> str:
    """The turn on the stage, as words."""
    html = shown(client, game, f"?turn={number}")
    return words(html[html.index('id="stage-head"') :].split('id="sheets"')[0])


def turn_card(html: str, number: int) -> str:
    return words(html[html.index(f'id="turn-{number}"') :].split("</article>")[0])


def sheet_rows(html: str) -> dict[str, list[str]]:
    """The sheets' rows: the cells of each, as words."""
    table = html[html.index('class="sheets"') :].split("</table>")[0]
    rows = re.findall(r'<th scope="row">(.*?)</th>(.*?)</tr>', table, re.DOTALL)
    cell = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)
    return {words(name): [words(one) for one in cell.findall(cells)] for name, cells in rows}


def test_a_turn_tells_roller_rolls_what_stayed_and_the_announcement_in_words(
    client: Client,
) -> None:
    text = stage(client, played(EVERY_END), 1)
    assert "anna three fours = 12" in text
    assert "two, four, four, four, five keeps four, four" in text
    assert "four, six, six keeps four one, five" in text
    assert "under the cups one, four, four, four, five" in text
    assert "every roll" in text


def test_k7_doubted_and_true(client: Client) -> None:
    text = stage(client, played(EVERY_END), 1)
    assert "doubted by ben true the dice score 12" in text
    assert "anna notes 12 ben gets a strike" in text
    assert "K7 doubted, and true · K3 exactly the points · K4 what dice score · K9 strikes" in text


def test_k8_doubted_and_a_lie(client: Client) -> None:
    text = stage(client, played(EVERY_END), 2)
    assert "ben four fours = 16" in text
    assert "doubted by cleo a lie the dice score 0" in text
    assert "ben gets the second strike: the field is crossed cleo notes 16" in text
    assert "K8 doubted, and a lie" in text


def test_k6_dice_that_nobody_saw_and_no_record_tells_are_not_shown(client: Client) -> None:
    text = stage(client, played(EVERY_END), 3)
    assert "cleo full house = 25" in text
    assert "nobody doubted believed The dice were never shown." in text
    assert "K6 nobody doubts" in text
    assert "K3" not in text
    assert "under the cups" not in text


def test_k6_dice_that_only_the_record_tells_are_marked_so(client: Client) -> None:
    text = stage(client, played(EVERY_END), 5)
    assert "keeps none" in text
    assert (
        "Nobody at the table saw these dice; only the record shows them. They score 18: a lie "
        "that passed."
    ) in text
    assert "ben notes 12" in text


def test_k8_a_kniffel_is_the_rollers_alone(client: Client) -> None:
    assert "anna gets a strike cleo notes nothing: only the roller can note a Kniffel" in stage(
        client, played(EVERY_END), 4
    )


def test_a_ruling_leads_to_its_place_in_the_rules(client: Client) -> None:
    html = shown(client, played(EVERY_END), "?turn=2")
    for number in ("k3", "k4", "k6", "k7", "k8", "k9", "k12", "k13"):
        assert f'href="{reverse("rules")}#{number}"' in html


def test_every_turn_is_listed_with_its_outcome(client: Client) -> None:
    html = shown(client, played(EVERY_END))
    outcomes = [
        "true",
        "a lie",
        "The dice were never shown.",
        "a lie",
        "a lie that passed",
        "a lie",
        "a lie",
    ]
    for number, outcome in enumerate(outcomes, start=1):
        assert f"Turn {number} " in turn_card(html, number)
        assert outcome in turn_card(html, number)


def test_the_sheets_stand_as_after_the_chosen_turn(client: Client) -> None:
    game = played(EVERY_END)
    html = shown(client, game, "?turn=2")
    assert "Sheets after turn 2" in html
    assert sheet_rows(html)["Fours"] == ["12", "", "× crossed", "// 2 strikes", "16", ""]
    assert sheet_rows(html)["Total"] == ["12", "", "0", "", "16", ""]
    html = shown(client, game)
    assert "Score sheets" in html
    assert sheet_rows(html)["Large straight"] == ["", "/ 1 strike", "40", "", "", ""]
    assert sheet_rows(html)["Upper part"] == ["17", "", "17", "", "16", ""]


def test_the_marks_that_the_turn_made_are_lit(client: Client) -> None:
    html = shown(client, played(EVERY_END), "?turn=1")
    fours = html[html.index('<tr class="said">') :].split("</tr>")[0]
    assert re.findall(r'<td class="([^"]+)"', fours) == [
        "points new",
        "lies",
        "points",
        "lies new",
        "points",
        "lies",
    ]


@pytest.mark.parametrize("seed", range(2))
def test_figures_are_those_of_the_verdict(client: Client, seed: int) -> None:
    game = played(kniffel_record(seed))
    verdict = json.loads(json.dumps(check(game_record(game)).as_json()))
    rows = sheet_rows(shown(client, game))
    assert [int(cell) for cell in rows["Total"][::2]] == verdict["totals"]
    assert [int(cell) for cell in rows["Bonus"][::2]] == verdict["bonus"]
    for name in COMBINATIONS:
        label = str(COMBINATION[name])
        for seat, sheet in enumerate(verdict["sheets"]):
            points, lies = rows[label[0].upper() + label[1:]][2 * seat : 2 * seat + 2]
            field = sheet[name]
            assert points == (
                "× crossed"
                if field["crossed"]
                else ""
                if field["points"] is None
                else str(field["points"])
            )
            assert lies == ("", "/ 1 strike", "// 2 strikes")[field["strikes"]]


@pytest.mark.parametrize(
    ("query", "number"), [("", 7), ("?turn=3", 3), ("?turn=99", 7), ("?turn=x", 7)]
)
def test_a_turn_has_a_lasting_address(client: Client, query: str, number: int) -> None:
    html = shown(client, played(EVERY_END), query)
    assert re.findall(r'<a href="(\?turn=\d+)#stage" aria-current="step"', html) == [
        f"?turn={number}"
    ]
    assert re.search(rf'id="stage-head"[^>]*>\s*Turn {number}\s*<', html)


def test_the_strip_tells_who_was_caught_when(client: Client) -> None:
    html = shown(client, played(EVERY_END))
    strip = html[html.index('class="bleed laps"') :].split("</table>")[0]
    rows = [words(row) for row in re.findall(r'<th scope="row">(.*?)</tr>', strip, re.DOTALL)]
    assert rows == [
        "anna 12 ? × caught lying × caught lying",
        "ben × caught lying 12",
        "cleo 25 × caught lying",
    ]


def test_the_end_and_the_skipped_are_told(client: Client) -> None:
    game = played(kniffel_record(0))
    html = shown(client, game)
    assert html.count("The last lap begins") == 1
    last = turn_card(html, game.rounds.count())
    assert "the game is over" in last
    assert "K10 the end" in last


def test_a_game_without_turns_shows_blank_sheets(client: Client) -> None:
    html = shown(client, played(EVERY_END | {"turns": []}))
    assert "No turns yet" in html
    rows = sheet_rows(html)
    assert len(rows) == len(COMBINATIONS) + 3
    assert rows["Kniffel"] == [""] * 6


def test_zero_can_be_announced_where_the_rules_say_so(client: Client) -> None:
    game = played(
        EVERY_END
        | {"rules": {"allow_zero": True}, "turns": [{"say": "fours=0"}, {"say": "full=0"}]}
    )
    assert "no fours = 0" in stage(client, game, 1)
    assert "full house = 0" in stage(client, game, 2)
    assert sheet_rows(shown(client, game))["Fours"][0] == "0"


def test_names_are_escaped(client: Client) -> None:
    html = shown(client, played(kniffel_record(1, seats=("<b>ben</b>", "cleo", "<script>"))))
    assert "<b>ben" not in html
    assert "&lt;b&gt;ben&lt;/b&gt;" in html


@pytest.mark.parametrize("turns", [0, 2, None])
def test_six_queries_whatever_the_number_of_turns(
    client: Client, turns: int | None, django_assert_num_queries: Queries
) -> None:
    game = played(kniffel_record(6, turns=turns))
    with django_assert_num_queries(6):
        shown(client, game)


def test_the_language_is_the_readers(client: Client) -> None:
    game = played(EVERY_END)
    for language in ("de", "nl"):
        response = client.get(
            reverse("game", args=[game.public_id]), headers={"Accept-Language": language}
        )
        assert response.status_code == 200
        assert f'lang="{language}"' in response.content.decode()


@pytest.mark.parametrize(
    ("scoring", "sentence"),
    [
        (
            Scoring.TOTALS,
            'the total of your score sheet (ruling <a href="/docs/rules#k13">K13</a>)',
        ),
        (
            Scoring.PLACEMENT,
            (
                "one point for each player with a lower total on the score sheet "
                '(ruling <a href="/docs/rules#k13">K13</a>)'
            ),
        ),
    ],
)
def test_a_season_says_how_its_points_come_about(
    client: Client, scoring: str, sentence: str
) -> None:
    season = counted_season([kniffel_record(1)], kind=Kind.LUEGEN_KNIFFEL, scoring=scoring)
    html = client.get(reverse("season", args=[season.club.slug, season.slug])).content.decode()
    assert sentence in html
    assert "B12" not in html
    assert "B13" not in html


def test_the_latest_games_tell_the_winners_points_instead_of_a_track(client: Client) -> None:
    record = kniffel_record(1)
    season = counted_season([record], **KNIFFEL)
    html = client.get(reverse("season", args=[season.club.slug, season.slug])).content.decode()
    latest = html[html.index('id="latest-title"') :].split("</section>")[0]
    assert f"{max(record['result']['points'])} season points" in words(latest)
    assert 'class="track' not in latest


def test_a_player_of_both_games_has_one_page(client: Client) -> None:
    season = counted_season([kniffel_record(1)], **KNIFFEL)
    bluff = SeasonFactory.create(club=season.club, name="Bluff season")
    add_games(bluff, [bluff_record(1)])
    anna = Player.objects.get(handle="anna")
    address = reverse("player", args=[anna.public_id])
    for one in (season, bluff):
        html = client.get(f"{address}?season={one.slug}").content.decode()
        assert re.findall(r'href="\?season=([^"]+)" aria-current', html) == [one.slug]
        row = one.ranking.standings.get(player=anna)
        assert f"{row.points:.1f}" in html
        assert html.count('class="row-link seats"') == 1


def test_the_page_tells_what_a_doubt_was_worth(client: Client) -> None:
    game = played(EVERY_END)
    html = shown(client, game, "?turn=2")
    judged = analyse(game_record(game)).turns[1]
    part = words(html[html.index('id="doubts"') : html.index('id="costly"')])
    assert "A doubt in turn 2" in part
    assert f"{100 * judged.chance:.0f}" in part
    for doubt in judged.doubts:
        assert f"{doubt.value:+.1f}".replace("-", "−").replace("+0.0", "0.0") in part
    assert "?turn=" in html[html.index('id="costly"') :]


def test_a_game_without_turns_has_no_doubts(client: Client) -> None:
    season = SeasonFactory.create(**KNIFFEL)
    add_games(season, [EVERY_END | {"turns": []}])
    assert 'id="doubts"' not in shown(client, Game.objects.get())


BROKEN_OFF = EVERY_END | {
    "id": "broken-off",
    "turns": [
        {"void": True, "rolls": ["44425"]},
        {"say": "full=25"},
        {"forfeit": [1], "void": True},
        {"say": "chance=20"},
        {"ended": "clock"},
    ],
}


def test_k17_a_void_turn_says_who_takes_it_again(client: Client) -> None:
    void = stage(client, played(BROKEN_OFF), 1)
    assert "The turn is void; anna takes it again." in void
    assert "K17" in void


def test_k15_a_seat_that_left_is_named(client: Client) -> None:
    left = stage(client, played(BROKEN_OFF), 3)
    assert "ben left the game." in left
    assert "K15" in left


def test_k17_time_was_up(client: Client) -> None:
    game = played(BROKEN_OFF)
    assert "Time was up. Open fields count as 0." in stage(client, game, 5)
    rows = game.appearances.order_by("seat").values_list("rank", "points")
    assert list(rows) == [(1, 25), (3, 0), (2, 20)]
