"""Every page and every answer that names somebody who sat at a disputed game, or the game, marks
it, or stands here with the reason why not. The addresses are those of the service itself, so a new
page is walked as well."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import URLPattern

from games.models import Game
from league.core.log.services import Actor
from league.counting.event_counting.services import divisions_set
from league.disputes.hearing.services import hearing_open
from league.models import Club, Draw, Entry, Event, Format, Player, Ranking, Role, Season
from league.stages.course.services.event import event_move
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import all_time_create
from league.urls import api, pages
from tests.factories import events
from tests.factories.league import MembershipFactory, SeasonFactory
from tests.league.disputes.objection.test_provisional import ACTOR, played
from tests.league.disputes.ruling.rulings import ruled

pytestmark = pytest.mark.django_db

RECORDS: Final = "the record of the game, as it was sealed"
FORMATS: Final = "its format is settled: programs compute from it what anybody computes"
PEOPLE: Final = "tells who somebody is, and nothing that a game brought"
SEATING: Final = "tells who sits or plays where; its draw has the mark"
ENTERING: Final = "a form for what is to be entered or done"
DISPUTE: Final = "part of the case itself, which the game's page shows with its mark"
UNMARKED: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ["game-record", "get_game_record", "game-notation", "get_game_notation"], RECORDS
    ),
    **dict.fromkeys(
        ["get_season_records", "get_all_time_records", "list_heads", "list_all_time_heads"], RECORDS
    ),
    **dict.fromkeys(["get_game_analysis", "club-log", "club-log-export"], RECORDS),
    **dict.fromkeys(["stage-file", "get_stage_file", "season-handles"], FORMATS),
    **dict.fromkeys(
        ["my-page", "search", "list_players", "club-players", "club-player", "claim-code"], PEOPLE
    ),
    **dict.fromkeys(
        ["player-rename", "player-link", "player-part", "player-merge", "player-erase"], PEOPLE
    ),
    **dict.fromkeys(
        ["desk-entries", "desk-entry", "desk-labels", "desk-entries-file", "desk-entries-print"],
        PEOPLE,
    ),
    **dict.fromkeys(
        ["desk-fees", "desk-fees-file", "desk-check-in", "desk-away-entry", "list_away"], PEOPLE
    ),
    **dict.fromkeys(["entry", "desk-season-divisions", "list_divisions"], PEOPLE),
    **dict.fromkeys(
        ["stage-meetings", "get_stage_meetings", "list_seeding", "desk-round-change"], SEATING
    ),
    **dict.fromkeys(
        ["game-entry", "season-write", "score", "desk-round-take-back", "desk-entry-counts"],
        ENTERING,
    ),
    **dict.fromkeys(
        ["game-correct", "game-photos", "game-statements", "game-arbiter", "game-case-keys"],
        DISPUTE,
    ),
    **dict.fromkeys(["list_objections", "list_event_objections", "desk"], DISPUTE),
    **dict.fromkeys(["list_hearings", "list_event_hearings"], DISPUTE),
}
"""Pages and operations that name somebody who sat there, and have no mark."""
OTHER_TABLES: Final = {
    "list_tables": "of the round in which it was played alone: each table tells its own result",
    "stage-rounds": "of the stage in which it was played alone: each table tells its own result",
}
"""Those that have the mark at some of their addresses."""
SAYING_SO: Final = {"game-hear", "game-object"}
"""Forms that say what becomes of a result, whether or not it is disputed."""
NOT_THERE: Final = {
    "appeal_id",
    "branch",
    "claim_id",
    "code",
    "device",
    "device_id",
    "draft_id",
    "evidence",
    "evidence_id",
    "holiday",
    "invitation",
    "invitation_id",
    "job_id",
    "key",
    "key_id",
    "kind",
    "line_id",
    "objection_id",
    "online_table",
    "open_game",
    "packed",
    "page",
    "photo",
    "photo_id",
    "place",
    "place_id",
    "proposal",
    "proposal_id",
    "request_id",
    "role",
    "ruling",
    "ruling_id",
    "secret",
    "section",
    "series",
    "signed",
    "slot",
    "slot_id",
    "statement_id",
    "step",
    "timetable",
    "token",
    "user_id",
    "verb",
}
"""What stands in the addresses of things that this evening hasn't, or that tell of no result."""


class Evening:
    """An evening of a Swiss stage and of a knock-out made up by it, whose first game an arbiter
    hears later on."""

    def __init__(self, club: Club) -> None:
        season: Season = SeasonFactory.create(club=club, slug="autumn", scoring="placement")
        all_time_create(club=club, actor=ACTOR)
        self.night = events.event(season, status=Event.Status.RUNNING)
        events.crowd(self.night, 8, prefix="sitter")
        first, second = played(events.stage(self.night, sizes=[4], rounds=2), 2)
        cup, _ = played(
            events.stage(self.night, format=Format.SINGLE, sizes=[2], rounds=None, takes=4), 2
        )
        self.draws: tuple[Draw, ...] = (second, cup)
        event_move(event=self.night, status=Event.Status.FINISHED, actor=ACTOR)
        games = Game.objects.select_related(
            "season_game__season__club", "season_game__season__ranking"
        )
        self.game = games.filter(table_game__table__stage_round=first.stage_round).earliest("pk")
        self.handles = list(self.game.seats.values_list("handle", flat=True))
        self.player = Player.objects.get(handle=self.handles[0])
        divisions_set(
            season=season, actor=ACTOR, divisions=[("A", 0, 0)], players={self.player.public_id: 1}
        )
        for ranking in Ranking.objects.all():
            ranking_count(ranking_id=ranking.pk)
        self.reader = MembershipFactory.create(club=club, role=Role.ORGANISER).user
        self.arbiter = MembershipFactory.create(club=club, role=Role.ARBITER).user

    def nouns(self) -> dict[str, list[Any]]:
        """All that can stand in the addresses."""
        entry = Entry.objects.get(event=self.night, player=self.player)
        named: dict[str, list[Any]] = {
            "club": ["stern"],
            "season": ["autumn"],
            "event": [self.night.slug],
            "stage": [1, 2],
            "number": [1, 2],
            "round": [self.game.table_game.table.stage_round.public_id],
            "table": [self.game.table_game.table.public_id],
            "draw": [draw.public_id for draw in self.draws],
            "entry": [entry.public_id],
            "player": [self.player.public_id],
            "game": [self.game.public_id],
            "seat": [0],
            "term": [1],
        }
        slugs = {f"{name}_slug": named[name] for name in ("club", "season", "event")}
        return named | slugs | {f"{name}_id": values for name, values in named.items()}

    def names(self, text: str) -> bool:
        """Whether a text names somebody who sat at the game, or the game."""
        words = "|".join([*self.handles, self.game.public_id])
        return bool(re.search(rf"\b({words})\b", text))


def routes() -> Iterator[tuple[str, str, URLPattern]]:
    """Each page and each operation that reads, by its name, with what stands before its address."""
    for route in pages:
        yield str(route.name), "/", route
    for route in api:
        operations = getattr(route.callback, "actions", {})
        if "get" in operations:
            yield operations["get"], "/api/", route


def addresses(nouns: Mapping[str, list[Any]]) -> Iterator[tuple[str, str]]:
    for name, before, route in routes():
        parameters = list(route.pattern.converters)
        unclear = set(parameters) - nouns.keys()
        assert unclear <= NOT_THERE, f"{name}: say in `nouns` what {unclear} is"
        if unclear:
            continue
        for chosen in product(*[nouns[parameter] for parameter in parameters]):
            address = str(route.pattern)
            for parameter, value in zip(parameters, chosen, strict=True):
                address = re.sub(rf"<(\w+:)?{parameter}>", str(value), address)
            yield name, f"{before}{address}{'?q=sitter' if name == 'search' else ''}"


def is_marked(content_type: str, text: str) -> bool:
    """Whether a page has the mark, an answer of the API says it of anything, or a file of one of
    its rows. Where a list of ratings says `provisional`, it means that they rest on few games;
    beside it stands `disputed`."""
    if content_type.startswith("application/json"):
        member = "disputed" if '"disputed":' in text else r"\w*provisional"
        return bool(re.search(rf'"{member}":\s*(?:true|\[")', text))
    if content_type.startswith("text/csv"):
        return any(row.get("disputed") == "yes" for row in csv.DictReader(io.StringIO(text)))
    return bool(re.search(r"\bprovisional\b", text, re.IGNORECASE))


def walk(evening: Evening) -> Iterator[tuple[str, str, bool]]:
    """Every address that names somebody who sat there, or the game, and whether it has the mark."""
    client = Client()
    client.force_login(evening.reader)
    for name, address in addresses(evening.nouns()):
        answer: Any = client.get(address)
        content_type = answer.headers.get("Content-Type", "")
        if answer.status_code == 200 and not content_type.startswith("image/"):
            content = b"".join(answer.streaming_content) if answer.streaming else answer.content
            text = content.decode()
            if evening.names(text):
                yield name, address, is_marked(content_type, text)


def test_whatever_names_those_of_a_disputed_game_marks_it_until_an_arbiter_has_ruled(
    club: Club,
) -> None:
    evening = Evening(club)
    hearing_open(
        game=evening.game, word="Was the last die a star?", actor=Actor(evening.arbiter.pk)
    )
    seen = list(walk(evening))
    marked = {name for name, _, has_mark in seen if has_mark}
    assert len(marked) > 40, "the walk reaches the pages of results"
    unmarked = [
        (name, address) for name, address, has_mark in seen if not has_mark and name not in UNMARKED
    ]
    assert [(name, address) for name, address in unmarked if name not in OTHER_TABLES] == []
    assert marked >= OTHER_TABLES.keys()
    assert marked & UNMARKED.keys() == set(), "what has the mark needs no excuse"
    ruled(evening.game, evening.arbiter)
    assert {name for name, _, has_mark in walk(evening) if has_mark} <= SAYING_SO


def test_every_excuse_is_that_of_a_page(club: Club) -> None:
    names = {name for name, _, _ in routes()}
    assert names >= UNMARKED.keys() | OTHER_TABLES.keys()
