"""Clubs, seasons, tables, ratings, players and games, as programs read them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.notation.text import parse
from engine.record.canonical import digests
from engine.record.verify import verify_line
from games.models import Game
from games.models.public_id import ALPHABET, LENGTH
from games.queries.game import game_head, game_record
from league.clubs.services.player import player_rename
from league.imports.services.record import file_import, record_import
from league.log.services import Actor
from league.models import AllTime, Club, Player, Season, Standing, User, Visibility
from league.rankings.services.counting import ranking_count
from league.rankings.services.season import all_time_create
from league.rulings.services import game_correct
from tests.factories.league import ClubFactory, PlayerFactory, SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.frame.api.programs import bearer, code_of, get, member_key, play

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
OF_ALL_TIME = [f"/clubs/stern/all-time/{name}/" for name in ("standings", "ratings", "heads")]


def queries_of(path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        response = get(path)
        if response.streaming:
            b"".join(response)
    assert response.status_code == 200
    return len(captured)


@pytest.fixture
def all_time(club: Club) -> AllTime:
    return all_time_create(club=club, actor=Actor())


def count_all_time(all_time: AllTime) -> None:
    ranking_count(ranking_id=all_time.ranking_id)


def names(*players: str) -> dict[str, Any]:
    return {"seats": players}


@pytest.mark.parametrize(
    ("path", "limit"),
    [(path, 4) for path in LISTS + OF_ALL_TIME] + [(f"{SEASON}/", 1), (f"{SEASON}/games.ndjson", 3)],
)
def test_queries_do_not_grow_with_the_rows(season: Season, all_time: AllTime, path: str, limit: int) -> None:
    play(season, 1, **names("anna", "ben"))
    count_all_time(all_time)
    few = queries_of(path)
    ClubFactory.create_batch(2)
    SeasonFactory.create_batch(2, club=season.club)
    play(season, 2, 3, **names("cleo", "dora", "emil", "fred"))
    count_all_time(all_time)
    assert queries_of(path) == few <= limit


def test_a_game_and_a_player_take_a_fixed_number_of_queries(season: Season) -> None:
    play(season, 1, **names("anna", "ben"))
    play(season, 2, **names("anna", "ben", "cleo", "dora"))
    small, large = Game.objects.order_by("pk")
    assert queries_of(f"/games/{small.public_id}/") == queries_of(f"/games/{large.public_id}/") <= 6
    player = Player.objects.get(handle="anna")
    few = queries_of(f"/players/{player.public_id}/")
    play(SeasonFactory.create(club=season.club), 3, **names("anna", "ben"))
    assert queries_of(f"/players/{player.public_id}/") == few <= 2


def answers() -> Iterator[tuple[str, Any]]:
    """Every address that links lead to from the first one on, and what it answers, None where that isn't JSON."""
    seen: set[str] = set()
    waiting = ["/api/v1/"]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        response = Client().get(path)
        assert response.status_code == 200, path
        told = response.json() if response["Content-Type"] == "application/json" else None
        yield path, told
        waiting += {found for found in addresses(told) if found.startswith("/api")} - seen - set(waiting)


def test_every_address_leads_to_an_answer(season: Season, all_time: AllTime) -> None:
    play(season, 1, 2)
    count_all_time(all_time)
    seen = {path for path, _ in answers()}
    assert {"/api/schema/", "/api/docs/", f"/api/v1{SEASON}/games.ndjson"} < seen
    assert {f"/api/v1{path}" for path in LISTS + OF_ALL_TIME} < seen


NUMBERS = {
    "count", "version", "rank", "rank_before", "games", "wins", "points", "best_game", "rounds", "revision", "opener",
    "cntdice", "dice",
}  # fmt: skip
"""All keys under which an answer has a whole number."""
IDS = {"id", "ranking", "entered_by"}
"""All keys under which an answer has a public id."""


def test_no_answer_shows_the_number_of_a_row(season: Season, all_time: AllTime, scorer: User) -> None:
    play(season, 1, 2)
    corrected = game_correct(
        game=Game.objects.get(external_id="game-1"),
        line=line(bluff_record(9, id="game-1")),
        reason="Two seats were mixed up.",
        entered_by=scorer,
    )
    for ranking in (season.ranking, all_time.ranking):
        ranking_count(ranking_id=ranking.pk)
    read = dict(answers())
    assert read[f"/api/v1/games/{corrected.public_id}/"]["entered_by"] == scorer.public_id
    for path, told in read.items():
        if path.endswith("/record/"):
            continue
        for key, value in members(told):
            assert type(value) is not int or key in NUMBERS, f"{key} of {path}"
            if key in IDS and value is not None:
                assert len(value) == LENGTH, f"{key} of {path}"
                assert set(value) <= set(ALPHABET), f"{key} of {path}"
        ids = [part for part in path.split("/") if part.isdecimal()]
        assert not ids, path


def members(told: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every single value of an answer with the key that it stands under."""
    match told:
        case dict():
            for inner, value in told.items():
                yield from members(value, inner)
        case list():
            for value in told:
                yield from members(value, key)
        case _:
            yield key, told


def addresses(told: Any) -> list[str]:
    match told:
        case dict():
            return [found for value in told.values() for found in addresses(value)]
        case list():
            return [found for value in told for found in addresses(value)]
        case str() if told.startswith("/"):
            return [told]
        case _:
            return []


def test_the_table_tells_what_is_stored(season: Season) -> None:
    play(season, 1, 2, 3)
    rows = get(f"{SEASON}/standings/").json()["results"]
    stored = Standing.objects.filter(ranking=season.ranking_id).order_by("-key", "player").select_related("player")
    assert [(row["player"]["handle"], row["points"], row["wins"], row["games"]) for row in rows] == [
        (row.player.handle, row.points, row.wins, row.games) for row in stored
    ]
    assert [row["rank"] for row in rows] == [1, 2, 3]
    assert rows[0]["points_per_game"] == rows[0]["points"] / rows[0]["games"]


@pytest.mark.parametrize("path", [f"{SEASON}/standings/", "/clubs/stern/all-time/standings/"])
def test_pages_of_a_table_read_the_rows_that_they_send(season: Season, all_time: AllTime, path: str) -> None:
    for seed in range(4):
        play(season, seed, **names(*(f"p{seed}-{seat}" for seat in range(5))))
    count_all_time(all_time)
    whole = get(path).json()["results"]
    pages = []
    for page in (1, 2, 3):
        with CaptureQueriesContext(connection) as captured:
            told = get(f"{path}?page_size=8&page={page}").json()
        assert "OFFSET" in captured[-1]["sql"]
        assert told["count"] == 20
        pages += told["results"]
    assert pages == whole


def test_a_club_has_a_table_of_all_time_over_its_public_seasons(season: Season, all_time: AllTime) -> None:
    play(season, 1, 2)
    play(SeasonFactory.create(club=season.club, slug="winter"), 3)
    play(SeasonFactory.create(club=season.club, slug="closed", visibility=Visibility.MEMBERS), 4)
    count_all_time(all_time)
    told = get("/clubs/stern/all-time/").json()
    assert (told["scoring"], told["ranking"]) == ("placement", all_time.ranking.public_id)
    rows = Client().get(told["standings"]).json()["results"]
    assert {row["games"] for row in rows} == {3}
    assert sum(row["points"] for row in rows) == 3 * (2 + 1 + 0)
    assert len(Client().get(told["ratings"]).json()["results"]) == 3
    public = ["game-1", "game-2", "game-3"]
    assert [row["record_id"] for row in Client().get(told["heads"]).json()["results"]] == public
    lines = b"".join(get("/clubs/stern/all-time/games.ndjson")).splitlines()
    assert [json.loads(line)["id"] for line in lines] == public


def test_a_club_without_a_table_of_all_time_says_so(season: Season) -> None:
    assert get("/clubs/stern/").json()["all_time"] is None
    for path in ("/clubs/stern/all-time/", *OF_ALL_TIME):
        assert code_of(get(path)) == (404, "not_found")


def test_heads_are_the_last_digests_of_the_games_in_order_of_play(season: Season) -> None:
    play(season, 3, 1, 2)
    play(season, 4, rounds=1)
    corrected = game_correct(
        game=Game.objects.get(external_id="game-2"),
        line=line(bluff_record(2) | {"table": "other"}),
        reason="It was another table.",
    )
    ranking_count(ranking_id=season.ranking_id)
    rows = get(f"{SEASON}/heads/").json()["results"]
    assert [row["record_id"] for row in rows] == ["game-1", "game-2", "game-3", "game-4"]
    assert rows[1]["id"] == corrected.public_id
    for row in rows:
        assert row["head"] == game_head(Game.objects.get(public_id=row["id"])).hex()
        assert row["head"] == get(f"/games/{row['id']}/").json()["head"]
        assert row["head"] == get(f"/games/{row['id']}/record/").json()["digests"][-1]
    assert len(get(f"{SEASON}/heads/?page_size=3&page=2").json()["results"]) == 1


def test_ratings_come_from_strong_to_weak_with_their_interval(season: Season) -> None:
    play(season, 1, 2, 3)
    rows = get(f"{SEASON}/ratings/").json()["results"]
    assert [row["mu"] for row in rows] == sorted((row["mu"] for row in rows), reverse=True)
    assert all(row["low"] < row["mu"] < row["high"] and len(row["recent"]) == 3 for row in rows)


def test_a_player_has_figures_of_every_season(season: Season) -> None:
    play(season, 1, 2)
    play(SeasonFactory.create(club=season.club, slug="winter"), 3)
    told = get(f"/players/{Player.objects.get(handle='ben').public_id}/").json()
    assert {row["season"]: row["games"] for row in told["seasons"]} == {"autumn": 2, "winter": 1}
    assert all(row["mu"] for row in told["seasons"])


def test_a_game_tells_seats_in_order_and_what_became_of_the_ratings(season: Season) -> None:
    play(season, 1, event="night-1", table="A")
    told = get(f"/games/{Game.objects.get().public_id}/").json()
    record = bluff_record(1)
    assert [seat["player"]["handle"] for seat in told["seats"]] == record["seats"]
    assert [seat["rank"] for seat in told["seats"]] == list(record["result"]["rank"])
    assert [seat["points"] for seat in told["seats"]] == list(record["result"]["points"])
    assert [seat["cntdice"] for seat in told["seats"]] == list(record["result"]["points"])
    assert all(seat["rating"]["mu"] != seat["rating"]["mu_before"] for seat in told["seats"])
    assert (told["event"], told["table"], told["over"], told["counted"]) == ("night-1", "A", True, True)
    assert told["rules"]["exact"] == "all"
    assert told["replaced_by"] is None


def test_an_unfinished_game_has_no_ranks(season: Season) -> None:
    play(season, 1, rounds=2)
    row = get("/clubs/stern/games/").json()["results"][0]
    for told in (row, Client().get(row["url"]).json()):
        assert (told["over"], told["counted"], {seat["rank"] for seat in told["seats"]}) == (False, False, {None})
        assert told["rounds"] == 2


def test_a_game_that_is_over_counts_once_it_is_in_the_table(season: Season) -> None:
    imported = record_import(season=season, line=line(bluff_record(1)))
    assert imported.game
    path = f"/games/{imported.game.public_id}/"
    told = get(path).json()
    assert (told["over"], told["counted"], told["rounds"]) == (True, False, len(bluff_record(1)["rounds"]))
    ranking_count(ranking_id=season.ranking_id)
    assert get(path).json()["counted"]


def test_a_correction_and_the_game_that_it_replaces_lead_to_each_other(season: Season, scorer: User) -> None:
    play(season, 1)
    first = Game.objects.get()
    second = game_correct(
        game=first, line=line(bluff_record(9, id="game-1")), reason="Two were mixed up.", entered_by=scorer
    )
    ranking_count(ranking_id=season.ranking_id)
    old, new = (get(f"/games/{game.public_id}/").json() for game in (first, second))
    assert (old["replaced_by"], old["replaces"], old["counted"], old["reason"]) == (new["url"], None, False, None)
    assert (new["replaced_by"], new["replaces"], new["counted"], new["reason"]) == (
        None, old["url"], True, "Two were mixed up.",
    )  # fmt: skip
    assert (old["entered_by"], new["entered_by"]) == (None, scorer.public_id)
    assert old["head"] != new["head"]
    assert [row["id"] for row in get("/clubs/stern/games/").json()["results"]] == [new["id"]]


def test_a_record_comes_back_and_is_the_same_game(season: Season) -> None:
    play(season, 1)
    response = get(f"/games/{Game.objects.get().public_id}/record/")
    assert response["Content-Type"] == "application/json"
    assert verify_line(response.content).proved == ("rules", "digests", "seal")
    assert json.loads(response.content)["id"] == "game-1"


def test_a_game_is_to_be_had_as_text(season: Season) -> None:
    play(season, 1)
    game = Game.objects.get()
    response = get(f"/games/{game.public_id}/notation/")
    assert response["Content-Type"] == "text/vnd.cups-up; charset=utf-8"
    (told,) = parse(response.content).records
    names = game_record(game).names
    assert digests(replace(told, names=names))[-1] == game_head(game)


def test_the_file_of_a_season_can_be_imported_again(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.rankings.queries.listing.EXPORTED_TOGETHER", 2)
    play(season, 5, 1, 4, 2, 3)
    response = get(f"{SEASON}/games.ndjson")
    assert response["Content-Type"] == "application/x-ndjson"
    lines = b"".join(response).splitlines(keepends=True)
    assert [json.loads(line)["id"] for line in lines] == [f"game-{seed}" for seed in (1, 2, 3, 4, 5)]
    report = file_import(stream=BytesIO(b"".join(lines)), season=season)
    assert (report.unchanged, report.read) == (5, 5)
    assert all(verify_line(line.rstrip(b"\n")).proved == ("rules", "digests", "seal") for line in lines)


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
        ("page_size=201", 400, "bad_parameter"),
        ("page_size=0", 400, "bad_parameter"),
        ("season=a%00b", 400, "bad_parameter"),
        ("season=%ff", 400, "bad_parameter"),
        ("event=a+b", 400, "bad_parameter"),
        ("player=" + "b" * 11, 400, "bad_parameter"),
        ("player=1.5", 400, "bad_parameter"),
        ("played_after=yesterday", 400, "bad_parameter"),
        ("played_after=0001-01-01T00:00:00%2B14:00", 400, "bad_parameter"),
        ("key=%00", 400, "bad_parameter"),
        ("key=" + "k" * 33, 400, "bad_parameter"),
        ("playr=7", 400, "bad_parameter"),
    ],
)
def test_a_bad_query_is_a_problem_that_names_the_parameter(season: Season, query: str, status: int, code: str) -> None:
    response = get(f"/clubs/stern/games/?{query}")
    assert code_of(response) == (status, code)
    if code == "bad_parameter":
        assert response.json()["errors"][0]["field"] == query.partition("=")[0]


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
    return [f"{base}/", f"{base}/standings/", f"{base}/ratings/", f"{base}/heads/", f"{base}/games.ndjson",
            f"/games/{game}/", f"/games/{game}/record/", f"/players/{player}/"]  # fmt: skip


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
        assert [get(path, **headers).json()["count"] > 0 for headers in (bearer(member), {}, bearer(stranger))] == [
            True, False, False,
        ]  # fmt: skip


def test_a_key_opens_nothing_in_another_club_of_its_account(hidden: Season) -> None:
    _, key = member_key(hidden.club)
    elsewhere, _ = member_key(ClubFactory.create(), user=key.user)
    for path in addresses_of(hidden):
        assert code_of(get(path, **bearer(elsewhere))) == (404, "not_found")
    for path in lists_of(hidden.club):
        assert get(path, **bearer(elsewhere)).json()["count"] == 0


def test_a_season_by_link_is_seen_with_its_key(club: Club) -> None:
    season = SeasonFactory.create(club=club, visibility=Visibility.LINK)
    play(season, 1)
    for path in addresses_of(season):
        assert code_of(get(path)) == (404, "not_found")
        assert code_of(get(f"{path}?key=wrong")) == (404, "not_found")
        assert get(f"{path}?key={season.link_token}").status_code == 200
    assert season.link_token not in get(f"{addresses_of(season)[0]}?key={season.link_token}").content.decode()


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
    assert first["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie"} <= set(first["Vary"].split(", "))
    again = get(path, **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert again["Cache-Control"] == "private, no-cache"
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


@pytest.mark.parametrize("path", [f"{SEASON}/standings/", f"{SEASON}/ratings/", f"{SEASON}/games.ndjson"])
def test_an_answer_that_shows_a_name_is_another_one_under_another_name(season: Season, path: str) -> None:
    play(season, 1)
    etag = get(path)["ETag"]
    player_rename(player=Player.objects.get(handle="anna"), name="Anna B.", actor=Actor())
    assert get(path, **{"If-None-Match": etag}).status_code == 200


def test_another_page_or_viewer_has_another_etag(season: Season, secret: str) -> None:
    play(season, 1)
    path = f"{SEASON}/standings/"
    tags = [get(path)["ETag"], get(f"{path}?page_size=1")["ETag"], get(path, **bearer(secret))["ETag"]]
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

    monkeypatch.setattr("league.rankings.api.club.club_for", broken)
    response = Client(raise_request_exception=False).get("/api/v1/clubs/stern/")
    assert code_of(response) == (500, "server_error")
    assert b"hunter2" not in response.content
    assert "api.failed" in caplog.text
    assert response["X-Request-Id"]


def test_programs_are_spoken_to_in_english(season: Season) -> None:
    response = get("/clubs/?page=0", **{"Accept-Language": "de"})
    assert response.json()["errors"][0]["message"] == "Ensure this value is greater than or equal to 1."
    assert response["Content-Language"] == "en"
