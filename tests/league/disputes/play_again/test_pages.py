"""The pages on which everybody reads that a game is played again, from where and why."""

from __future__ import annotations

import re

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from games.models import Game
from games.queries.game import sealed_record
from league.core.log.services import Actor
from league.core.member.models.member import Role
from league.disputes.hearing.services import hearing_open
from league.disputes.play_again.queries import play_again_preview
from league.disputes.play_again.services import game_play_again, round_void
from league.models import Table
from league.stages.result.services.void import game_restore
from league.standings.ranking.queries.change import COUNTED
from tests.factories.league import MembershipFactory
from tests.factories.sheets import Scribe
from tests.league.disputes.play_again.playing import game_of

pytestmark = pytest.mark.django_db


def page(client: Client, name: str, public_id: str) -> str:
    answer = client.get(reverse(name, args=[public_id]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_void_game_leads_to_the_sheet_and_the_sheet_back(
    client: Client, sealed: Game, arbiter: Actor
) -> None:
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    shown = page(client, "game", sealed.public_id)
    assert "Played again from round 3" in shown
    assert reverse("open-game", args=[row.open_game.public_id]) in shown
    sheet = page(client, "open-game", row.open_game.public_id)
    assert reverse("game", args=[sealed.public_id]) in sheet
    assert arbiter.reason in sheet
    assert "Taken over from the sealed game" in sheet
    assert "The round itself is void" not in sheet


def test_from_the_ranking_s_game_one_reads_what_it_replaced_and_why(
    client: Client, sealed: Game, table: Table, arbiter: Actor
) -> None:
    scribe = Scribe(round_void(game=sealed, round_number=3, actor=arbiter))
    scribe.finish()
    scribe.seal()
    revision = page(client, "game", game_of(table).public_id)
    assert reverse("game", args=[sealed.public_id]) in revision
    assert arbiter.reason in revision
    assert "Played again from round 3" in page(client, "game", sealed.public_id)
    assert "The round itself is void" in page(client, "open-game", scribe.row.open_game.public_id)
    assert (
        client.get(reverse("game-difference", args=[game_of(table).public_id])).status_code == 200
    )


def test_a_sheet_that_is_taken_back_says_so(client: Client, sealed: Game, arbiter: Actor) -> None:
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    game_restore(game=sealed, actor=arbiter)
    assert "isn’t being played again after all" in page(
        client, "open-game", row.open_game.public_id
    )


def test_restoring_says_that_it_is_then_not_played_again(
    client: Client, sealed: Game, arbiter: Actor
) -> None:
    member = MembershipFactory.create(club=sealed.season_game.season.club, role=Role.ORGANISER)
    client.force_login(member.user)
    game_play_again(game=sealed, round_number=3, actor=arbiter)
    assert "to be played again" in page(client, "game-restore", sealed.public_id)


def test_the_case_tells_of_it(client: Client, sealed: Game, arbiter: Actor) -> None:
    member = MembershipFactory.create(club=sealed.season_game.season.club, role=Role.ORGANISER)
    client.force_login(member.user)
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    shown = page(client, "game-case", sealed.public_id)
    assert "Game played again from a round" in shown
    assert reverse("open-game", args=[row.open_game.public_id]) in shown


@pytest.mark.parametrize("language", ["en", "de", "nl"])
@pytest.mark.parametrize("voids_round", [False, True])
def test_the_preview_shows_the_rounds_that_go(
    sealed: Game, language: str, voids_round: bool
) -> None:
    preview = play_again_preview(game=sealed, round_number=14, voids_round=voids_round)
    with override(language):
        shown = render_to_string(
            "league/disputes/play_again/preview.html",
            {"preview": preview, "kind": sealed.kind, "effects": [], "counted": COUNTED},
        )
    assert shown.count('<b class="n">14</b>') == 1
    assert '<b class="n">13</b>' not in shown
    winner = preview.finishes[0]
    assert (winner.rank, winner.name) == (1, preview.names[0])
    assert winner.name in shown


def test_the_round_is_chosen_by_what_happened_in_it(client: Client, sealed: Game) -> None:
    member = MembershipFactory.create(club=sealed.season_game.season.club, role=Role.ORGANISER)
    client.force_login(member.user)
    hearing_open(game=sealed, word="Who called?", actor=Actor(member.user.pk))
    address = reverse("game-rule", args=[sealed.public_id, "replayed"])
    shown = client.get(address).content.decode()
    rounds = sealed_record(sealed)[0].rounds
    assert shown.count("<option") == 1 + len(rounds)
    assert re.search(r'<option value="3">Round 3 · .+ −1</option>', shown)
    assert "What will be dropped" in client.get(f"{address}?round_number=3").content.decode()
    assert "Select a valid choice" in client.get(f"{address}?round_number=99").content.decode()
