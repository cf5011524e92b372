"""Every list, on a page or from the API, asks the database as often for 1,000 rows as for 3 and for
1.

The addresses are those of the service itself: a new one is counted as well, or named here as one
that has no list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any, Final
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.core.cache import caches
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern
from pytest_django import DjangoDbBlocker

from engine.pairing.pods import pods
from games.models import Game, OpenGame
from league.core.frame.cache import Cache
from league.core.frame.rendering import RENDERINGS
from league.core.frame.unchanged import SAME_FOR_ALL
from league.events.wall_list.services import wall_code
from league.models import Draw, ImportJob, Series, StageRound, Table
from league.site.well_known.web.sitemaps import SITEMAPS
from league.urls import api, pages
from tests.database import lasting
from tests.factories.league import OperatorFactory
from tests.factories.rows import FullClub, full_club, more_clubs

ROWS: Final = (1, 3, 1_000)
MOST_QUERIES: Final = 23
"""As many as an event's page and the case of a game take, which take most of them."""
IN_PORTIONS: Final = {
    "club-log-export",
    "season-heads",
    "get_season_records",
    "get_all_time_records",
}
"""Files that are read in portions as they are sent, each with a query or two."""
FORMS: Final = {
    "arbiter-account",
    "arbiter-invitation",
    "game-arbiter",
    "claim",
    "claim-code",
    "claim-leave",
    "claim-player",
    "club-found",
    "desk-all-time",
    "desk-check-in-step",
    "desk-club",
    "desk-entry-counts",
    "desk-entry-list",
    "desk-entry-step",
    "desk-event-again",
    "desk-event-new",
    "desk-event-settings",
    "desk-event-step",
    "desk-invitation",
    "desk-key",
    "desk-member",
    "desk-member-remove",
    "desk-place-drop",
    "desk-round-clock",
    "desk-round-publish",
    "desk-round-take-back",
    "desk-season",
    "desk-season-close",
    "desk-season-copy",
    "desk-season-counting",
    "desk-season-link",
    "desk-season-new",
    "desk-series-new",
    "desk-slot-drop",
    "desk-stage",
    "desk-stage-drop",
    "desk-stage-new",
    "desk-stage-set-back",
    "desk-stages-spread",
    "desk-timetable-publish",
    "desk-timetable-take-back",
    "entry-by-mail",
    "event-enter",
    "event-letters-stop",
    "game-correct",
    "game-object",
    "game-photos",
    "game-propose",
    "game-restore",
    "game-void",
    "game-statements",
    "statement-remove",
    "evidence-remove",
    "helper-code",
    "helper-invitation",
    "import",
    "invitation",
    "notices-stop",
    "game-hear",
    "game-rule",
    "ruling-appeal",
    "online-table-new",
    "password-link",
    "player-erase",
    "practice",
    "lesson",
    "game-write",
    "open-game-call",
    "player-link",
    "player-merge",
    "player-part",
    "player-rename",
    "preview_season_close",
    "preview_season_copy",
    "score-card",
    "setup",
    "table-result",
    "table-walkover",
    "table-write",
}
"""Pages that ask before something is done, or for what is to be entered."""
SINGLE: Final = {
    "online-table",
    "online-table-record",
    "online-table-seat",
    "practice-game",
    "clock",
    "club-player",
    "desk-helper-code",
    "doc",
    "docs",
    "entry",
    "event-calendar",
    "game-difference",
    "game-notation",
    "game-record",
    "get_all_time",
    "get_club",
    "get_draw",
    "get_entry",
    "get_event",
    "get_game",
    "get_game_analysis",
    "get_game_difference",
    "get_game_notation",
    "get_game_record",
    "get_own_entry",
    "get_place",
    "get_arbiter",
    "get_player",
    "get_proposal",
    "get_round",
    "get_round_clock",
    "get_schema",
    "get_season",
    "get_season_counting",
    "get_series",
    "get_standing",
    "get_all_time_standing",
    "get_call",
    "get_entries",
    "get_open_game",
    "get_photo",
    "get_slot",
    "get_stage",
    "get_table",
    "index",
    "my-calendar",
    "evidence",
    "get_evidence",
    "ruling",
    "get_ruling",
    "appeal-draft",
    "get_own_play",
    "stream_own_play",
    "get_online_table",
    "get_online_entries",
    "stream_online_table",
    "my-page",
    "open-game",
    "proposal",
    "replay",
    "replayed",
    "rules",
    "score",
    "score-game",
    "score-worker",
    "service-worker",
    "security-txt",
    "sitemap-part",
    "write-where",
}
"""Pages, files and answers of a single thing, and the manual."""
BUTTONS: Final = {
    "arbiter-answer",
    "arbiter-end",
    "appeal-withdraw",
    "appeal-draft-discard",
    "claim-undo",
    "desk-claim-step",
    "desk-helper-end",
    "desk-helper-uninvite",
    "device-remove",
    "import-confirm",
    "import-drop",
    "objection-withdraw",
    "open-game-confirm",
    "photo",
    "photo-remove",
    "push-subscribe",
    "push-unsubscribe",
    "branch-agree",
    "game-device-end",
    "table-device-end",
    "online-table-act",
    "online-table-again",
    "online-table-automatic",
    "online-table-leave",
    "online-table-sit",
    "online-table-unsent",
    "online-table-call",
    "online-table-call-back",
    "online-table-keep",
    "online-table-say",
    "online-table-start",
    "online-table-time-up",
    "holiday-end",
    "standing-order-give",
    "standing-order-withdraw",
    "online-table-more-time",
    "online-table-erase",
    "online-table-present",
    "online-table-begin-without",
    "online-table-scorer-begin",
    "online-table-pause",
    "online-table-resume",
    "online-table-link",
    "event-table-online",
    "chat-say",
    "chat-mute",
    "chat-report",
    "chat-report-end",
}
"""Buttons of other pages, which show nothing."""
RARE: Final = {
    *(
        "desk-challenge",
        "desk-free-table",
        "desk-stage-otherwise",
        "desk-stage-seeding",
        "desk-timetable-move",
    ),
    *("desk-stage-places", "own-calendar"),
}
"""Only a ladder, free tables, a corrected stage, one that is seeded by hand, one that counts points
and a new timetable have them; and a calendar whose address is a secret."""
NOT_COUNTED: Final = FORMS | SINGLE | BUTTONS | RARE
KNOCK_OUT: Final = {"bracket", "get_stage_bracket"}
OF_KNOCK_OUTS: Final = {
    "desk-event",
    "desk-round",
    "event",
    "stage",
    "stage-ranking",
    "stage-round",
    "stage-rounds",
}
"""Pages that look another way for a knock-out."""
ASKING: Final = {"search": "?q=p"}
"""Questions without which there is no list."""


def ids(rows: QuerySet[Any]) -> list[Any]:
    """The public id of the first row."""
    return list(rows.order_by("pk").values_list("public_id", flat=True)[:1])


def values(full: FullClub) -> dict[str, list[Any]]:
    """All that can stand in the addresses of lists."""
    night, player = full.night, full.organiser.players.get()
    nouns: dict[str, list[Any]] = {
        "club": [full.club.slug],
        "season": [full.season.slug],
        "event": [night.slug],
        "stage": [1],
        "number": [1],
        "round": ids(StageRound.objects.filter(stage__event=night)),
        "table": ids(Table.objects.filter(finished=True, stage_round__stage__event=night)),
        "draw": ids(Draw.objects.filter(stage_round__stage__event=night)),
        "entry": ids(night.entries.all()),
        "code": [wall_code(night).code],
        "section": list(SITEMAPS),
        "place": ids(night.hall_places.all()),
        "slot": ids(night.slots.all()),
        "timetable": ids(night.timetables.all()),
        "player": [player.public_id],
        "game": ids(Game.objects.filter(season_game__season=full.season)),
        "job": ids(ImportJob.objects.filter(season=full.season)),
        "series": ids(Series.objects.filter(club=full.club)),
        "open_game": ids(OpenGame.objects.filter(season_open_game__season=full.season)),
    }
    of_pages = {f"{name}_slug": nouns[name] for name in ("club", "season", "event")}
    return nouns | of_pages | {f"{name}_id": rows for name, rows in nouns.items()}


def addresses(route: URLPattern, nouns: dict[str, list[Any]]) -> Iterator[str]:
    """The addresses of a route. Raise `AssertionError` if nobody says what stands in them."""
    names = list(route.pattern.converters)
    unclear = set(names) - nouns.keys()
    assert not unclear, (
        f"{route.pattern}: say in `values` what {unclear} is, or above that it has no list"
    )
    for chosen in product(*[nouns[name] for name in names]):
        address = str(route.pattern)
        for name, value in zip(names, chosen, strict=True):
            address = re.sub(rf"<(\w+:)?{name}>", str(value), address)
        yield address


def queries(client: Client, address: str, **headers: str) -> int:
    """How many queries an answer takes of which nothing is kept yet."""
    caches[RENDERINGS].clear()
    caches["drawn"].clear()
    with (
        patch.object(Cache, "make_key", lambda *key, version: uuid4().hex),
        CaptureQueriesContext(connection) as captured,
    ):
        answer = client.get(address, headers=headers)
        b"".join(answer) if answer.streaming else answer.content
    assert answer.status_code == 200, f"{address}: {answer.status_code}"
    return len(captured)


def routes() -> Iterator[tuple[str, str, URLPattern]]:
    """Each list by its name, with what stands before its address."""
    named = [(str(route.name), "/", route) for route in pages]
    named += [(actions(route)["get"], "/api/", route) for route in api if "get" in actions(route)]
    yield from (row for row in named if row[0] not in NOT_COUNTED)


def actions(route: URLPattern) -> dict[str, str]:
    """The operations of an address of the API, by their methods."""
    return getattr(route.callback, "actions", {})


def walk(full: FullClub) -> Iterator[tuple[str, int]]:
    """The lists of a club, each with the number of queries."""
    nouns = values(full)
    past = nouns | {name: [full.past.slug] for name in ("event_slug", "event")}
    reader, operator = Client(headers={"authorization": f"Bearer {full.secret}"}), Client()
    reader.force_login(full.organiser)
    operator.force_login(OperatorFactory.create())
    for name, before, route in routes():
        client = operator if name == "service" else reader
        for address in addresses(route, past if name in KNOCK_OUT else nouns):
            yield name, queries(client, f"{before}{address}{ASKING.get(name, '')}")
            if hasattr(route.callback, SAME_FOR_ALL):
                yield f"{name}, not signed in", queries(Client(), f"{before}{address}")
        for address in addresses(route, past) if name in OF_KNOCK_OUTS else ():
            yield f"{name} of a knock-out", queries(reader, f"{before}{address}")


@pytest.fixture(scope="module")
def counts(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> dict[str, list[int]]:
    """The queries of each list, in the order of `ROWS`."""
    table: dict[str, list[int]] = {}
    with lasting(django_db_blocker), patch.object(pods, "MOST_STEPS", 256):
        for count in ROWS:
            full = full_club(count)
            more_clubs(count)
            for name, number in walk(full):
                table.setdefault(name, []).append(number)
    return table


def test_a_list_takes_few_queries_and_as_many_with_1_3_and_1000_rows(
    counts: dict[str, list[int]],
) -> None:
    dear = {name: max(numbers) for name, numbers in counts.items() if max(numbers) > MOST_QUERIES}
    assert dear == {}
    changing = {name: numbers for name, numbers in counts.items() if len(set(numbers)) > 1}
    assert {name: numbers for name, numbers in changing.items() if name not in IN_PORTIONS} == {}
    assert all(len(numbers) == len(ROWS) for numbers in counts.values())


def test_who_is_named_here_is_there() -> None:
    names = {str(route.name) for route in pages} | {
        name for route in api for name in actions(route).values()
    }
    assert names >= NOT_COUNTED | IN_PORTIONS | KNOCK_OUT | OF_KNOCK_OUTS | ASKING.keys()
