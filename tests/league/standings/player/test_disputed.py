"""A disputed game marks what it brought its players: their ranks and ratings from its day on, the
figures of those who met there, and their rows in files and on cards. Nothing else is marked."""

from __future__ import annotations

import csv
import io
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Game
from league.core.frame.card import Line, SharedCard, card_png
from league.core.log.services import Actor
from league.disputes.hearing.services import hearing_open
from league.models import Club, Player, Role, Season, User
from league.standings.standing.queries.standing import table_rows
from tests.factories.counted import counted_season
from tests.factories.league import ClubFactory, MembershipFactory
from tests.factories.records import bluff_record
from tests.league.disputes.ruling.rulings import ruled

pytestmark = pytest.mark.django_db
EVENINGS = (("anna", "ben"), ("anna", "cleo"), ("anna", "ben", "dario"), ("ben", "cleo"))
DISPUTED = 1
"""The evening whose game is disputed, from 0: anna met cleo."""


@pytest.fixture
def season() -> Season:
    """A season of four evenings with a game each."""
    club: Club = ClubFactory.create(slug="keller", name="Keller")
    records = [
        bluff_record(number, seats=seats, played_at=f"2026-09-0{number + 1}T20:00:00+02:00")
        for number, seats in enumerate(EVENINGS)
    ]
    return counted_season(records, club=club, slug="herbst", name="Herbst")


class Dispute(NamedTuple):
    """A game that an arbiter hears."""

    game: Game
    arbiter: User


@pytest.fixture
def dispute(season: Season) -> Dispute:
    games = Game.objects.select_related("season_game__season__club", "season_game__season__ranking")
    game = games.get(external_id=f"game-{DISPUTED}")
    arbiter = MembershipFactory.create(club=season.club, role=Role.ARBITER).user
    hearing_open(game=game, word="Was the last die a star?", actor=Actor(arbiter.pk))
    return Dispute(game, arbiter)


def answered(address: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = (
        Client().get(f"/api/v1/clubs/keller/seasons/herbst/{address}").json()["results"]
    )
    return rows


def of_player(handle: str, what: str) -> list[dict[str, Any]]:
    return answered(f"players/{Player.objects.get(handle=handle).public_id}/{what}/")


def days_marked(handle: str, what: str) -> set[str]:
    return {row["day"] for row in of_player(handle, what) if row["provisional"]}


def table_file(season: Season, language: str = "") -> list[list[str]]:
    address = reverse("season-table", args=[season.club.slug, season.slug])
    text = (
        Client()
        .get(f"{address}?lang={language}" if language else address)
        .content.decode("utf-8-sig")
    )
    return list(csv.reader(io.StringIO(text), delimiter=";" if language else ","))


@pytest.mark.parametrize("what", ["ranks", "ratings"])
def test_ranks_and_ratings_are_marked_from_the_day_of_the_disputed_game_on(
    dispute: Dispute, what: str
) -> None:
    assert {row["day"] for row in of_player("anna", what)} >= {
        "2026-09-01",
        "2026-09-02",
        "2026-09-03",
    }
    assert days_marked("anna", what) == {row["day"] for row in of_player("anna", what)} - {
        "2026-09-01"
    }
    assert days_marked("cleo", what) == {row["day"] for row in of_player("cleo", what)}
    assert days_marked("ben", what) == set()


def test_the_page_of_ranks_by_day_marks_the_same_days(season: Season, dispute: Dispute) -> None:
    anna = Player.objects.get(handle="anna")
    html = (
        Client()
        .get(reverse("rank-days", args=["keller", "herbst", anna.public_id]))
        .content.decode()
    )
    rows = html.partition("<tbody>")[2].split("</tr>")
    assert [("provisional" in row) for row in rows if "data-label" in row] == [
        True,
        True,
        True,
        False,
    ]


def test_those_who_met_in_the_disputed_game_are_marked_for_each_other(
    season: Season, dispute: Dispute
) -> None:
    marked = {row["player"]["handle"]: row["provisional"] for row in of_player("anna", "rivals")}
    assert marked == {"ben": False, "cleo": True, "dario": False}
    anna, ben, cleo = (Player.objects.get(handle=handle) for handle in ("anna", "ben", "cleo"))
    for other, marks in ((cleo, 1), (ben, 0)):
        page = Client().get(
            f"{reverse('player', args=[anna.public_id])}?season=herbst&with={other.public_id}"
        )
        compared = page.content.decode().partition('id="compared"')[2].partition("</section>")[0]
        assert compared.count("provisional") == marks


def test_the_headline_of_a_player_is_marked(season: Season, dispute: Dispute) -> None:
    for handle, marks in (("cleo", True), ("dario", False)):
        player = Player.objects.get(handle=handle)
        page = (
            Client()
            .get(f"{reverse('player', args=[player.public_id])}?season=herbst")
            .content.decode()
        )
        head = page.partition("<h1")[2].partition('class="stats"')[0]
        assert ("provisional" in head) == marks


def test_a_list_of_ratings_tells_the_disputed_ones_from_those_of_few_games(
    dispute: Dispute,
) -> None:
    disputed = {row["player"]["handle"]: row["disputed"] for row in answered("ratings/")}
    assert disputed == {"anna": True, "ben": False, "cleo": True, "dario": False}


def test_the_file_of_a_table_has_a_column_for_it_behind_all_others(
    season: Season, dispute: Dispute
) -> None:
    head, *rows = table_file(season)
    assert head[-2:] == ["provisional", "disputed"]
    assert {row[head.index("handle")]: row[-1] for row in rows} == {
        "anna": "yes",
        "ben": "no",
        "cleo": "yes",
        "dario": "no",
    }
    assert table_file(season, "de")[0][-1] == "Strittig"


def test_cards_mark_each_line_that_rests_on_it(season: Season, dispute: Dispute) -> None:
    rows = table_rows(season.ranking)[:3]
    lines = [
        Line(
            row.rank,
            row.name,
            f"{row.points} points" + (" · provisional" if row.provisional else ""),
        )
        for row in rows
    ]
    assert {"provisional" in line.value for line in lines} == {True, False}
    card = card_png(SharedCard("Keller", "Herbst", lines, "4 players"))
    assert Client().get(reverse("season-card", args=["keller", "herbst"])).content == card
    cleo = next(row for row in table_rows(season.ranking) if row.handle == "cleo")
    line = Line(cleo.rank, "Herbst", f"{cleo.points} points · provisional")
    card = card_png(SharedCard("Keller", cleo.name, [line], "2 games"))
    assert Client().get(reverse("player-card", args=[cleo.player])).content == card


def test_nothing_is_marked_any_more_once_an_arbiter_lets_the_result_stand(
    season: Season, dispute: Dispute
) -> None:
    anna = Player.objects.get(handle="anna")
    cards = [
        reverse("season-card", args=["keller", "herbst"]),
        reverse("player-card", args=[anna.public_id]),
    ]
    before = [Client().get(card) for card in cards]
    ruled(dispute.game, dispute.arbiter)
    assert days_marked("anna", "ranks") == days_marked("anna", "ratings") == set()
    assert not any(row["provisional"] for row in of_player("anna", "rivals"))
    assert not any(row["disputed"] for row in answered("ratings/"))
    assert {row[-1] for row in table_file(season)[1:]} == {"no"}
    for card, seen in zip(cards, before, strict=True):
        assert Client().get(card, headers={"If-None-Match": seen["ETag"]}).content != seen.content
