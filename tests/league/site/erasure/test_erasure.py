"""Who is erased leaves a pseudonym: no name anywhere in the database, and nothing that follows from
games changes."""

import gzip
import json
from contextlib import suppress
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE
from django.contrib.admin.models import LogEntry as AdminEntry
from django.core.exceptions import ValidationError
from django.db import connection

from engine.record.names import Name
from games.models import Game, Round, Seat
from games.queries.game import game_record
from league.core.key.services.idempotency import Answer, answer_once
from league.core.key.services.key import key_create
from league.core.locks import Busy
from league.core.log.readers import reader_set_aside
from league.core.log.services import Actor
from league.core.player.actions import PlayerAction
from league.core.player.queries.player import players_of_handles
from league.core.player.services.player import player_rename
from league.models import Audit, ImportJob, LogEntry, Player, Ranking, Role, Season, User
from league.records.file.services import Outcome, record_import
from league.records.upload.services import (
    import_job_confirm,
    import_job_create,
    import_job_preview,
    import_job_run,
)
from league.site.erasure.services.erasure import player_erase
from league.standings.player.services import player_link, player_merge, player_part
from league.standings.ranking.services.rebuild import ranking_rebuild, ranking_rebuild_ask
from league.standings.standing.queries.standing import table_rows
from league.standings.style.services import styles_read
from tests.factories.counted import add_games, counted_season
from tests.factories.league import MembershipFactory, PlayerFactory, SeasonFactory, UserFactory
from tests.factories.records import bluff_record, line
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db

NAMES = ("wilhelmine", "Wilma", "wilhelmine-k", "Wilhelmine Köhler", "Frau Köhler", "Minchen")
"""Handles and names, current and former, of one person; the last one is another handle that is
merged."""


@pytest.fixture
def season() -> Season:
    return counted_season(
        [bluff_record(seed, seats=("wilhelmine", "ben", "cleo")) for seed in range(3)]
    )


@pytest.fixture
def organiser(season: Season) -> User:
    return MembershipFactory.create(club=season.club, role=Role.ORGANISER).user


@pytest.fixture
def wilhelmine(season: Season, organiser: User) -> Player:
    """Somebody who has left the name wherever a name can be left."""
    actor = Actor(organiser.pk)
    player = Player.objects.get(handle="wilhelmine")
    for words in ({"name": "Frau Köhler"}, {"name": "Wilhelmine Köhler", "handle": "wilhelmine-k"}):
        player_rename(player=player, actor=actor, **words)
    add_games(
        season,
        [
            bluff_record(10, seats=("WILHELMINE", "ben")),
            bluff_record(11, seats=("wilma", "Minchen")),
        ],
    )
    player_rename(player=Player.objects.get(handle="wilma"), actor=actor, handle="Wilma")
    player_merge(kept_player=player, merged=Player.objects.get(handle="Wilma"), actor=actor)
    add_games(season, [bluff_record(12, seats=("cleo", "minchen", "ben"))])
    player_link(player=player, account=UserFactory.create(), actor=actor)
    settle()
    player.refresh_from_db()
    return player


def settle() -> None:
    """Do what the jobs are called for."""
    for ranking_id in Ranking.objects.values_list("pk", flat=True):
        ranking_rebuild(ranking_id=ranking_id)
        styles_read(ranking_id=ranking_id)


def traces(*names: str) -> set[str]:
    """Where in the whole database one of these names stands, in whatever capitals: tables and
    columns."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = 'public' AND data_type IN"
            " ('text', 'character varying', 'character', 'json', 'jsonb', 'bytea', 'ARRAY')"
        )
        columns = cursor.fetchall()
        assert {
            ("games_seat", "handle"),
            ("league_logentry", "names"),
            ("league_importjob", "content"),
        } <= set(columns)
        found = set()
        for table, column in columns:
            cursor.execute(f'SELECT "{column}" FROM {table}')
            text = "\n".join(spelt(value) for (value,) in cursor.fetchall()).casefold()
            found |= {f"{table}.{column}" for name in names if name.casefold() in text}
    return found


def spelt(value: Any) -> str:
    """All texts of a value, packed ones unpacked."""
    if isinstance(value, memoryview | bytes):
        packed = bytes(value)
        with suppress(gzip.BadGzipFile):  # most bytes are none: a salt may well begin like one
            return gzip.decompress(packed).decode(errors="replace")
        return packed.decode(errors="replace")
    if isinstance(value, list):
        return "\n".join(map(spelt, value))
    try:
        return json.dumps(json.loads(value), ensure_ascii=False)
    except (TypeError, ValueError):
        return str(value)


def table(season: Season) -> list[Any]:
    """The figures of the table, without what people are called."""
    return [
        (
            row.rank,
            row.player,
            row.games,
            row.wins,
            row.points,
            row.best,
            row.mu,
            row.sigma,
            row.recent,
        )
        for row in table_rows(season.ranking)
    ]


def everything_holds(season: Season) -> bool:
    """Whether an audit finds every digest, the log's chain, and all rows as the facts give them."""
    return list(club_differences(season.club_id)) == []


def erase(player: Player) -> None:
    assert player_erase(player=player, actor=Actor(reason="asked for by the person"))


def test_the_names_were_there_before(season: Season, wilhelmine: Player) -> None:
    assert {
        "games_seat.handle",
        "league_handle.handle",
        "league_player.name",
        "league_logentry.names",
    } <= traces(*NAMES)


def test_no_table_tells_the_name(season: Season, wilhelmine: Player) -> None:
    erase(wilhelmine)
    assert traces(*NAMES[:5]) == set()
    wilhelmine.refresh_from_db()
    assert wilhelmine.name == wilhelmine.handle == f"player-{wilhelmine.public_id}"
    assert wilhelmine.user is None
    assert wilhelmine.erased_at


def test_only_this_person_is_forgotten(season: Season, wilhelmine: Player) -> None:
    erase(wilhelmine)
    assert Player.objects.filter(name__in=["ben", "cleo", "Minchen"], erased_at=None).count() == 3
    kept = LogEntry.objects.filter(names__isnull=False).values_list("names", flat=True)
    assert {word for names in kept for _, word in (names or {}).values()} >= {
        "ben",
        "cleo",
        "Minchen",
    }


def test_games_log_and_tables_are_what_they_were(season: Season, wilhelmine: Player) -> None:
    before, digests = (
        table(season),
        list(Round.objects.order_by("pk").values_list("digest", flat=True)),
    )
    assert everything_holds(season)
    erase(wilhelmine)
    assert everything_holds(season)
    assert list(Round.objects.order_by("pk").values_list("digest", flat=True)) == digests
    assert table(season) == before
    ranking_rebuild_ask(ranking=season.ranking, actor=Actor())
    settle()
    assert table(season) == before


def test_a_seat_keeps_the_commitment_that_the_header_seals(
    season: Season, wilhelmine: Player
) -> None:
    game = Game.objects.get(external_id=bluff_record(0)["id"])
    seat = Seat.objects.get(game=game, number=0)
    commitment = Name.of(bytes(seat.seal)).sealed("wilhelmine")
    erase(wilhelmine)
    seat.refresh_from_db()
    assert (seat.handle, bytes(seat.seal)) == (f"player-{wilhelmine.public_id}", commitment)
    names = game_record(game).names or ()
    assert [name.commitment is not None for name in names] == [True, False, False]


@pytest.mark.parametrize("handle", ["wilhelmine", "WILHELMINE"])
def test_the_same_record_again_changes_nothing(
    season: Season, wilhelmine: Player, handle: str
) -> None:
    erase(wilhelmine)
    players = Player.objects.count()
    imported = record_import(
        season=season, line=line(bluff_record(1, seats=(handle, "ben", "cleo")))
    )
    assert imported.outcome == Outcome.UNCHANGED
    assert Player.objects.count() == players
    assert traces("wilhelmine") == set()


def test_the_record_as_it_is_exported_finds_the_same_player(
    season: Season, wilhelmine: Player
) -> None:
    erase(wilhelmine)
    pseudonym = f"player-{wilhelmine.public_id}"
    assert players_of_handles(season.club_id, [pseudonym]) == [wilhelmine.pk]
    add_games(season, [bluff_record(40, seats=(pseudonym, "ben"))])
    assert {row.player: row.games for row in table_rows(season.ranking)}[wilhelmine.public_id] == 6


def test_a_merge_of_the_erased_can_still_be_undone(season: Season, wilhelmine: Player) -> None:
    wilma = Player.objects.get(handle="Wilma")
    erase(wilma)
    assert Player.objects.filter(erased_at=None, club=season.club).count() == 3, (
        "both are the same person"
    )
    player_part(merged=wilma, actor=Actor())
    settle()
    games = {row.player: row.games for row in table_rows(season.ranking)}
    assert (games[wilhelmine.public_id], games[wilma.public_id]) == (4, 1)


def test_twice_is_once(season: Season, wilhelmine: Player) -> None:
    erase(wilhelmine)
    entries = LogEntry.objects.count()
    assert not player_erase(player=wilhelmine, actor=Actor())
    assert LogEntry.objects.count() == entries
    assert LogEntry.objects.filter(action=PlayerAction.ERASED).count() == 2


def test_who_is_erased_is_not_renamed_linked_or_merged(season: Season, wilhelmine: Player) -> None:
    erase(wilhelmine)
    with pytest.raises(ValidationError, match="erased"):
        player_rename(player=wilhelmine, actor=Actor(), name="Wilhelmine")
    with pytest.raises(ValidationError, match="erased"):
        player_link(player=wilhelmine, account=UserFactory.create(), actor=Actor())


@pytest.mark.parametrize("name", NAMES[:5])
def test_a_reason_that_tells_a_name_is_refused(
    season: Season, wilhelmine: Player, name: str
) -> None:
    with pytest.raises(ValidationError, match="leave the person"):
        player_erase(player=wilhelmine, actor=Actor(reason=f"{name.upper()} asked for it"))
    assert not LogEntry.objects.filter(action=PlayerAction.ERASED).exists()


def test_the_same_name_in_another_club_stays(season: Season, wilhelmine: Player) -> None:
    PlayerFactory.create(handle="wilma")
    erase(wilhelmine)
    assert traces(*NAMES[:5]) == {
        "league_player.handle",
        "league_player.name",
        "league_player.name_key",
        "league_player.search_text",
        "league_handle.handle",
        "league_logentry.names",
    }


class TestFiles:
    """What was uploaded, answered and noted down."""

    def upload(self, season: Season, organiser: User, *, create_players: bool) -> ImportJob:
        content = line(bluff_record(20, seats=("Quirin", "ben"))) + line(
            bluff_record(21, seats=("Quirin", "cleo"))
        )
        return import_job_create(
            season=season,
            uploaded_by=organiser,
            file_name="Quirin_2026.jsonl.gz",
            content=gzip.compress(content),
            create_players=create_players,
            all_or_nothing=False,
        )

    @pytest.fixture(autouse=True)
    def _calls_are_lost(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("league.core.jobs.app.send_task", lambda *args, **options: None)

    def test_files_and_their_reports_forget(self, season: Season, organiser: User) -> None:
        refused = self.upload(season, organiser, create_players=False)
        import_job_preview(job_id=refused.pk)
        done = self.upload(season, organiser, create_players=True)
        import_job_preview(job_id=done.pk)
        import_job_confirm(job=done, confirmed_by=organiser)
        import_job_run(job_id=done.pk)
        assert {
            "league_importjob.content",
            "league_importjob.report",
            "league_importjob.file_name",
        } <= traces("quirin")
        erase(Player.objects.get(handle="Quirin"))
        assert traces("quirin") == set()
        refused.refresh_from_db()
        done.refresh_from_db()
        assert refused.state == ImportJob.State.DROPPED
        assert done.report["created"] == 2, "counts stay"
        assert done.file_name == done.public_id

    def test_nobody_is_erased_while_a_file_goes_in(self, season: Season, organiser: User) -> None:
        self.upload(season, organiser, create_players=True)
        with pytest.raises(Busy):
            player_erase(player=Player.objects.get(handle="wilhelmine"), actor=Actor())

    def test_answers_readers_and_the_administration_forget(
        self, season: Season, organiser: User
    ) -> None:
        player = Player.objects.get(handle="wilhelmine")
        key, _ = key_create(club=season.club, user=organiser, label="tablet")
        answer_once(
            api_key=key,
            key="1",
            request_digest="2",
            give=lambda: Answer(200, {"new_players": ["Wilhelmine"]}),
        )
        reader_set_aside(season.club_id, "count/x", 1, ValueError("WILHELMINE finds no player"))
        AdminEntry.objects.create(
            user=organiser, action_flag=CHANGE, object_repr="wilhelmine", object_id=str(player.pk)
        )
        AdminEntry.objects.create(user=organiser, action_flag=CHANGE, object_repr="ben")
        Audit.objects.create(club=season.club, found=1, differences=[{"row": "wilhelmine"}])
        erase(player)
        assert traces("wilhelmine") == set()
        assert list(AdminEntry.objects.order_by("pk").values_list("object_repr", flat=True)) == [
            "",
            "ben",
        ]


def test_a_short_name_takes_no_longer_one_along() -> None:
    season = counted_season(
        [bluff_record(1, seats=("al", "Albert"))], club=SeasonFactory.create().club
    )
    erase(Player.objects.get(handle="al"))
    names = LogEntry.objects.get(subject=Player.objects.get(handle="Albert").public_id).names
    assert names is not None
    assert names["handle"][1] == "Albert"
    assert everything_holds(season)
