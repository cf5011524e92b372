"""A game that is written down without a table is the one that a file would have brought, and only
who may enter games writes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from engine.illegal import Refused
from engine.record.names import names_json
from engine.sheet.entry import stored_entry
from games.models import Game, OpenGame
from games.models.game import Kind
from games.queries.game import game_head, sealed_record
from games.services.open_game import NOBODY, entry_add
from league.core.log.services import Actor
from league.models import Club, GameDevice, Player, Role, Season, SeasonGame, SeasonOpenGame
from league.records.file.services import record_import
from league.sheets.device.domain.writer import LASTS
from league.sheets.device.services.device import device_make
from league.sheets.sheet.queries.access import season_games_open
from league.sheets.sheet.queries.verification import verify_open_games
from league.sheets.sheet.services.open_game import open_game_seal
from league.sheets.sheet.services.season_game import season_game_open
from league.standings.player.services import player_merge, player_part
from league.standings.season.models import Notes
from tests.factories.league import (
    ClubFactory,
    MembershipFactory,
    OperatorFactory,
    PlayerFactory,
    SeasonFactory,
)
from tests.factories.records import bluff_record, kniffel_record, line
from tests.factories.sheets import SeasonScorer
from tests.league.sheets.sheet.logged import SCRIBE

pytestmark = pytest.mark.django_db

SEATS: Final = ("anna", "ben", "cleo")


def people(club: Club) -> Club:
    for handle in SEATS:
        PlayerFactory.create(club=club, handle=handle)
    return club


def season_of(club: Club, kind: Kind) -> Season:
    settings: dict[str, Any] = {"kind": kind, "slug": "pub"}
    if kind == Kind.LUEGEN_KNIFFEL:
        return SeasonFactory.create(
            club=club, scoring="totals", notes=Notes.POINTS, rules={}, **settings
        )
    return SeasonFactory.create(club=club, scoring="cntdice", **settings)


def written(season: Season, record: dict[str, Any]) -> SeasonOpenGame:
    """A record's rounds or turns, written down one after the other."""
    row = season_game_open(season=season, handles=record["seats"], opener=NOBODY, key="game1")
    values = [{"seat": record["opener"]}, *(record.get("rounds") or record["turns"])]
    for length, value in enumerate(values):
        entry = stored_entry("close" if length else "opener", value)
        entry_add(
            open_game=row.open_game.public_id,
            length=length,
            entry=entry,
            writer=SCRIBE,
            key=uuid4(),
        )
    game = open_game_seal(row=row, length=len(values), writer=SCRIBE)
    assert game == open_game_seal(row=row, length=len(values), writer=SCRIBE), "twice is once"
    return row


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", Kind)
def test_what_is_written_is_what_a_file_would_have_brought(
    club: Club, kind: Kind, seed: int
) -> None:
    """With the same id, time and salts every digest is the same, and so is the game."""
    played = (bluff_record if kind == Kind.BLUFF else kniffel_record)(seed, seats=SEATS)
    season = season_of(people(club), kind)
    written(season, played)
    game = Game.objects.get()
    record, head = sealed_record(game)
    assert record.names is not None
    file = played | {
        "id": game.external_id,
        "season": "pub",
        "rules": json.loads(OpenGame.objects.get().header)["rules"],
        "played_at": record.played_at,
        "names": names_json(record.names),
    }
    twin = season_of(people(ClubFactory.create()), kind)
    imported = record_import(season=twin, line=line(file))
    assert imported.error is None
    assert imported.game is not None
    assert game_head(imported.game) == head == game_head(game)
    again = record_import(season=season, line=line(file))
    assert again.game == game, "the file of what was written is there already"
    assert SeasonGame.objects.get(game=game).season == season
    assert verify_open_games(club, {}).differences == []


def test_two_who_became_one_meanwhile_are_refused_and_nothing_is_lost(
    season: Season, club: Club
) -> None:
    scorer = SeasonScorer(
        season, *[player.handle for player in people(club).players.order_by("pk")]
    )
    scorer.finish()
    anna, ben = (
        Player.objects.select_related("club").get(handle=handle) for handle in ("anna", "ben")
    )
    player_merge(kept_player=anna, merged=ben, actor=Actor())
    with pytest.raises(Refused) as refused:
        scorer.seal()
    assert refused.value.illegal.code == "same_player_twice"
    assert not Game.objects.exists()
    player_part(merged=Player.objects.select_related("club").get(pk=ben.pk), actor=Actor())
    scorer.seal()
    assert Game.objects.exists()


def test_the_key_of_one_s_own_finds_the_game_that_it_opened(season: Season, club: Club) -> None:
    people(club)
    first = season_game_open(season=season, handles=SEATS, opener=NOBODY, key="game1")
    assert season_game_open(season=season, handles=SEATS, opener=NOBODY, key="game1") == first
    with pytest.raises(Refused) as refused:
        season_game_open(season=season, handles=SEATS[::-1], opener=NOBODY, key="game1")
    assert refused.value.illegal.code == "key_reused"
    assert season_game_open(season=season, handles=SEATS, opener=NOBODY, key="game2") != first
    assert OpenGame.objects.count() == 2


def test_a_game_that_nobody_ever_played_is_listed_no_more_once_its_key_has_ended(
    season: Season, club: Club
) -> None:
    people(club)
    season_game_open(season=season, handles=SEATS, opener=NOBODY, key="game1")
    played = SeasonScorer(season, *SEATS)
    played.bid("2x4")
    assert season_games_open(season).count() == 2
    with patch(
        "league.sheets.sheet.queries.access.timezone.now", return_value=timezone.now() + LASTS
    ):
        assert [row.pk for row in season_games_open(season)] == [played.row.pk]


ROLES: Final = ("nobody", "stranger", *Role.values, "operator")
SCORERS: Final = {"scorer", "organiser", "operator"}
"""Who may enter games of the club."""


@pytest.mark.parametrize("role", ROLES)
def test_each_role_may_do_with_such_a_game_what_it_may_do_with_games(
    season: Season, club: Club, role: str
) -> None:
    people(club)
    client = Client(headers={"accept": "application/json"})
    if role == "operator":
        client.force_login(OperatorFactory.create())
    elif role != "nobody":
        of_club = ClubFactory.create() if role == "stranger" else club
        client.force_login(
            MembershipFactory.create(
                club=of_club, role=Role.ORGANISER if of_club != club else role
            ).user
        )
    scorer = SeasonScorer(season, *SEATS)
    scorer.finish()
    device, _ = device_make(subject=scorer.row, actor=Actor())
    sheet = f"/open-games/{scorer.row.open_game.public_id}/"
    opening = f"/clubs/{club.slug}/{season.slug}/write/"
    seats = {"token": "a" * 10, "seat1": "anna", "seat2": "ben", "here": ""}
    steps: dict[str, Callable[[], Any]] = {
        "look": lambda: client.get(sheet),
        "see the form": lambda: client.get(opening),
        "open": lambda: client.post(opening, seats),
        "see the keys": lambda: client.get(f"{sheet}write/"),
        "make a key": lambda: client.post(f"{sheet}write/", {"here": ""}),
        "end a key": lambda: client.post(f"{sheet}write/{device.public_id}/end/"),
        "seal": lambda: client.post(f"{sheet}confirm/", {"length": scorer.length}),
    }
    answers = {step: take() for step, take in steps.items()}
    if role in SCORERS:
        assert [answer.status_code for answer in answers.values()] == [
            200,
            200,
            302,
            200,
            302,
            302,
            302,
        ]
    elif role == "nobody":
        refused = {step: answer for step, answer in answers.items() if step != "look"}
        assert all(answer["Location"].startswith("/accounts/login/") for answer in refused.values())
    else:
        assert [answer.status_code for answer in answers.values()] == [200, *[404] * 6]
    device.refresh_from_db()
    done = (
        OpenGame.objects.count() - 1,
        GameDevice.objects.count() - 1,
        device.revoked_at is not None,
    )
    assert done == ((1, 2, True) if role in SCORERS else (0, 0, False))
    assert Game.objects.exists() is (role in SCORERS)
