"""A round is drawn once, whoever asks how often; it can be changed by hand with a reason, and taken
back."""

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from engine.messages import say
from engine.pairing.draw import Draw as Drawing
from engine.pairing.draw import draw
from engine.pairing.draw_file import read_draw, write_answer
from engine.pairing.draw_input import DrawInput
from engine.pairing.secret import round_seed
from league.core.log.services import Actor
from league.events.entry.services.entry import entry_withdraw
from league.models import Draw, Entry, Event, Format, Season, Stage, StageRound, Table
from league.stages.course.services.stage import (
    stage_finish,
    stage_resume,
    stage_start,
    stage_start_undo,
)
from league.stages.round.actions import RoundAction
from league.stages.round.domain.reason import reasons
from league.stages.round.services import (
    ATTEMPTS,
    round_ask,
    round_change,
    round_draw,
    round_fail,
    round_publish,
    round_take_back,
    rounds_waiting,
)
from league.stages.round.tasks import draw_round, sweep_rounds
from league.stages.stage.actions import StageAction
from league.stages.table.domain.table import round_tables, seated_with_reasons
from tests.factories import events
from tests.factories.logged import stated

pytestmark = pytest.mark.django_db
WHY = Actor(reason="They came together by car.")

DUELS: dict[str, Any] = {"format": Format.SINGLE, "sizes": [2], "rounds": None}


def night(season: Season, count: int = 9, *, start: bool = True, **settings: Any) -> Stage:
    event = events.event(season, status=Event.Status.RUNNING)
    events.enter(event, events.players(season.club, count))
    return events.stage(event, start=start, **settings)


def seating(stage: Stage, number: int = 1) -> list[list[str]]:
    facts = events.facts(stage)
    return [list(facts.ids(table)) for table in facts.tables if table.round_number == number]


def newest(stage: Stage) -> list[str]:
    return [draw.public_id for draw in events.facts(stage).draws]


def swapped(tables: list[list[str]]) -> list[list[str]]:
    """The tables after the first two openers changed places."""
    first, second, *others = [list(ids) for ids in tables]
    first[0], second[0] = second[0], first[0]
    return [first, second, *others]


@pytest.mark.parametrize("count", [2, 7, 23])
def test_everybody_there_sits_at_exactly_one_table(season: Season, count: int) -> None:
    stage = night(season, count, sizes=[4, 3, 2])
    events.enter(stage.event, events.players(season.club, 2, "late"), check_in=False)
    for number in (1, 2):
        events.play(events.drawn(stage))
        there = sorted(
            Entry.objects.filter(checked_in_at__isnull=False).values_list("public_id", flat=True)
        )
        assert sorted(id for ids in seating(stage, number) for id in ids) == there


def test_the_log_states_the_rounds_that_a_step_of_the_stage_changes(season: Season) -> None:
    stage = night(season, 4, sizes=[2])
    first = events.drawn(stage)
    events.play(first)
    second = events.drawn(stage)
    asked = stated(RoundAction.ASKED)["round"]
    assert asked.pop(first.public_id) == {"status": "finished"}
    assert asked[second.public_id] == {
        "stage": stage.public_id,
        "number": 2,
        "edition": 1,
        "at_once": False,
        "ahead": False,
        "status": "asked",
    }
    events.play(second)
    stage_finish(stage=stage, actor=events.ACTOR)
    assert stated(StageAction.FINISHED)["round"] == {second.public_id: {"status": "finished"}}
    stage_resume(stage=stage, actor=events.ACTOR)
    assert stated(StageAction.CHANGED)["round"] == {second.public_id: {"status": "published"}}


def test_a_round_that_was_drawn_is_not_drawn_again(season: Season) -> None:
    stage = night(season)
    asked = round_ask(stage=stage, actor=events.ACTOR)
    assert rounds_waiting() == [asked.pk]
    for _ in range(2):
        round_draw(round_id=asked.pk)
    draw_round(asked.pk)
    sweep_rounds()
    assert Draw.objects.count() == 1
    assert Table.objects.count() == 3
    assert rounds_waiting() == []


def test_asking_twice_says_that_it_is_being_drawn(season: Season) -> None:
    stage = night(season)
    round_ask(stage=stage, actor=events.ACTOR)
    with pytest.raises(ValidationError, match="Round 1 is being drawn"):
        round_ask(stage=stage, actor=events.ACTOR)
    assert StageRound.objects.count() == 1


def test_no_round_is_drawn_while_a_table_is_open(season: Season) -> None:
    stage = night(season)
    events.drawn(stage)
    with pytest.raises(ValidationError, match="Enter the results of these tables first: 1, 2, 3"):
        round_ask(stage=stage, actor=events.ACTOR)


def test_taken_back_and_drawn_again_it_has_another_seed_of_the_same_secret(season: Season) -> None:
    stage = night(season)
    first = events.drawn(stage, publish=False)
    there = [entry_id for table in seating(stage) for entry_id in table]
    round_take_back(stage_round=first, actor=events.ACTOR)
    assert seating(stage) == []
    second = events.drawn(stage)
    assert (first.edition, second.edition) == (1, 2)
    seeds = [json.loads(Draw.objects.get(stage_round=row).input)["seed"] for row in (first, second)]
    assert seeds == [round_seed(stage.secret, 1, edition, there) for edition in (1, 2)]


def test_a_round_with_results_is_taken_back_only_by_saying_so(season: Season) -> None:
    stage = night(season)
    first = events.drawn(stage)
    events.play(first)
    second = events.drawn(stage)
    with pytest.raises(ValidationError, match="would no longer count"):
        round_take_back(stage_round=first, actor=events.ACTOR)
    round_take_back(stage_round=first, actor=events.ACTOR, with_results=True)
    second.refresh_from_db()
    assert second.status == StageRound.Status.TAKEN_BACK
    assert events.facts(stage).tables == ()


def test_who_withdrew_changes_nothing_for_the_others(season: Season) -> None:
    stage = night(season, 8, seed="5e")
    events.enter(stage.event, events.players(season.club, 1, "gone"))
    gone = Entry.objects.latest("number")
    entry_withdraw(entry=gone, actor=events.ACTOR)
    first = events.drawn(stage)
    with_gone = seating(stage)
    round_take_back(stage_round=first, actor=events.ACTOR)
    stage_start_undo(stage=stage, actor=events.ACTOR)
    stage_start(stage=stage, actor=events.ACTOR)
    events.drawn(stage)
    assert seating(stage) == with_gone


def test_who_comes_late_is_taken_in_and_drawn(season: Season) -> None:
    stage = night(season, 8)
    events.play(events.drawn(stage))
    events.enter(stage.event, events.players(season.club, 1, "late"))
    events.drawn(stage)
    assert sum(map(len, seating(stage, 2))) == 9


def test_who_has_won_and_withdrawn_lets_the_next_one_go_on(season: Season) -> None:
    stage = night(season, 4, **DUELS)
    first = events.drawn(stage)
    events.play(first)
    winner = events.facts(stage).tables[0].entries[0]
    entry_withdraw(entry=Entry.objects.get(pk=winner), actor=events.ACTOR)
    with pytest.raises(ValidationError, match="over"):
        round_ask(stage=stage, actor=events.ACTOR)
    stage_finish(stage=stage, actor=events.ACTOR)
    stage_resume(stage=stage, actor=events.ACTOR)
    stage.refresh_from_db()
    assert stage.status == Stage.Status.RUNNING


def test_what_cannot_be_drawn_says_why_and_can_be_asked_again(season: Season) -> None:
    stage = night(season, 8)
    for entry in Entry.objects.order_by("number")[:6]:
        entry_withdraw(entry=entry, actor=events.ACTOR)
    failed = events.drawn(stage)
    assert failed.status == StageRound.Status.FAILED
    assert failed.failure
    assert failed.failure["values"]["players"] == 2
    assert Table.objects.count() == 0
    events.enter(stage.event, events.players(season.club, 1, "late"))
    assert events.drawn(stage).status == StageRound.Status.PUBLISHED


def test_a_draw_that_is_broken_off_fails_once(season: Season) -> None:
    asked = round_ask(stage=night(season), actor=events.ACTOR)
    assert round_fail(
        round_id=asked.pk, why=say("the draw took too long; plan fewer rounds, or more groups")
    )
    assert not round_fail(
        round_id=asked.pk, why=say("the draw took too long; plan fewer rounds, or more groups")
    )
    round_draw(round_id=asked.pk)
    assert Draw.objects.count() == 0


def test_a_change_by_hand_is_a_fact_of_its_own(season: Season) -> None:
    stage = night(season)
    drawn = events.drawn(stage, publish=False)
    wanted = swapped(seating(stage))
    assert round_change(stage_round=drawn, tables=wanted, draws_seen=newest(stage), actor=WHY)
    assert seating(stage) == wanted
    original, changed = Draw.objects.order_by("revision")
    assert (changed.by_hand, changed.reason, changed.input) == (True, WHY.reason, original.input)
    assert json.loads(changed.answer)["tables"] == wanted
    assert ["opens" in json.loads(row.answer)["why"][0] for row in (original, changed)] == [
        True,
        False,
    ]
    tables = [row for groups in round_tables(events.facts(stage), drawn) for row in groups.tables]
    sentences = [*tables[0].why, *seated_with_reasons(events.facts(stage), tables[0].table).why]
    assert sentences.count("Nobody here has met before.") == 2
    assert not any("opens" in sentence for sentence in sentences), "nobody looked for that"
    assert not round_change(stage_round=drawn, tables=wanted, draws_seen=newest(stage), actor=WHY)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda tables: tables[1:], "as many tables"),
        (lambda tables: [tables[0][1:], *tables[1:]], "exactly one table"),
        (lambda tables: [[*tables[0], tables[1][0]], *tables[1:]], "exactly one table"),
        (lambda tables: [[*tables[0], *tables[1][:2]], tables[1][2:], *tables[2:]], "2 to 4 seats"),
    ],
)
def test_a_change_that_cannot_be_changes_nothing(
    season: Season, change: Callable[[list[list[str]]], list[list[str]]], words: str
) -> None:
    stage = night(season)
    drawn = events.drawn(stage)
    before = seating(stage)
    with pytest.raises(ValidationError, match=words):
        round_change(stage_round=drawn, tables=change(before), draws_seen=newest(stage), actor=WHY)
    assert seating(stage) == before
    assert Draw.objects.count() == 1


def test_a_change_needs_a_reason_and_a_round_without_results(season: Season) -> None:
    stage = night(season)
    drawn = events.drawn(stage)
    with pytest.raises(ValidationError, match="Say why"):
        round_change(
            stage_round=drawn,
            tables=swapped(seating(stage)),
            draws_seen=newest(stage),
            actor=Actor(),
        )
    events.play(drawn)
    with pytest.raises(ValidationError, match="has results"):
        round_change(
            stage_round=drawn, tables=swapped(seating(stage)), draws_seen=newest(stage), actor=WHY
        )


def test_the_second_of_two_organisers_is_told_of_the_first(season: Season) -> None:
    stage = night(season)
    drawn = events.drawn(stage)
    both_saw, before = newest(stage), seating(stage)
    round_change(stage_round=drawn, tables=swapped(before), draws_seen=both_saw, actor=WHY)
    with pytest.raises(ValidationError, match="Somebody else has just changed"):
        round_change(stage_round=drawn, tables=before, draws_seen=both_saw, actor=WHY)
    assert seating(stage) == swapped(before)


def test_who_meets_whom_in_a_knock_out_is_the_brackets_to_say(season: Season) -> None:
    stage = night(season, 8, **DUELS)
    drawn = events.drawn(stage)
    with pytest.raises(ValidationError, match="the bracket decides"):
        round_change(
            stage_round=drawn, tables=swapped(seating(stage)), draws_seen=newest(stage), actor=WHY
        )
    other_seats = [ids[::-1] for ids in seating(stage)]
    assert round_change(stage_round=drawn, tables=other_seats, draws_seen=newest(stage), actor=WHY)


def test_the_draw_can_be_drawn_again_and_gives_its_reasons_by_name(season: Season) -> None:
    stage = night(season)
    events.play(events.drawn(stage))
    events.drawn(stage)
    stored = Draw.objects.latest("stage_round")
    given = read_draw(stored.input)
    assert isinstance(given, DrawInput)
    answer = draw(given)
    assert isinstance(answer, Drawing)
    assert write_answer(answer).decode() == stored.answer
    names = dict(Entry.objects.values_list("public_id", "player__name"))
    found = reasons(stored.input, stored.answer, answer.tables, names, {}, by_hand=False)
    sentences = [text for lines in found.tables for text in lines]
    assert sentences
    assert not [text for text in sentences for id in names if id in text]


def at_once(*work: Callable[[], object]) -> list[BaseException]:
    """What came of doing several things at once: the errors, in any order."""
    errors: list[BaseException] = []
    begin = threading.Barrier(len(work))

    def one(do: Callable[[], object]) -> None:
        begin.wait()
        try:
            do()
        except ValidationError as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(do,)) for do in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


@pytest.mark.django_db(transaction=True)
def test_two_who_ask_at_once_get_one_round(season: Season) -> None:
    stage = night(season)
    errors = at_once(*[lambda: round_ask(stage=stage, actor=events.ACTOR)] * 2)
    assert len(errors) == 1
    assert StageRound.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_job_delivered_twice_at_once_draws_once(season: Season) -> None:
    asked = round_ask(stage=night(season), actor=events.ACTOR)
    at_once(*[lambda: draw_round.apply((asked.pk,))] * 2)
    assert Draw.objects.count() == 1
    assert Table.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_two_organisers_who_change_a_draw_at_once(season: Season) -> None:
    stage = night(season)
    drawn = events.drawn(stage)
    both_saw, before = newest(stage), seating(stage)
    turned = [ids[::-1] for ids in before]

    def change(tables: list[list[str]]) -> Callable[[], object]:
        return lambda: round_change(
            stage_round=drawn, tables=tables, draws_seen=both_saw, actor=WHY
        )

    (error,) = at_once(change(swapped(before)), change(turned))
    assert "Somebody else" in str(error)
    assert seating(stage) in (swapped(before), turned)
    assert Draw.objects.count() == 2


def test_publishing_twice_is_publishing_once(season: Season) -> None:
    drawn = events.drawn(night(season), publish=False)
    assert round_publish(stage_round=drawn, actor=events.ACTOR)
    assert not round_publish(stage_round=drawn, actor=events.ACTOR)


def test_a_draw_at_which_workers_die_ends_as_failed(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    night = events.event(season, "poison", status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 8, "poison"))
    asked = round_ask(stage=events.stage(night), actor=events.ACTOR)

    def dies(**given: object) -> None:
        raise MemoryError

    monkeypatch.setattr("league.stages.round.tasks.round_draw", dies)
    for _ in range(ATTEMPTS):
        with pytest.raises(MemoryError):
            draw_round(asked.pk)
    draw_round(asked.pk)
    asked.refresh_from_db()
    assert asked.status == StageRound.Status.FAILED
    assert asked.pk not in rounds_waiting()
