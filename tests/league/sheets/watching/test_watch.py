"""Watching on pages: what they show of a table whose game is being written down, and to whom."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Event, Season, Table, User
from league.records.file.services import record_import
from league.sheets.watching.queries.watch import watched_table
from league.standings.ranking.queries.after import seat_gains
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.models import Visibility
from tests.factories import events
from tests.factories.records import bluff_record, line, outcome_of
from tests.factories.sheets import Scorer
from tests.league.sheets.confirmation.test_confirmation import setting

pytestmark = pytest.mark.django_db


def words(answer: Any) -> str:
    """All that stands on a page, without its elements."""
    assert answer.status_code == 200
    main = answer.content.decode().partition("<main")[2]
    return unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", main)))


def at(name: str, table: Table, *more: object) -> str:
    """The address of a page of the table's event."""
    event = table.stage_round.stage.event
    return reverse(name, args=[event.club.slug, event.slug, *more])


def live(table: Table) -> str:
    return reverse("table-live", args=[table.public_id])


def watch(table: Table) -> str:
    return words(Client().get(live(table)))


def watch_all(table: Table) -> str:
    return words(Client().get(at("event-live", table)))


def test_a_table_of_which_nothing_is_written_says_so(table: Table) -> None:
    assert "Nothing is written yet" in watch(table)
    assert "Table 1 p1, p5, p2, p8 Table 2" in watch_all(table)


def test_a_page_shows_the_last_bid_whose_it_is_and_whose_turn(table: Table, scorer: Scorer) -> None:
    scorer.bid("2x4")
    assert "Round 1 2 × p1 p1 5 dice p5 5 dice next p2" in watch(table)
    assert 'data-live-say="p1: 2 fours"' in Client().get(live(table)).content.decode()
    assert "Table 1 Round 1 2 × p1 p1 5 p5 5" in watch_all(table)


def test_a_page_shows_the_rounds_the_newest_first_and_what_they_cost(
    table: Table, scorer: Scorer
) -> None:
    scorer.add("close", moves=["4x4", "!"], bidder=2, challenger=3, count=1)
    scorer.lose(1, 5)
    scorer.add("close", forfeit=[3])
    page = watch(table)
    assert "Round 4" in page
    assert (
        "3 p8 left p8 loses 5 dice · out 2 p5 loses 5 dice · out 1 4 × p2 p8: Cups up! 1 was "
        "there p2 loses"
    ) in page
    assert re.search("p1 5 dice .*p5 out p2 2 dice p8 out", page)


def test_what_was_undone_is_gone(table: Table, scorer: Scorer) -> None:
    scorer.lose(1, 2)
    scorer.add("undo")
    assert "The first round isn’t over yet." in watch(table)
    assert "loses" not in watch(table)


def test_the_last_bid_of_a_round_that_is_over_stands_until_the_next_one(
    table: Table, scorer: Scorer
) -> None:
    scorer.add("close", moves=["4x4", "!"], bidder=2, challenger=3, count=1)
    assert "Round 2 last round: 4 × p2 1 was there" in watch_all(table)
    scorer.bid("1x1")
    assert "Round 2 1 × p" in watch_all(table)


def test_lugen_kniffel_shows_its_sheets(kniffel_table: Table) -> None:
    scorer = Scorer(kniffel_table)
    scorer.add("note", say="fours=12")
    assert "Turn 1 three fours = 12 k1" in watch(kniffel_table)
    scorer.add("close", say="fours=12", dice="44412")
    page = watch(kniffel_table)
    assert "k1 12 points" in page
    assert "Score sheets" in page
    assert "three fours = 12 k1" in watch_all(kniffel_table)


def test_after_the_game_the_page_says_who_won_and_what_it_changed(
    table: Table, scorer: Scorer
) -> None:
    scorer.finish()
    assert "p1 won It counts once it’s confirmed." in watch(table)
    scorer.seal()
    assert "The season’s table will update in a moment." in watch(table)
    ranking_count(ranking_id=table.stage_round.stage.event.season.ranking_id)
    assert "p1 +3 → 3 – → becomes 1 25.00 → 27" in watch(table)
    assert "finished" in watch_all(table)


def test_a_table_that_waits_for_confirmation_says_so_until_it_is_sealed(
    table: Table, scorer: Scorer, desk: Client
) -> None:
    cockpit, sheet = (
        at("desk-event", table),
        f'href="/open-games/{scorer.row.open_game.public_id}/"',
    )
    assert "waiting for confirmation" not in watch_all(table) + words(desk.get(cockpit))
    scorer.finish()
    assert "waiting for confirmation" in watch_all(table)
    assert "waiting for confirmation" in words(desk.get(cockpit))
    assert sheet in desk.get(cockpit).content.decode()
    scorer.seal()
    assert "waiting for confirmation" not in watch_all(table) + words(desk.get(cockpit))


def test_a_table_has_come_to_what_is_written(table: Table, scorer: Scorer) -> None:
    scorer.finish()
    seen = watched_table(table.public_id)
    assert (seen.over, seen.unseen, seen.length > 0) == (1, False, True)


def test_what_is_written_unseen_is_not_in_what_a_table_has_come_to(table: Table) -> None:
    setting(table, confirmation="double")
    Scorer(table).finish()
    unseen = watched_table(table.public_id)
    assert (unseen.over, unseen.unseen, unseen.length) == (0, True, 0)


def test_what_a_game_changed_takes_two_queries(season: Season) -> None:
    for seed, rank in ((1, [1, 2, 3]), (2, [3, 1, 2])):
        record = outcome_of(bluff_record(seed, seats=["anna", "ben", "cleo"]), points=False)
        record_import(
            season=season, line=line(record | {"outcome": {"rank": rank}}), places_alone=True
        )
    ranking_count(ranking_id=season.ranking_id)
    game = season.season_games.get(game__external_id="game-2").game
    with CaptureQueriesContext(connection) as queries:
        brought = seat_gains(game.pk, season.ranking)
    assert len(queries) == 2
    assert [
        (row.seat, row.points, row.total, row.rank_before, row.rank, row.climbed) for row in brought
    ] == [
        (1, 2, 3, 2, 1, 1),
        (2, 1, 1, 3, 3, 0),
        (0, 0, 2, 1, 2, -1),
    ]
    first = season.season_games.get(game__external_id="game-1").game
    assert [(row.rank_before, row.rank) for row in seat_gains(first.pk, season.ranking)] == [
        (3, 2),
        (1, 1),
        (2, 3),
    ]


def test_players_are_led_to_their_next_table(table: Table, scorer: Scorer) -> None:
    scorer.finish()
    scorer.seal()
    assert "Next table" not in watch(table)
    stage = table.stage_round.stage
    other = Table.objects.exclude(pk=table.pk).get()
    events.finish(other.public_id, list(other.seats.values_list("entry__public_id", flat=True)))
    events.drawn(stage)
    assert re.search("Next table p[0-9]: Table [12]", watch(table))


def test_pages_lead_there_once_something_is_written(table: Table, desk: Client) -> None:
    pages = {
        "table": reverse("table", args=[table.public_id]),
        "event": at("event", table),
        "round": at("stage-round", table, 1, 1),
        "cockpit": at("desk-event", table),
    }
    before = {name: desk.get(page).headers.get("ETag") for name, page in pages.items()}
    assert [name for name, page in pages.items() if "/live/" in links(desk, page)] == [
        "round",
        "cockpit",
    ]
    Scorer(table).bid("2x4")
    for name, page in pages.items():
        assert "/live/" in links(desk, page, before[name]), name
    assert "last heard" in words(desk.get(pages["cockpit"]))


def links(client: Client, page: str, tag: str | None = None) -> str:
    """The addresses to which a page leads."""
    answer = client.get(page, headers={"If-None-Match": tag} if tag else {})
    assert answer.status_code == 200
    return " ".join(re.findall('href="([^"]*)"', answer.content.decode()))


def test_the_hall_shows_how_a_table_stands(table: Table, scorer: Scorer) -> None:
    page = at("hall", table)
    tag = Client().get(page).headers["ETag"]
    scorer.bid("2x4")
    answer = Client().get(page, headers={"If-None-Match": tag})
    assert "Round 1, 20 dice left 5 · 5 · 5 · 5 p1: 2 fours" in words(answer)


def test_a_page_that_is_as_it_was_is_not_sent_again(table: Table, scorer: Scorer) -> None:
    for page in (live(table), at("event-live", table)):
        tag = Client().get(page).headers["ETag"]
        assert Client().get(page, headers={"If-None-Match": tag}).status_code == 304
        scorer.bid(f"{scorer.length + 1}x4")
        assert Client().get(page, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("hide", ["draft", "members", "link"])
def test_a_table_of_a_hidden_event_has_no_page_for_others(
    table: Table, scorer: Scorer, hide: str, desk: Client
) -> None:
    scorer.bid("2x4")
    hidden(table, hide)
    for page in (live(table), at("event-live", table)):
        assert Client().get(page).status_code == 404
        assert desk.get(page).status_code == 200


def hidden(table: Table, how: str) -> None:
    """Hide the table's event from all but those of the club."""
    event = table.stage_round.stage.event
    if how == "draft":
        Event.objects.filter(pk=event.pk).update(status=Event.Status.DRAFT)
    else:
        visibility = Visibility.LINK if how == "link" else Visibility.MEMBERS
        Season.objects.filter(pk=event.season_id).update(visibility=visibility, link_token="x" * 24)


def test_an_event_without_a_round_says_what_will_be_there(season: Season, organiser: User) -> None:
    event = events.event(season, "night-2")
    answer = Client().get(reverse("event-live", args=[event.club.slug, event.slug]))
    assert "No round is under way" in words(answer)
