"""Voiding a game in the browser: what that changes, the confirmation with a reason, the marks, and
restoring it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from engine.cli.main import main
from games.models import Game, Void
from league.core.log.services import Actor
from league.counting.event_rebuild.queries.verification import event_differences
from league.disputes.correction.services import game_correct
from league.models import Club, Format, Player, Role, Season, Table, TableScore
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.stages.result.services.void import game_restore, game_void_add
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import all_time_create
from tests.factories import events
from tests.factories.counted import add_games, count
from tests.factories.league import MembershipFactory, SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.stages.result.test_result import published

pytestmark = pytest.mark.django_db
OF_RANKING = (
    "",
    "table.csv",
    "print/",
    "players/",
    "handles.csv",
    "games/",
    "styles/",
    "heads.txt",
)
MARK = '<span class="pill pill-star">'
REASON = "It was a practice game."


@pytest.fixture
def season(club: Club) -> Season:
    made: Season = SeasonFactory.create(club=club, slug="autumn")
    add_games(made, [bluff_record(seed) for seed in range(3)])
    return made


@pytest.fixture
def game(season: Season) -> Game:
    return Game.objects.get(external_id="game-1")


@pytest.fixture
def arbiter(client: Client, club: Club) -> Client:
    client.force_login(MembershipFactory.create(club=club, role=Role.ARBITER).user)
    return client


def address(game: Game, name: str = "game") -> str:
    return reverse(name, args=[game.public_id])


def shown(response: Any) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_a_game_goes_over_the_preview_to_its_mark_and_back(
    arbiter: Client, season: Season, game: Game
) -> None:
    assert address(game, "game-void") in shown(arbiter.get(address(game)))
    html = shown(arbiter.get(address(game, "game-void")))
    assert "What this changes" in html
    assert html.count("anna") == 1
    assert not Void.objects.exists()
    response = arbiter.post(address(game, "game-void"), {"reason": REASON})
    assert (response.status_code, response["Location"]) == (302, address(game))
    html = shown(arbiter.get(address(game)))
    assert "This game is void: it doesn’t count." in html
    assert "by an arbiter" in html
    assert REASON in html
    assert address(game, "game-correct") not in html
    assert address(game, "game-restore") in html
    count(season)
    anna = Player.objects.get(club=season.club, handle="anna")
    for name, *place in (
        ("season-games", season.club.slug, season.slug),
        ("player", anna.public_id),
    ):
        assert MARK in shown(arbiter.get(reverse(name, args=place))), name
    html = shown(arbiter.get(address(game, "game-restore")))
    assert "as if it had never been void" in html
    arbiter.post(address(game, "game-restore"), {"reason": "It was none."})
    html = shown(arbiter.get(address(game)))
    assert "This game is void" not in html
    assert "It was none." in html, "what was said of it stays readable"


def test_sent_twice_it_is_done_once(arbiter: Client, game: Game) -> None:
    for _ in range(2):
        assert arbiter.post(address(game, "game-void"), {"reason": REASON})["Location"] == address(
            game
        )
    assert Void.objects.count() == 1
    assert arbiter.get(address(game, "game-void"))["Location"] == address(game)


def test_a_reason_is_needed(arbiter: Client, game: Game) -> None:
    assert "field is required" in shown(arbiter.post(address(game, "game-void"), {"reason": " "}))
    assert not Void.objects.exists()


def test_of_a_corrected_game_the_newest_revision_is_the_one(arbiter: Client, game: Game) -> None:
    newer = game_correct(game=game, line=line(bluff_record(9, id="game-1")), reason="Mixed up.")
    assert arbiter.post(address(game, "game-void"), {"reason": REASON})["Location"] == address(
        newer
    )
    assert not Void.objects.exists()


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SCORER])
def test_who_may_not_correct_may_not_void(
    client: Client, club: Club, game: Game, role: Role
) -> None:
    client.force_login(MembershipFactory.create(club=club, role=role).user)
    assert address(game, "game-void") not in shown(client.get(address(game)))
    for name in ("game-void", "game-restore"):
        assert client.get(address(game, name)).status_code == 404


def test_the_queries_of_a_game_page_grow_by_one_for_a_void(
    arbiter: Client, game: Game, django_assert_num_queries: Queries
) -> None:
    other = Game.objects.get(external_id="game-2")
    for _ in range(2):
        arbiter.get(address(other))
    with django_assert_num_queries(10):
        arbiter.get(address(other))
    game_void_add(game=game, actor=Actor(reason=REASON))
    count(game.season_game.season)
    with django_assert_num_queries(11):
        arbiter.get(address(game))


def test_a_table_says_which_of_its_games_is_void(arbiter: Client, club: Club) -> None:
    season: Season = SeasonFactory.create(club=club, slug="evenings", scoring="placement")
    stage = published(season)
    events.play(stage.stage_rounds.get())
    table = Table.objects.filter(stage_round__stage=stage).earliest("pk")
    game = Game.objects.get(table_game__table=table)
    assert "The table is unfinished until it is played again." in shown(
        arbiter.get(address(game, "game-void"))
    )
    game_void_add(game=game, actor=Actor(reason=REASON))
    for page in (
        reverse("table", args=[table.public_id]),
        reverse("stage-round", args=[season.club.slug, stage.event.slug, stage.number, 1]),
    ):
        html = shown(arbiter.get(page))
        assert address(game) in html, page
        assert MARK in html, page


def test_taking_a_round_back_offers_to_void_its_games(client: Client, club: Club) -> None:
    client.force_login(MembershipFactory.create(club=club, role=Role.ORGANISER).user)
    stage = published(SeasonFactory.create(club=club, slug="evenings", scoring="placement"))
    page = reverse("desk-round-take-back", args=[club.slug, stage.event.slug, stage.number, 1])
    assert "Void these games" not in shown(client.get(page))
    events.play(stage.stage_rounds.get())
    first, *others = Game.objects.order_by("pk")
    html = shown(client.get(page))
    assert all(f'value="{game.public_id}"' in html for game in (first, *others))
    response = client.post(page, {"reason": "Wrong seats.", "void": [first.public_id]})
    assert response.status_code == 302
    assert [void.game for void in Void.objects.all()] == [first]
    assert not TableScore.objects.filter(game=first).exists()
    assert stage.stage_rounds.get().status == "taken_back"


def test_where_every_game_is_void_each_page_is_still_there(
    arbiter: Client, season: Season, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even a player page, of somebody who never sat anywhere else: its games lead there, marked."""
    all_time = all_time_create(club=season.club, actor=Actor()).ranking
    ranking_count(ranking_id=all_time.pk)
    for game in Game.objects.all():
        game_void_add(game=game, actor=Actor(reason=REASON))
    count(season)
    ranking_count(ranking_id=all_time.pk)
    club, anna, ben = season.club.slug, *Player.objects.order_by("handle")[:2]
    paths = [
        f"/clubs/{club}/{slug}/{page}" for slug in (season.slug, "all-time") for page in OF_RANKING
    ]
    paths += [f"/players/{anna.public_id}/", f"/players/{anna.public_id}/?season={season.slug}"]
    paths += [
        f"/players/{anna.public_id}/?with={ben.public_id}",
        "/",
        f"/clubs/{club}/",
        "/search/?q=anna",
    ]
    api = ["standings/", "ratings/", "styles/", "heads/", "games.ndjson"]
    paths += [f"/api/v1/clubs/{club}/seasons/{season.slug}/{list_}" for list_ in api]
    paths += [
        f"/api/v1/players/{anna.public_id}/",
        f"/api/v1/clubs/{club}/games/",
        f"/api/v1/clubs/{club}/players/",
    ]
    assert {path: arbiter.get(path).status_code for path in paths} == dict.fromkeys(paths, 200)
    standing = f"/clubs/{club}/{season.slug}/players/{anna.public_id}/"
    assert arbiter.get(standing).status_code == 404, "who has no row has no page of a row"
    heads = arbiter.get(f"/clubs/{club}/{season.slug}/heads.txt").getvalue()
    exported = b"".join(arbiter.get(f"/api/v1/clubs/{club}/seasons/{season.slug}/games.ndjson"))
    (tmp_path / "heads.txt").write_bytes(heads)
    (tmp_path / "games.ndjson").write_bytes(exported)
    assert len(heads.splitlines()) == len(exported.splitlines()) == 3
    assert (
        main(["verify", str(tmp_path / "games.ndjson"), "--heads", str(tmp_path / "heads.txt")])
        == 0
    )
    assert "the game is void" in capsys.readouterr().out
    assert main(["table", str(tmp_path / "games.ndjson"), "--scoring", "cntdice"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize(
    "kind", [Format.SWISS, Format.PODS, Format.ROUND_ROBIN, Format.SINGLE, Format.DOUBLE]
)
def test_each_page_of_an_event_stands_after_a_void_in_its_first_round(
    client: Client, club: Club, kind: Format, over: bool
) -> None:
    """Whether later rounds rest on that table or not, and whether the event goes on or is over."""
    client.force_login(MembershipFactory.create(club=club, role=Role.ORGANISER).user)
    season: Season = SeasonFactory.create(club=club, slug="evenings", scoring="placement")
    rounds = None if kind in (Format.SINGLE, Format.DOUBLE) else 3
    stage = published(season, 4, format=kind, sizes=[2], rounds=rounds)
    for number in range(8 if over else 1):
        if number:
            try:
                events.drawn(stage)
            except ValidationError:
                break
        events.play(stage.stage_rounds.latest("pk"))
    if over:
        stage_finish(stage=stage, actor=events.ACTOR)
        event_move(event=stage.event, status="finished", actor=events.ACTOR)
    else:
        events.drawn(stage)
    game = Game.objects.filter(table_game__table__stage_round__number=1).earliest("pk")
    table = game.table_game.table
    assert "What this changes" in shown(client.get(address(game, "game-void")))
    game_void_add(game=game, actor=Actor(reason=REASON))
    assert list(event_differences(stage.event_id)) == []
    place = [club.slug, stage.event.slug]
    pages: dict[str, list[Any]] = {
        "event": place,
        "desk-event": place,
        "desk-stage": [*place, 1],
        "stage": [*place, 1],
        "stage-round": [*place, 1, 1],
        "table": [table.public_id],
        "game-restore": [game.public_id],
    }
    for name, args in pages.items():
        shown(client.get(reverse(name, args=args)))
    otherwise = client.get(reverse("desk-stage-otherwise", args=[*place, 1]))
    assert otherwise.status_code in (200, 302)
    game_restore(game=game, actor=Actor(reason=REASON))
    assert list(event_differences(stage.event_id)) == []


def test_organisers_see_it_on_the_page_of_the_round_too(client: Client, club: Club) -> None:
    client.force_login(MembershipFactory.create(club=club, role=Role.ORGANISER).user)
    stage = published(SeasonFactory.create(club=club, slug="evenings", scoring="placement"))
    events.play(stage.stage_rounds.get())
    game = Game.objects.earliest("pk")
    game_void_add(game=game, actor=Actor(reason=REASON))
    html = shown(
        client.get(reverse("desk-round", args=[club.slug, stage.event.slug, stage.number, 1]))
    )
    assert address(game) in html
    assert MARK in html
