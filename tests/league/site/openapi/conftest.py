"""Something to be found at every address of the API, and a handler to ask for it that keeps the
test's transaction."""

import json
from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from pytest_django import DjangoDbBlocker

from engine.record.write import write
from games.models import Device, Game
from games.queries.game import sealed_record
from games.services.open_game import Writer
from league.core.claim.models import Claim
from league.core.claim.services import player_claim
from league.core.log.services import Actor
from league.counting.event_counting.services import counting_change, divisions_set
from league.disputes.appeal.models import Appeal
from league.disputes.appeal.services import appeal_draft
from league.disputes.arbiter.services import arbiter_invite
from league.disputes.correction.services import game_correct
from league.disputes.hearing.services import hearing_open
from league.disputes.objection.services import objection_raise
from league.disputes.ruling.domain import RulingDecision
from league.disputes.ruling.models import Ruling
from league.events.entry.services.entry import entries_keep_apart
from league.events.helper.services import helper_add
from league.events.series.domain import rule_of
from league.events.series.services import series_create
from league.events.wall_list.services import claim_request_make
from league.floor.hall.services import places_add
from league.models import (
    Club,
    Entry,
    Event,
    Format,
    HallPlace,
    Player,
    Role,
    Season,
    Series,
    Slot,
    Table,
    Timetable,
    User,
)
from league.notices.message.services import message_send
from league.sheets.branch.services import table_branch_keep
from league.sheets.device.services.device import device_make
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.standings.ranking.services.counting import ranking_count
from league.standings.season.queries.access import known_games
from league.standings.season.services.season import all_time_create
from league.standings.style.services import styles_read
from tests.database import lasting
from tests.factories import events, halls
from tests.factories.arbiters import invited_arbiter
from tests.factories.events import BEGINS
from tests.factories.league import ClubFactory, MembershipFactory, SeasonFactory, UserFactory
from tests.factories.photos import photo_of_sheet
from tests.factories.proposals import proposed_correction
from tests.factories.records import bluff_record, line
from tests.factories.sheets import Scorer
from tests.factories.statements import statement_on
from tests.league.core.frame.api.programs import play
from tests.league.disputes.ruling.rulings import FINDING, decided, ruled
from tests.league.play.program.programs import program, table_of_programs


@pytest.fixture
def open_database(db: None) -> Iterator[None]:
    """Keep the test's transaction: the WSGI handler would close its connection after each
    request."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, object]]:
    """A club in which there is something at every address, made once for a module, each of whose
    tests leaves it as it was; what the paths' parameters may be to find something. Its season
    counts places, so that the end of a game is enough."""
    with lasting(django_db_blocker):
        club = ClubFactory.create(slug="stern")
        yield at_every_address(SeasonFactory.create(club=club, slug="autumn", scoring="placement"))


@pytest.fixture
def known(world: dict[str, object], db: None) -> dict[str, object]:
    return world


@pytest.fixture
def club(world: dict[str, object], db: None) -> Club:
    return Club.objects.get(slug="stern")


@pytest.fixture
def season(club: Club) -> Season:
    return club.seasons.get(slug="autumn")


@pytest.fixture
def scorer(club: Club) -> User:
    """Who may do everything that the API can do: an organiser."""
    return MembershipFactory.create(
        club=club, user=UserFactory.create(username="scorer"), role=Role.ORGANISER
    ).user


def at_every_address(season: Season) -> dict[str, object]:
    """Have something at every address of a club; the paths' parameters that find it."""
    play(season, 1, 2)
    game = game_correct(
        game=Game.objects.get(external_id="game-2"),
        line=line(bluff_record(2, table="other")),
        reason="It was another table.",
    )
    table = running_event(season)
    counted_event(season)
    organised(table.stage_round.stage.event)
    ranking_count(ranking_id=season.ranking_id)
    all_time = all_time_create(club=season.club, actor=Actor())
    ranking_count(ranking_id=all_time.ranking_id)
    for ranking_id in (season.ranking_id, all_time.ranking_id):
        styles_read(ranking_id=ranking_id)
    return {
        "club": "stern",
        "season": "autumn",
        "game": game.public_id,
        "player": Player.objects.get(
            club=season.club, handle=game.seats.get(number=0).handle
        ).public_id,
        "event": "night-1",
        "stage": 1,
        "number": 1,
        "table": table.public_id,
        "draw": table.stage_round.draws.get().public_id,
        "entry": Entry.objects.filter(seats__table=table)[0].public_id,
        "timetable": Timetable.objects.get().public_id,
        "place": HallPlace.objects.latest("number").public_id,
        "slot": Slot.objects.latest("starts_at").public_id,
        "series": Series.objects.get().public_id,
        "claim_request": claim_request_make(
            entry=events.enter(
                table.stage_round.stage.event, events.players(season.club, 1, prefix="comer")
            )[0],
            user=None,
            key="of a phone",
        ).public_id,
        "claim": Claim.objects.get().public_id,
        "photo": photo_of_sheet(game).public_id,
        "objection": contested("night-2"),
        "proposal": proposed("night-2"),
        **outsider_invited("night-2"),
        "evidence": said("night-2"),
        **ruled_and_appealed(season.club),
        **open_game(season),
        "online_table": table_of_programs(program(season.club)).public_id,
        "device": device_make(subject=table, actor=Actor())[0].public_id,
    }


def organised(night: Event) -> None:
    """What organisers say of an event besides: its hall with a timetable that uses a part of it,
    two who are kept apart, a message, a helper, and a player whom somebody claims; and a series in
    its season."""
    first, second, third, *_ = night.entries.order_by("number")
    player_claim(player=third.player, way=Claim.Way.MAIL, user=None)
    helper_add(
        event=night,
        user=UserFactory.create(username="helper"),
        role=Role.SCORER,
        actor=events.ACTOR,
    )
    Player.objects.filter(pk=first.player_id).update(user=UserFactory.create(username="reader"))
    entries_keep_apart(first=first, second=second, must=False, actor=events.ACTOR)
    message_send(event=night, subject="Welcome", text="Bring a cup.", actor=events.ACTOR)
    halls.hall(night, places=2)
    halls.timetable(night)
    places_add(event=night, first=9, last=9, size=4, room="", actor=events.ACTOR)
    rule = rule_of(1, {3}, count=2)
    series_create(
        season=night.season,
        actor=events.ACTOR,
        rule=rule,
        slug="weekly",
        name="Weekly",
        starts_at=BEGINS,
    )


def contested(event: str) -> str:
    """An objection of the first seat to the result of an event's only game; its id."""
    game = Game.objects.get(table_game__table__stage_round__stage__event__slug=event)
    return objection_raise(
        game=game, seat=0, word="A die was hidden.", actor=events.ACTOR
    ).public_id


def outsider_invited(event: str) -> dict[str, str]:
    """Invitations to rule on that game: one that somebody has accepted, by its id, and another one,
    by its token."""
    game = known_games().get(table_game__table__stage_round__stage__event__slug=event)
    accepted = invited_arbiter(game, UserFactory.create())
    _, token = arbiter_invite(game=game, actor=Actor(UserFactory.create().pk))
    return {"invitation": accepted.public_id, "token": token}


def ruled_and_appealed(club: Club) -> dict[str, str]:
    """A ruling on the only game of another season, an appeal against it, and the draft of its
    decision; their ids."""
    play(SeasonFactory.create(club=club, slug="spring", scoring="placement"), 3)
    game = known_games().get(season_game__season__slug="spring")
    arbiter, second = UserFactory.create(), UserFactory.create()
    hearing_open(game=game, word="Who called?", actor=Actor(arbiter.pk))
    ruling = ruled(game, arbiter)
    decided(game, closed=False)
    appeal = Appeal.objects.select_related("ruling__outcome").get(ruling=ruling)
    appeal.ruling.outcome = game
    decision = RulingDecision(Ruling.Verb.STANDS)
    draft = appeal_draft(
        appeal=appeal, decision=decision, finding=FINDING, author_id=second.pk, key=uuid4()
    )
    return {"ruling": ruling.public_id, "appeal": appeal.public_id, "draft": draft.public_id}


def said(event: str) -> str:
    """A file of a statement on that game; its id."""
    game = Game.objects.get(table_game__table__stage_round__stage__event__slug=event)
    return statement_on(game).files.get().public_id


def proposed(event: str) -> str:
    """A correction that the second seat of that game proposes; its id."""
    game = Game.objects.get(table_game__table__stage_round__stage__event__slug=event)
    return proposed_correction(game).public_id


def open_game(season: Season) -> dict[str, str]:
    """A game of another event that is being written down, and what a phone sent for it whose key
    had ended: their ids."""
    made = events.event(season, "written", status=Event.Status.RUNNING)
    events.crowd(made, 4, "o")
    scorer = Scorer(events.drawn(events.stage(made)).tables.get())
    scorer.bid("2x4")
    device, _ = device_make(subject=scorer.row.table, actor=Actor())
    Device.objects.filter(pk=device.pk).update(revoked_at=device.made_at)
    entries = [
        {"key": str(uuid4()), "act": "note", "value": {"bid": "3x4"}, "at": "2026-11-25T19:30:00Z"}
    ]
    writer = Writer(device=(device.pk, device.public_id))
    branch = table_branch_keep(row=scorer.row, after=1, entries=entries, writer=writer, key=uuid4())
    return {"open_game": scorer.row.open_game.public_id, "branch": branch.public_id}


def undrawn(season: Season, format: Format) -> list[str]:
    """An event named like its format, which has no draw and no table yet; two entries of it."""
    made = events.event(season, format, status=Event.Status.RUNNING)
    entries = events.enter(made, events.players(season.club, 4, prefix=f"{format}-"))
    events.stage(made, format=format, sizes=[2], rounds=None)
    return [entry.public_id for entry in entries[:2]]


def corrected(season: Season) -> None:
    """The event "corrected", whose second round would be drawn otherwise since a game of the first
    was corrected."""
    made = events.event(season, "corrected", status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, 12, prefix="c"))
    stage = events.stage(made)
    events.play(events.drawn(stage))
    events.drawn(stage)
    game = (
        Table.objects.get(stage_round__stage=stage, stage_round__number=1, number=1)
        .results.get()
        .game
    )
    record = json.loads(write(sealed_record(game)[0]))
    record["outcome"]["rank"] = [{1: 4, 4: 1}.get(rank, rank) for rank in record["outcome"]["rank"]]
    game_correct(game=game, line=json.dumps(record).encode(), reason="It was the other way round.")


def running_event(season: Season) -> Table:
    """The event night-1, a knock-out whose first round is being played, with one more stage
    planned; a table of it."""
    night = events.event(season, status=Event.Status.RUNNING, fee=500)
    events.enter(night, events.players(season.club, 4, prefix="k"))
    stage_round = events.drawn(events.stage(night, format=Format.SINGLE, sizes=[2], rounds=None))
    events.stage(night, start=False)
    return stage_round.tables.get(number=1)


def counted_event(season: Season) -> None:
    """The event night-2, which is finished and counts, and the divisions of the season."""
    night = events.event(season, "night-2", status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 4, prefix="s"))
    events.play(events.drawn(events.stage(night, sizes=[4], rounds=1)))
    stage_finish(stage=night.stages.get(), actor=events.ACTOR)
    event_move(event=night, status=Event.Status.FINISHED, actor=events.ACTOR)
    counting_change(season=season, actor=events.ACTOR, per="event")
    divisions_set(season=season, actor=events.ACTOR, divisions=[("A", 0, 0)], players={})
