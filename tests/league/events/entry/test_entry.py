"""Who has a place at an event, who waits for one, who is there; and who comes late."""

import random
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from engine.illegal import Refused
from league.core.log.models import LogEntry
from league.events.entry.actions import EntryAction
from league.events.entry.domain.entry_file import read_entries
from league.events.entry.models import ENTRY, PAIR_APART
from league.events.entry.queries.entry import places, waiting_place
from league.events.entry.services.entry import (
    entries_check_in,
    entries_keep_apart,
    entries_no_show,
    entry_add,
    entry_admit,
    entry_change,
    entry_check_out,
    entry_return,
    entry_withdraw,
)
from league.events.entry.services.entry_list import entry_list_enter
from league.events.event.services import entries_move_up, event_change
from league.models import Club, Entry, Event, Format, Participant, Season
from league.site.erasure.services.erasure import player_erase
from league.site.erasure.services.merge import person_merge
from league.stages.course.services.event import event_move
from league.stages.stage.queries.latecomer import stage_to_join
from league.stages.stage.services.latecomer import entry_join_stage
from tests.factories import events
from tests.factories.events import ACTOR
from tests.factories.league import ClubFactory, SeasonFactory
from tests.factories.logged import stated_rows

pytestmark = pytest.mark.django_db
ENTERED, WAITING = Entry.Status.ENTERED, Entry.Status.WAITING


def statuses(event: Event) -> list[str]:
    return list(
        Entry.objects.filter(event=event).order_by("number").values_list("status", flat=True)
    )


def moved_up(club: Club) -> list[str]:
    found = LogEntry.objects.filter(club=club, action=EntryAction.MOVED_UP).order_by("position")
    return list(found.values_list("subject", flat=True))


def test_a_pair_is_kept_apart_under_both_ids_in_order_until_it_may_sit_together(
    season: Season,
) -> None:
    night = events.event(season)
    first, second = events.enter(night, events.players(season.club, 2))
    pair = " ".join(sorted((first.public_id, second.public_id)))
    for must in (False, True):
        entries_keep_apart(first=second, second=first, must=must, actor=ACTOR)
        assert stated_rows(season.club_id, PAIR_APART) == {
            pair: {"event": night.public_id, "must": must}
        }
    for _ in range(2):
        entries_keep_apart(first=first, second=second, must=None, actor=ACTOR)
        assert stated_rows(season.club_id, PAIR_APART) == {}


def test_the_log_states_whoever_moves_up_and_whoever_comes_back(season: Season) -> None:
    night = events.event(season, capacity=2)
    leaver, _, waiter = events.enter(night, events.players(season.club, 3), check_in=False)
    entry_withdraw(entry=leaver, actor=ACTOR)
    entry_add(event=night, player=leaver.player, actor=ACTOR)
    rows = stated_rows(season.club_id, ENTRY)
    assert [rows[entry.public_id]["status"] for entry in (leaver, waiter)] == [WAITING, ENTERED]
    assert [rows[entry.public_id]["number"] for entry in (leaver, waiter)] == [4, 3]
    assert rows == ENTRY.of_club(season.club_id)


def test_who_comes_when_all_places_are_taken_waits_in_order(season: Season) -> None:
    night = events.event(season, capacity=2)
    entries = [
        entry_add(event=night, player=player, actor=ACTOR)
        for player in events.players(season.club, 4)
    ]
    assert [entry.status for entry in entries] == [ENTERED, ENTERED, WAITING, WAITING]
    assert [waiting_place(entry) for entry in entries[2:]] == [1, 2]
    assert places(night).free == 0


def test_a_withdrawal_before_the_start_lets_the_first_of_those_who_wait_move_up_and_logs_who(
    season: Season,
) -> None:
    night = events.event(season, capacity=2)
    entries = events.enter(night, events.players(season.club, 4), check_in=False)
    assert entry_withdraw(entry=entries[0], actor=ACTOR)
    assert statuses(night) == ["withdrawn", ENTERED, ENTERED, WAITING]
    assert moved_up(season.club) == [entries[2].public_id]
    assert not entry_withdraw(entry=entries[0], actor=ACTOR)


def test_who_comes_back_stands_behind_those_who_wait(season: Season) -> None:
    night = events.event(season, capacity=2)
    players = events.players(season.club, 4)
    entries = events.enter(night, players, check_in=False)
    entry_withdraw(entry=entries[0], actor=ACTOR)
    again = entry_add(event=night, player=players[0], actor=ACTOR)
    assert (again.pk, again.status) == (entries[0].pk, WAITING)
    assert waiting_place(again) == 2


def test_nobody_moves_up_into_a_running_event_but_an_organiser_can_give_the_place(
    season: Season,
) -> None:
    night = events.event(season, capacity=2)
    entries = events.enter(night, events.players(season.club, 3), check_in=False)
    event_move(event=night, status=Event.Status.RUNNING, actor=ACTOR)
    entry_withdraw(entry=entries[0], actor=ACTOR)
    assert entries_move_up(event=night, actor=ACTOR) == 0
    assert statuses(night)[2] == WAITING
    assert entry_admit(entry=entries[2], actor=ACTOR)
    assert not entry_admit(entry=entries[2], actor=ACTOR)
    assert statuses(night) == ["withdrawn", ENTERED, ENTERED]


def test_more_places_let_those_who_wait_move_up_and_fewer_take_none_away(season: Season) -> None:
    night = events.event(season, capacity=2)
    events.enter(night, events.players(season.club, 4), check_in=False)
    event_change(event=night, actor=ACTOR, capacity=3)
    entries_move_up(event=night, actor=ACTOR)
    assert statuses(night) == [ENTERED, ENTERED, ENTERED, WAITING]
    Event.objects.filter(pk=night.pk).update(capacity=2)
    night.refresh_from_db()
    assert places(night).over == 1
    assert statuses(night) == [ENTERED, ENTERED, ENTERED, WAITING]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"status": Event.Status.DRAFT}, "Entries aren’t open"),
        ({"self_entry": False}, "Entries aren’t open"),
        ({"entries_until": timezone.now() - timedelta(minutes=1)}, "Entries are closed"),
        ({"status": Event.Status.RUNNING}, "Entries are closed"),
        ({"status": Event.Status.FINISHED}, "This event is over"),
        ({"status": Event.Status.CANCELLED}, "This event is over"),
    ],
)
def test_a_closed_event_says_what_to_do(season: Season, change: dict[str, Any], words: str) -> None:
    night = events.event(season)
    Event.objects.filter(pk=night.pk).update(**change)
    (player,) = events.players(season.club, 1)
    with pytest.raises(ValidationError, match=words):
        entry_add(event=night, player=player, actor=ACTOR)
    if "over" not in words:
        assert (
            entry_add(event=night, player=player, actor=ACTOR, by_organiser=True).status == ENTERED
        )


def test_only_an_event_that_is_not_over_changes(season: Season) -> None:
    night = events.event(season)
    (entry,) = events.enter(night, events.players(season.club, 1), check_in=False)
    Event.objects.filter(pk=night.pk).update(status=Event.Status.FINISHED)
    entry = Entry.objects.get(pk=entry.pk)
    with pytest.raises(ValidationError, match="over"):
        entry_withdraw(entry=entry, actor=ACTOR)
    with pytest.raises(ValidationError, match="over"):
        entries_check_in(event=night, entries=[entry], actor=ACTOR)
    with pytest.raises(ValidationError, match="over"):
        entries_no_show(event=night, actor=ACTOR)


def test_check_in_can_be_undone_and_is_for_those_with_a_place(season: Season) -> None:
    night = events.event(season, capacity=2)
    entries = events.enter(night, events.players(season.club, 3), check_in=False)
    assert entries_check_in(event=night, entries=entries[:2], actor=ACTOR) == 2
    assert entries_check_in(event=night, entries=entries[:2], actor=ACTOR) == 0
    assert entry_check_out(entry=entries[0], actor=ACTOR)
    assert not entry_check_out(entry=entries[0], actor=ACTOR)
    with pytest.raises(ValidationError, match="Only players with a place"):
        entries_check_in(event=night, entries=entries, actor=ACTOR)


def test_who_did_not_come_is_noted_once_check_in_is_over_and_their_places_go_on(
    season: Season,
) -> None:
    night = events.event(season, capacity=2)
    entries = events.enter(night, events.players(season.club, 3), check_in=False)
    entries_check_in(event=night, entries=entries[:1], actor=ACTOR)
    with pytest.raises(ValidationError, match="can still come"):
        entries_no_show(event=night, actor=ACTOR)
    Event.objects.filter(pk=night.pk).update(check_in_until=timezone.now() - timedelta(minutes=1))
    assert entries_no_show(event=night, actor=ACTOR) == 1
    assert statuses(night) == [ENTERED, Entry.Status.NO_SHOW, ENTERED]
    assert entry_return(entry=entries[1], actor=ACTOR)
    assert statuses(night) == [ENTERED, WAITING, ENTERED]


@pytest.mark.parametrize("format", [Format.SWISS, Format.PODS, Format.ROUND_ROBIN])
def test_who_comes_late_joins_the_next_round_with_nothing(season: Season, format: Format) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 8))
    stage = events.stage(night, format=format, sizes=[4, 3])
    first = events.drawn(stage)
    events.play(first)
    (late,) = events.enter(night, events.players(season.club, 1, "late"))
    joined = Participant.objects.get(stage=stage, entry=late)
    assert (joined.seed, joined.carried) == (9, 0)
    assert not entry_join_stage(entry=late, actor=ACTOR)
    second = events.drawn(stage)
    facts = events.facts(stage)
    assert [
        late.pk in table.entries for table in facts.tables if table.round_number == second.number
    ].count(True) == 1


def test_nobody_joins_a_knock_out_nor_a_stage_that_has_no_round_left(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 4))
    stage = events.stage(night, format=Format.SINGLE, sizes=[2], rounds=None)
    (late,) = events.enter(night, events.players(season.club, 1, "late"))
    assert not entry_join_stage(entry=late, actor=ACTOR)
    assert not Participant.objects.filter(stage=stage, entry=late).exists()
    other = events.event(season, slug="night-2", status=Event.Status.RUNNING)
    events.enter(other, events.players(season.club, 4, "other"))
    short = events.stage(other, rounds=1)
    events.drawn(short)
    assert stage_to_join(other) is None


def test_who_is_not_checked_in_joins_nothing(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, 4))
    events.stage(night)
    (late,) = events.enter(night, events.players(season.club, 1, "late"), check_in=False)
    with pytest.raises(ValidationError, match="Check them in"):
        entry_join_stage(entry=late, actor=ACTOR)


def test_two_who_take_part_in_an_event_are_not_merged_and_whoever_withdrew_can_be(
    season: Season,
) -> None:
    night = events.event(season, name="Cup")
    one, other = events.players(season.club, 2)
    _, second = events.enter(night, [one, other], check_in=False)
    with pytest.raises(Refused, match="both take part in Cup") as refused:
        person_merge(kept_player=one, merged=other, actor=ACTOR)
    assert refused.value.illegal.code == "both_entered"
    entry_withdraw(entry=second, actor=ACTOR)
    person_merge(kept_player=one, merged=other, actor=ACTOR)
    other.refresh_from_db()
    assert other.merged_into == one


def test_at_most_one_entry_plays_for_a_person(season: Season) -> None:
    night = events.event(season)
    absent, one, other = events.players(season.club, 3)
    first, second = events.enter(night, [one, other], check_in=False)
    assert entry_change(entry=first, substitutes=absent, actor=ACTOR)
    with pytest.raises(ValidationError, match="p2 already plays for p1"):
        entry_change(entry=second, substitutes=absent, actor=ACTOR)
    with pytest.raises(ValidationError, match="p2 plays for this player"):
        entry_add(event=night, player=absent, actor=ACTOR)
    with pytest.raises(ValidationError, match="p3 already has a place"):
        entry_change(entry=first, substitutes=other, actor=ACTOR)
    assert entry_change(entry=first, substitutes=None, actor=ACTOR)
    assert entry_add(event=night, player=absent, actor=ACTOR).status == ENTERED


def test_a_substitute_takes_over_during_an_event_and_ends_before_the_other_comes_back(
    season: Season,
) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    regular, substitute = events.players(season.club, 2)
    first, second = events.enter(night, [regular, substitute])
    with pytest.raises(ValidationError, match="p1 already has a place"):
        entry_change(entry=second, substitutes=regular, actor=ACTOR)
    entry_withdraw(entry=first, actor=ACTOR)
    assert entry_change(entry=second, substitutes=regular, actor=ACTOR)
    with pytest.raises(ValidationError, match="p2 plays for this player"):
        entry_return(entry=first, actor=ACTOR)
    entry_withdraw(entry=second, actor=ACTOR)
    assert entry_return(entry=first, actor=ACTOR)
    with pytest.raises(ValidationError, match="p1 already has a place"):
        entry_return(entry=second, actor=ACTOR)


def test_five_who_stand_in_at_once_for_one_leave_one(transactional_db: None) -> None:
    season = SeasonFactory.create()
    night = events.event(season)
    absent, *players = events.players(season.club, 6)
    refused: list[object] = []

    def stand_in(entry: Entry) -> None:
        try:
            entry_change(entry=entry, substitutes=absent, actor=ACTOR)
        except ValidationError as error:
            refused.append(error)
        finally:
            connection.close()

    threads = [
        threading.Thread(target=stand_in, args=[entry])
        for entry in events.enter(night, players, check_in=False)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 4
    assert Entry.objects.filter(event=night, substitutes=absent).count() == 1


def test_who_is_stood_in_for_is_not_merged_with_somebody_who_takes_part(season: Season) -> None:
    night = events.event(season, name="Cup")
    absent, one, other = events.players(season.club, 3)
    first, _ = events.enter(night, [one, other], check_in=False)
    entry_change(entry=first, substitutes=absent, actor=ACTOR)
    for player in (one, other):
        with pytest.raises(Refused, match="both take part in Cup"):
            person_merge(kept_player=player, merged=absent, actor=ACTOR)


def test_a_list_enters_nobody_for_whom_a_substitute_plays(season: Season) -> None:
    night = events.event(season)
    absent, merged, one = events.players(season.club, 3)
    (entry,) = events.enter(night, [one], check_in=False)
    entry_change(entry=entry, substitutes=absent, actor=ACTOR)
    person_merge(kept_player=absent, merged=merged, actor=ACTOR)
    preview = entry_list_enter(event=night, file=read_entries("handle\np1\np2\np4\n"), actor=ACTOR)
    assert [(row.line, row.why) for row in preview.bad] == [
        (2, "a substitute plays for this player")
    ]
    assert [row.line for row in preview.double] == [3]  # merged: the same person
    assert Entry.objects.filter(event=night).count() == 2


def test_a_merged_person_has_one_entry(season: Season) -> None:
    night = events.event(season)
    one, other = events.players(season.club, 2)
    (entry,) = events.enter(night, [other], check_in=False)
    person_merge(kept_player=one, merged=other, actor=ACTOR)
    with pytest.raises(ValidationError, match="already"):
        entry_add(event=night, player=one, actor=ACTOR)
    entry_withdraw(entry=entry, actor=ACTOR)
    assert entry_add(event=night, player=one, actor=ACTOR).pk == entry.pk


@pytest.mark.django_db(transaction=True)
def test_two_take_the_last_place_at_once_and_one_gets_it(transactional_db: None) -> None:
    season = SeasonFactory.create(club=ClubFactory.create())
    night = events.event(season, capacity=2)
    first, *both = events.players(season.club, 3)
    events.enter(night, [first], check_in=False)
    together = threading.Barrier(2)
    found: list[str] = []

    def enter(player: Any) -> None:
        together.wait()
        try:
            found.append(entry_add(event=night, player=player, actor=ACTOR).status)
        finally:
            connection.close()

    threads = [threading.Thread(target=enter, args=[player]) for player in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [ENTERED, WAITING]
    assert waiting_place(Entry.objects.get(event=night, status=WAITING)) == 1


class TestWhateverHappens(TestCase):
    @settings(max_examples=25)
    @given(seed=st.integers(0, 2**32), capacity=st.integers(2, 4))
    def test_no_place_is_free_while_somebody_waits_and_none_is_given_twice(
        self, seed: int, capacity: int
    ) -> None:
        chance = random.Random(seed)
        season = SeasonFactory.create(club=ClubFactory.create())
        night = events.event(season, capacity=capacity)
        players = events.players(season.club, 6)
        for _ in range(20):
            player = chance.choice(players)
            entry = Entry.objects.filter(event=night, player=player).first()
            if entry is None or entry.status in ("withdrawn", "no_show"):
                entry_add(event=night, player=player, actor=ACTOR)
            else:
                entry_withdraw(entry=entry, actor=ACTOR, no_show=chance.random() < 0.3)
            counts = places(night)
            assert counts.taken <= capacity
            assert not (counts.waiting and counts.taken < capacity)
        numbers = list(Entry.objects.filter(event=night).values_list("number", flat=True))
        assert len(set(numbers)) == len(numbers)


def test_nobody_comes_back_as_a_second_entry_of_one_person(season: Season) -> None:
    night = events.event(season)
    anna, annie = events.players(season.club, 2)
    first, second = events.enter(night, [anna, annie], check_in=False)
    entry_withdraw(entry=first, actor=ACTOR)
    person_merge(kept_player=annie, merged=anna, actor=ACTOR)
    with pytest.raises(ValidationError, match="This player has already entered"):
        entry_return(entry=first, actor=ACTOR)
    entry_withdraw(entry=second, actor=ACTOR)
    assert entry_return(entry=first, actor=ACTOR), "one of the two may"


def test_who_was_erased_does_not_come_back(season: Season) -> None:
    night = events.event(season)
    (gone,) = events.players(season.club, 1)
    (entry,) = events.enter(night, [gone], check_in=False)
    entry_withdraw(entry=entry, actor=ACTOR)
    player_erase(player=gone, actor=ACTOR)
    with pytest.raises(ValidationError, match="erased"):
        entry_return(entry=entry, actor=ACTOR)


def test_an_event_with_more_entries_than_places_can_be_changed_in_all_else(season: Season) -> None:
    night = events.event(season, capacity=3)
    *_, late = events.enter(night, events.players(season.club, 4), check_in=False)
    entry_admit(entry=late, actor=ACTOR)
    assert event_change(event=night, actor=ACTOR, venue="The cellar")
    with pytest.raises(ValidationError, match="4 players already have a place"):
        event_change(event=night, actor=ACTOR, capacity=2)


def test_who_waits_gets_a_free_place_when_entries_are_open_again(season: Season) -> None:
    night = events.event(season, capacity=2)
    first, _, waiting = events.enter(night, events.players(season.club, 3), check_in=False)
    event_move(event=night, status=Event.Status.RUNNING, actor=ACTOR)
    entry_withdraw(entry=first, actor=ACTOR)
    assert moved_up(season.club) == []
    event_move(event=night, status=Event.Status.OPEN, actor=ACTOR)
    assert moved_up(season.club) == [waiting.public_id]


def test_an_event_can_have_more_entries_in_its_life_than_a_small_number_holds(
    season: Season,
) -> None:
    night = events.event(season)
    first, second = events.players(season.club, 2)
    events.enter(night, [first], check_in=False)
    Entry.objects.update(number=32767)
    assert entry_add(event=night, player=second, actor=ACTOR).number == 32768
