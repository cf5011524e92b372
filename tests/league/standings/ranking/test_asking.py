"""Asking the API: which games, who may see what, what an unchanged answer costs, and what is
refused."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Game
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.models import Club, Player, Season, Visibility
from league.records.file.services import record_import
from league.standings.ranking.services.counting import ranking_count
from tests.factories.league import ClubFactory, PlayerFactory, SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.core.frame.api.programs import bearer, code_of, get, member_key, play

SEASON = "/clubs/stern/seasons/autumn"
LISTS = [
    "/clubs/",
    "/clubs/stern/seasons/",
    "/clubs/stern/players/",
    "/clubs/stern/games/",
    f"{SEASON}/standings/",
    f"{SEASON}/ratings/",
    f"{SEASON}/heads/",
]


def names(*players: str) -> dict[str, Any]:
    return {"seats": players}


def found(query: str) -> list[str]:
    response = get(f"/clubs/stern/games/?{query}")
    assert response.status_code == 200, response.content
    return [row["record_id"] for row in response.json()["results"]]


def test_games_are_narrowed_by_season_player_event_and_time(season: Season) -> None:
    play(season, 1, played_at="2026-09-01T19:00:00+02:00", event="night-1")
    play(season, 2, played_at="2026-09-08T19:00:00+02:00", event="night-2", **names("anna", "zoe"))
    winter = SeasonFactory.create(club=season.club, slug="winter")
    play(winter, 4, played_at="2026-12-01T19:00:00+01:00", event="night-1")
    zoe = Player.objects.get(handle="zoe")
    assert found("") == ["game-4", "game-2", "game-1"]
    assert found("season=winter") == ["game-4"]
    assert found("event=night-1") == ["game-4", "game-1"]
    assert found(f"player={zoe.public_id}") == ["game-2"]
    assert found("played_after=2026-09-08T17:00:00Z") == ["game-4", "game-2"]
    assert found("played_before=2026-09-08T17:00:00Z") == ["game-1"]
    assert found("season=autumn&event=night-1&played_before=2026-09-02T00:00:00Z") == ["game-1"]
    assert found("season=nowhere") == []
    assert found("player=nobody2345") == []


def test_pages_have_fifty_rows_unless_asked_for_others(season: Season) -> None:
    SeasonFactory.create_batch(60, club=season.club)
    first = get("/clubs/stern/seasons/").json()
    assert (first["count"], len(first["results"]), first["previous"]) == (61, 50, None)
    second = Client().get(first["next"]).json()
    assert (len(second["results"]), second["next"]) == (11, None)
    assert Client().get(second["previous"]).json() == first
    assert len(get("/clubs/stern/seasons/?page_size=7&page=9").json()["results"]) == 5


@pytest.mark.parametrize("path", ["/clubs/stern/games/", f"{SEASON}/heads/"])
def test_pages_of_games_have_each_game_once_there_and_back_and_nobody_counts_them(
    season: Season, path: str
) -> None:
    for seed in range(5):
        play(season, seed, played_at=f"2026-09-0{1 + seed // 2}T19:00:00+02:00")
    for seed in (7, 8, 9):
        played = {key: value for key, value in bluff_record(seed).items() if key != "played_at"}
        assert record_import(season=season, line=line(played)).error is None
    ranking_count(ranking_id=season.ranking_id)
    whole = get(path).json()
    assert (whole.keys(), whole["next"], whole["previous"]) == (
        {"next", "previous", "results"},
        None,
        None,
    )
    assert len(whole["results"]) == 8
    pages = [get(f"{path}?page_size=3").json()]
    while pages[-1]["next"]:
        with CaptureQueriesContext(connection) as captured:
            pages.append(Client().get(pages[-1]["next"]).json())
        assert not [
            query for query in captured if "COUNT(" in query["sql"] or "OFFSET" in query["sql"]
        ]
    assert [row for page in pages for row in page["results"]] == whole["results"]
    for page, before in zip(pages[:0:-1], pages[-2::-1], strict=True):
        assert Client().get(page["previous"]).json()["results"] == before["results"]


def test_who_has_the_last_head_is_given_those_of_later_games_alone(season: Season) -> None:
    for seed in (1, 2, 3):
        play(season, seed, played_at=f"2026-09-0{seed}T19:00:00+02:00")
    first = get(f"{SEASON}/heads/?page_size=2").json()
    assert [row["record_id"] for row in first["results"]] == ["game-1", "game-2"]
    play(season, 4, played_at="2026-09-04T19:00:00+02:00")
    assert [row["record_id"] for row in Client().get(first["next"]).json()["results"]] == [
        "game-3",
        "game-4",
    ]
    assert code_of(get(f"{SEASON}/heads/?page=2")) == (400, "bad_parameter")
    assert code_of(get(f"{SEASON}/heads/?after=~a&before=~b")) == (400, "bad_parameter")


@pytest.mark.parametrize(
    "query",
    [
        "page=1",
        "before=",
        "before=start",
        "after=2026-09-01T19:00:00~game-1",
        "after=~a%00",
        "after=~a&before=~b",
        "page_size=201",
        "page_size=0",
        "season=a%00b",
        "season=%ff",
        "event=a+b",
        "player=" + "b" * 11,
        "player=1.5",
        "played_after=yesterday",
        "played_after=0001-01-01T00:00:00%2B14:00",
        "key=%00",
        "key=" + "k" * 33,
        "playr=7",
    ],
)
def test_a_bad_query_is_a_problem_that_names_the_parameter(season: Season, query: str) -> None:
    response = get(f"/clubs/stern/games/?{query}")
    assert code_of(response) == (400, "bad_parameter")
    assert response.json()["errors"][0]["field"] == query.partition("=")[0]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("page=3", 404, "not_found"),
        (f"page={10**40}", 404, "not_found"),
        ("page=0", 400, "bad_parameter"),
        ("page=-1", 400, "bad_parameter"),
        ("page=x", 400, "bad_parameter"),
        ("page=", 400, "bad_parameter"),
        ("page=" + "9" * 5000, 400, "bad_parameter"),
    ],
)
def test_a_page_that_cannot_be_is_a_problem(
    season: Season, query: str, status: int, code: str
) -> None:
    assert code_of(get(f"/clubs/stern/seasons/?{query}")) == (status, code)


@pytest.mark.parametrize(
    "path",
    [
        "/clubs/nobody/",
        "/clubs/nobody/games/",
        "/clubs/stern/seasons/none/standings/",
        "/games/9/",
        "/games/bbbbbbbbbb/",
        f"/games/{2**200}/record/",
        f"/players/{'9' * 5000}/",
        "/players/0/",
        "/games/-1/",
        "/games/%D9%A1/",
        "/clubs/st%00ern/",
        "/clubs/%ff/",
        "/clubs/stern",
        "/nothing/",
        "//clubs/",
    ],
)
def test_where_nothing_is_stands_a_problem(season: Season, path: str) -> None:
    assert code_of(get(path)) == (404, "not_found")


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options", "trace"])
def test_what_cannot_be_done_is_405_and_tells_what_can(season: Season, method: str) -> None:
    response = getattr(Client(), method)("/api/v1/clubs/stern/games/")
    assert code_of(response) == (405, "method_not_allowed")
    assert response["Allow"] == "GET, HEAD, POST"


@pytest.fixture
def hidden(club: Club) -> Season:
    season = SeasonFactory.create(club=club, slug="hidden", visibility=Visibility.MEMBERS)
    play(season, 1)
    return season


def addresses_of(season: Season) -> list[str]:
    base = f"/clubs/{season.club.slug}/seasons/{season.slug}"
    game = Game.objects.get(season_game__season=season).public_id
    player = season.club.players.all()[0].public_id
    return [
        f"{base}/",
        f"{base}/standings/",
        f"{base}/ratings/",
        f"{base}/heads/",
        f"{base}/games.ndjson",
        f"/games/{game}/",
        f"/games/{game}/record/",
        f"/players/{player}/",
    ]


def lists_of(club: Club) -> list[str]:
    return [f"/clubs/{club.slug}/{name}/" for name in ("seasons", "games", "players")]


def test_a_members_season_is_seen_by_members_only(hidden: Season) -> None:
    member, _ = member_key(hidden.club)
    stranger, _ = member_key(ClubFactory.create())
    for path in addresses_of(hidden):
        assert get(path, **bearer(member)).status_code == 200, path
        assert code_of(get(path)) == (404, "not_found")
        assert code_of(get(path, **bearer(stranger))) == (404, "not_found")
    for path in lists_of(hidden.club):
        answers = [
            get(path, **headers).json() for headers in (bearer(member), {}, bearer(stranger))
        ]
        assert [bool(answer["results"]) for answer in answers] == [True, False, False]


def test_a_key_opens_nothing_in_another_club_of_its_account(hidden: Season) -> None:
    _, key = member_key(hidden.club)
    elsewhere, _ = member_key(ClubFactory.create(), user=key.user)
    for path in addresses_of(hidden):
        assert code_of(get(path, **bearer(elsewhere))) == (404, "not_found")
    for path in lists_of(hidden.club):
        assert get(path, **bearer(elsewhere)).json()["results"] == []


def test_a_season_by_link_is_seen_with_its_key(club: Club) -> None:
    season = SeasonFactory.create(club=club, visibility=Visibility.LINK)
    play(season, 1)
    for path in addresses_of(season):
        assert code_of(get(path)) == (404, "not_found")
        assert code_of(get(f"{path}?key=wrong")) == (404, "not_found")
        assert get(f"{path}?key={season.link_token}").status_code == 200
    assert (
        season.link_token
        not in get(f"{addresses_of(season)[0]}?key={season.link_token}").content.decode()
    )


def test_a_player_of_hidden_games_alone_is_hidden(season: Season) -> None:
    player = PlayerFactory.create(club=season.club)
    assert code_of(get(f"/players/{player.public_id}/")) == (404, "not_found")


VERSIONED = [
    f"{SEASON}/standings/",
    f"{SEASON}/ratings/",
    f"{SEASON}/heads/",
    f"{SEASON}/games.ndjson",
    f"{SEASON}/",
    "/clubs/stern/games/",
]


@pytest.mark.parametrize("path", VERSIONED)
def test_an_answer_is_sent_again_only_when_something_changed(season: Season, path: str) -> None:
    play(season, 1)
    first = get(path)
    assert first["Cache-Control"] in {"public, no-cache", "private, no-cache"}
    assert {"Authorization", "Cookie"} <= set(first["Vary"].split(", "))
    again = get(path, **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert again["Cache-Control"] == first["Cache-Control"]
    play(season, 2)
    assert get(path, **{"If-None-Match": first["ETag"]}).status_code == 200


@pytest.mark.parametrize("path", ["/clubs/stern/games/", f"{SEASON}/games.ndjson"])
def test_a_game_that_is_not_over_changes_the_lists_that_show_it(season: Season, path: str) -> None:
    play(season, 1)
    etag = get(path)["ETag"]
    play(season, 2, rounds=1)
    assert get(path, **{"If-None-Match": etag}).status_code == 200


def test_an_unchanged_table_is_found_without_reading_it(season: Season) -> None:
    play(season, 1)
    path = f"{SEASON}/standings/"
    etag = get(path)["ETag"]
    with CaptureQueriesContext(connection) as captured:
        assert get(path, **{"If-None-Match": etag}).status_code == 304
    assert len(captured) == 1


@pytest.mark.parametrize(
    "path", [f"{SEASON}/standings/", f"{SEASON}/ratings/", f"{SEASON}/games.ndjson"]
)
def test_an_answer_that_shows_a_name_is_another_one_under_another_name(
    season: Season, path: str
) -> None:
    play(season, 1)
    etag = get(path)["ETag"]
    player_rename(player=Player.objects.get(handle="anna"), name="Anna B.", actor=Actor())
    assert get(path, **{"If-None-Match": etag}).status_code == 200


def test_another_page_or_viewer_has_another_etag(season: Season, secret: str) -> None:
    play(season, 1)
    path = f"{SEASON}/standings/"
    tags = [
        get(path)["ETag"],
        get(f"{path}?page_size=1")["ETag"],
        get(path, **bearer(secret))["ETag"],
    ]
    assert len(set(tags)) == 3


def test_a_program_may_ask_for_any_format(season: Season) -> None:
    for path in LISTS:
        assert get(path, Accept="text/html").status_code == 200


def test_head_is_get_without_its_body(season: Season) -> None:
    response = Client().head("/api/v1/clubs/stern/")
    assert (response.status_code, response.content) == (200, b"")


def test_what_breaks_tells_nothing_and_is_logged(
    season: Season, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: object) -> None:
        raise RuntimeError("password=hunter2")

    monkeypatch.setattr("league.standings.ranking.api.view.club_for", broken)
    response = Client(raise_request_exception=False).get("/api/v1/clubs/stern/")
    assert code_of(response) == (500, "server_error")
    assert b"hunter2" not in response.content
    assert "api.failed" in caplog.text
    assert response["X-Request-Id"]


def test_programs_are_spoken_to_in_english(season: Season) -> None:
    response = get("/clubs/?page=0", **{"Accept-Language": "de"})
    assert (
        response.json()["errors"][0]["message"]
        == "Ensure this value is greater than or equal to 1."
    )
    assert response["Content-Language"] == "en"
