"""Rulings: one transaction that ends the dispute, and that only a further ruling undoes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from engine.illegal import Refused
from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from games.queries.void import game_void
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.disputes.hearing.services import hearing_open
from league.disputes.ruling.actions import RulingAction
from league.disputes.ruling.queries import open_dispute
from league.models import Objection, Player, Ruling, User
from league.standings.adjustment.domain import NO_ADJUSTMENTS
from league.standings.adjustment.queries import adjustments_of
from tests.factories.league import MembershipFactory
from tests.league.disputes.ruling.rulings import FINDING, Verb, objected, ruled

pytestmark = pytest.mark.django_db


def code_of(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.illegal.code


def with_other_time(game: Game) -> bytes:
    record = sealed_record(game)[0]
    return write(replace(record, played_at="2026-01-02T03:04:05Z")).encode()


def test_the_result_stands_and_nothing_waits_any_more(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objection = objected(played, sitters[1])
    ruling = ruled(played, ruler)
    assert (ruling.number, ruling.verb, ruling.outcome) == (1, "stands", played)
    assert (ruling.standard, ruling.role, ruling.rule) == ("likely", "arbiter", "B4")
    end = Objection.objects.get(pk=objection.pk).end
    assert (end.way, end.reason) == ("stands", FINDING.reason)
    assert open_dispute(played) is None


def test_rulings_of_a_club_are_numbered_and_in_its_log(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    ruled(played, ruler)
    objection_free = (
        Game.objects.select_related("season_game__season__club").exclude(pk=played.pk).get()
    )
    hearing_open(game=objection_free, word="Who called?", actor=Actor(ruler.pk))
    second = ruled(objection_free, ruler, Verb.WARNED, seat=0)
    assert second.number == 2
    entries = LogEntry.objects.filter(action=RulingAction.MADE).order_by("position")
    assert [entry.subject for entry in entries] == [played.public_id, objection_free.public_id]
    assert FINDING.findings not in "".join(entry.payload for entry in entries), (
        "only a commitment to it is sealed"
    )


def test_a_correction_makes_a_revision_that_the_ruling_names(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objection = objected(played, sitters[1])
    ruling = ruled(played, ruler, Verb.CORRECTED, line=with_other_time(played))
    assert ruling.outcome.replaces == played
    assert ruling.outcome.reason == FINDING.reason
    assert Objection.objects.get(pk=objection.pk).end.way == "corrected"


def test_a_void_and_a_ruling_that_undoes_it(played: Game, sitters: list[User], ruler: User) -> None:
    objected(played, sitters[1])
    ruling = ruled(played, ruler, Verb.VOIDED)
    assert game_void(played) is not None
    assert {row["player"] for row in ruling.changed} <= {
        *Player.objects.values_list("public_id", flat=True)
    }
    hearing_open(game=played, word="Was it another table?", actor=Actor(ruler.pk))
    ruled(played, ruler, Verb.RESTORED)
    assert game_void(played) is None


def test_the_same_key_twice_is_one_ruling(played: Game, sitters: list[User], ruler: User) -> None:
    objected(played, sitters[1])
    key = uuid4()
    first = ruled(played, ruler, Verb.VOIDED, key=key)
    assert ruled(played, ruler, Verb.VOIDED, key=key) == first
    assert Ruling.objects.count() == 1


def test_who_comes_second_finds_that_nothing_waits(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    ruled(played, ruler)
    other = MembershipFactory.create(club=played.season_game.season.club, role="arbiter").user
    with pytest.raises(Refused) as refused:
        ruled(played, other, Verb.VOIDED)
    assert code_of(refused) == "not_disputed"
    assert game_void(played) is None


def test_refusals_have_codes(played: Game, sitters: list[User], ruler: User) -> None:
    objected(played, sitters[1])
    cases: list[tuple[str, dict[str, Any]]] = [
        ("findings_needed", {"finding": replace(FINDING, findings=" ")}),
        ("findings_too_long", {"finding": replace(FINDING, findings="x" * 1001)}),
        ("reason_needed", {"finding": replace(FINDING, reason="")}),
        ("wrong_verb", {"verb": Verb.RESTORED}),
        ("field_needed", {"verb": Verb.WARNED}),
        ("no_seat", {"verb": Verb.WARNED, "seat": 9}),
        ("bad_json", {"verb": Verb.CORRECTED, "line": b"{"}),
    ]
    for code, details in cases:
        with pytest.raises(Refused) as refused:
            ruled(played, ruler, **details)
        assert code_of(refused) == code
    for sitter in sitters:
        with pytest.raises(Refused) as refused:
            ruled(played, sitter)
        assert code_of(refused) == "at_the_table"
    assert not Ruling.objects.exists()
    assert open_dispute(played) is not None


def test_a_hearing_without_an_objection_asks_for_proof_beyond_doubt(
    played: Game, ruler: User
) -> None:
    hearing_open(game=played, word="Who called?", actor=Actor(ruler.pk))
    assert ruled(played, ruler).standard == "certain"


def test_a_penalty_is_undone_by_a_further_ruling_alone(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    with pytest.raises(Refused) as refused:
        ruled(played, ruler, Verb.LIFTED)
    assert code_of(refused) == "nothing_to_lift"
    ruled(played, ruler, Verb.PENALISED, seat=1, points=2)
    assert adjustments_of(played).penalty(1) == 2
    hearing_open(game=played, word="Was it seat 1?", actor=Actor(ruler.pk))
    ruled(played, ruler, Verb.LIFTED)
    assert adjustments_of(played) == NO_ADJUSTMENTS


def test_an_order_and_a_no_show_put_the_seats_in_another_order(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    ruled(played, ruler, Verb.ORDERED, ranks=(4, 3, 2, 1))
    assert adjustments_of(played).order == (4, 3, 2, 1)
    hearing_open(game=played, word="Who was there?", actor=Actor(ruler.pk))
    ruled(played, ruler, Verb.NO_SHOW, seat=3)
    order = adjustments_of(played).order
    assert order is not None
    assert order[3] == 4
