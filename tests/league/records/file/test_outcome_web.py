"""A game of which only the end is known says so on its page and wherever it stands, and shows no
round."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine.notation.text import render
from engine.record.record import Record, read
from games.models import Game
from league.models import Club, Role, Season, User
from league.records.file.services import record_import
from league.standings.ranking.services.counting import ranking_count
from tests.factories.counted import counted_season
from tests.factories.league import MembershipFactory
from tests.factories.records import bluff_record, kniffel_record, line, outcome_of

pytestmark = pytest.mark.django_db
MARK = "only the end is known"
SAID = "Only the end is known."


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def page(client: Client, name: str, *args: str) -> str:
    response = client.get(reverse(name, args=args))
    assert response.status_code == 200
    return response.getvalue().decode()


@pytest.fixture
def mixed() -> Season:
    """One game with rounds, and one of which only the end is known, with a player of its own."""
    return counted_season([bluff_record(1), outcome_of(bluff_record(2, seats=("anna", "dora")))])


@pytest.fixture
def game(mixed: Season) -> Game:
    return Game.objects.get(external_id="game-2")


def test_the_page_shows_who_finished_where_and_no_round(client: Client, game: Game) -> None:
    html = page(client, "game", game.public_id)
    assert words(html).count(SAID) == 1
    result = words(html.split('aria-labelledby="result"')[1].split("</table>")[0])
    ranks = dict(
        zip(
            ("anna", "dora"), bluff_record(2, seats=("anna", "dora"))["result"]["rank"], strict=True
        )
    )
    assert [*re.findall(r"\b\d ([a-z]+) \d", result)] == sorted(
        ranks, key=lambda name: ranks[name]
    ), result
    assert "No rounds yet" not in html
    assert 'id="analysis"' not in html
    assert "Outcome: rank" in html
    assert html.count("<li><code") == 2, "the digest of the header, and that of the outcome"


def test_the_page_of_a_game_with_rounds_says_nothing_of_it(client: Client, mixed: Season) -> None:
    assert SAID not in page(client, "game", Game.objects.get(external_id="game-1").public_id)


def test_the_page_says_who_entered_it_and_when(
    client: Client, season: Season, scorer: User
) -> None:
    assert (
        record_import(
            season=season, line=line(outcome_of(bluff_record(1))), entered_by=scorer
        ).error
        is None
    )
    ranking_count(ranking_id=season.ranking_id)
    client.force_login(scorer)
    note = page(client, "game", Game.objects.get().public_id).split(SAID)[1].split("</div>")[0]
    assert re.search(r"Entered \d+ .* \d\d:\d\d , Scorer\.", words(note)), words(note)


def test_who_asks_for_the_stage_alone_is_told_so(client: Client, game: Game) -> None:
    response = client.get(reverse("game", args=[game.public_id]), headers={"X-Part": "stage"})
    assert response.status_code == 200
    assert SAID in response.content.decode()


def test_a_game_of_luegen_kniffel_is_shown_so_as_well(client: Client) -> None:
    counted_season([outcome_of(kniffel_record(1))], kind="luegen-kniffel", scoring="totals")
    html = page(client, "game", Game.objects.get().public_id)
    assert SAID in html
    assert "No turns yet" not in html


def test_lists_mark_such_games_alone(client: Client, mixed: Season) -> None:
    where = (mixed.club.slug, mixed.slug)
    listed = page(client, "season-games", *where)
    assert [MARK in row for row in listed.split("<tr>")[2:4]] == [True, False]
    latest = page(client, "season", *where).split('id="latest-title"')[1].split("</ul>")[0]
    assert [MARK in row for row in latest.split("<li>")[1:3]] == [True, False]


@pytest.mark.parametrize("name", ["season", "season-print"])
def test_rows_of_the_table_are_marked_in_which_such_a_game_counts(
    client: Client, mixed: Season, name: str
) -> None:
    html = page(client, name, mixed.club.slug, mixed.slug)
    rows = [row.split("</tr>")[0] for row in html.split("<tr data-key")[1:]]
    marks = {"".join(re.findall(r'class="row-link"[^>]*>(\w+)<', row)): "†" in row for row in rows}
    assert marks == {"anna": True, "dora": True, "ben": False, "cleo": False}
    assert "†: for at least one of these games only the end is known." in words(html)
    plain = counted_season([bluff_record(1)])
    assert "†" not in page(client, name, plain.club.slug, plain.slug)


def test_what_a_row_is_made_of_marks_the_game(client: Client, mixed: Season) -> None:
    anna = mixed.club.players.get(handle="anna").public_id
    html = page(client, "standing", mixed.club.slug, mixed.slug, anna)
    assert [MARK in row for row in html.split("<tbody>")[1].split("<tr>")[1:3]] == [False, True]


@pytest.mark.parametrize("write", [json.dumps, lambda keys: render(record(keys))])
def test_a_pasted_outcome_is_shown_and_a_wrong_one_named(client: Client, write: Any) -> None:
    keys = outcome_of(bluff_record(1))
    response = client.post(reverse("replay"), {"text": write(keys)}, follow=True)
    assert SAID in response.content.decode()
    wrong = keys | {"outcome": {"rank": [1, 1, 3]}}
    html = client.post(reverse("replay"), {"text": write(wrong)}, follow=True).content.decode()
    assert SAID not in html
    assert "only one seat can win" in words(html)


def record(keys: dict[str, Any]) -> Record:
    found = read(line(keys))
    assert isinstance(found, Record)
    return found


def test_a_correction_may_bring_rounds_in_the_browser(
    client: Client, club: Club, game: Game
) -> None:
    member = MembershipFactory.create(club=game.season_game.season.club, role=Role.ARBITER)
    client.force_login(member.user)
    address = reverse("game-correct", args=[game.public_id])
    assert "Outcome: rank" in client.get(address).content.decode()
    right = render(record(bluff_record(2, seats=("anna", "dora"))))
    asked = {"text": right, "reason": "Found the sheet."}
    assert "Rounds 1. added" in words(client.post(address, asked).content.decode())
    response = client.post(address, asked | {"confirm": "1"}, follow=True)
    assert SAID not in response.content.decode()
    difference = reverse("game-difference", args=[Game.objects.get(replaces=game).public_id])
    assert client.get(difference).status_code == 200


@pytest.mark.parametrize(
    ("language", "mark"), [("de", "nur der Ausgang bekannt"), ("nl", "alleen de afloop bekend")]
)
def test_the_mark_is_said_in_the_readers_language(
    client: Client, mixed: Season, language: str, mark: str
) -> None:
    response = client.get(
        reverse("season-games", args=[mixed.club.slug, mixed.slug]),
        headers={"Accept-Language": language},
    )
    assert mark in response.content.decode()
