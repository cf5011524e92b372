"""Correcting a game in the browser: its text, what that changes, the confirmation."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from engine.notation.text import render
from engine.record.record import Record, read
from engine.record.write import write
from games.models import Game
from games.queries.game import game_record
from league.models import Club, LogEntry, Player, Role, Season, Standing, User, Visibility
from league.rankings.services.season import all_time_create
from league.log.services import Actor
from league.rankings.queries.standing import table_rows
from league.rankings.services.counting import ranking_count
from tests.factories.counted import add_games, counted_season, three_tables
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory, UserFactory
from tests.factories.records import bluff_record, kniffel_record, line

pytestmark = pytest.mark.django_db

REASON = "Two seats were mixed up."
MEANWHILE = "Somebody else has corrected this game meanwhile."


@pytest.fixture
def season(club: Club) -> Season:
    """Three games at one table."""
    made: Season = SeasonFactory.create(club=club, slug="autumn")
    add_games(made, [bluff_record(seed) for seed in range(3)])
    return made


@pytest.fixture
def game(season: Season) -> Game:
    return Game.objects.get(external_id="game-1")


def member(client: Client, club: Club, role: Role) -> Client:
    client.force_login(MembershipFactory.create(club=club, role=role).user)
    return client


@pytest.fixture
def arbiter(client: Client, club: Club) -> Client:
    return member(client, club, Role.ARBITER)


def text_of(record: dict[str, Any]) -> str:
    found = read(line(record))
    assert isinstance(found, Record)
    return render(found)


OTHER = text_of(bluff_record(9, id="game-1"))
"""The text of another game under the id of the one that is corrected."""


def address(game: Game, name: str = "game-correct") -> str:
    return reverse(name, args=[game.public_id])


def send(client: Client, game: Game, text: str, **fields: Any) -> Any:
    return client.post(address(game), {"text": text, "reason": REASON, **fields})


def shown(response: Any) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_a_game_goes_from_its_text_over_the_preview_to_a_new_revision(arbiter: Client, game: Game) -> None:
    assert address(game) in shown(arbiter.get(address(game, "game")))
    html = shown(arbiter.get(address(game)))
    assert "cups-up notation 1" in html
    assert "Result:" not in html.split("<textarea")[1].split("</textarea>")[0]

    html = shown(send(arbiter, game, OTHER))
    assert "What it changes" in html
    assert Game.objects.count() == 3, "a preview writes nothing"
    assert not LogEntry.objects.filter(action="game.corrected").exists()

    response = send(arbiter, game, OTHER, confirm="")
    newer = Game.objects.get(replaces=game)
    assert response["Location"] == address(newer, "game")
    assert (newer.revision, newer.reason) == (2, REASON)
    assert newer.entered_by is not None
    entry = LogEntry.objects.get(action="game.corrected")
    assert (entry.subject, entry.reason, entry.actor) == (newer.public_id, REASON, newer.entered_by)


def test_the_text_that_is_offered_is_the_game(arbiter: Client, game: Game) -> None:
    html = shown(send(arbiter, game, arbiter.get(address(game)).context["form"].initial["text"]))
    assert "the game has this content already" in html
    assert "<code>unchanged</code>" in html


def figures(season: Season) -> dict[str, tuple[int, int, int]]:
    """Rank, points and games of everybody in the table, by the player's public id."""
    return {row.player: (row.rank, row.points, row.games) for row in table_rows(season.ranking)}


@pytest.mark.parametrize("seats", [("anna", "ben", "cleo"), ("anna", "dora", "ben"), ("ben", "anna")])
def test_the_preview_tells_ranks_and_points_as_the_table_has_them_afterwards(
    arbiter: Client, season: Season, game: Game, seats: tuple[str, ...]
) -> None:
    all_time = all_time_create(club=season.club, actor=Actor())
    ranking_count(ranking_id=all_time.ranking_id)
    text = text_of(bluff_record(9, id="game-1", seats=seats))
    context = send(arbiter, game, text).context
    before = figures(season)
    send(arbiter, game, text, confirm="")
    for ranking_id in (season.ranking_id, all_time.ranking_id):
        ranking_count(ranking_id=ranking_id)
    by_handle = dict(Player.objects.values_list("handle", "public_id"))
    own, of_all_time = (each["effect"] for each in context["effects"])
    assert {row.handle for row in own.rows} == {"anna", "ben", "cleo", *seats}
    for row in own.rows:
        stood = (row.rank_before, row.points_before, row.games_before or None)
        assert stood == before.get(by_handle[row.handle], (None, None, None))
        assert (row.rank_after, row.points_after, row.games_after) == figures(season)[by_handle[row.handle]]
    after = {row.handle: (row.rank, row.points) for row in table_rows(all_time.ranking)}
    assert {row.handle: (row.rank_after, row.points_after) for row in of_all_time.rows} == after
    assert own.rated_again == 2, "this game and the one played after it"
