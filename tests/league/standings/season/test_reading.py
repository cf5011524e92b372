"""Clubs, seasons, tables, ratings, players and games, as programs read them."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.notation.text import parse
from engine.record.anchors import Anchors, read_heads
from engine.record.canonical import digests
from engine.record.verify import verify_line
from games.models import Game
from games.models.public_id import ALPHABET, LENGTH
from games.queries.game import game_head, game_record
from league.core.log.services import Actor
from league.disputes.correction.services import game_correct
from league.models import AllTime, Club, Player, Season, Standing, User, Visibility
from league.records.file.services import file_import, record_import
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import all_time_create
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.core.frame.api.programs import code_of, get, play

SEASON = "/clubs/stern/seasons/autumn"
LISTS = [
    "/clubs/",
    "/clubs/stern/seasons/",
    "/clubs/stern/players/",
    "/clubs/stern/games/",
    f"{SEASON}/standings/",
    f"{SEASON}/ratings/",
    f"{SEASON}/styles/",
    f"{SEASON}/heads/",
]
OF_ALL_TIME = [
    f"/clubs/stern/all-time/{name}/" for name in ("standings", "ratings", "styles", "heads")
]


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


def test_a_game_and_a_player_take_a_fixed_number_of_queries(season: Season) -> None:
    play(season, 1, **names("anna", "ben"))
    play(season, 2, **names("anna", "ben", "cleo", "dora"))
    small, large = Game.objects.order_by("pk")
    assert queries_of(f"/games/{small.public_id}/") == queries_of(f"/games/{large.public_id}/") <= 9
    player = Player.objects.get(handle="anna")
    few = queries_of(f"/players/{player.public_id}/")
    play(SeasonFactory.create(club=season.club), 3, **names("anna", "ben"))
    assert queries_of(f"/players/{player.public_id}/") == few <= 2


def answers() -> Iterator[tuple[str, Any]]:
    """Every address that links lead to from the first one on, and what it answers, None where that
    isn't JSON."""
    seen: set[str] = set()
    waiting = ["/api/v1/"]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        response = Client().get(path)
        assert response.status_code == 200, path
        answer = response.json() if response["Content-Type"] == "application/json" else None
        yield path, answer
        waiting += (
            {found for found in addresses(answer) if found.startswith("/api")} - seen - set(waiting)
        )


def test_every_address_leads_to_an_answer(season: Season, all_time: AllTime) -> None:
    play(season, 1, 2)
    count_all_time(all_time)
    seen = {path for path, _ in answers()}
    assert {"/api/schema/", "/api/docs/", f"/api/v1{SEASON}/games.ndjson"} < seen
    assert {f"/api/v1{path}" for path in LISTS + OF_ALL_TIME} < seen


NUMBERS = {
    "count",
    "version",
    "rank",
    "rank_before",
    "games",
    "wins",
    "points",
    "best_game",
    "rounds",
    "revision",
    "opener",
    "cntdice",
    "penalty",
    "dice",
    "bids",
    "unsupported",
    "decisions",
    "rolls",
    "challenges",
}
"""All keys under which an answer has a whole number."""
IDS = {"id", "ranking", "entered_by"}
"""All keys under which an answer has a public id."""


def test_no_answer_shows_the_number_of_a_row(
    season: Season, all_time: AllTime, scorer: User
) -> None:
    play(season, 1, 2)
    corrected = game_correct(
        game=Game.objects.get(external_id="game-1"),
        line=line(bluff_record(9, id="game-1")),
        reason="Two seats were mixed up.",
        entered_by_id=scorer.pk,
    )
    for ranking in (season.ranking, all_time.ranking):
        ranking_count(ranking_id=ranking.pk)
    read = dict(answers())
    assert read[f"/api/v1/games/{corrected.public_id}/"]["entered_by"] == scorer.public_id
    for path, answer in read.items():
        if path.endswith(("/record/", "/analysis/", "/difference/")):
            continue
        for key, value in members(answer):
            assert type(value) is not int or key in NUMBERS, f"{key} of {path}"
            if key in IDS and value is not None:
                assert len(value) == LENGTH, f"{key} of {path}"
                assert set(value) <= set(ALPHABET), f"{key} of {path}"
        ids = [part for part in path.split("/") if part.isdecimal()]
        assert not ids, path


def members(answer: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Every single value of an answer with the key that it stands under."""
    match answer:
        case dict():
            for inner, value in answer.items():
                yield from members(value, inner)
        case list():
            for value in answer:
                yield from members(value, key)
        case _:
            yield key, answer


def addresses(answer: Any) -> list[str]:
    match answer:
        case dict():
            return [found for value in answer.values() for found in addresses(value)]
        case list():
            return [found for value in answer for found in addresses(value)]
        case str() if answer.startswith("/"):
            return [answer]
        case _:
            return []


def test_the_table_tells_what_is_stored(season: Season) -> None:
    play(season, 1, 2, 3)
    rows = get(f"{SEASON}/standings/").json()["results"]
    stored = (
        Standing.objects.filter(ranking=season.ranking_id)
        .order_by("-key", "player")
        .select_related("player")
    )
    assert [
        (row["player"]["handle"], row["points"], row["wins"], row["games"]) for row in rows
    ] == [(row.player.handle, row.points, row.wins, row.games) for row in stored]
    assert [row["rank"] for row in rows] == [1, 2, 3]
    assert rows[0]["points_per_game"] == rows[0]["points"] / rows[0]["games"]


@pytest.mark.parametrize("path", [f"{SEASON}/standings/", "/clubs/stern/all-time/standings/"])
def test_pages_of_a_table_read_the_rows_that_they_send(
    season: Season, all_time: AllTime, path: str
) -> None:
    for seed in range(4):
        play(season, seed, **names(*(f"p{seed}-{seat}" for seat in range(5))))
    count_all_time(all_time)
    whole = get(path).json()["results"]
    pages = []
    for page in (1, 2, 3):
        with CaptureQueriesContext(connection) as captured:
            answer = get(f"{path}?page_size=8&page={page}").json()
        assert re.search(rf"OFFSET {8 * page - 8}\s+LIMIT \d", captured[-1]["sql"])
        assert answer["count"] == 20
        pages += answer["results"]
    assert pages == whole


def test_a_club_has_a_table_of_all_time_over_its_public_seasons(
    season: Season, all_time: AllTime
) -> None:
    play(season, 1, 2)
    play(SeasonFactory.create(club=season.club, slug="winter"), 3)
    play(SeasonFactory.create(club=season.club, slug="closed", visibility=Visibility.MEMBERS), 4)
    count_all_time(all_time)
    answer = get("/clubs/stern/all-time/").json()
    assert (answer["scoring"], answer["ranking"]) == ("placement", all_time.ranking.public_id)
    rows = Client().get(answer["standings"]).json()["results"]
    assert {row["games"] for row in rows} == {3}
    assert sum(row["points"] for row in rows) == 3 * (2 + 1 + 0)
    assert len(Client().get(answer["ratings"]).json()["results"]) == 3
    public = ["game-1", "game-2", "game-3"]
    assert [row["record_id"] for row in Client().get(answer["heads"]).json()["results"]] == public
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


def test_the_records_are_those_of_the_heads(season: Season, all_time: AllTime) -> None:
    play(season, 1, 2)
    play(season, 3, rounds=1)
    count_all_time(all_time)
    for owner in (SEASON, "/clubs/stern/all-time"):
        rows = get(f"{owner}/heads/").json()["results"]
        heads = read_heads(f"{row['head']} {row['record_id']}\n" for row in rows)
        records = b"".join(get(f"{owner}/games.ndjson")).splitlines()
        assert [verify_line(exported, Anchors(heads=heads)).error for exported in records] == [
            None
        ] * 3


def test_ratings_come_from_strong_to_weak_with_their_interval(season: Season) -> None:
    play(season, 1, 2, 3)
    rows = get(f"{SEASON}/ratings/").json()["results"]
    assert [row["mu"] for row in rows] == sorted((row["mu"] for row in rows), reverse=True)
    assert all(row["low"] < row["mu"] < row["high"] and len(row["recent"]) == 3 for row in rows)


def test_a_player_has_figures_of_every_season(season: Season) -> None:
    play(season, 1, 2)
    play(SeasonFactory.create(club=season.club, slug="winter"), 3)
    answer = get(f"/players/{Player.objects.get(handle='ben').public_id}/").json()
    assert {row["season"]: row["games"] for row in answer["seasons"]} == {"autumn": 2, "winter": 1}
    assert all(row["mu"] for row in answer["seasons"])


def test_a_game_tells_seats_in_order_and_what_became_of_the_ratings(season: Season) -> None:
    play(season, 1, event="night-1", table="A")
    answer = get(f"/games/{Game.objects.get().public_id}/").json()
    record = bluff_record(1)
    assert [seat["player"]["handle"] for seat in answer["seats"]] == record["seats"]
    assert [seat["rank"] for seat in answer["seats"]] == list(record["result"]["rank"])
    assert [seat["points"] for seat in answer["seats"]] == list(record["result"]["points"])
    assert [seat["cntdice"] for seat in answer["seats"]] == list(record["result"]["points"])
    assert all(seat["rating"]["mu"] != seat["rating"]["mu_before"] for seat in answer["seats"])
    assert (answer["event"], answer["table"], answer["over"], answer["counted"]) == (
        "night-1",
        "A",
        True,
        True,
    )
    assert answer["rules"]["exact"] == "all"
    assert answer["corrected_by"] is None


def test_an_unfinished_game_has_no_ranks(season: Season) -> None:
    play(season, 1, rounds=2)
    row = get("/clubs/stern/games/").json()["results"][0]
    for answer in (row, Client().get(row["url"]).json()):
        assert (answer["over"], answer["counted"], {seat["rank"] for seat in answer["seats"]}) == (
            False,
            False,
            {None},
        )
        assert answer["rounds"] == 2


def test_a_game_that_is_over_counts_once_it_is_in_the_table(season: Season) -> None:
    imported = record_import(season=season, line=line(bluff_record(1)))
    assert imported.game
    path = f"/games/{imported.game.public_id}/"
    answer = get(path).json()
    assert (answer["over"], answer["counted"], answer["rounds"]) == (
        True,
        False,
        len(bluff_record(1)["rounds"]),
    )
    ranking_count(ranking_id=season.ranking_id)
    assert get(path).json()["counted"]


def test_a_correction_and_the_game_that_it_replaces_lead_to_each_other(
    season: Season, scorer: User
) -> None:
    play(season, 1)
    first = Game.objects.get()
    second = game_correct(
        game=first,
        line=line(bluff_record(9, id="game-1")),
        reason="Two were mixed up.",
        entered_by_id=scorer.pk,
    )
    ranking_count(ranking_id=season.ranking_id)
    old, new = (get(f"/games/{game.public_id}/").json() for game in (first, second))
    assert (old["corrected_by"], old["corrects"], old["counted"], old["reason"]) == (
        new["url"],
        None,
        False,
        None,
    )
    assert (new["corrected_by"], new["corrects"], new["counted"], new["reason"]) == (
        None,
        old["url"],
        True,
        "Two were mixed up.",
    )
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
    (parsed,) = parse(response.content).records
    names = game_record(game).names
    assert digests(replace(parsed, names=names))[-1] == game_head(game)


def test_the_file_of_a_season_can_be_imported_again(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.standings.season.queries.listing.EXPORTED_TOGETHER", 2)
    play(season, 5, 1, 4, 2, 3)
    response = get(f"{SEASON}/games.ndjson")
    assert response["Content-Type"] == "application/x-ndjson"
    lines = b"".join(response).splitlines(keepends=True)
    assert [json.loads(line)["id"] for line in lines] == [
        f"game-{seed}" for seed in (1, 2, 3, 4, 5)
    ]
    report = file_import(stream=BytesIO(b"".join(lines)), season=season)
    assert (report.unchanged, report.read) == (5, 5)
    assert all(
        verify_line(line.rstrip(b"\n")).proved == ("rules", "digests", "seal") for line in lines
    )
