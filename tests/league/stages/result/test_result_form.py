"""The form of a result: what it asks for, what follows without being typed, and how it is
corrected."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.illegal import Refused
from games.models import Game
from games.models.game import Kind
from games.queries.game import sealed_record
from league.models import (
    Club,
    Entry,
    Event,
    Player,
    Role,
    Season,
    Stage,
    StageRound,
    StageScoring,
    Table,
    TableScore,
)
from league.stages.result.domain.end import BrokenOff
from league.stages.result.domain.result import group_ranking
from league.stages.result.services.result import table_outcome_enter
from league.stages.stage.models import SharedPlace
from league.stages.stage.services.stage import stage_create
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.models import Notes
from league.standings.season.services.season import season_create
from league.standings.standing.queries.standing import table_rows
from tests.factories import events
from tests.factories.league import MembershipFactory, SeasonFactory, UserFactory
from tests.league.core.frame.api.programs import member_key
from tests.league.floor.api.conftest import asker
from tests.league.site.audit.differences import club_differences
from tests.league.stages.result.test_result import ids_at, in_seat_order, published, sent, table_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def dice_season(club: Club) -> Season:
    """A season that counts dice and writes them down."""
    return SeasonFactory.create(club=club, slug="dice", scoring="cntdice", notes=Notes.POINTS)


def shown(answer: Any) -> str:
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def address(table: Table) -> str:
    return reverse("table-result", args=[table.public_id])


def sealed() -> Any:
    return sealed_record(Game.objects.latest("pk"))[0]


def test_the_winners_points_follow_and_neednt_be_typed(desk: Client, dice_season: Season) -> None:
    table = table_of(published(dice_season, scoring=StageScoring.CNTDICE))
    places = in_seat_order(table)
    points = {
        f"points_{id}": str(score)
        for id, score in list(zip(places, (20, 16, 12, 7), strict=True))[1:]
    }
    html = shown(desk.post(address(table), sent(table, places, **points)))
    assert "The winner has all of them, 20" in shown(desk.get(address(table)))
    assert '<span class="n">20 dice</span>' in html
    assert desk.post(address(table), sent(table, places, sure="yes", **points)).status_code == 302
    assert TableScore.objects.get().points == [20, 16, 12, 7]


def test_places_are_never_refused_for_want_of_points(desk: Client, dice_season: Season) -> None:
    stage = published(dice_season, scoring=StageScoring.CNTDICE)
    table = table_of(stage)
    html = shown(desk.post(address(table), sent(table, in_seat_order(table))))
    assert "or let the stage count places instead" in html
    assert "leaves this game out until a correction adds them" in html
    assert (
        desk.post(address(table), sent(table, in_seat_order(table), sure="yes")).status_code == 302
    )
    assert Table.objects.get(pk=table.pk).finished
    facts = events.facts(stage)
    assert {row.score for row in group_ranking(facts, facts.groups[0].pk)} == {0}
    ranking_count(ranking_id=dice_season.ranking_id)
    assert not list(table_rows(dice_season.ranking))
    assert list(club_differences(dice_season.club_id)) == []


def test_sealed_at_once_it_leads_on_to_the_next_table_without_a_result(
    desk: Client, season: Season
) -> None:
    stage = published(season)
    first, *others = Table.objects.filter(stage_round__stage=stage).order_by("number")
    last = others[-1]
    assert f"Seal, then Table {first.number}" in shown(desk.get(address(last))), (
        "behind the last comes the first"
    )
    answer = desk.post(address(first), sent(first, in_seat_order(first), sure="next"))
    assert answer["Location"] == address(others[0])
    for table in others:
        answer = desk.post(address(table), sent(table, in_seat_order(table), sure="next"))
    assert answer["Location"] == reverse("desk-event", args=[season.club.slug, stage.event.slug])


def test_who_enters_the_own_table_alone_is_led_to_no_other(client: Client, season: Season) -> None:
    stage = published(season)
    table = table_of(stage)
    user = UserFactory.create()
    Player.objects.filter(pk=table.seats.earliest("seat").entry.player_id).update(user=user)
    client.force_login(user)
    assert "Seal now" in shown(client.get(address(table)))
    answer = client.post(address(table), sent(table, in_seat_order(table), sure="next"))
    assert answer["Location"] == reverse("table", args=[table.public_id])


def test_points_added_by_a_correction_count(desk: Client, dice_season: Season) -> None:
    table = table_of(published(dice_season, scoring=StageScoring.CNTDICE))
    ids = ids_at(table)
    desk.post(address(table), sent(table, in_seat_order(table), sure="yes"))
    correct = reverse("game-correct", args=[Game.objects.get().public_id])
    points = {f"points_{id}": str(score) for id, score in zip(ids, (20, 16, 12, 7), strict=True)}
    form = sent(table, in_seat_order(table), reason="Found the slip.", **points)
    preview = desk.post(correct, form)
    assert "This will be sealed" in shown(preview)
    desk.post(
        correct, {"text": preview.context["text"], "reason": "Found the slip.", "confirm": ""}
    )
    assert TableScore.objects.get().points == [20, 16, 12, 7]
    ranking_count(ranking_id=dice_season.ranking_id)
    assert [row.points for row in table_rows(dice_season.ranking)] == [20, 16, 12, 7]


def test_when_time_was_up_equal_dice_share_the_place_the_first_too(
    desk: Client, season: Season
) -> None:
    table = table_of(published(season))
    ids = ids_at(table)
    dice = {f"dice_{id}": str(left) for id, left in zip(ids, (2, 3, 0, 3), strict=True)}
    html = shown(desk.post(address(table), sent(table, {ids[2]: 4}, **dice)))
    assert "Time was up" in html
    assert "3 dice left" in html
    assert (
        desk.post(address(table), sent(table, {ids[2]: 4}, sure="yes", **dice)).status_code == 302
    )
    assert TableScore.objects.get().ranks == [3, 1, 4, 1]
    outcome = sealed().outcome
    assert (outcome.ended, outcome.dice) == ("clock", (2, 3, 0, 3))


def test_where_all_still_had_dice_their_points_follow(desk: Client, dice_season: Season) -> None:
    table = table_of(published(dice_season, scoring=StageScoring.CNTDICE))
    dice = {f"dice_{id}": str(left) for id, left in zip(ids_at(table), (1, 2, 2, 4), strict=True)}
    desk.post(address(table), sent(table, {}, sure="yes", **dice))
    assert TableScore.objects.get().points == [12, 13, 13, 15]


def test_who_left_is_named_as_such(desk: Client, season: Season) -> None:
    table = table_of(published(season))
    ids = ids_at(table)
    form = {f"place_{id}": place for id, place in zip(ids, ("1", "left4", "2", "3"), strict=True)}
    html = shown(desk.post(address(table), {"number": 1, **form}))
    assert "left</span>" in html
    desk.post(address(table), {"number": 1, "sure": "yes", **form})
    assert sealed().outcome.forfeit == (1,)
    assert "left during the game" in shown(desk.get(address(table_of(Stage.objects.get(), 2))))


def test_what_was_looked_at_can_be_changed_without_being_typed_again(
    desk: Client, season: Season
) -> None:
    table = table_of(published(season))
    html = shown(desk.post(address(table), sent(table, in_seat_order(table), change="yes")))
    assert "This will be sealed" not in html
    assert '<option value="4" selected>' in html


def test_a_result_that_is_entered_next_morning_is_of_the_evening(
    desk: Client, season: Season
) -> None:
    evening = (timezone.now() - timedelta(days=1)).replace(microsecond=0)
    stage = published(season, 8)
    Event.objects.update(starts_at=evening)
    StageRound.objects.update(clock_started_at=evening + timedelta(hours=1))
    table = table_of(stage)
    desk.post(address(table), sent(table, in_seat_order(table), sure="yes"))
    assert Game.objects.get().played_at == evening + timedelta(hours=1)
    other = table_of(stage, 2)
    form = sent(other, in_seat_order(other), played_at="2026-03-02T20:15", sure="yes")
    looked_at = {key: form[key] for key in form if key != "sure"}
    html = shown(desk.post(address(other), looked_at))
    assert "2026" in html.split("Played on")[1].split("</p>")[0]
    desk.post(address(other), form)
    assert Game.objects.latest("pk").played_at == datetime(2026, 3, 2, 19, 15, tzinfo=UTC)


def test_a_tapped_result_is_corrected_by_tapping(desk: Client, season: Season) -> None:
    table = table_of(published(season))
    ids = ids_at(table)
    desk.post(address(table), sent(table, in_seat_order(table), sure="yes"))
    game = Game.objects.get()
    correct = reverse("game-correct", args=[game.public_id])
    round_url = reverse("desk-round", args=["stern", "night-1", 1, 1])
    public_round = reverse("stage-round", args=["stern", "night-1", 1, 1])
    for page in (
        reverse("table", args=[table.public_id]),
        round_url,
        public_round,
        reverse("game", args=[game.public_id]),
    ):
        assert correct in shown(desk.get(page)), page
    html = shown(desk.get(correct))
    assert html.index("Who finished where?") < html.index("cups-up notation 1")
    assert html.count('<option value="4" selected>') == 1
    turned = {id: 5 - place for id, place in in_seat_order(table).items()}
    assert "Say why" in shown(desk.post(correct, sent(table, turned)))
    preview = desk.post(correct, sent(table, turned, reason="Upside down."))
    html = shown(preview)
    header = html.split('<dl class="facts">')[1].split("</dl>")[0]
    assert "Place in the game" in header
    assert "Points" not in header
    assert Game.objects.count() == 1
    desk.post(correct, {"text": preview.context["text"], "reason": "Upside down.", "confirm": ""})
    corrected = Game.objects.get(replaces=game)
    assert (corrected.reason, corrected.played_at) == ("Upside down.", game.played_at)
    assert TableScore.objects.get().ranks == [4, 3, 2, 1]
    assert list(club_differences(season.club_id)) == []
    assert ids == ids_at(table)


def test_who_didnt_play_can_be_put_in_by_a_correction(desk: Client, season: Season) -> None:
    table = table_of(published(season))
    ids = ids_at(table)
    desk.post(address(table), sent(table, {ids[0]: 1, ids[1]: 2, ids[2]: 3}, sure="yes"))
    correct = reverse("game-correct", args=[Game.objects.get().public_id])
    preview = desk.post(correct, sent(table, in_seat_order(table), reason="Dora played."))
    desk.post(correct, {"text": preview.context["text"], "reason": "Dora played.", "confirm": ""})
    assert TableScore.objects.get().ranks == [1, 2, 3, 4]


def cup(season: Season, separation: SharedPlace) -> tuple[Stage, Table]:
    stage = published(
        season, 8, "cup", format="single", sizes=[4], advance=2, rounds=None, separation=separation
    )
    return stage, table_of(stage)


def time_is_up(table: Table, left: tuple[int, ...]) -> None:
    """Let time be up at a table with so many dice left."""
    ids = ids_at(table)
    ranks = {id: 1 + sum(rival > own for rival in left) for id, own in zip(ids, left, strict=True)}
    broken_off = BrokenOff(dict(zip(ids, left, strict=True)), (), by_clock=True)
    table_outcome_enter(table=table, ranks=ranks, broken_off=broken_off, actor=events.ACTOR)


def test_lots_separate_who_shares_the_last_place_that_goes_on(
    client: Client, season: Season
) -> None:
    _, table = cup(season, SharedPlace.LOTS)
    time_is_up(table, (3, 2, 2, 1))
    assert Table.objects.get(pk=table.pk).finished
    assert "Lots from the stage’s secret put them in the order" in shown(
        client.get(reverse("table", args=[table.public_id]))
    )


def test_another_game_separates_who_shares_the_last_place_that_goes_on(
    desk: Client, season: Season
) -> None:
    stage, table = cup(season, SharedPlace.GAME)
    ids = ids_at(table)
    time_is_up(table, (3, 2, 2, 1))
    assert not Table.objects.get(pk=table.pk).finished
    html = shown(desk.get(address(table)))
    assert "Another game between them decides" in html
    assert html.count("<select") == 2 + html.split("<form")[0].count("<select")
    with pytest.raises(Refused) as refused:
        table_outcome_enter(table=table, ranks={ids[0]: 1, ids[1]: 2}, actor=events.ACTOR)
    assert refused.value.illegal.code == "wrong_table"
    desk.post(address(table), {**sent(table, {ids[2]: 1, ids[1]: 2}), "number": 2, "sure": "yes"})
    assert Table.objects.get(pk=table.pk).finished
    other = table_of(stage, 2)
    time_is_up(other, (4, 3, 2, 1))
    events.drawn(stage)
    final = table_of(stage, 1)
    assert {ids[0], ids[2]} <= set(ids_at(final))
    assert ids[1] not in ids_at(final)
    assert list(club_differences(season.club_id)) == []


def test_scorings_follow_from_what_is_written_down(club: Club) -> None:
    for notes, scoring in (
        (Notes.PLACES, "placement"),
        (Notes.POINTS, "cntdice"),
        (Notes.ROUNDS, "cntdice"),
    ):
        settings = {"slug": notes, "name": notes.title(), "starts_on": "2026-01-01", "notes": notes}
        made = season_create(club=club, actor=events.ACTOR, **settings)
        assert made.ranking.scoring == scoring
        night = events.event(Season.objects.get(pk=made.pk), f"night-{notes}")
        stage = stage_create(
            event=night, actor=events.ACTOR, name="Main", format="swiss", sizes=[4, 3], rounds=3
        )
        assert stage.scoring == ("placement" if notes == Notes.PLACES else "cntdice")
        cup_stage = stage_create(
            event=night, actor=events.ACTOR, name="Cup", format="single", sizes=[2]
        )
        assert cup_stage.scoring == "placement"
    points = season_create(
        club=club,
        actor=events.ACTOR,
        slug="by-dice",
        name="By dice",
        starts_on="2026-01-01",
        scoring="cntdice",
    )
    assert points.notes == Notes.POINTS


def test_the_api_takes_places_alone_dice_left_and_when_it_was_played(dice_season: Season) -> None:
    table = table_of(published(dice_season))
    by_api = asker(member_key(dice_season.club)[0])
    ids = ids_at(table)
    body: dict[str, Any] = {
        "finishes": [
            {"entry": id, "rank": rank, "dice": dice}
            for id, rank, dice in zip(ids, (1, 1, 3, 4), (3, 3, 1, 0), strict=True)
        ],
        "ended": "clock",
        "played_at": "2026-03-02T20:15:00Z",
    }
    body["finishes"][3]["left"] = True
    assert by_api(f"/tables/{table.public_id}/outcome/", body).status_code == 200
    outcome = sealed().outcome
    assert (outcome.rank, outcome.dice, outcome.forfeit, outcome.ended) == (
        (1, 1, 3, 4),
        (3, 3, 1, 0),
        (3,),
        "clock",
    )
    assert Game.objects.get().played_at == datetime(2026, 3, 2, 20, 15, tzinfo=UTC)
    del body["ended"]
    other = table_of(Stage.objects.get(), 2)
    assert by_api(f"/tables/{other.public_id}/outcome/", body).status_code == 400


def test_a_game_without_an_event_is_entered_by_hand(desk: Client, season: Season) -> None:
    url = reverse("game-entry", args=["stern", "autumn"])
    assert url in shown(desk.get(reverse("season", args=["stern", "autumn"])))
    assert url in shown(desk.get(reverse("desk", args=["stern"])))
    people = events.players(season.club, 2, "hand")
    token = desk.get(url).context["players"].initial["token"]
    assert "Choose from 2 to 6" in shown(desk.get(url, {"token": token, "names": "Nora"}))
    asked = {"token": token, "player": [player.public_id for player in people], "names": "Nora"}
    with_players = desk.get(url, asked)
    assert "Nora" in shown(with_players)
    here = with_players.context["again"]
    form = {
        "number": 1,
        "place_s1": "2",
        "place_s2": "1",
        "place_s3": "3",
        "played_at": "2026-03-02T20:15",
    }
    assert "This will be sealed" in shown(desk.post(here, form))
    assert Game.objects.count() == 0
    for _ in range(2):
        assert desk.post(here, {**form, "sure": "yes"}).status_code == 302
    game = Game.objects.get()
    assert game.season_game.season == season
    assert Player.objects.filter(club=season.club, name="Nora").exists()
    ranking_count(ranking_id=season.ranking_id)
    assert [row.handle for row in table_rows(season.ranking)] == [
        people[1].handle,
        people[0].handle,
        "Nora",
    ]
    preview = desk.post(
        reverse("game-correct", args=[game.public_id]),
        {**form, "place_s1": "1", "place_s2": "2", "reason": "Turned."},
    )
    assert "This will be sealed" in shown(preview)


def refused(desk: Client, table: Table, form: dict[str, Any]) -> str:
    """The page that refuses a result; nothing is sealed."""
    html = shown(desk.post(address(table), {"number": 1, "sure": "yes", **form}))
    assert not Game.objects.exists()
    return html


def test_a_fault_of_a_result_names_who_it_is_about_and_says_what_to_do(
    desk: Client, dice_season: Season
) -> None:
    table = table_of(published(dice_season, scoring=StageScoring.CNTDICE))
    ids = ids_at(table)
    names = dict(Entry.objects.filter(public_id__in=ids).values_list("public_id", "player__name"))

    def places(*choices: str) -> dict[str, str]:
        return {f"place_{id}": choice for id, choice in zip(ids, choices, strict=True)}

    assert f"Seat 2 ({names[ids[1]]}) is ranked first" in refused(
        desk, table, places("3", "left2", "4", "4")
    )
    assert "Nobody can share first place unless time was up" in refused(
        desk, table, places("1", "1", "3", "4")
    )
    one_left = places("", "2", "3", "4") | {f"dice_{ids[0]}": "3"}
    assert f"Only {names[ids[0]]} still had dice" in refused(desk, table, one_left)
    points = {
        f"points_{id}": score for id, score in zip(ids, ("15", "14", "14", "13"), strict=True)
    }
    by_clock = {**places("1", "2", "2", "4"), **points, "clock": "on"}
    assert "Enter how many dice everybody still had" in refused(desk, table, by_clock)
    impossible = {f"points_{ids[1]}": "3", f"points_{ids[2]}": "2", f"points_{ids[3]}": "1"}
    assert f"Seat 2 ({names[ids[1]]}) on rank 2 has from" in refused(
        desk, table, places("1", "2", "3", "4") | impossible
    )


@pytest.mark.parametrize("number", ["2", "98", "99999999999999999999"])
def test_no_number_of_a_game_is_left_out(desk: Client, season: Season, number: str) -> None:
    table = table_of(published(season, games=2))
    form = {f"place_{id}": str(place) for id, place in in_seat_order(table).items()}
    assert "The next game at this table is number 1" in refused(
        desk, table, {**form, "number": number}
    )
    by_api = asker(member_key(season.club)[0])
    finishes = [{"entry": id, "rank": place} for id, place in in_seat_order(table).items()]
    answer = by_api(f"/tables/{table.public_id}/outcome/", {"finishes": finishes, "number": 2})
    assert (answer.status_code, answer.json()["code"]) == (422, "wrong_number")


def test_a_game_by_hand_is_refused_before_it_is_shown_as_what_will_be_sealed(
    desk: Client, dice_season: Season
) -> None:
    url = reverse("game-entry", args=["stern", "dice"])
    token = desk.get(url).context["players"].initial["token"]
    here = desk.get(url, {"token": token, "names": "Nora; Ole,Åsa"}).context["again"]
    form = {
        "number": 1,
        "place_s1": "1",
        "place_s2": "2",
        "place_s3": "3",
        "points_s2": "4",
        "points_s3": "2",
    }
    html = shown(desk.post(here, form))
    assert "Seat 2 (Ole) on rank 2 has from 10 to 14, not 4" in html
    assert "This will be sealed" not in html


@pytest.mark.parametrize(
    ("names", "wrong"),
    [
        ("Nora, Ole\u200b", "ZERO WIDTH SPACE (U+200B), which is invisible"),
        (f"Nora, {'O' * 65}", "at most 64 characters"),
        ("Nora, nora", "Name everybody once"),
    ],
)
def test_names_that_no_record_can_hold_are_refused_before_the_result(
    desk: Client, season: Season, names: str, wrong: str
) -> None:
    url = reverse("game-entry", args=["stern", "autumn"])
    token = desk.get(url).context["players"].initial["token"]
    html = shown(desk.get(url, {"token": token, "names": names}))
    assert wrong in html
    assert "Who finished where? Players who tied" not in html


def test_what_a_correction_changes_is_said_in_words(desk: Client, season: Season) -> None:
    table = table_of(published(season))
    dice = {f"dice_{id}": str(left) for id, left in zip(ids_at(table), (1, 2, 2, 4), strict=True)}
    desk.post(address(table), sent(table, {}, sure="yes", **dice))
    game = Game.objects.get()
    correct = reverse("game-correct", args=[game.public_id])
    html = shown(desk.post(correct, sent(table, in_seat_order(table), reason="They had ended.")))
    assert "<dt>Ended by </dt> <dd><del>the clock</del></dd>" in html
    assert "The rounds are the same" not in html, "there are none"
    assert game.external_id not in html.split("<main")[1].split("<form")[0]


def test_in_luegen_kniffel_nobody_is_asked_who_still_had_dice(desk: Client, club: Club) -> None:
    season = SeasonFactory.create(
        club=club, kind=Kind.LUEGEN_KNIFFEL, scoring="totals", notes=Notes.POINTS, rules={}
    )
    table = table_of(published(season, scoring=StageScoring.PLACEMENT))
    html = shown(desk.get(address(table)))
    assert "<summary> Time was up </summary>" in html
    assert "who still had dice" not in html


def test_the_form_leads_back_to_the_cockpit_for_who_runs_the_event(
    desk: Client, dice_season: Season
) -> None:
    table = table_of(published(dice_season, scoring=StageScoring.CNTDICE))
    event = table.stage_round.stage.event
    cockpit = f'href="{reverse("desk-event", args=[event.club.slug, event.slug])}"'
    assert cockpit in shown(desk.get(address(table)))
    scorer = Client()
    scorer.force_login(MembershipFactory.create(club=event.club, role=Role.SCORER).user)
    assert cockpit not in shown(scorer.get(address(table)))
