"""The public pages of a stage: ranking with reasons, rounds, bracket, hall, and the file that
anybody ranks again."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from engine.scoring.stage.ranking import stage_ranking
from engine.scoring.stage.results import StageResults
from engine.scoring.stage.stage_file import read_stage
from league.core.player.services.player import player_rename
from league.events.entry.services.entry import entry_withdraw
from league.models import Entry, Event, Format, Player, Season, Stage, StageRound
from league.stages.bracket.domain.bracket import WIDTH, bracket, shortened
from league.stages.placing.domain.ranking import shown_groups
from league.stages.result.domain.result import group_ranking
from league.stages.table.domain.table import round_byes
from league.stages.table.services.table import table_set_up
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.services.season import season_change
from tests.factories import events
from tests.factories.counted import add_games, three_tables

pytestmark = pytest.mark.django_db

SIZE_OF_100_TABLES = 100_000
"""A page of 400 people; some 250 bytes are a table’s own, and 150 beside the name are
everybody’s."""


@pytest.fixture
def season(season: Season) -> Season:
    season_change(season=season, actor=events.ACTOR, scoring="placement")
    return season


def running(season: Season, count: int, **settings: Any) -> Stage:
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, count))
    return events.stage(made, **settings)


def page(client: Client, name: str, *more: int) -> str:
    answer = client.get(reverse(name, args=["stern", "night-1", *more]))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_every_row_says_why_it_stands_there(client: Client, season: Season) -> None:
    stage = running(season, 8)
    events.play(events.drawn(stage))
    html = page(client, "stage", 1)
    assert html.count("Why here?") == 8
    assert "has 3 points and rank 1" in html


def test_of_every_two_neighbours_in_a_bracket_it_says_why_the_one_is_ahead(
    client: Client, season: Season
) -> None:
    stage = running(season, 4, format=Format.SINGLE, sizes=[2], rounds=None)
    events.play(events.drawn(stage))
    html = page(client, "stage-ranking", 1)
    assert html.count("got equally far: both have place 3") == 1
    assert html.count("has gone out yet") == 1
    assert html.count("of round 1): place 3") == 2
    events.play(events.drawn(stage))
    html = page(client, "stage-ranking", 1)
    assert "has won the knock-out" in html
    assert "went out (final): place 2" in html


def test_who_has_withdrawn_is_not_called_still_in_it(client: Client, season: Season) -> None:
    stage = running(season, 8, format=Format.SINGLE, sizes=[4], advance=2, rounds=None)
    events.play(events.drawn(stage))
    html = page(client, "stage-ranking", 1)
    assert html.count("still in") == 4
    facts = events.facts(stage)
    through = next(
        entry
        for entry, member in facts.members.items()
        if f"{member.name} has not gone out yet" in html
    )
    entry_withdraw(entry=Entry.objects.get(pk=through), actor=events.ACTOR)
    html = page(client, "stage-ranking", 1)
    assert f"{facts.members[through].name} has withdrawn<" in html
    assert html.count("still in") == 3, "for a table is still to put out who has withdrawn"
    hall = page(client, "hall")
    assert (hall.count("still in"), hall.count(">withdrawn<")) == (3, 1)


def test_of_every_two_neighbours_on_a_ladder_it_says_why_the_one_is_ahead(
    client: Client, season: Season
) -> None:
    stage = running(season, 4, format=Format.LADDER, sizes=[2], rounds=None)
    first, _, third, _ = events.facts(stage).group_members(events.facts(stage).groups[0].pk)
    table_set_up(stage=stage, players=[third.entry_id, first.entry_id], actor=events.ACTOR)
    (table,) = events.facts(stage).tables
    events.finish(table.public_id, [third.entry_id, first.entry_id])
    html = page(client, "stage", 1)
    assert (
        html.count(f"{third.name} finished ahead of {first.name} and moved up from place 3 to 1")
        == 2
    )
    assert html.count("without having moved up") == 3
    assert html.count("as long as both have been on the ladder") == 2
    entry_withdraw(entry=Entry.objects.get(pk=first.entry), actor=events.ACTOR)
    html = page(client, "stage", 1)
    assert html.index(f"{first.name} has withdrawn") > html.rindex("without having moved up")


def test_who_has_played_is_linked_to_a_page_that_is_there(client: Client, season: Season) -> None:
    stage = running(season, 4, sizes=[4], rounds=2)
    first = events.drawn(stage)
    assert "/players/" not in page(client, "stage", 1)
    events.play(first)
    tag = client.get(reverse("stage", args=["stern", "night-1", 1]))["ETag"]
    ranking_count(ranking_id=season.ranking_id)
    assert client.get(reverse("stage", args=["stern", "night-1", 1]))["ETag"] != tag
    links = re.findall(r'href="(/players/\w+/)"', page(client, "stage", 1))
    assert len(set(links)) == 4
    assert {client.get(link).status_code for link in links} == {200}


def test_a_large_stage_comes_in_pages_and_is_searched(
    client: Client, season: Season, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    running(season, 104, groups=13, rounds=1)
    address = reverse("stage", args=["stern", "night-1", 1])
    assert page(client, "stage", 1).count("<tr data-key") == 100
    with django_assert_max_num_queries(8):
        rest = client.get(address, {"page": 2}).content.decode()
    assert rest.count("<tr data-key") == 4
    assert rest.count("<caption") == 1
    assert "page=all" in rest
    assert client.get(address, {"page": "all"}).content.decode().count("<tr data-key") == 104
    found = client.get(address, {"q": "P7"}).content.decode()
    assert found.count("<tr data-key") == 11, "p7 and p70 to p79, capitals or not"
    assert "No player is called “nobody &lt;b&gt;”." in " ".join(
        client.get(address, {"q": "nobody <b>"}).content.decode().split()
    )
    for odd in ("0", "-1", "x", "99999999999999999999"):
        assert client.get(address, {"page": odd}).status_code == 200


def test_a_page_of_a_round_is_small_however_many_play(client: Client, season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.crowd(night, 408)
    events.drawn(events.stage(night, sizes=[4]))
    address = reverse("stage-round", args=["stern", "night-1", 1, 1])
    assert len(client.get(address).content) < SIZE_OF_100_TABLES


def test_a_large_round_comes_in_pages_and_everybody_finds_the_own_table(
    client: Client, season: Season
) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.crowd(night, 205)
    stage = events.stage(night, sizes=[2], rounds=1)
    events.drawn(stage)
    address = reverse("stage-round", args=["stern", "night-1", 1, 1])

    def tables(**query: str) -> str:
        return " ".join(client.get(address, query).content.decode().split())

    first, rest, everybody = tables(), tables(page="2"), tables(page="all")
    assert [html.count("<h3>") for html in (first, rest, everybody)] == [100, 2, 102]
    assert all(
        "Sitting out:" in html and "How this was drawn, for anybody to check" in html
        for html in (first, rest, everybody)
    )
    (away,) = round_byes(events.facts(stage), 1)
    why = f"{away.name} sits out: nobody had sat out less often."
    assert why in everybody
    (drawn,) = events.facts(stage).draws
    assert why in client.get(reverse("draw", args=[drawn.public_id])).content.decode()
    for handle in ("p204", "p205", away.handle):
        html = tables(q=handle.upper())
        assert f"<span>{handle}</span>" in html
        assert html.count("<h3>") == (handle != away.handle)
        assert ("Sitting out:" in html) == (handle == away.handle)
    assert "No player is called “x”." in tables(q="x")


def test_a_round_that_is_not_published_is_seen_by_nobody(client: Client, season: Season) -> None:
    stage = running(season, 8)
    events.drawn(stage, publish=False)
    assert client.get(reverse("stage-round", args=["stern", "night-1", 1, 1])).status_code == 404
    assert "Table 1" not in page(client, "hall")


def test_a_round_shows_its_tables_and_what_came_of_them(client: Client, season: Season) -> None:
    stage = running(season, 8)
    drawn = events.drawn(stage)
    assert "opens" in page(client, "stage-round", 1, 1)
    events.play(drawn)
    assert page(client, "stage-round", 1, 1).count("Game 1") == 2


@pytest.mark.parametrize(
    ("format", "count"), [(Format.SINGLE, 2), (Format.SINGLE, 7), (Format.DOUBLE, 8)]
)
def test_a_bracket_shows_everybody_and_where_they_go(
    client: Client, season: Season, format: Format, count: int
) -> None:
    stage = running(season, count, format=format, sizes=[2], rounds=None)
    html = page(client, "bracket", 1)
    for number in range(1, count + 1):
        assert f"p{number}" in html
    events.play(events.drawn(stage))
    words = "wins the knock-out" if count == 2 else "goes through"
    assert words in page(client, "bracket", 1)


def test_cards_of_a_bracket_never_stand_upon_each_other(season: Season) -> None:
    stage = running(season, 21, format=Format.DOUBLE, sizes=[4], advance=2, rounds=None)
    shown = bracket(events.facts(stage))
    assert shown is not None
    for card in shown.cards:
        for other in shown.cards:
            apart = card.x + WIDTH <= other.x or other.x + WIDTH <= card.x
            apart = apart or card.y + card.height <= other.y or other.y + other.height <= card.y
            assert card is other or apart


@pytest.mark.parametrize(("format", "third"), [(Format.SINGLE, True), (Format.DOUBLE, False)])
def test_ways_lead_to_the_final_from_both_tables_before_it(
    season: Season, format: Format, third: bool
) -> None:
    stage = running(season, 8, format=format, sizes=[2], rounds=None, third=third)
    shown = bracket(events.facts(stage))
    assert shown is not None
    final = next(card for card in shown.cards if card.side == "final")
    assert len([way for way in shown.ways if way.path.endswith(f"H{final.x:.1f}")]) == 2


def test_a_bracket_shows_a_round_that_is_half_played(client: Client, season: Season) -> None:
    stage = running(season, 8, format=Format.SINGLE, sizes=[2], rounds=None)
    events.drawn(stage)
    facts = events.facts(stage)
    first = facts.tables[0]
    events.finish(first.public_id, [facts.members[entry].entry_id for entry in first.entries])
    assert page(client, "bracket", 1).count("goes through") == 1
    assert client.get(reverse("hall", args=["stern", "night-1"])).status_code == 200


def test_a_stage_without_a_bracket_has_no_such_page(client: Client, season: Season) -> None:
    running(season, 8)
    assert client.get(reverse("bracket", args=["stern", "night-1", 1])).status_code == 404


def test_the_hall_shows_tables_clock_and_ranking(client: Client, season: Season) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    assert "We’re starting soon." in page(client, "hall")
    events.enter(made, events.players(season.club, 7))
    events.drawn(events.stage(made))
    html = page(client, "hall")
    assert "Table 2" in html
    assert "hall-ranking" in html


def test_anybody_computes_the_ranking_again_from_the_file(client: Client, season: Season) -> None:
    stage = running(season, 9)
    events.play(events.drawn(stage))
    file = client.get(reverse("stage-file", args=["stern", "night-1", 1])).content
    results = read_stage(file)
    assert isinstance(results, StageResults)
    facts = events.facts(stage)
    here = [
        (row.participant.player_id, row.rank, row.points)
        for row in group_ranking(facts, facts.groups[0].pk)
    ]
    assert [
        (row.participant.player_id, row.rank, row.points) for row in stage_ranking(results)
    ] == here
    assert json.loads(file)["v"] == 1


def test_each_group_has_a_file_of_its_own(client: Client, season: Season) -> None:
    made = events.event(season, status=Event.Status.RUNNING)
    events.crowd(made, 8)
    facts = events.facts(events.stage(made, groups=2))
    files = re.findall(r'href="([^"]*stage\.json[^"]*)"', page(client, "stage", 1))
    for file, group in zip(files, facts.groups, strict=True):
        results = read_stage(client.get(file).content)
        assert isinstance(results, StageResults)
        ids = {participant.player_id for participant in results.participants}
        assert ids == {member.entry_id for member in facts.group_members(group.pk)}


def test_an_unchanged_page_is_not_sent_again(client: Client, season: Season) -> None:
    stage = running(season, 8)
    drawn = events.drawn(stage)
    address = reverse("stage", args=["stern", "night-1", 1])
    etag = client.get(address)["ETag"]
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 304
    events.play(drawn)
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 200


def half_played(season: Season) -> Stage:
    """A knock-out of sixteen at tables of four, one of which is finished."""
    stage = running(season, 16, format=Format.SINGLE, sizes=[4], advance=2, rounds=None)
    events.drawn(stage)
    facts = events.facts(stage)
    events.finish(facts.tables[0].public_id, facts.ids(facts.tables[0]))
    return stage


def test_places_of_a_knock_out_follow_a_finished_table_at_once(
    client: Client, season: Season
) -> None:
    stage = half_played(season)
    facts = events.facts(stage)
    (group,) = shown_groups(facts)
    rows = {row.member.entry: row for row in group.rows}
    first, second, third, fourth = facts.tables[0].entries
    assert [rows[entry].still_in for entry in (first, second, third, fourth)] == [
        True,
        True,
        False,
        False,
    ]
    assert (rows[third].rank, rows[fourth].rank) == (9, 13)
    assert sum(row.still_in for row in group.rows) == 14
    for name in ("stage-ranking", "hall"):
        html = page(client, name, *([1] if name == "stage-ranking" else []))
        assert html.count("<b>–</b>") == 14
        assert "<b>1</b>" not in html
    assert f"{rows[fourth].member.name} went out (table 1 of round 1): place 13" in page(
        client, "stage-ranking", 1
    )


def test_the_bracket_is_the_first_page_of_a_knock_out(client: Client, season: Season) -> None:
    half_played(season)
    assert 'class="bracket"' in page(client, "stage", 1)
    assert 'class="bracket"' in page(client, "bracket", 1)


@pytest.mark.parametrize(
    ("language", "winner", "second"),
    [
        ("en", "Winner of table 2", "Place 2 at table 2"),
        ("de", "Sieger Tisch 2", "2. von Tisch 2"),
        ("nl", "Winnaar tafel 2", "Nr. 2 van tafel 2"),
    ],
)
def test_a_bracket_says_in_words_from_where_somebody_comes(
    client: Client, season: Season, language: str, winner: str, second: str
) -> None:
    half_played(season)
    with translation.override(language):
        answer = client.get(
            reverse("stage", args=["stern", "night-1", 1]), headers={"accept-language": language}
        )
    html = " ".join(answer.content.decode().split())
    assert winner in html
    assert second in html
    assert not re.search(r"\bW\d+\.\d", html)


@pytest.mark.parametrize(
    ("format", "sizes", "advance"), [(Format.SINGLE, [4], 2), (Format.DOUBLE, [4], 2)]
)
def test_each_way_leads_from_one_place_to_one_place(
    season: Season, format: Format, sizes: list[int], advance: int
) -> None:
    stage = running(season, 21, format=format, sizes=sizes, advance=advance, rounds=None)
    shown = bracket(events.facts(stage))
    assert shown is not None
    ways = [re.fullmatch(r"M(\S+) (\S+)H(\S+)V(\S+)H(\S+)", way.path) for way in shown.ways]
    ends = [(way[5], way[4]) for way in ways if way]
    starts = [(way[1], way[2]) for way in ways if way]
    assert len(set(starts)) == len(starts) == len(shown.ways)
    assert len(set(ends)) == len(ends)
    upright = sorted(
        (way[3], min(float(way[2]), float(way[4])), max(float(way[2]), float(way[4])))
        for way in ways
        if way
    )
    for (lane, _, high), (next_lane, low, _) in pairwise(upright):
        assert lane != next_lane or high <= low, "none runs upon another"


def test_a_table_keeps_the_number_that_the_bracket_gave_it_before_the_draw(season: Season) -> None:
    stage = half_played(season)
    before = bracket(events.facts(stage))
    assert before is not None
    events.play(StageRound.objects.select_related("stage__event").get(stage=stage))
    events.drawn(stage)
    after = bracket(events.facts(stage))
    assert after is not None
    assert [card.name for card in after.cards] == [card.name for card in before.cards]


def test_names_are_shortened_to_the_room_of_a_card() -> None:
    assert shortened("Ida") == "Ida"
    for name in ("Wilhelmine Mummenschanz-Wagner", "M" * 40, "i" * 80):
        assert shortened(name).endswith("…")
        assert name.startswith(shortened(name)[:-1])


def test_a_game_that_is_played_elsewhere_leaves_the_live_part_as_it_is(
    client: Client, season: Season
) -> None:
    """Who isn't at a table of the stage changes nothing on its pages, unless a name or an entry is
    another one."""
    running(season, 8)
    add_games(season, three_tables(1))
    address = reverse("stage", args=["stern", "night-1", 1])
    live = {"HX-Request": "true", "HX-Target": "live"}
    etag = client.get(address, headers=live)["ETag"]
    add_games(season, three_tables(1, first=3))
    assert client.get(address, headers={**live, "If-None-Match": etag}).status_code == 304
    player_rename(player=Player.objects.get(handle="p1"), actor=events.ACTOR, name="Another")
    assert client.get(address, headers={**live, "If-None-Match": etag}).status_code == 200


def test_an_open_page_gets_its_live_part_alone(client: Client, season: Season) -> None:
    running(season, 8)
    address = reverse("stage", args=["stern", "night-1", 1])
    part = client.get(address, headers={"HX-Request": "true", "HX-Target": "live"}).content.decode()
    assert '<div id="live">' in part
    assert "<html" not in part
    assert part.strip() in client.get(address).content.decode()
