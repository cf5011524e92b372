"""Notices: what the club's log tells becomes a row for each account, once, whatever happens to the
jobs."""

import json
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import IntegrityError, transaction

from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from league.core.claim.services import player_claim
from league.core.log.services import Actor
from league.counting.event_counting.services import divisions_set
from league.disputes.correction.services import game_correct
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.events.entry.services.entry import entry_add, entry_return, entry_withdraw
from league.events.entry.services.self_entry import entry_by_mail_ask, entry_by_mail_confirm
from league.events.event.services import event_change
from league.events.helper.services import helper_add
from league.floor.timetable.services import timetable_take_back
from league.models import (
    Claim,
    EntryByMail,
    Event,
    LogEntry,
    Notice,
    NoticePreference,
    NoticeSending,
    NoticeTopic,
    Reader,
    Role,
    Season,
    SetAside,
    User,
)
from league.notices.message.services import message_send
from league.notices.notice.domain import NoticeNames
from league.notices.notice.queries.announcement import NOTICES
from league.notices.notice.queries.notice import notice_text
from league.notices.notice.services.notice import notices_read
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import stage_finish
from league.stages.result.services.void import game_restore, game_void_add
from league.stages.round.services import round_publish, round_take_back
from tests.factories import events, halls, notices
from tests.factories.counted import add_games
from tests.factories.league import MembershipFactory
from tests.factories.records import bluff_record
from tests.factories.statements import statement_on

pytestmark = pytest.mark.django_db
Occasion = Notice.Occasion


def occasions(season: Season) -> list[str]:
    return [notice.occasion for notice in notices.read(season.club)]


def test_who_enters_hears_of_the_place_or_of_the_number_on_the_waiting_list(season: Season) -> None:
    night = events.event(season, capacity=2)
    people = notices.people(season.club, 4)
    for player in people:
        entry_add(event=night, player=player, actor=Actor(player.user_id))
    made = notices.read(season.club)
    assert [notice.occasion for notice in made] == [
        Occasion.ENTERED,
        Occasion.ENTERED,
        Occasion.WAITING,
        Occasion.WAITING,
    ]
    assert [notice.user_id for notice in made] == [player.user_id for player in people]
    assert [notice.parameters for notice in made[2:]] == [{"place": 1}, {"place": 2}]


def test_who_entered_by_mail_and_plays_on_a_phone_without_an_account_has_notices_there_and_letters_still(
    season: Season,
) -> None:
    night = events.event(season)
    entry_by_mail_ask(event=night, name="Nele", email="nele@example.org")
    entry = entry_by_mail_confirm(by_mail=EntryByMail.objects.get(), name="Nele")
    phone = player_claim(player=entry.player, way=Claim.Way.MAIL, user=None).user
    before = len(notices.read(season.club))
    event_change(event=night, actor=events.ACTOR, venue="Hinterzimmer")
    made = notices.read(season.club)[before:]
    assert {(one.user, one.by_mail) for one in made} == {
        (phone, None),
        (None, EntryByMail.objects.get()),
    }
    letters = NoticeSending.objects.filter(notice__in=made, channel=NoticeSending.Channel.MAIL)
    assert {one.state for one in letters.filter(notice__user=phone)} == {
        NoticeSending.State.UNWANTED
    }
    assert {one.state for one in letters.filter(notice__user=None)} == {NoticeSending.State.WAITING}
    entry_withdraw(entry=entry, actor=Actor(phone.pk if phone else None))
    assert len(notices.read(season.club)) == before + 2, "who withdrew knows"


def test_who_moves_up_hears_of_it(season: Season) -> None:
    night = events.event(season, capacity=2)
    people = notices.people(season.club, 3)
    entries = events.enter(night, people, check_in=False)
    notices.read(season.club)
    entry_withdraw(entry=entries[0], actor=events.ACTOR)
    made = notices.read(season.club)[3:]
    assert [(notice.occasion, notice.user_id) for notice in made] == [
        (Occasion.MOVED_UP, people[2].user_id)
    ]


def test_news_that_no_longer_hold_are_told_nobody(season: Season) -> None:
    (player,) = notices.people(season.club, 1)
    (entry,) = events.enter(events.event(season), [player], check_in=False)
    entry_withdraw(entry=entry, actor=events.ACTOR)
    assert occasions(season) == []


def test_whoever_an_organiser_withdraws_hears_of_it(season: Season) -> None:
    people = notices.people(season.club, 3)
    entries = events.enter(events.event(season), people, check_in=False)
    notices.read(season.club)
    organiser = MembershipFactory.create(club=season.club, role=Role.ORGANISER).user
    entry_withdraw(entry=entries[0], actor=Actor(organiser.pk))
    entry_withdraw(entry=entries[1], actor=Actor(people[1].user_id))
    entry_withdraw(entry=entries[2], actor=Actor(organiser.pk), no_show=True)
    (notice,) = notices.read(season.club)[3:]
    assert (notice.occasion, notice.user_id) == (Occasion.WITHDRAWN, people[0].user_id)
    assert NOTICES[notice.occasion].topic == NoticeTopic.PLACE
    assert notice_text(notice).title == "Your entry is withdrawn: Night-1"
    assert [sending.state for sending in notice.sendings.all()] == [NoticeSending.State.WAITING]


def test_who_wants_no_letters_about_places_gets_none_of_a_withdrawal_and_who_is_back_hears_of_the_place(
    season: Season,
) -> None:
    people = notices.people(season.club, 2)
    entries = events.enter(events.event(season), people, check_in=False)
    notices.read(season.club)
    NoticePreference.objects.create(user=User.objects.get(players__in=people[:1]), mail=[], push=[])
    organiser = Actor(MembershipFactory.create(club=season.club, role=Role.ORGANISER).user.pk)
    entry_withdraw(entry=entries[0], actor=organiser)
    entry_withdraw(entry=entries[1], actor=organiser)
    entry_return(entry=entries[1], actor=organiser)
    unwanted, back = notices.read(season.club)[2:]
    assert (unwanted.occasion, back.occasion) == (Occasion.WITHDRAWN, Occasion.ENTERED)
    assert [sending.state for sending in unwanted.sendings.all()] == [NoticeSending.State.UNWANTED]


def test_who_comes_back_hears_of_the_place(season: Season) -> None:
    (player,) = notices.people(season.club, 1)
    (entry,) = events.enter(events.event(season), [player], check_in=False)
    entry_withdraw(entry=entry, actor=events.ACTOR)
    notices.read(season.club)
    entry_return(entry=entry, actor=events.ACTOR)
    assert occasions(season) == [Occasion.ENTERED]


def test_a_player_without_an_account_and_a_draft_tell_nobody(season: Season) -> None:
    events.enter(events.event(season), events.players(season.club, 2, "guest"))
    events.enter(events.event(season, "hidden", Event.Status.DRAFT), notices.people(season.club, 2))
    assert occasions(season) == []


def test_an_inactive_account_hears_nothing(season: Season) -> None:
    (player,) = notices.people(season.club, 1)
    assert player.user
    player.user.is_active = False
    player.user.save()
    events.enter(events.event(season), [player])
    assert occasions(season) == []


def test_another_time_or_place_and_a_cancellation_are_told_to_all_who_come(season: Season) -> None:
    night = events.event(season, venue="The cellar")
    people = notices.people(season.club, 2)
    events.enter(night, people, check_in=False)
    notices.read(season.club)
    later = night.starts_at + timedelta(hours=1)
    event_change(
        event=night, actor=events.ACTOR, starts_at=later, venue="The attic", price_note="free"
    )
    event_move(event=night, status=Event.Status.CANCELLED, actor=events.ACTOR)
    made = notices.read(season.club)[2:]
    assert [
        (notice.occasion, notice.user_id) for notice in made if notice.user_id == people[0].user_id
    ] == [
        (Occasion.CHANGED, people[0].user_id),
        (Occasion.CANCELLED, people[0].user_id),
    ]
    text = notice_text(made[0])
    assert "The attic" in text.body
    assert "The cellar" in text.body
    assert "20:30" in text.body or "8:30" in text.body, "the club's time"


def test_a_change_of_the_price_alone_is_told_nobody(season: Season) -> None:
    night = events.event(season)
    events.enter(night, notices.people(season.club, 1), check_in=False)
    before = len(occasions(season))
    event_change(event=night, actor=events.ACTOR, price_note="5 euros")
    assert len(occasions(season)) == before


def test_a_published_round_tells_everybody_the_own_table_and_who_sits_there(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    people = notices.people(season.club, 4)
    events.enter(night, people)
    stage = events.stage(night)
    notices.read(season.club)
    stage_round = events.drawn(stage, publish=False)
    assert Occasion.TABLE not in occasions(season), "it isn't published"
    round_publish(stage_round=stage_round, actor=events.ACTOR)
    tables = {
        notice.user_id: notice
        for notice in notices.read(season.club)
        if notice.occasion == Occasion.TABLE
    }
    assert tables.keys() == {player.user_id for player in people}
    text = notice_text(next(notice for user, notice in tables.items() if user == people[0].user_id))
    assert text.title == "Round 1: table 1"
    assert all(player.name in text.body for player in people[1:])
    assert text.path.startswith("/tables/")


def test_a_round_that_was_taken_back_before_the_job_came_is_told_nobody(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, notices.people(season.club, 4))
    stage_round = events.drawn(events.stage(night))
    round_take_back(stage_round=stage_round, actor=events.ACTOR)
    assert {Occasion.TABLE, Occasion.TAKEN_BACK}.isdisjoint(occasions(season))


def test_who_was_told_of_a_table_is_told_when_it_no_longer_holds(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, notices.people(season.club, 4))
    stage_round = events.drawn(events.stage(night))
    notices.read(season.club)
    round_take_back(stage_round=stage_round, actor=events.ACTOR)
    assert occasions(season).count(Occasion.TAKEN_BACK) == 4


def test_the_end_of_a_stage_and_of_an_event_tell_the_rank(season: Season) -> None:
    season.ranking.scoring = "placement"
    season.ranking.save()
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, notices.people(season.club, 4))
    stage = events.stage(night, rounds=1)
    events.play(events.drawn(stage))
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=night, status=Event.Status.FINISHED, actor=events.ACTOR)
    made = notices.read(season.club)
    for occasion in (Occasion.STAGE_FINISHED, Occasion.FINISHED):
        ranks = sorted(notice.parameters["rank"] for notice in made if notice.occasion == occasion)
        assert ranks == [1, 2, 3, 4]
    assert "of 4" in notice_text(made[-1]).body


def test_a_rank_that_rests_on_a_disputed_game_is_told_as_provisional(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, notices.people(season.club, 7))
    stage = events.stage(night, rounds=1, scoring="placement")
    events.play(events.drawn(stage))
    facts = events.facts(stage)
    disputed = set(facts.ids(facts.tables[0]))
    games = Game.objects.select_related("season_game__season__club", "season_game__season__ranking")
    game = games.get(public_id=facts.tables[0].games[0].game)
    objection_raise(game=game, seat=0, word="The last die was a star.", actor=events.ACTOR)
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=night, status=Event.Status.FINISHED, actor=events.ACTOR)
    made = notices.read(season.club)
    for occasion in (Occasion.STAGE_FINISHED, Occasion.FINISHED):
        texts = {
            notice.subject: notice_text(notice).body
            for notice in made
            if notice.occasion == occasion
        }
        assert len(texts) == 7
        assert {entry for entry, text in texts.items() if "It’s provisional" in text} == disputed


def test_in_divisions_the_rank_is_told_among_those_of_the_own_one(season: Season) -> None:
    people = notices.people(season.club, 5)
    numbers = {
        player.public_id: number for number, player in zip((1, 1, 1, 2, 2), people, strict=True)
    }
    divisions_set(
        season=season,
        actor=events.ACTOR,
        divisions=[("First", 0, 0), ("Second", 0, 0)],
        players=numbers,
    )
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, people)
    stage = events.stage(night, rounds=1, sizes=[3, 2], by_division=True)
    events.play(events.drawn(stage))
    stage_finish(stage=stage, actor=events.ACTOR)
    event_move(event=night, status=Event.Status.FINISHED, actor=events.ACTOR)
    made = [notice for notice in notices.read(season.club) if notice.occasion == Occasion.FINISHED]
    assert sorted(notice_text(notice).body for notice in made) == [
        *[f"First: your rank is {rank} of 3." for rank in (1, 2, 3)],
        *[f"Second: your rank is {rank} of 2." for rank in (1, 2)],
    ]


def test_a_message_reaches_all_who_have_a_place(season: Season) -> None:
    night = events.event(season, capacity=2)
    people = notices.people(season.club, 3)
    events.enter(night, people, check_in=False)
    message_send(
        event=night, subject="Bring cups", text="We are short of\ncups.", actor=events.ACTOR
    )
    made = [notice for notice in notices.read(season.club) if notice.occasion == Occasion.MESSAGE]
    assert {notice.user_id for notice in made} == {player.user_id for player in people[:2]}
    assert notice_text(made[0]).title == "Bring cups"


def test_a_job_that_runs_twice_makes_nothing_twice(season: Season) -> None:
    events.enter(events.event(season), notices.people(season.club, 3))
    first = notices.read(season.club)
    assert notices.read(season.club) == first
    Reader.objects.filter(name="notices").update(position=0)
    assert notices.read(season.club) == first, "as after a lost commit of the reader"
    assert NoticeSending.objects.count() == 3


def test_the_database_holds_a_notice_once(season: Season) -> None:
    events.enter(events.event(season), notices.people(season.club, 1))
    (notice,) = notices.read(season.club)
    with pytest.raises(IntegrityError), transaction.atomic():
        Notice.objects.create(
            user=notice.user,
            club=notice.club,
            position=notice.position,
            occasion=notice.occasion,
            subject=notice.subject,
            event=notice.event,
        )


def test_a_long_log_is_read_in_portions(season: Season, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.notices.notice.services.notice.BATCH", 2)
    events.enter(events.event(season), notices.people(season.club, 5), check_in=False)
    assert len(notices.read(season.club)) == 5
    assert (
        Reader.objects.get(name="notices").position
        == LogEntry.objects.filter(club=season.club).count()
    )


def test_an_entry_that_fails_is_set_aside_and_holds_up_no_other(season: Season) -> None:
    events.enter(events.event(season), notices.people(season.club, 2), check_in=False)
    real: Any = __import__(
        "league.notices.notice.queries.announcement", fromlist=["notices_of"]
    ).notices_of
    failing = LogEntry.objects.filter(action="entry.added").order_by("position").first()
    assert failing

    def fails_once(entry: LogEntry) -> list[Notice]:
        if entry.position == failing.position:
            raise ValueError("no")
        return list(real(entry))

    with patch("league.notices.notice.services.notice.notices_of", fails_once):
        assert len(notices.read(season.club)) == 1
    aside = SetAside.objects.get(reader="notices")
    assert aside.position == failing.position
    assert len(notices.read(season.club)) == 1, "not due yet"
    SetAside.objects.update(due_at=aside.due_at - timedelta(hours=1))
    assert len(notices.read(season.club)) == 2
    assert not SetAside.objects.exists()


def test_old_news_is_told_nobody(season: Season) -> None:
    events.enter(events.event(season), notices.people(season.club, 1), check_in=False)
    with patch("league.notices.notice.queries.announcement.LATE", timedelta(seconds=-1)):
        notices_read(club_id=season.club_id)
    assert not Notice.objects.exists()


@pytest.mark.parametrize("count", [4, 16])
def test_a_round_is_told_by_the_same_queries_however_many_play(
    season: Season, django_assert_max_num_queries: Any, count: int
) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, notices.people(season.club, count))
    stage = events.stage(night)
    notices.read(season.club)
    events.drawn(stage)
    with django_assert_max_num_queries(24):
        notices_read(club_id=season.club_id)
    assert Notice.objects.filter(occasion=Occasion.TABLE).count() == count


def test_who_sat_in_a_game_hears_that_it_is_void_and_that_it_counts_again(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, notices.people(season.club, 4))
    stage = events.stage(night, sizes=[2], rounds=1)
    events.play(events.drawn(stage))
    game = Game.objects.earliest("pk")
    before = len(notices.read(season.club))
    game_void_add(game=game, actor=events.ACTOR)
    voided = notices.read(season.club)[before:]
    assert [notice.occasion for notice in voided] == [Occasion.VOIDED] * 2
    title, _, path = NOTICES[Occasion.VOIDED].words(voided[0], NoticeNames({}, {}))
    assert (title, path) == ("One of your games is void: Night-1", f"/games/{game.public_id}/")
    game_restore(game=game, actor=events.ACTOR)
    assert [notice.occasion for notice in notices.read(season.club)[before + 2 :]] == [
        Occasion.RESTORED
    ] * 2
    rules = NOTICES[Occasion.VOIDED]
    assert rules.is_news is not None
    assert not rules.is_news(voided[0])


def test_who_rules_on_a_game_hears_of_an_objection_to_it_and_not_who_raised_it(
    season: Season,
) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, notices.people(season.club, 2))
    events.play(events.drawn(events.stage(night, sizes=[2], rounds=1)))
    game = Game.objects.select_related("season_game__season__club").get()
    roles = (Role.ARBITER, Role.ORGANISER, Role.PLAYER, Role.SCORER)
    arbiter, organiser, helper, *_ = (
        MembershipFactory.create(club=season.club, role=role).user for role in roles
    )
    helper_add(event=night, user=helper, role=Role.ARBITER, actor=events.ACTOR)
    before = len(notices.read(season.club))
    objection = objection_raise(
        game=game, seat=0, word="One die was hidden.", actor=Actor(organiser.pk)
    )
    made = notices.read(season.club)[before:]
    assert {notice.user_id for notice in made} == {arbiter.pk, helper.pk}
    assert {(notice.occasion, notice.subject) for notice in made} == {
        (Occasion.OBJECTED, objection.public_id)
    }
    title, _, path = NOTICES[Occasion.OBJECTED].words(made[0], NoticeNames({}, {}))
    assert (title, path) == (
        "Somebody has objected to a result: Night-1",
        f"/games/{game.public_id}/case/",
    )
    rules = NOTICES[Occasion.OBJECTED]
    assert rules.is_news is not None
    assert rules.is_news(made[0])


def upside_down(game: Game, account_id: int | None = None) -> Game:
    """A correction that turns the places of a game round."""
    value = json.loads(write(sealed_record(game)[0]))
    value["outcome"]["rank"].reverse()
    line = json.dumps(value).encode()
    return game_correct(game=game, line=line, reason="read upside down", entered_by_id=account_id)


def test_who_sat_in_a_corrected_game_hears_of_it_but_not_who_corrected_it(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    people = notices.people(season.club, 2)
    events.enter(night, people)
    stage = events.stage(night, sizes=[2], rounds=1)
    events.play(events.drawn(stage))
    before = len(notices.read(season.club))
    first = upside_down(Game.objects.earliest("pk"), people[0].user_id)
    upside_down(first, people[0].user_id)
    (made,) = notices.read(season.club)[before:]
    assert (made.occasion, made.user_id) == (Occasion.CORRECTED, people[1].user_id)
    assert made.parameters == {"game": Game.objects.latest("pk").public_id}
    rules = NOTICES[Occasion.CORRECTED]
    assert rules.is_news is not None
    assert rules.is_news(made)


def test_a_game_outside_of_events_is_told_to_those_whose_handles_it_has(season: Season) -> None:
    people = notices.people(season.club, 2)
    add_games(season, [bluff_record(1, seats=[player.handle.upper() for player in people])])
    game = Game.objects.get()
    game_void_add(game=game, actor=events.ACTOR)
    made = notices.read(season.club)
    assert [(notice.occasion, notice.user_id, notice.event) for notice in made] == [
        (Occasion.VOIDED, player.user_id, None) for player in people
    ]
    assert notice_text(made[0]).title == f"One of your games is void: {season.club.name}"


def test_another_place_in_the_end_is_told_once_with_the_place_of_before(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    people = notices.people(season.club, 2)
    events.enter(night, people)
    stage = events.stage(night, sizes=[2], rounds=1)
    events.play(events.drawn(stage))
    stage_finish(stage=stage, actor=events.ACTOR)
    night.refresh_from_db()
    event_move(event=night, status=Event.Status.FINISHED, actor=events.ACTOR)
    before = len(notices.read(season.club))
    game = Game.objects.earliest("pk")
    swapped = upside_down(game)
    made = notices.read(season.club)[before:]
    assert [notice.occasion for notice in made] == [Occasion.CORRECTED] * 2 + [
        Occasion.REPLACED
    ] * 2
    assert sorted((one.parameters["before"], one.parameters["rank"]) for one in made[2:]) == [
        (1, 2),
        (2, 1),
    ]
    assert "It used to be" in notice_text(made[2]).body
    upside_down(swapped)
    upside_down(Game.objects.latest("pk"))
    late = notices.read(season.club)[before + 4 :]
    assert [notice.occasion for notice in late] == [Occasion.CORRECTED] * 2, (
        "the place is what they were told last"
    )


def test_a_table_at_another_time_is_told_to_those_who_sit_there(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, notices.people(season.club, 4))
    stage = events.stage(night, sizes=[2], rounds=1)
    events.drawn(stage)
    before = len(notices.read(season.club))
    halls.hall(night)
    timed = halls.timetable(night, publish=True)
    made = notices.read(season.club)[before:]
    assert [notice.occasion for notice in made] == [Occasion.MOVED] * 4
    assert "When:" in notice_text(made[0]).body
    assert (
        NOTICES[Occasion.MOVED]
        .words(made[0], NoticeNames({}, {}))[0]
        .startswith("New time or place: round 1")
    )
    timetable_take_back(timetable=timed, actor=events.ACTOR)
    again = notices.read(season.club)[before + 4 :]
    assert [notice.occasion for notice in again] == [Occasion.MOVED] * 4
    assert "When:" not in notice_text(again[0]).body


def test_the_table_and_who_rules_hear_of_a_statement_and_not_who_made_it(season: Season) -> None:
    night = events.event(season, status=Event.Status.RUNNING)
    people = notices.people(season.club, 2)
    events.enter(night, people)
    events.play(events.drawn(events.stage(night, sizes=[2], rounds=1)))
    game = Game.objects.select_related("season_game__season__club").get()
    roles = (Role.ARBITER, Role.SCORER, Role.PLAYER)
    arbiter, *_ = (MembershipFactory.create(club=season.club, role=role).user for role in roles)
    MembershipFactory.create(club=season.club, role=Role.ORGANISER, user=people[1].user)
    objection = objection_raise(game=game, seat=0, word="One die was hidden.", actor=events.ACTOR)
    before = len(notices.read(season.club))
    seat = game.seats.get(handle=people[0].handle).number
    statement = statement_on(game, account=people[0].user, seat=seat)
    made = notices.read(season.club)[before:]
    assert sorted(notice.user_id or 0 for notice in made) == sorted(
        [arbiter.pk, people[1].user_id or 0]
    )
    assert {(notice.occasion, notice.subject) for notice in made} == {
        (Occasion.STATEMENT, statement.public_id)
    }
    rules = NOTICES[Occasion.STATEMENT]
    title, _, path = rules.words(made[0], NoticeNames({}, {}))
    assert title == "New statement about a disputed game: Night-1"
    assert path == f"/games/{game.public_id}/statements/"
    assert rules.is_news is not None
    assert rules.is_news(made[0])
    objection_withdraw(objection=objection, actor=events.ACTOR)
    assert not rules.is_news(made[0]), "the dispute is over"
