"""All chance of a stage comes from a secret: committed to when it is made, seen at its end, and by
nobody before."""

import json
from collections import Counter
from hashlib import sha256
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from engine.pairing.secret import commitment, lots_seed, round_seed, seeding_seed
from league.events.entry.services.entry import entry_withdraw
from league.models import Draw, Event, Format, LogEntry, Participant, Season, Stage, StageRound
from league.stages.course.services.stage import (
    stage_finish,
    stage_resume,
    stage_start,
    stage_start_undo,
)
from league.stages.placing.queries import entrants
from league.stages.round.services import round_take_back
from tests.factories import events
from tests.factories.league import MembershipFactory
from tests.factories.logged import without_rows

pytestmark = pytest.mark.django_db
API = "/api/v1/clubs/{club}/events/night-1/stages/1/"


def stage_of(season: Season, count: int = 8, *, start: bool = False, **settings: Any) -> Stage:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, count))
    return events.stage(night, start=start, **settings)


def seed_of(stage_round: StageRound) -> str:
    return str(json.loads(Draw.objects.get(stage_round=stage_round, revision=1).input)["seed"])


def log(action: str) -> dict[str, object]:
    payload = without_rows(LogEntry.objects.filter(action=action).latest("position").payload)
    return {name: value for name, value in payload.items() if name != "reason"}


def test_the_commitment_is_public_from_the_first_moment_and_the_secret_at_the_end(
    season: Season, client: Client
) -> None:
    stage = stage_of(season)
    assert log("stage.created")["commitment"] == commitment(stage.secret)
    address = API.format(club=season.club.slug)
    before = client.get(address).json()
    assert (before["commitment"], before["secret"], before["seed"]) == (
        commitment(stage.secret),
        "",
        "",
    )
    stage_start(stage=stage, actor=events.ACTOR)
    assert (
        client.get(address).json()["seed"]
        == lots_seed(stage.secret)
        == log("stage.started")["seed"]
    )
    events.play(events.drawn(stage))
    stage_finish(stage=stage, actor=events.ACTOR)
    assert client.get(address).json()["secret"] == stage.secret == log("stage.finished")["secret"]
    page = client.get(f"/clubs/{season.club.slug}/events/night-1/stages/1/").content.decode()
    assert commitment(stage.secret) in page
    assert stage.secret in page


def test_lots_of_the_seeding_fall_when_the_stage_starts_and_fall_once(season: Season) -> None:
    stage = stage_of(season)
    assert [entry.number for entry, _ in entrants(stage)] == list(range(1, 9))
    stage_start(stage=stage, actor=events.ACTOR)
    order = list(
        Participant.objects.filter(stage=stage)
        .order_by("seed")
        .values_list("entry__public_id", flat=True)
    )
    seed = seeding_seed(stage.secret)
    assert order == sorted(
        order, key=lambda entry_id: sha256(f"{seed}\n{entry_id}".encode()).digest()
    )
    stage_start_undo(stage=stage, actor=events.ACTOR)
    stage_start(stage=stage, actor=events.ACTOR)
    again = (
        Participant.objects.filter(stage=stage)
        .order_by("seed")
        .values_list("entry__public_id", flat=True)
    )
    assert list(again) == order


@pytest.mark.parametrize("format", [Format.SWISS, Format.SINGLE])
def test_each_round_has_a_seed_of_its_own_which_its_draw_shows(
    season: Season, format: Format
) -> None:
    stage = stage_of(
        season, start=True, format=format, sizes=[2] if format == Format.SINGLE else [4]
    )
    first = events.drawn(stage)
    facts = events.facts(stage)
    there = [entry_id for table in facts.tables for entry_id in facts.ids(table)]
    assert seed_of(first) == round_seed(stage.secret, 1, 1, there)
    events.play(first)
    assert seed_of(events.drawn(stage)) not in (seed_of(first), stage.seed)


def test_a_round_robin_keeps_the_numbers_of_its_first_round(season: Season) -> None:
    stage = stage_of(season, 6, start=True, format=Format.ROUND_ROBIN, sizes=[2], rounds=5)
    met: list[frozenset[int]] = []
    for _ in range(5):
        stage_round = events.drawn(stage)
        met += [
            frozenset(table.entries)
            for table in events.facts(stage).tables
            if table.round_number == stage_round.number
        ]
        events.play(stage_round)
    assert len(met) == len(set(met)) == 15
    inputs = [
        json.loads(text) for text in Draw.objects.order_by("pk").values_list("input", flat=True)
    ]
    assert "design" not in inputs[0]
    assert {draw["design"] for draw in inputs[1:]} == {inputs[0]["seed"]}


def test_a_round_robin_that_somebody_leaves_and_another_joins_goes_on_without_meetings_again(
    season: Season,
) -> None:
    """Their chair stays empty until the latecomer takes it: who would have met them sits out in
    between."""
    stage = stage_of(season, 6, start=True, format=Format.ROUND_ROBIN, sizes=[2], rounds=5)
    met: Counter[frozenset[int]] = Counter()
    for number in range(5):
        if number == 2:
            entry_withdraw(entry=stage.event.entries.earliest("pk"), actor=events.ACTOR)
        if number == 3:
            events.enter(stage.event, events.players(season.club, 1, prefix="late"))
        stage_round = events.drawn(stage)
        met.update(
            [
                frozenset(table.entries)
                for table in events.facts(stage).tables
                if table.round_number == number + 1
            ]
        )
        events.play(stage_round)
    assert set(met.values()) == {1}
    assert len(met) == 3 + 3 + 2 + 3 + 3
    inputs = [
        json.loads(text) for text in Draw.objects.order_by("pk").values_list("input", flat=True)
    ]
    assert ["chairs" in draw for draw in inputs] == [False, False, True, True, True]
    gone = set(inputs[2]["chairs"]) - {player["id"] for player in inputs[2]["players"]}
    assert len(gone) == 1
    place = inputs[2]["chairs"].index(gone.pop())
    assert inputs[3]["chairs"][place] == stage.event.entries.latest("pk").public_id


def test_a_stage_that_goes_on_after_its_end_has_another_secret(season: Season) -> None:
    stage = stage_of(season, start=True)
    first = events.drawn(stage)
    events.play(first)
    stage_finish(stage=stage, actor=events.ACTOR)
    secret, seed = stage.secret, stage.seed
    stage_resume(stage=stage, actor=events.ACTOR)
    stage.refresh_from_db()
    assert stage.secret != secret
    assert stage.seed == seed
    assert log("stage.changed") == {"finished": False, "commitment": commitment(stage.secret)}
    round_take_back(stage_round=first, actor=events.ACTOR, with_results=True)
    stage_start_undo(stage=stage, actor=events.ACTOR)
    stage_start(stage=stage, actor=events.ACTOR)
    assert log("stage.started")["seeding_seed"] == seeding_seed(secret)


def test_nobody_sees_a_secret_before_the_end_organisers_and_operators_included(
    season: Season, client: Client
) -> None:
    stage = stage_of(season, start=True)
    events.drawn(stage)
    organiser = MembershipFactory.create(club=season.club, role="organiser").user
    organiser.is_superuser = organiser.is_staff = True
    organiser.save()
    client.force_login(organiser)
    slug = season.club.slug
    event, desk = f"/clubs/{slug}/events/night-1/", f"/clubs/{slug}/desk/events/night-1/"
    addresses = [f"{event}{page}" for page in ("", "stages/1/", "stages/1/stage.json")]
    addresses += [
        f"/clubs/{slug}/log/log.jsonl",
        f"/clubs/{slug}/log/",
        desk,
        f"{desk}stages/1/",
        API.format(club=slug),
    ]
    addresses += [
        f"{API.format(club=slug)}{part}/" for part in ("seeding", "file", "ranking", "rounds")
    ]
    answers = {address: client.get(address) for address in addresses}
    bodies = {
        address: b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
        for address, answer in answers.items()
        if answer.status_code == 200
    }
    assert len(bodies) == len(addresses), {
        address: answer.status_code for address, answer in answers.items()
    }
    assert [address for address, body in bodies.items() if stage.secret.encode() in body] == []
    next_seed = round_seed(stage.secret, 2, 1, [])
    assert [address for address, body in bodies.items() if next_seed.encode() in body] == []


def test_a_stage_begun_before_there_were_secrets_keeps_its_seed(season: Season) -> None:
    stage = stage_of(season, seed="5e", start=True)
    assert stage.commitment == ""
    assert seed_of(events.drawn(stage)) == "5e"
    with connection.cursor() as cursor:
        cursor.execute("SELECT seed FROM league_stage WHERE id = %s", [stage.pk])
        assert cursor.fetchone() == ("5e",)
