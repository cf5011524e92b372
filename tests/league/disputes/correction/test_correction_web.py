"""Correcting a game in the browser: its text, what that changes, the confirmation."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from engine.notation.text import render
from engine.record.record import Record, read
from engine.record.write import write
from games.models import Game
from games.queries.game import game_record
from league.core.log.services import Actor
from league.models import Club, LogEntry, Player, Role, Season, Visibility
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import all_time_create
from league.standings.standing.queries.standing import table_rows
from tests.factories.counted import add_games, counted_season, three_tables
from tests.factories.league import ClubFactory, MembershipFactory, OperatorFactory, SeasonFactory
from tests.factories.records import bluff_record, kniffel_record, line

pytestmark = pytest.mark.django_db

REASON = "Two seats were mixed up."
MEANWHILE = "Somebody else has corrected this game in the meantime."


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


def test_a_game_goes_from_its_text_over_the_preview_to_a_new_revision(
    arbiter: Client, game: Game
) -> None:
    assert address(game) in shown(arbiter.get(address(game, "game")))
    html = shown(arbiter.get(address(game)))
    assert "cups-up notation 1" in html
    assert "Result:" not in html.split("<textarea")[1].split("</textarea>")[0]

    html = shown(send(arbiter, game, OTHER))
    assert "What this changes" in html
    assert Game.objects.count() == 3, "a preview writes nothing"
    assert not LogEntry.objects.filter(action="game.corrected").exists()

    response = send(arbiter, game, OTHER, confirm="")
    newer = Game.objects.get(replaces=game)
    assert response["Location"] == address(newer, "game")
    assert (newer.revision, newer.reason) == (2, REASON)
    assert newer.entered_by is not None
    entry = LogEntry.objects.get(action="game.corrected")
    assert (entry.subject, entry.why, entry.actor) == (newer.public_id, REASON, newer.entered_by)


def test_the_text_that_is_offered_is_the_game(arbiter: Client, game: Game) -> None:
    html = shown(send(arbiter, game, arbiter.get(address(game)).context["form"].initial["text"]))
    assert "the game already has this content" in html
    assert "<code>unchanged</code>" in html


def figures(season: Season) -> dict[str, tuple[int, int, int]]:
    """Rank, points and games of everybody in the table, by the player's public id."""
    return {row.player: (row.rank, row.points, row.games) for row in table_rows(season.ranking)}


@pytest.mark.parametrize(
    "seats", [("anna", "ben", "cleo"), ("anna", "dora", "ben"), ("ben", "anna")]
)
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
        assert (row.rank_after, row.points_after, row.games_after) == figures(season)[
            by_handle[row.handle]
        ]
    after = {row.handle: (row.rank, row.points) for row in table_rows(all_time.ranking)}
    assert {row.handle: (row.rank_after, row.points_after) for row in of_all_time.rows} == after
    assert own.rated_again == 2, "this game and the one played after it"


def test_a_preview_says_what_differs_and_who_would_be_new(arbiter: Client, game: Game) -> None:
    record = bluff_record(1)
    record["seats"] = ["anna", "ben", "dora"]
    html = shown(send(arbiter, game, text_of(record)))
    assert "<dt>Seat 3</dt> <dd><del>cleo</del> <ins>dora</ins></dd>" in html
    assert "The rounds are the same." in html
    assert "New players: <strong>dora</strong>" in html
    assert not Player.objects.filter(handle="dora").exists()


def test_a_change_of_the_table_alone_changes_no_rank(arbiter: Client, game: Game) -> None:
    html = shown(send(arbiter, game, text_of(bluff_record(1, table="7"))))
    assert "<dt>Table </dt> <dd><ins>7</ins></dd>" in html
    assert "No ranks or points change." in html


def test_a_fault_is_named_with_line_round_and_move_beside_the_text(
    arbiter: Client, game: Game
) -> None:
    first = re.search(r"^1\. .*$", OTHER, re.MULTILINE)
    assert first
    wrong = first[0].replace(" !", " 1x1 !", 1)
    response = send(arbiter, game, OTHER.replace(first[0], wrong), confirm="")
    html = shown(response)
    line = 1 + OTHER[: first.start()].count("\n")
    assert re.search(rf"Line {line}, column \d+ · Round 1, move \d+:", html)
    assert "<code>not_a_raise</code>" in html
    assert f'<code class="quoted">{wrong}</code>' in html
    assert "1x1 !" in response.context["form"].initial["text"], "nothing that was typed is lost"
    assert not Game.objects.filter(replaces=game).exists()


@pytest.mark.parametrize(
    ("record", "code", "line"),
    [
        (bluff_record(9, id="game-2"), "wrong_id", 3),
        (bluff_record(9, id="game-1", exact="challenger"), "other_rules", 4),
        (bluff_record(9, id="game-1", season="winter"), "other_season", 7),
        (bluff_record(9, id="game-1", seats=("anna", "ANNA", "ben")), "same_player_twice", 5),
    ],
)
def test_what_the_club_refuses_is_named_at_its_line(
    arbiter: Client, club: Club, record: dict[str, Any], code: str, line: int
) -> None:
    season = SeasonFactory.create(club=club, slug="strict", rules={"exact": "all"})
    add_games(season, [bluff_record(seed) for seed in range(1, 3)])
    for confirm in ({}, {"confirm": ""}):
        html = shown(
            send(arbiter, Game.objects.get(external_id="game-1"), text_of(record), **confirm)
        )
        assert f"<code>{code}</code>" in html
        assert f"Line {line}, column" in html
    assert Game.objects.count() == 2


def test_a_reason_is_needed_and_has_an_end(arbiter: Client, game: Game) -> None:
    assert "Say why the game is corrected." in shown(
        send(arbiter, game, OTHER, reason="  ", confirm="")
    )
    assert "500" in shown(send(arbiter, game, OTHER, reason="x" * 501, confirm=""))
    assert not Game.objects.filter(replaces=game).exists()


def test_a_file_does_as_well_as_text_and_goes_on_to_the_confirmation(
    arbiter: Client, game: Game
) -> None:
    file = SimpleUploadedFile("game.json", line(bluff_record(9, id="game-1")))
    response = send(arbiter, game, "something else", file=file)
    assert "What this changes" in shown(response)
    text = response.context["text"]
    assert send(arbiter, game, text, confirm="").status_code == 302
    assert Game.objects.get(replaces=game).header != game.header


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<script>alert(1)</script>",
        "cups-up notation 1\nId: <script>x</script>\n",
        "{" * 10_000,
        '{"id": "' + "x" * 100_000 + '"}',
        OTHER + OTHER,
        OTHER.replace("anna", "<script>x</script>"),
        OTHER + "\x00",
        "x" * ((1 << 20) + 1),
    ],
    ids=[
        "empty",
        "markup",
        "markup in notation",
        "nested",
        "long",
        "two games",
        "markup as a handle",
        "null",
        "huge",
    ],
)
def test_whatever_is_sent_is_answered_and_escaped(arbiter: Client, game: Game, text: str) -> None:
    html = shown(send(arbiter, game, text, reason="<script>y</script>"))
    for markup in ("<script>alert", "<script>x", "<script>y"):
        assert markup not in html
    assert Game.objects.count() == 3


@pytest.mark.parametrize(
    ("role", "may"), [*((role, role in (Role.ARBITER, Role.ORGANISER)) for role in Role)]
)
def test_arbiters_and_organisers_may_correct(
    client: Client, club: Club, game: Game, role: Role, may: bool
) -> None:
    member(client, club, role)
    assert ("Correct this game" in shown(client.get(address(game, "game")))) == may
    assert client.get(address(game)).status_code == (200 if may else 404)
    assert send(client, game, OTHER, confirm="").status_code == (302 if may else 404)
    assert Game.objects.filter(replaces=game).exists() == may


def test_who_has_no_role_in_the_club_may_not(client: Client, game: Game) -> None:
    assert client.get(address(game))["Location"].startswith(reverse("account_login"))
    assert send(client, game, OTHER, confirm="")["Location"].startswith(reverse("account_login"))
    member(client, ClubFactory.create(), Role.ARBITER)
    assert "Correct this game" not in shown(client.get(address(game, "game")))
    assert client.get(address(game)).status_code == 404
    assert send(client, game, OTHER, confirm="").status_code == 404
    client.force_login(OperatorFactory.create())
    assert client.get(address(game)).status_code == 200
    assert Game.objects.count() == 3


def test_confirmed_twice_a_game_is_corrected_once(arbiter: Client, game: Game) -> None:
    first, second = (send(arbiter, game, OTHER, confirm="") for _ in range(2))
    newer = Game.objects.get(replaces=game)
    assert first["Location"] == second["Location"] == address(newer, "game")
    assert Game.objects.count() == 4
    assert LogEntry.objects.filter(action="game.corrected").count() == 1


def test_who_comes_too_late_is_told_so_and_goes_on_with_the_text(
    client: Client, club: Club, game: Game
) -> None:
    member(client, club, Role.ARBITER)
    send(client, game, OTHER, confirm="")
    newer = Game.objects.get(replaces=game)
    member(client, club, Role.ARBITER)
    mine = text_of(bluff_record(8, id="game-1"))
    for confirm in ({}, {"confirm": ""}):
        html = shown(send(client, game, mine, **confirm))
        assert MEANWHILE in html
        assert REASON in html
        assert f'href="{address(newer, "game")}"' in html
        assert f'href="{address(newer, "game-difference")}"' in html
        assert f'action="{address(newer)}"' in html, "the text goes on to the newest revision"
        assert mine.splitlines()[-1] in html
        assert Game.objects.count() == 4
    assert MEANWHILE in shown(client.get(address(game)))
    assert send(client, newer, mine, confirm="").status_code == 302
    assert Game.objects.latest("revision").replaces == newer


def test_a_correction_can_be_taken_back(arbiter: Client, season: Season, game: Game) -> None:
    before = figures(season)
    original = render(game_record(game))
    send(arbiter, game, OTHER, confirm="")
    ranking_count(ranking_id=season.ranking_id)
    assert figures(season) != before
    newer = Game.objects.get(replaces=game)
    assert send(arbiter, newer, original, confirm="").status_code == 302
    ranking_count(ranking_id=season.ranking_id)
    assert figures(season) == before
    assert Game.objects.latest("revision").revision == 3


def test_a_game_of_luegen_kniffel_is_corrected_likewise(arbiter: Client, club: Club) -> None:
    season = SeasonFactory.create(club=club, kind="luegen-kniffel", scoring="totals")
    add_games(season, [kniffel_record(1)])
    game = Game.objects.get(external_id="kniffel-1")
    record = read(line(kniffel_record(1)))
    assert isinstance(record, Record)
    html = shown(send(arbiter, game, write(record.first(len(record.rounds) - 1))))
    assert "Turns" in html
    assert "removed" in html
    assert "1 → " not in html


@pytest.mark.parametrize("games", [3, 12])
def test_the_queries_of_a_preview_dont_grow_with_the_ranking(
    arbiter: Client, club: Club, games: int, django_assert_num_queries: Queries
) -> None:
    season = SeasonFactory.create(club=club)
    add_games(season, three_tables(games))
    text = text_of(bluff_record(50, id="game-1", seats=("ben", "dario", "anna")))
    with django_assert_num_queries(27):
        assert "What this changes" in shown(
            send(arbiter, Game.objects.get(external_id="game-1"), text)
        )


def test_the_form_of_a_game_that_is_not_seen_is_not_there(client: Client, club: Club) -> None:
    season = counted_season(1, club=club, visibility=Visibility.MEMBERS)
    game = Game.objects.get(season_game__season=season)
    for name in ("game-correct", "game-difference"):
        assert (
            member(client, ClubFactory.create(), Role.ARBITER).get(address(game, name)).status_code
            == 404
        )
