"""An event's history tells what was taken back, drawn again or changed after its end, and what was
public stays."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.core.log.models import LogEntry
from league.core.log.services import Actor, club_journal
from league.core.log.verification import log_differences
from league.core.viewer.queries.access import Viewer
from league.events.entry.services.entry import entries_keep_apart, entry_change, entry_withdraw
from league.events.entry.services.label import labels_set
from league.models import Draw, Entry, Event, Season, Stage, StageRound, Table, User, Visibility
from league.site.erasure.services.erasure import player_erase
from league.stages.course.domain import HistoryChange, HistoryLine, HistoryNames, draw_changes
from league.stages.course.queries import event_history
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import (
    course_take_back,
    stage_finish,
    stage_set_back,
    stage_start,
)
from league.stages.round.actions import RoundAction
from league.stages.round.services import round_change, round_publish, round_take_back
from league.stages.stage.services.stage import stage_change
from tests.factories import events
from tests.factories.logged import without_rows

pytestmark = pytest.mark.django_db
NIGHT = "/clubs/stern/events/night-1/"
EVIL = "<script>alert(1)</script> 🎲 "
TIE_BREAKS = ["wins", "head_to_head", "lots"]


@pytest.fixture
def actor(organiser: User) -> Actor:
    User.objects.filter(pk=organiser.pk).update(username="maria")
    return Actor(organiser.pk, "A table was missing.")


def night(season: Season, count: int = 8, **settings: Any) -> Stage:
    made = events.event(season, status=Event.Status.RUNNING)
    events.enter(made, events.players(season.club, count))
    return events.stage(made, **{"rounds": 1, **settings})


def ended(season: Season) -> Stage:
    stage = night(season)
    events.play(events.drawn(stage))
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=stage.event, status=Event.Status.FINISHED, actor=events.ACTOR)
    stage.event.refresh_from_db()
    return stage


def lines(event: Event, user: Any = None) -> list[HistoryLine]:
    stages = list(Stage.objects.filter(event=event).order_by("number"))
    return event_history(event, Viewer(user or AnonymousUser()), stages)


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def test_a_published_round_with_results_that_is_taken_back_is_a_line(
    season: Season, actor: Actor
) -> None:
    stage = night(season)
    events.play(first := events.drawn(stage))
    course_take_back(stage_round=first, actor=actor)
    (line,) = lines(stage.event)
    assert line.kind == "round_taken_back"
    assert line.title == "Round 1 of “Main” taken back"
    assert line.changes == (("Status", "published, 2 games played", "taken back"),)
    assert (line.reason, line.role, line.author) == (
        "A table was missing.",
        "organiser",
        "an organiser",
    )
    assert line.at == LogEntry.objects.get(action=RoundAction.TAKEN_BACK).at
    html = text(Client(), NIGHT)
    for words in (
        line.title,
        "published, 2 games played",
        "A table was missing.",
        "by an organiser",
    ):
        assert words in html
    assert "maria" not in html


def test_what_was_public_stays_readable_with_its_mark(season: Season, actor: Actor) -> None:
    stage = night(season)
    events.play(first := events.drawn(stage))
    table, draw = Table.objects.order_by("pk")[0], Draw.objects.get()
    opener = Entry.objects.get(seats__table=table, seats__seat=0).player.name
    course_take_back(stage_round=first, actor=actor)
    pages = [
        f"{NIGHT}stages/1/rounds/1/",
        f"/tables/{table.public_id}/",
        f"/draws/{draw.public_id}/",
    ]
    for page in pages:
        html = text(Client(), page)
        assert "Taken back" in html
        assert "by an organiser because: “A table was missing.”" in html
        assert '<meta name="robots" content="noindex">' in html
        assert opener in html
    answer = Client().get(f"/draws/{draw.public_id}/draw.json")
    assert (answer.status_code, answer["X-Robots-Tag"]) == (200, "noindex")
    assert answer.content.decode() == draw.input + "\n"
    assert "taken-back" in answer["Content-Disposition"]


def test_its_address_goes_on_after_another_was_drawn_in_its_place(
    season: Season, actor: Actor
) -> None:
    stage = night(season)
    first = events.drawn(stage)
    address = f"{NIGHT}stages/1/rounds/1/taken-back/{first.public_id}/"
    assert Client().get(address).status_code == 404
    course_take_back(stage_round=first, actor=actor)
    events.drawn(stage)
    assert "Taken back" not in text(Client(), f"{NIGHT}stages/1/rounds/1/")
    assert "Taken back" in text(Client(), address)
    assert address in text(Client(), NIGHT)


def test_a_stage_that_was_made_up_anew_still_names_who_sat_in_the_round(
    season: Season, actor: Actor
) -> None:
    stage = night(season)
    events.drawn(stage)
    table = Table.objects.order_by("pk")[0]
    entry = Entry.objects.select_related("event", "player").get(seats__table=table, seats__seat=0)
    stage_set_back(stage=stage, actor=actor)
    entry_withdraw(entry=entry, actor=actor)
    stage_start(stage=stage, actor=actor)
    assert entry.player.name in text(Client(), f"/tables/{table.public_id}/")
    assert entry.player.name in text(Client(), f"{NIGHT}stages/1/rounds/1/")


def test_nothing_can_be_entered_at_a_table_taken_back(
    season: Season, actor: Actor, desk: Client
) -> None:
    stage = night(season)
    first = events.drawn(stage)
    table = Table.objects.order_by("pk")[0]
    course_take_back(stage_round=first, actor=actor)
    html = text(desk, f"/tables/{table.public_id}/")
    assert "Enter a result" not in html
    for page in ("result", "walkover"):
        assert desk.get(f"/tables/{table.public_id}/{page}/").status_code == 404


def test_a_draw_that_was_only_looked_at_and_drawn_again_is_a_line(
    season: Season, actor: Actor
) -> None:
    stage = night(season, 9)
    first = events.drawn(stage, publish=False)
    one, two = (
        Entry.objects.filter(event=stage.event)
        .select_related("event", "player")
        .order_by("number")[:2]
    )
    draft = Draw.objects.get()
    round_take_back(stage_round=first, actor=actor)
    entries_keep_apart(first=one, second=two, must=True, actor=actor)
    second = events.drawn(stage, publish=False)
    again, back = lines(stage.event)
    assert (back.kind, back.reason, back.readable) == (
        "round_taken_back",
        "A table was missing.",
        False,
    )
    assert back.changes == (("Status", "drawn, not published", "taken back"),)
    assert again.kind == "round_drawn_again"
    assert again.title == "Round 1 of “Main” drawn again: attempt 2"
    assert again.changes == (("Kept apart", "", "1 pair"),)
    round_publish(stage_round=second, actor=actor)
    assert lines(stage.event)[0].changes == (("Kept apart", "", "p1 – p2"),)
    assert Client().get(f"/draws/{draft.public_id}/").status_code == 404
    assert Client().get(f"/draws/{draft.public_id}/draw.json").status_code == 404


def test_a_draw_from_the_same_says_so(season: Season, actor: Actor) -> None:
    stage = night(season)
    round_take_back(stage_round=events.drawn(stage), actor=actor)
    events.drawn(stage)
    assert lines(stage.event)[0].changes == (
        ("What it was drawn from", "", "the same, except for the lots"),
    )


def test_a_draw_from_other_clubs_or_more_strictly_says_so(season: Season, actor: Actor) -> None:
    stage = night(season, label_rounds=1)
    entries = list(
        Entry.objects.filter(event=stage.event).select_related("event", "player").order_by("number")
    )
    labels_set(event=stage.event, entries=entries[:3], label="Ulm", actor=actor)
    entries_keep_apart(first=entries[6], second=entries[7], must=False, actor=actor)
    round_take_back(stage_round=events.drawn(stage), actor=actor)
    labels_set(event=stage.event, entries=entries[2:4], label="Bonn", actor=actor)
    again = events.drawn(stage)
    assert lines(stage.event)[0].changes == (
        ("What it was drawn from", "", "different clubs or towns"),
    )
    round_take_back(stage_round=again, actor=actor)
    entries_keep_apart(first=entries[6], second=entries[7], must=True, actor=actor)
    events.drawn(stage)
    assert lines(stage.event)[0].changes == (
        ("What it was drawn from", "", "pairs kept apart more or less strictly"),
    )


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"labels": "must"}, "different clubs or towns"),
        ({"apart": [["a", "b", "must"]]}, "pairs kept apart more or less strictly"),
        ({"players": [{"id": "b", "score": 2}, {"id": "a", "score": 1}]}, "different points"),
        (
            {"played": [[["a", "b"]]], "labels": "must"},
            "different clubs or towns, different earlier rounds",
        ),
        ({"meetings_first": True}, "turns at short tables counted more or less"),
        ({"rounds": 4}, "something else"),
    ],
)
def test_what_a_draw_was_drawn_from_is_named_where_it_is_other(
    changed: dict[str, Any], words: str
) -> None:
    old = {
        "players": [{"id": "a", "score": 1}, {"id": "b", "score": 1}],
        "apart": [["a", "b"]],
        "labels": "wish",
    }
    names = HistoryNames({}, {}, {}, {}, {"old": (old,), "new": ({**old, **changed},)})
    assert draw_changes("old", "new", names, ()) == (
        HistoryChange("What it was drawn from", "", words),
    )


def test_that_meetings_count_first_is_told_in_words_once_the_event_is_over(
    season: Season, actor: Actor
) -> None:
    stage = ended(season)
    stage_change(stage=stage, actor=actor, meetings_first=True)
    changes = [change for line in lines(stage.event) for change in line.changes]
    assert HistoryChange("Repeat short tables rather than opponents", "no", "yes") in changes


def test_a_draw_of_a_stage_without_a_secret_is_the_same_again(season: Season, actor: Actor) -> None:
    stage = night(season, seed="5e")
    round_take_back(stage_round=events.drawn(stage), actor=actor)
    events.drawn(stage)
    assert lines(stage.event)[0].changes == (
        ("What it was drawn from", "", "the same, so the tables are the same"),
    )


def test_a_public_draw_that_is_changed_by_hand_is_a_line(season: Season, actor: Actor) -> None:
    stage = night(season)
    first = events.drawn(stage)
    facts = events.facts(stage)
    seats = [facts.ids(table)[::-1] for table in facts.tables]
    round_change(
        stage_round=first,
        tables=seats,
        draws_seen=[draw.public_id for draw in facts.draws],
        actor=actor,
    )
    (line,) = lines(stage.event)
    assert (line.kind, line.reason, line.role) == (
        "round_changed",
        "A table was missing.",
        "organiser",
    )


def test_who_becomes_a_guest_or_a_substitute_after_the_end_is_a_line(
    season: Season, actor: Actor
) -> None:
    event = ended(season).event
    winner = Entry.objects.select_related("event", "player").get(final_rank__rank=1, event=event)
    (absent,) = events.players(season.club, 1, "absent")
    entry_change(entry=winner, guest=True, actor=actor)
    entry_change(entry=winner, substitutes=absent, actor=actor)
    second, first = lines(event)
    assert first.title == second.title == f"Entry of {winner.player.name} changed"
    assert first.changes == (("Guest", "no", "yes"),)
    assert second.changes == (("Plays for", "nobody else", "absent1"),)
    assert (first.reason, first.role) == ("A table was missing.", "organiser")


def test_a_line_by_nobody_of_the_club_is_the_operators(season: Season) -> None:
    event = ended(season).event
    entry = Entry.objects.select_related("event").filter(event=event)[0]
    entry_change(entry=entry, guest=True, actor=Actor(reason="By the command line."))
    assert [(line.role, line.author) for line in lines(event)] == [
        ("operator", "the operator of the service")
    ]


def test_before_the_end_that_is_no_line(season: Season, actor: Actor) -> None:
    stage = night(season)
    entry_change(
        entry=Entry.objects.select_related("event").filter(event=stage.event)[0],
        guest=True,
        actor=actor,
    )
    assert lines(stage.event) == []


def test_the_order_of_tie_breaks_that_changes_is_a_line(season: Season, actor: Actor) -> None:
    stage = ended(season)
    stage_change(stage=stage, tie_breaks=TIE_BREAKS, actor=actor)
    (line,) = lines(stage.event)
    assert line.title == "Settings of “Main” changed"
    ((what, before, after),) = line.changes
    assert what == "Order of tie-breaks"
    assert before != after
    assert after.split(", ")[-1] == "lots"
    assert (line.reason, line.role) == ("A table was missing.", "organiser")


@pytest.mark.parametrize("going_on", [False, True], ids=["ended", "goes on after its end"])
def test_after_the_end_nothing_changes_without_a_reason(season: Season, going_on: bool) -> None:
    stage = ended(season)
    if going_on:
        event_move(event=stage.event, status=Event.Status.RUNNING, actor=Actor())
    entry = Entry.objects.select_related("event").filter(event=stage.event)[0]
    changes: list[Callable[[], object]] = [
        lambda: entry_change(entry=entry, guest=True, actor=Actor()),
        lambda: stage_change(stage=stage, tie_breaks=TIE_BREAKS, actor=Actor(reason=" ")),
    ]
    for change in changes:
        with pytest.raises(ValidationError) as refused:
            change()
        assert [error.code for error in refused.value.error_dict["reason"]] == ["reason_needed"]
    if going_on:
        with pytest.raises(ValidationError, match="Say why"):
            course_take_back(
                stage_round=StageRound.objects.select_related("stage__event").get(), actor=Actor()
            )
        assert StageRound.objects.get().status == StageRound.Status.FINISHED
        assert [line.kind for line in lines(stage.event)] == ["event_resumed"]


def test_the_forms_ask_for_the_reason_after_the_end(season: Season, desk: Client) -> None:
    stage = night(season)
    entry = Entry.objects.filter(event=stage.event)[0]
    entry_page = f"/clubs/stern/desk/events/night-1/entries/{entry.public_id}/"
    stage_page = "/clubs/stern/desk/events/night-1/stages/1/"
    for page in (entry_page, stage_page):
        assert 'name="reason"' not in text(desk, page)
    events.play(events.drawn(stage))
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=stage.event, status=Event.Status.FINISHED, actor=events.ACTOR)
    settings = {"name": "Main", "rounds": 1, "tie_break_1": "wins"}
    assert 'name="reason"' in text(desk, entry_page)
    for page, fields in ((f"{entry_page}counts/", {"guest": "on"}), (stage_page, settings)):
        assert 'name="reason"' in text(desk, page)
        answer = desk.post(page, fields)
        assert "Say why you’re changing this" in answer.content.decode()
        assert (
            "at most 500 characters"
            in desk.post(page, {**fields, "reason": "x" * 10_000}).content.decode()
        )
        assert desk.post(page, {**fields, "reason": EVIL}).status_code == 302
    html = text(Client(), NIGHT)
    assert "<script>alert" not in html
    assert html.count("&lt;script&gt;alert(1)&lt;/script&gt; 🎲") == 2


def test_a_hostile_reason_is_text_where_a_round_was_taken_back(
    season: Season, desk: Client
) -> None:
    stage = night(season)
    events.drawn(stage)
    table = Table.objects.order_by("pk")[0]
    page = "/clubs/stern/desk/events/night-1/stages/1/rounds/1/take-back/"
    assert desk.post(page, {"reason": "x" * 10_000}).status_code == 200
    assert desk.post(page, {"reason": EVIL}).status_code == 302
    for address in (NIGHT, f"/tables/{table.public_id}/", f"{NIGHT}stages/1/rounds/1/"):
        html = text(Client(), address)
        assert "<script>alert" not in html
        assert "&lt;script&gt;alert(1)&lt;/script&gt; 🎲" in html


def test_who_withdrew_is_named_to_scorers_alone_and_who_was_erased_to_nobody(
    season: Season, actor: Actor, organiser: User
) -> None:
    event = ended(season).event
    gone, erased = Entry.objects.select_related("event", "player").filter(event=event)[:2]
    for entry in (gone, erased):
        entry_change(entry=entry, guest=True, actor=actor)
    Entry.objects.filter(pk=gone.pk).update(status=Entry.Status.WITHDRAWN)
    player_erase(player=erased.player, actor=actor)
    erased.player.refresh_from_db()
    titles = [line.title for line in lines(event)]
    assert titles == [
        f"Entry of {erased.player.name} changed",
        "An entry that is no longer shown changed",
    ]
    assert erased.player.name != "p2"
    assert "Entry of p1 changed" in [line.title for line in lines(event, organiser)]


def test_a_history_is_seen_by_who_sees_the_event(season: Season, actor: Actor) -> None:
    stage = night(season)
    first = events.drawn(stage)
    table = Table.objects.order_by("pk")[0]
    round_take_back(stage_round=first, actor=actor)
    Season.objects.update(visibility=Visibility.MEMBERS)
    for address in (
        NIGHT,
        f"/tables/{table.public_id}/",
        f"/api/v1{NIGHT}history/",
        f"{NIGHT}stages/1/rounds/1/",
    ):
        assert Client().get(address).status_code == 404


def test_old_entries_of_the_log_still_tell_what_they_tell(season: Season, organiser: User) -> None:
    stage = night(season)
    first = events.drawn(stage)
    StageRound.objects.filter(pk=first.pk).update(status=StageRound.Status.TAKEN_BACK)
    with club_journal(season.club_id, Actor(organiser.pk, "For the log alone.")) as journal:
        journal.add(RoundAction.TAKEN_BACK, first.public_id, {"number": 1})
    (line,) = lines(stage.event)
    assert line.changes == (("Status", "published", "taken back"),)
    assert (line.reason, line.role) == ("", "")
    assert lines(stage.event, organiser)[0].reason == "For the log alone."
    html = text(Client(), f"{NIGHT}stages/1/rounds/1/")
    assert "Taken back" in html
    assert "For the log alone." not in html
    assert list(log_differences(season.club_id, season.club.public_id)) == []


def test_the_page_costs_as_many_queries_for_one_change_as_for_many(
    season: Season, actor: Actor, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    stage = night(season, 9)
    most = 17  # one of them reads what the page that is kept for everybody has come to
    round_take_back(stage_round=events.drawn(stage), actor=actor)
    events.drawn(stage)
    with django_assert_max_num_queries(most):
        text(Client(), NIGHT)
    one, two, three = (
        Entry.objects.filter(event=stage.event).select_related("event").order_by("number")[:3]
    )
    for pair in ((one, two), (one, three), (two, three)):
        round_take_back(stage_round=StageRound.objects.latest("pk"), actor=actor)
        entries_keep_apart(first=pair[0], second=pair[1], must=False, actor=actor)
        events.drawn(stage)
    with django_assert_max_num_queries(most):
        assert text(Client(), NIGHT).count("taken back</strong>") == 4
    payload = without_rows(
        LogEntry.objects.filter(action=RoundAction.TAKEN_BACK).latest("position").payload
    )
    assert payload | {"reason": ""} == {
        "games": 0,
        "number": 1,
        "reason": "",
        "role": "organiser",
        "status": "taken_back",
        "status_before": "published",
    }
