"""Importing: good games go in once, bad ones are named with their place, whatever the file."""

import gzip
import io
import json
import tracemalloc
from typing import Any

import pytest

from engine.record.canonical import digests
from engine.record.export import export
from games.models import Game, Seat
from games.queries.game import game_head, game_record
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.core.player.services.player import player_rename
from league.models import Player, Season
from league.records.file.services import Outcome, Report, file_import, record_import
from league.standings.ranked_game.actions import GameAction
from tests.factories.league import PlayerFactory, SeasonFactory, UserFactory
from tests.factories.records import bluff_record, line


@pytest.fixture
def season(db: None) -> Season:
    return SeasonFactory.create(slug="autumn", rules={"dice": 5})


def import_lines(season: Season, *lines: bytes, **options: Any) -> Report:
    return file_import(stream=io.BytesIO(b"".join(lines)), season=season, **options)


def imported_error(season: Season, record: dict[str, Any], **options: Any) -> str:
    imported = record_import(season=season, line=line(record), **options)
    assert imported.outcome == Outcome.BAD
    assert imported.error
    assert not Game.objects.filter(external_id=record["id"], header__contains="nobody").exists()
    return imported.error.code


@pytest.mark.parametrize("level", ["dealt", "dice", "bids", "challenge", "result"])
def test_what_is_stored_is_what_was_told(season: Season, level: str) -> None:
    sent = line(bluff_record(3, level=level))
    game = record_import(season=season, line=sent).game
    assert game
    chain = digests(game_record(game))
    assert [
        bytes(game.digest),
        *(bytes(row.digest) for row in game.rounds.order_by("number")),
    ] == chain
    assert game_head(game) == chain[-1]
    assert json.loads(export(game_record(game)))["result"] == json.loads(sent)["result"]


def test_the_same_file_again_changes_nothing(season: Season) -> None:
    lines = [line(bluff_record(seed)) for seed in range(5)]
    assert import_lines(season, *lines).created == 5
    again = import_lines(season, *lines)
    assert (again.created, again.unchanged, again.bad) == (0, 5, 0)
    assert LogEntry.objects.filter(action=GameAction.SEALED).count() == 5


def test_the_same_game_written_another_way_is_the_same_game(season: Season) -> None:
    record = bluff_record(1)
    import_lines(season, line(record))
    spelled_out = record | {
        "rules": {"exact": "all", "reroll": False, "dice": 5, "scoring": "cntdice"}
    }
    del spelled_out["result"]
    assert import_lines(season, line(spelled_out)).unchanged == 1


def test_the_same_id_with_other_content_is_a_conflict(season: Season) -> None:
    import_lines(season, line(bluff_record(1)))
    assert imported_error(season, bluff_record(2, id="game-1")) == "conflict"


def test_who_imports_is_noted_with_the_game_and_in_the_log(season: Season) -> None:
    scorer = UserFactory.create()
    imported = record_import(season=season, line=line(bluff_record(1)), entered_by=scorer)
    assert imported.game
    assert imported.game.entered_by == scorer
    entry = LogEntry.objects.get(action=GameAction.SEALED)
    assert (entry.actor, entry.subject) == (scorer, imported.game.public_id)
    assert json.loads(entry.payload) == {
        "season": season.public_id,
        "head": game_head(imported.game).hex(),
    }


def test_a_record_with_a_former_handle_finds_the_same_player(season: Season) -> None:
    import_lines(season, line(bluff_record(1)))
    player_rename(player=Player.objects.get(handle="anna"), handle="ann", actor=Actor())
    report = import_lines(
        season, line(bluff_record(2)), line(bluff_record(3, seats=["Ann", "ben", "cleo"]))
    )
    assert (report.created, report.new_players) == (2, [])
    assert Player.objects.count() == 3


def test_two_clubs_may_use_the_same_id(season: Season) -> None:
    other = SeasonFactory.create(slug="autumn")
    assert import_lines(season, line(bluff_record(1))).created == 1
    assert import_lines(other, line(bluff_record(2, id="game-1"))).created == 1


def test_one_bad_line_in_ten_thousand_is_named_and_the_others_go_in(season: Season) -> None:
    good = [line(bluff_record(seed, level="result")) for seed in range(100)]
    bad = bluff_record(101)
    bad["rounds"][1]["moves"][1] = bad["rounds"][1]["moves"][0]
    lines = good * 100
    lines[6543] = line(bad)
    report = import_lines(season, *lines)
    assert (report.read, report.created, report.unchanged, report.bad) == (10_000, 100, 9_899, 1)
    message, said = (report.bad_games[0].pop(key) for key in ("message", "said"))
    assert report.bad_games == [
        {
            "line": 6544,
            "id": "game-101",
            "code": "not_a_raise",
            "round": 1,
            "move": 1,
            "path": "rounds[1].moves[1]",
        }
    ]
    assert "raise" in message
    assert (said["template"], set(said["values"])) == (
        "{bid} does not raise {last}",
        {"bid", "last"},
    )


def test_all_or_nothing_refuses_the_file_for_one_bad_game(season: Season) -> None:
    report = import_lines(season, line(bluff_record(1)), b"{}\n", all_or_nothing=True)
    assert report.refused
    assert not Game.objects.exists()
    assert not Player.objects.exists()


def test_half_a_gzip_keeps_the_games_that_came_whole(season: Season) -> None:
    packed = gzip.compress(
        b"".join(line(bluff_record(seed)) for seed in range(40)), compresslevel=1
    )
    report = import_lines(season, packed[: len(packed) // 2])
    assert report.created > 5
    assert report.bad == 1
    assert report.bad_games[0]["code"] == "bad_json"
    assert "cut off" in report.bad_games[0]["message"]


class LongLine(io.RawIOBase):
    """A first line of 200 MB, made as it is read, and a good one after it."""

    def __init__(self) -> None:
        self.left = 200_000_000
        self.rest = io.BytesIO(b"\n" + line(bluff_record(1)))

    def read(self, size: int = -1) -> bytes:
        if not self.left:
            return self.rest.read(size)
        size = min(size, self.left)
        self.left -= size
        return b"x" * size


def test_a_line_of_200_megabytes_costs_an_error_and_no_memory(season: Season) -> None:
    tracemalloc.start()
    report = file_import(stream=LongLine(), season=season)  # type: ignore[arg-type]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (report.created, report.bad) == (1, 1)
    assert report.bad_games[0]["line"] == 1
    assert "longer" in report.bad_games[0]["message"]
    assert peak < 20_000_000


def test_an_unknown_player_is_created_or_refused(season: Season) -> None:
    PlayerFactory.create(club=season.club, handle="Anna", name="Anna B.")
    PlayerFactory.create(club=season.club, handle="ben")
    assert imported_error(season, bluff_record(1), create_players=False) == "unknown_player"
    report = import_lines(season, line(bluff_record(1)))
    assert report.new_players == ["cleo"]
    assert Player.objects.count() == 3, "anna is Anna, whatever the capitals"


def test_two_seats_that_are_one_player_are_refused(season: Season) -> None:
    assert (
        imported_error(season, bluff_record(1, seats=["anna", "ANNA", "ben"]))
        == "same_player_twice"
    )
    assert not Game.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    "handle",
    ["<script>alert(1)</script>", "Zoë 🎲", "İlker", "ẞ", "'; DROP TABLE games_game; --", "名前"],
)
def test_any_name_is_a_name(season: Season, handle: str) -> None:
    report = import_lines(season, line(bluff_record(1, seats=[handle, "anna"])))
    assert report.created == 1
    assert Seat.objects.filter(handle=handle).exists()
    assert Player.objects.filter(handle=handle, name=handle).exists()


def test_a_game_that_does_not_fit_the_season_is_refused(season: Season) -> None:
    assert imported_error(season, bluff_record(1, season="spring")) == "other_season"
    assert (
        imported_error(season, bluff_record(1, rules={"dice": 4, "scoring": "cntdice"}, rounds=0))
        == "other_rules"
    )
    season.kind = "luegen-kniffel"
    assert imported_error(season, bluff_record(1)) == "other_game"


@pytest.mark.parametrize(
    "sent", [b"", b"{}", b"null", b"[[[[", b"\xff\xfe", b'{"v":1}', b"[" * 100_000, b'"' * 9]
)
def test_whatever_the_bytes_are_the_answer_is_an_error_of_the_record(
    season: Season, sent: bytes
) -> None:
    imported = record_import(season=season, line=sent)
    assert imported.error
    assert imported.error.code in {"bad_json", "bad_record"}


@pytest.mark.parametrize(
    "played_at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1899-12-31T23:59:59Z"]
)
def test_a_time_at_an_end_of_the_calendar_is_refused(season: Season, played_at: str) -> None:
    imported = record_import(season=season, line=line(bluff_record(1, played_at=played_at)))
    assert imported.error is not None
    assert (imported.outcome, imported.error.code, imported.error.path) == (
        Outcome.BAD,
        "time_out_of_range",
        "played_at",
    )
    assert not Game.objects.exists()


@pytest.mark.parametrize("handle", ["an\u200bna", "anna\u202e", " anna", "Zoe\u0308"])
def test_so_is_a_handle_that_is_not_seen_whole(season: Season, handle: str) -> None:
    imported = record_import(
        season=season, line=line(bluff_record(1, seats=(handle, "ben", "cem")))
    )
    assert imported.error is not None
    assert (imported.outcome, imported.error.code, imported.error.path) == (
        Outcome.BAD,
        "bad_handle",
        "seats[0]",
    )
    assert not Player.objects.exists()
