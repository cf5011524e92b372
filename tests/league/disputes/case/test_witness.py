"""What bears witness in a dispute: keys, dealt dice, and the draws that rest on the result."""

from __future__ import annotations

import json
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from engine.record.write import write
from games.models import Device, Game
from games.queries.game import sealed_record
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.disputes.agreement.services import correction_propose
from league.disputes.case.domain import CaseFact
from league.disputes.case.queries.facts import case_facts
from league.disputes.case.queries.witness import keys_of, witness_facts
from league.disputes.objection.services import objection_raise
from league.models import Club, Draw, Format, Role, Season, Stage, Table, TableDevice, User
from league.play.online_table.services.lobby import online_table_open, seat_take, table_start
from league.sheets.device.actions import DeviceAction
from league.sheets.device.services.device import device_make, device_revoke
from league.stages.round.actions import RoundAction
from league.standings.ranking.services.counting import ranking_count
from tests.factories import events
from tests.factories.league import MembershipFactory, PlayerFactory, SeasonFactory, UserFactory
from tests.factories.sheets import Scorer, SeasonScorer
from tests.league.play.online_table.playing import play_to_the_end, seats_in
from tests.league.play.online_table.test_counted import SETTINGS
from tests.league.stages.result.test_result import published

pytestmark = pytest.mark.django_db


def page(user: User, name: str, game: Game, query: str = "") -> str:
    client = Client()
    client.force_login(user)
    answer = client.get(reverse(name, args=[game.public_id]) + query)
    return answer.content.decode() if answer.status_code == 200 else str(answer.status_code)


def of_action(facts: list[CaseFact], action: object) -> list[CaseFact]:
    return [fact for fact in facts if fact.action == action]


@pytest.fixture
def written(evening: Season) -> Game:
    """A game of three that was written down, in two rounds."""
    handles = list(evening.club.players.order_by("pk").values_list("handle", flat=True)[:3])
    scorer = SeasonScorer(evening, *handles)
    scorer.bid("2x4")
    scorer.lose(1)
    scorer.finish()
    scorer.seal()
    return Game.objects.select_related(
        "season_game__season__club", "season_game__season__ranking"
    ).latest("pk")


def test_a_draw_that_rests_on_the_result_stands_where_it_was_made_with_its_place_in_the_log(
    played: Game, ruler: User
) -> None:
    stage = Stage.objects.get()
    second = events.drawn(stage)
    (fact,) = of_action(case_facts(stage.event.club_id, [played]), RoundAction.DRAWN)
    draw = Draw.objects.get(stage_round=second)
    assert fact.path == reverse("draw", args=[draw.public_id])
    assert fact.position is not None
    entry = LogEntry.objects.get(club=stage.event.club_id, position=fact.position)
    assert (entry.action, entry.subject) == (RoundAction.DRAWN, second.public_id)
    assert fact.path in page(ruler, "game-case", played)


def test_a_draw_that_needs_no_results_rests_on_none(club: Club) -> None:
    season = SeasonFactory.create(club=club, scoring="placement")
    night = events.event(season, status="running")
    events.crowd(night, 4)
    stage = events.stage(night, format=Format.ROUND_ROBIN, sizes=[2])
    events.play(events.drawn(stage))
    events.drawn(stage)
    assert witness_facts([Game.objects.earliest("pk")]) == []


def test_keys_stand_where_they_were_made_and_ended(played: Game, ruler: User) -> None:
    table = played.table_game.table
    device, key = device_make(subject=table, actor=Actor(ruler.pk))
    device_revoke(device=TableDevice(device=device, table=table), actor=Actor(ruler.pk))
    own, _ = device_make(subject=table, actor=Actor(), seat=1)
    Device.objects.filter(pk=own.pk).update(ends_at=own.made_at)
    facts = case_facts(table.stage_round.stage.event.club_id, [played])
    assert len(of_action(facts, DeviceAction.MADE)) == 2
    assert [fact.position is not None for fact in of_action(facts, DeviceAction.REVOKED)] == [
        True,
        False,
    ]
    text = page(ruler, "game-case", played)
    assert "writing a game down expired" in text
    holder = table.seats.get(seat=1).entry.player.name
    assert f"The key of {holder}" in text
    keys = page(ruler, "game-case-keys", played)
    assert holder in keys
    assert "expired" in keys
    for secret in (key, device.key_digest, own.key_digest):
        assert secret not in text + keys


def test_a_key_tells_how_many_entries_were_written_with_it(written: Game) -> None:
    assert keys_of(written) == [], "an automatic player wrote it down"


@pytest.mark.parametrize(("role", "status"), [(Role.SCORER, "404"), (Role.PLAYER, "404")])
def test_only_those_who_may_rule_read_the_keys(
    played: Game, club: Club, role: Role, status: str
) -> None:
    assert (
        page(MembershipFactory.create(club=club, role=role).user, "game-case-keys", played)
        == status
    )


def test_a_game_without_keys_says_so(played: Game, ruler: User) -> None:
    assert "No keys for this game" in page(ruler, "game-case-keys", played)


def test_dealt_dice_are_proved_on_the_timeline(club: Club, ruler: User) -> None:
    season = SeasonFactory.create(club=club, online=True, rules={"dice": 2, "exact": "all"})
    one: User = UserFactory.create()
    other: User = UserFactory.create()
    PlayerFactory.create(club=club, handle="anna", user=one)
    PlayerFactory.create(club=club, handle="ben", user=other)
    rules = {**season.rules, "reroll": False, "scoring": "cntdice"}
    table = online_table_open(club=club, user=one, rules=rules, settings=SETTINGS, season=season)
    seat_take(table=table, user=other, name="")
    table_start(table=table)
    play_to_the_end(table, seats_in(table))
    table.refresh_from_db()
    assert table.game is not None
    (fact,) = witness_facts([table.game])
    assert fact.note.endswith("nobody could have chosen or changed them.")
    text = page(ruler, "game-case", table.game)
    assert text.index("committed to the dice") < text.index("Game sealed")


def test_the_timeline_opens_at_the_entry_that_is_asked_for(written: Game, ruler: User) -> None:
    opened = page(ruler, "game-case", written, "?entry=3")
    assert 'href="#entry-2"' in opened
    assert 'id="entry-2"' in opened
    assert 'id="entry-0"' not in opened, "it belongs to another round"
    assert 'id="entry-0"' in page(ruler, "game-case", written, "?entry=99")


def proposed(game: Game, losses: list[list[int]]) -> None:
    """Let the second seat object to a game and propose other losses, round by round."""
    player = game.season_game.season.club.players.get(handle=game.seats.get(number=1).handle)
    player.user = UserFactory.create()
    player.save()
    objection_raise(game=game, seat=1, word="It was me.", actor=Actor(player.user.pk))
    record = json.loads(write(sealed_record(game)[0]))
    for played_round, lost in zip(record["rounds"], losses, strict=True):
        played_round["losses"] = lost
    correction_propose(game=game, line=json.dumps(record).encode(), actor=Actor(player.user.pk))


def test_it_opens_at_the_round_that_is_disputed_and_shows_all_on_request(
    club: Club, ruler: User
) -> None:
    stage = published(SeasonFactory.create(club=club, scoring="placement"))
    scorer = Scorer(Table.objects.filter(stage_round__stage=stage).earliest("number"))
    scorer.lose(1)
    scorer.finish()
    scorer.seal()
    written = Game.objects.select_related(
        "season_game__season__club", "season_game__season__ranking"
    ).get()
    proposed(written, [[0, 1, 0, 0], [0, 0, 5, 0], [0, 4, 0, 0], [0, 0, 0, 5]])
    text = page(ruler, "game-case", written)
    assert '<option value="2" selected>' in text
    assert text.count("– disputed") == 2
    assert "selected>" not in page(ruler, "game-case", written, "?round=")


def test_three_clicks_lead_from_a_rank_to_the_case(
    played: Game, ruler: User, client: Client
) -> None:
    client.force_login(ruler)
    season = played.season_game.season
    ranking_count(ranking_id=season.ranking_id)
    table = client.get(reverse("season", args=[season.club.slug, season.slug])).content.decode()
    row = re.search(r'class="row-link" href="(players/[a-z0-9]+/)"', table)
    assert row
    standing = client.get(
        reverse("season", args=[season.club.slug, season.slug]) + row[1]
    ).content.decode()
    game = re.search(r'href="(/games/[a-z0-9]+/)"', standing)
    assert game
    shown = client.get(game[1], {"round": 1}).content.decode()
    case = re.search(r'href="(/games/[a-z0-9]+/case/\?round=1)"', shown)
    assert case
    assert client.get(case[1]).status_code == 200


def test_the_queries_are_the_same_however_many_keys_and_draws_there_are(
    played: Game, ruler: User
) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            witness_facts([played])
        return len(queries)

    table = played.table_game.table
    device_make(subject=table, actor=Actor(ruler.pk))
    before = cost()
    for _ in range(3):
        device_make(subject=table, actor=Actor(ruler.pk))
    events.drawn(Stage.objects.get())
    assert cost() == before
