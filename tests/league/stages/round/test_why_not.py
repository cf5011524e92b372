"""Why a table is not otherwise, as readers see it."""

from html import unescape

import pytest
from django.test import Client

from engine.pairing.why_not import NEAR
from league.models import Format, Season, Stage, StageRound
from league.site.manual.web import page_file
from league.stages.round.services import round_change
from league.stages.stage.domain.facts import StageTable
from tests.factories import events
from tests.languages import languages_of
from tests.league.stages.round.test_round import WHY, newest, night, seating, swapped

pytestmark = pytest.mark.django_db
HEAD = "Why not another table?"


def first_table(stage: Stage) -> StageTable:
    return events.facts(stage).tables[0]


def page(client: Client, address: str) -> str:
    return unescape(client.get(address).content.decode())


def test_a_table_names_what_decided_and_who_could_change_places(
    season: Season, client: Client
) -> None:
    stage = night(season, 8, sizes=[4], rounds=1)
    events.drawn(stage)
    table = first_table(stage)
    text = page(client, f"/tables/{table.public_id}/")
    assert HEAD in text
    here = [events.facts(stage).members[entry].name for entry in table.entries]
    assert any(f"If {name} and " in text for name in here), "by their names"
    assert "swapped places, the draw would be just as good: the seats decided, or the lot." in text
    answer = client.get(f"/tables/{table.public_id}/", headers={"accept-language": "de"})
    german = unescape(answer.content.decode())
    assert "Warum nicht anders?" in german
    assert "die Plätze tauschen, wäre die Auslosung genauso gut" in german


@pytest.mark.parametrize("language", languages_of("draw"))
def test_the_manual_says_how_far_is_nearby(language: str) -> None:
    assert f" {NEAR} " in page_file("draw", language).read_text(encoding="utf-8").partition("`")[0]


def test_a_table_changed_by_hand_does_not_say_why_not(season: Season, client: Client) -> None:
    stage = night(season, 8, sizes=[4], rounds=1)
    drawn = events.drawn(stage)
    round_change(
        stage_round=drawn, tables=swapped(seating(stage)), draws_seen=newest(stage), actor=WHY
    )
    text = page(client, f"/tables/{first_table(stage).public_id}/")
    assert "Why this table?" in text
    assert HEAD not in text


def test_neither_does_one_of_a_knock_out(season: Season, client: Client) -> None:
    stage = night(season, 4, format=Format.SINGLE, sizes=[2], rounds=None)
    events.drawn(stage)
    assert HEAD not in page(client, f"/tables/{first_table(stage).public_id}/")


@pytest.mark.parametrize("by_hand", [False, True])
def test_who_sits_out_reads_what_decided(by_hand: bool, season: Season, client: Client) -> None:
    stage = night(season, 5, format=Format.SWISS, sizes=[2], rounds=1)
    drawn: StageRound = events.drawn(stage)
    if by_hand:
        round_change(
            stage_round=drawn, tables=swapped(seating(stage)), draws_seen=newest(stage), actor=WHY
        )
    text = page(
        client, f"/clubs/{stage.event.club.slug}/events/{stage.event.slug}/stages/1/rounds/1/"
    )
    assert "sits out: nobody had sat out less often." in text
    assert ("This round comes from a design" in text) != by_hand
