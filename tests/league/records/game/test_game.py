"""The page of a game: every round as far as it was told, the verdict on it, and what makes it
trustworthy."""

import json
import re
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries as Queries

from engine.notation.text import parse
from engine.record.canonical import digests
from engine.record.check import check
from engine.record.receipt import check_receipt, read_receipt
from engine.record.record import Record, read
from games.domain.round import rounds_of
from games.models import Game
from games.models.public_id import new_public_id
from games.queries.game import game_head, game_record
from league.core.log.queries import log_chunks
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.disputes.correction.services import game_correct
from league.models import Appearance, Player, RatingChange, Visibility
from league.stages.result.services.void import game_void_add
from tests.factories.counted import add_games, counted_season
from tests.factories.league import MembershipFactory, SeasonFactory, UserFactory
from tests.factories.records import bluff_record, kniffel_record, line

pytestmark = pytest.mark.django_db

EVERY_LEVEL = {
    "v": 1,
    "id": "every-level",
    "game": "bluff",
    "rules": {"exact": "giveaway", "reroll": True, "scoring": "cntdice"},
    "seats": ["anna", "ben", "cleo"],
    "opener": 0,
    "rounds": [
        {"dealt": ["12345", "111**", "44555"], "moves": ["3x1/1>2*55", "4x1/1**>13", "5x*", "!"]},
        {"revealed": ["12345", "22*55", "335"], "moves": ["2x5", "3x5/5*", "!"]},
        {"moves": ["2x2", "3x2", "!"], "count": 3},
        {"moves": ["4x3", "!"], "bidder": 0, "challenger": 1, "count": 2},
        {"forfeit": [0], "void": True, "moves": ["1x1", "2x3"]},
        {"losses": [0, 3, 0]},
        {"opener": 2, "moves": ["1x4"]},
    ],
}
"""One round at each level, one that a forfeit made void, and one that nobody has challenged yet."""


def played(record: dict[str, Any], **fields: Any) -> Game:
    """The game of a season with just this record."""
    counted_season([record], **fields)
    return Game.objects.get(external_id=record["id"])


def shown(client: Client, game: Game, query: str = "") -> str:
    response = client.get(reverse("game", args=[game.public_id]) + query)
    assert response.status_code == 200
    return response.content.decode()


def round_card(html: str, number: int) -> str:
    """The part of the page with one round, as words: pictures by what they say to a screen
    reader."""
    card = html[html.index(f'id="round-{number}"') :].split("</article>")[0]
    said = re.sub(r'<(?:span|svg)[^>]*aria-label="([^"]*)"[^>]*>', r" \1 ", card)
    return " ".join(re.sub(r"<[^>]+>", " ", said).split())


def test_the_head_tells_where_when_and_who(client: Client) -> None:
    game = played(bluff_record(3, table="1-2", event="night-1"))
    html = shown(client, game)
    season = game.season_game.season
    assert re.search(r"<h1>\s+Table 1-2\s+</h1>", html)
    assert reverse("season", args=[season.club.slug, season.slug]) in html
    assert "Europe/Berlin" in html
    for seat in Appearance.objects.filter(game=game).select_related("player"):
        link = f'href="{reverse("player", args=[seat.player.public_id])}"'
        assert link in html
        row = html[html.index(link) :].split("</tr>")[0]
        assert f'<td class="n strong">{seat.points}</td>' in row


def test_the_rating_changes_of_the_game_are_shown(client: Client) -> None:
    game = played(bluff_record(3))
    html = shown(client, game)
    for mu_before, _, mu, _ in RatingChange.objects.get(
        game=game, ranking__season__isnull=False
    ).seats:
        assert f"{abs(mu - mu_before):.2f}" in html


def test_figures_are_those_of_the_verdict(client: Client) -> None:
    game = played(bluff_record(8, level="dice"))
    html, record = shown(client, game), game_record(game)
    reports: list[dict[str, Any]] = json.loads(json.dumps(check(record).as_json()))["rounds"]
    for number, report in enumerate(reports, start=1):
        card = round_card(html, number)
        assert re.search(rf"counted {report['count']} of", card)
        for change, handle in zip(report["delta"], record.seats, strict=True):
            loses = f"{handle} loses {-change} di"
            assert (loses in card) == (change < 0)


def test_a_dealt_round_shows_the_roll_the_lay_outs_the_rerolls_and_the_end(client: Client) -> None:
    card = round_card(shown(client, played(EVERY_LEVEL)), 1)
    assert "every die" in card
    assert "lays out one and rolls two, five, five, star" in card
    assert "first roll one, two, three, four, five" in card
    assert "one, two, five, five, star 1 counted" in card
    assert "one, one, three, star, star 2 counted" in card
    assert "cleo loses 2 dice" in card
    assert "B8" in card
    assert "anna opens next" in card


def test_a_round_with_dice_shows_the_hands_as_the_cups_went_up(client: Client) -> None:
    card = round_card(shown(client, played(EVERY_LEVEL)), 2)
    assert "bids and dice" in card
    assert "lays out five, star and rerolls the others" in card
    assert "two, two, five, five, star 3 counted" in card
    assert "first roll" not in card


def test_laid_out_dice_are_outlined_and_matching_ones_lit(client: Client) -> None:
    html = shown(client, played(EVERY_LEVEL))
    card = html[html.index('id="round-2"') :].split("</article>")[0]
    ben = card.split('aria-label="two, two, five, five, star"')[1].split("</span>")[0]
    assert re.findall(r'class="die ([^"]*)"', ben) == ["miss", "miss", "out hit", "hit", "out hit"]


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (3, "only how many counted"),
        (4, "The bids before this one weren’t written down"),
        (6, "Only the losses"),
    ],
)
def test_what_was_not_written_down_is_said_and_no_die_is_shown(
    client: Client, number: int, sentence: str
) -> None:
    game = played(EVERY_LEVEL)
    html = shown(client, game, f"?round={number}")
    assert sentence in round_card(html, number)
    card = html[html.index(f'id="round-{number}"') :].split("</article>")[0]
    assert 'class="dice"' not in card
    stage = html[html.index('id="stage"') : html.index('id="analysis"')]
    assert 'class="dice"' not in stage
    assert sentence in stage


def test_an_exact_hit_names_the_rule_of_the_game(client: Client) -> None:
    html = shown(client, played(EVERY_LEVEL))
    card = html[html.index('id="round-3"') :].split("</article>")[0]
    assert '<a href="/docs/rules#b9">B9-giveaway</a>' in card
    assert "cleo receives a die" in round_card(html, 3)
    assert "anna loses 1 die" in round_card(html, 3)


def test_a_void_round_tells_who_left_and_by_which_ruling(client: Client) -> None:
    card = round_card(shown(client, played(EVERY_LEVEL)), 5)
    assert "void" in card
    assert "anna left the game." in card
    assert "anna loses 2 dice, and is out" in card
    assert "B17" in card


def test_the_ruling_of_a_round_of_losses_is_not_guessed(client: Client) -> None:
    card = round_card(shown(client, played(EVERY_LEVEL)), 6)
    assert "so the deciding ruling isn’t known" in card
    assert not re.search(r"\bB\d", card)


def test_a_round_without_a_challenge_and_a_game_that_is_not_over_say_so(client: Client) -> None:
    html = shown(client, played(EVERY_LEVEL))
    assert "Nobody has challenged yet." in round_card(html, 7)
    assert "not over" in html
    assert ">Rank<" not in html


def test_the_address_chooses_the_round_on_the_stage_and_rounds_have_anchors(client: Client) -> None:
    game = played(EVERY_LEVEL)
    assert "Round 7</h2>" in shown(client, game)
    html = shown(client, game, "?round=3")
    assert "Round 3</h2>" in html
    assert '<a href="?round=3#stage" aria-current="step">3</a>' in html
    assert [number for number in range(1, 8) if f'id="round-{number}"' in html] == list(range(1, 8))
    for nonsense in ("?round=99", "?round=x", "?round="):
        assert "Round 7</h2>" in shown(client, game, nonsense)


def test_the_strip_shows_who_bled_when(client: Client) -> None:
    html = shown(client, played(EVERY_LEVEL))
    strip = html[html.index('class="bleed"') :].split("</table>")[0]
    cleo = strip.split("</tr>")[3]
    assert re.findall(r">(\d)</a>", cleo) == ["3", "1", "2", "2", "2", "2", "2"]
    assert re.findall(r"<i>([^<]+)</i>", cleo) == ["−2", "−2", "+1"]


def test_a_new_game_without_rounds_has_a_page(client: Client) -> None:
    html = shown(client, played(EVERY_LEVEL | {"rounds": []}))
    assert "No rounds yet" in html


def test_the_chain_of_digests_is_shown_and_found_to_hold(client: Client) -> None:
    game = played(bluff_record(4))
    html = shown(client, game)
    for digest in digests(game_record(game)):
        assert digest.hex()[:12] in html
    assert game_head(game).hex() in html
    assert "they match those under which the game was sealed" in html


@pytest.mark.parametrize("page", ["game", "game-record", "game-notation"])
@pytest.mark.parametrize(
    "column", ["digest = sha256('x')", "body = '\\xffff'", "number = number + 70"]
)
def test_a_game_that_was_forged_in_the_database_is_not_shown(
    client: Client, forger: psycopg.Connection, page: str, column: str
) -> None:
    game = played(bluff_record(4))
    forger.execute(f"UPDATE games_round SET {column} WHERE number = 0".encode())
    response = client.get(reverse(page, args=[game.public_id]), headers={"accept-language": "de"})
    assert response.status_code == 409
    assert (
        "Von dieser Partie steht etwas anderes in der Datenbank, als versiegelt wurde."
        in response.content.decode()
    )
    assert response["X-Request-Id"] in response.content.decode()


def test_a_season_with_a_forged_game_has_its_page(
    client: Client, forger: psycopg.Connection
) -> None:
    season = counted_season([bluff_record(4), bluff_record(5)])
    forger.execute("UPDATE games_round SET body = '\\xffff' WHERE number = 0")
    assert client.get(reverse("season", args=[season.club.slug, season.slug])).status_code == 200


def test_the_record_can_be_downloaded_and_checks(client: Client) -> None:
    game = played(bluff_record(4))
    address = reverse("game-record", args=[game.public_id])
    assert address in shown(client, game)
    response = client.get(address)
    assert response["Content-Disposition"] == f'attachment; filename="game-{game.public_id}.json"'
    again = read(response.content)
    assert isinstance(again, Record)
    assert check(again).ok
    assert digests(again)[-1] == game_head(game)


def test_a_corrected_game_says_so_on_both_pages(client: Client) -> None:
    record = bluff_record(4)
    game = played(record)
    newer = game_correct(
        game=game, line=line(bluff_record(5, id=record["id"])), reason="two hands <were> swapped"
    )
    old, new = shown(client, game), shown(client, newer)
    assert "no longer counts" in old
    assert "two hands &lt;were&gt; swapped" in old
    assert f'href="{reverse("game", args=[newer.public_id])}"' in old
    assert "no longer counts" not in new
    assert f'href="{reverse("game", args=[game.public_id])}"' in new
    assert "two hands &lt;were&gt; swapped" in new


def test_names_and_labels_are_escaped(client: Client) -> None:
    game = played(
        bluff_record(2, seats=("<b>ben</b>", "cleo", "<script>"), table="<i>1</i>", event="night-1")
    )
    html = shown(client, game)
    for markup in ("<b>ben", "<script>x", "<i>1</i>"):
        assert markup not in html
    assert "&lt;b&gt;ben&lt;/b&gt;" in html


@pytest.mark.parametrize("rounds", [1, None])
def test_six_queries_whatever_the_number_of_rounds(
    client: Client, rounds: int | None, django_assert_num_queries: Queries
) -> None:
    game = played(bluff_record(6, rounds=rounds))
    with django_assert_num_queries(6):
        shown(client, game)


def test_the_receipts_of_a_game_are_shown_and_fit_the_exported_log(client: Client) -> None:
    game = played(bluff_record(4))
    game_void_add(game=game, actor=Actor(None, "It was entered for the wrong evening."))
    receipts = re.findall(
        r'<code class="digest" id="receipt-\d">([^<]+)</code>', shown(client, game)
    )
    lines = b"".join(log_chunks(game.season_game.season.club_id)).splitlines()
    verdicts = [check_receipt(lines, read_receipt(receipt)).as_json() for receipt in receipts]
    assert [verdict.get("action") for verdict in verdicts] == ["game.sealed", "game.voided"]
    assert {verdict.get("subject") for verdict in verdicts} == {game.public_id}


@pytest.mark.parametrize("name", ["game", "game-record", "game-notation"])
def test_a_game_is_seen_by_those_who_see_its_season(client: Client, name: str) -> None:
    game = played(bluff_record(1), visibility=Visibility.MEMBERS)
    address = reverse(name, args=[game.public_id])
    assert client.get(address).status_code == 404
    client.force_login(UserFactory.create())
    assert client.get(address).status_code == 404
    client.force_login(MembershipFactory.create(club=game.season_game.season.club).user)
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("name", ["game", "game-record", "game-notation"])
def test_a_game_of_a_season_by_link_opens_with_the_key(client: Client, name: str) -> None:
    game = played(bluff_record(1), visibility=Visibility.LINK)
    address = reverse(name, args=[game.public_id])
    assert client.get(address).status_code == 404
    assert client.get(f"{address}?key={game.season_game.season.link_token}").status_code == 200
    assert client.get(address).status_code == 200


def test_a_game_of_no_season_is_not_there(client: Client) -> None:
    assert client.get(reverse("game", args=[new_public_id()])).status_code == 404


def test_a_game_of_luegen_kniffel_has_its_page_too(client: Client) -> None:
    turns = [{"say": "fours=12"}, {"say": "chance=19"}]
    head = {
        "v": 1,
        "id": "k-1",
        "game": "luegen-kniffel",
        "rules": {},
        "seats": ["anna", "ben"],
        "opener": 0,
    }
    game = played(head | {"turns": turns}, kind="luegen-kniffel", scoring="totals")
    html = shown(client, game)
    assert "anna" in html
    assert game_head(game).hex() in html


def test_times_are_the_clubs(client: Client) -> None:
    season = SeasonFactory.create(club__timezone="Asia/Tokyo")
    add_games(season, [bluff_record(1, played_at="2026-09-03T19:05:00+00:00")])
    assert '<time datetime="2026-09-04T04:05:00+09:00"' in shown(client, Game.objects.get())


@pytest.mark.parametrize("exact", ["all", "challenger", "protected", "giveaway"])
@pytest.mark.parametrize("level", ["dealt", "dice", "bids", "challenge"])
def test_every_round_that_was_decided_names_its_ruling(exact: Any, level: str) -> None:
    for seed in range(6):
        record = read(line(bluff_record(seed, exact=exact, level=level)))
        assert isinstance(record, Record)
        for round_ in rounds_of(record):
            assert round_.gap is not None
            assert (round_.ruling, round_.variant) == (("B8", "") if round_.gap else ("B9", exact))
            assert round_.lifted == (level in ("dealt", "dice"))
            assert all((cup.rolled is not None) == (level == "dealt") for cup in round_.cups)
            assert sum(cup.hits or 0 for cup in round_.cups) == (
                round_.count if round_.lifted else 0
            )


@pytest.mark.parametrize("record", [bluff_record(4), kniffel_record(1)], ids=["bluff", "kniffel"])
def test_the_game_can_be_copied_and_downloaded_as_text(
    client: Client, record: dict[str, Any]
) -> None:
    kniffel = {"kind": "luegen-kniffel", "scoring": "totals"} if record["game"] != "bluff" else {}
    game = played(record, **kniffel)
    response = client.get(reverse("game-notation", args=[game.public_id]))
    assert response["Content-Disposition"] == f'attachment; filename="game-{game.public_id}.cups"'
    (again,) = parse(response.content).records
    assert digests(replace(again, names=game_record(game).names))[-1] == game_head(game)
    assert again.result is not None
    html = shown(client, game)
    assert reverse("game-notation", args=[game.public_id]) in html
    assert escape(response.content.decode()) in html


def test_the_text_of_a_correction_says_what_it_replaces_and_why(client: Client) -> None:
    record = bluff_record(4)
    newer = game_correct(
        game=played(record), line=line(bluff_record(5, id=record["id"])), reason="two hands swapped"
    )
    text = client.get(reverse("game-notation", args=[newer.public_id])).content.decode()
    assert f"; Replaces: {record['id']}" in text
    assert "; Reason: two hands swapped" in text


def test_what_a_page_keeps_of_a_game_is_made_anew_for_other_names_rounds_and_languages(
    client: Client,
) -> None:
    game = played(bluff_record(0, seats=["anna", "ben", "cleo"]))

    def play(query: str = "", **headers: str) -> str:
        address = reverse("game", args=[game.public_id]) + query
        html = client.get(address, headers=headers).content.decode()
        return html[html.index('id="stage"') :].split('id="trust"')[0]

    first = play()
    assert play() == first
    assert play("?round=1") != play("?round=2")
    assert "Durchgänge" in play(**{"accept-language": "de"})
    player_rename(player=Player.objects.get(handle="anna"), name="Annegret", actor=Actor())
    assert "Annegret" not in first
    assert "Annegret" in play()


BROKEN_OFF = {
    "v": 1,
    "id": "broken-off",
    "game": "bluff",
    "rules": {"scoring": "cntdice"},
    "seats": ["anna", "ben", "cleo"],
    "opener": 0,
    "rounds": [
        {"void": True, "dealt": ["12345", "2245*", "1133*"], "moves": ["3x2", "4x2", "!"]},
        {"moves": ["3x2", "4x2", "!"], "count": 5},
        {"forfeit": [2]},
        {"ended": "clock"},
    ],
}
"""Dice were changed, somebody left, and time was up."""


def test_b18_a_void_round_says_that_it_is_played_again(client: Client) -> None:
    html = shown(client, played(BROKEN_OFF))
    card = round_card(html, 1)
    assert "it is played again with the same opener" in card
    assert "B18" in card


def test_b18_nothing_that_was_done_in_a_void_round_is_judged(client: Client) -> None:
    game = played(BROKEN_OFF)
    assert 'class="judged' not in shown(client, game, "?round=1&move=2")
    assert 'class="judged' in shown(client, game, "?round=2&move=2")


def test_b20_time_was_up(client: Client) -> None:
    html = shown(client, played(BROKEN_OFF))
    card = round_card(html, 4)
    assert "Time was up." in card
    assert "B20" in card
    assert [seat.points for seat in Appearance.objects.order_by("seat")] == [10, 10, 5]
    assert [seat.rank for seat in Appearance.objects.order_by("seat")] == [1, 1, 3]


@pytest.mark.parametrize(
    ("language", "words"), [("de", "Die Zeit war um."), ("nl", "De tijd was om.")]
)
def test_b20_in_other_languages(client: Client, language: str, words: str) -> None:
    game = played(BROKEN_OFF)
    html = client.get(
        reverse("game", args=[game.public_id]), headers={"Accept-Language": language}
    ).content.decode()
    assert words in round_card(html, 4)


def test_b20_of_a_game_of_which_only_the_end_is_known(client: Client) -> None:
    end = {
        "rank": [1, 1, 3],
        "points": [11, 11, 5],
        "dice": [4, 4, 0],
        "forfeit": [2],
        "ended": "clock",
    }
    head = {key: value for key, value in BROKEN_OFF.items() if key != "rounds"}
    html = " ".join(re.sub(r"<[^>]+>", " ", shown(client, played(head | {"outcome": end}))).split())
    assert "Time was up. Dice left: anna 4, ben 4, cleo 0. cleo left the game." in html
