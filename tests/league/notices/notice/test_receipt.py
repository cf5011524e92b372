"""Notices of draws, results and rulings carry the receipt of the entry that made them."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine.record.receipt import check_receipt, read_receipt
from games.models import Game
from league.core.log.queries import log_chunks
from league.core.log.receipt import receipt_text
from league.models import Event, LogEntry, Notice, Season, User
from league.notices.notice.queries.announcement import NOTICES
from league.notices.notice.queries.notice import notices_in_words, notices_of_account
from league.stages.result.services.void import game_void_add
from tests.factories import events, notices

pytestmark = pytest.mark.django_db
Occasion = Notice.Occasion


@pytest.fixture
def player(season: Season) -> User:
    """A player who was told of a place, of a table, and that the game there is void."""
    night = events.event(season, status=Event.Status.RUNNING)
    people = notices.people(season.club, 2)
    events.enter(night, people)
    events.play(events.drawn(events.stage(night, sizes=[2], rounds=1)))
    game_void_add(game=Game.objects.get(), actor=events.ACTOR)
    notices.read(season.club)
    user: User = people[0].user  # type: ignore[assignment]
    return user


def receipt_of(notice: Notice) -> str:
    """The receipt of the entry that made a notice."""
    entry = LogEntry.objects.select_related("club").get(club=notice.club, position=notice.position)
    return receipt_text(entry)


def test_draws_results_and_rulings_have_one_and_what_is_of_the_moment_has_none() -> None:
    without = {occasion for occasion, rules in NOTICES.items() if not rules.has_receipt}
    assert without == {
        Occasion.ENTERED,
        Occasion.WAITING,
        Occasion.MOVED_UP,
        Occasion.WITHDRAWN,
        Occasion.CHANGED,
        Occasion.CANCELLED,
        Occasion.MESSAGE,
        Occasion.OBJECTED,
        Occasion.OBJECTION_WAITS,
        Occasion.OBJECTION_LATE,
        Occasion.HEARING_WAITS,
        Occasion.HEARING_LATE,
        Occasion.APPEAL_WAITS,
        Occasion.APPEAL_LATE,
        Occasion.HEARD,
        Occasion.APPEALED,
        Occasion.STATEMENT,
        Occasion.CALLED,
        Occasion.UNCONFIRMED,
        Occasion.PROPOSED,
        Occasion.ARBITER_ASKS,
        Occasion.ARBITER_RULES,
        Occasion.TURN,
        Occasion.TURN_ENDS,
        Occasion.GAME_OVER,
    }


def test_the_page_shows_it_to_be_copied(client: Client, player: User) -> None:
    client.force_login(player)
    html = client.get("/me/notices/").content.decode()
    entered, table, voided = player.notices.order_by("position")
    for notice in (table, voided):
        assert f'id="receipt-{notice.public_id}">{receipt_of(notice)}</code>' in html
        assert f'data-copy="receipt-{notice.public_id}"' in html
    assert f"receipt-{entered.public_id}" not in html


def test_it_fits_the_exported_log(player: User, season: Season) -> None:
    lines = b"".join(log_chunks(season.club_id)).splitlines()
    texts = [read.text.receipt for read in notices_in_words(list(notices_of_account(player)))]
    verdicts = [check_receipt(lines, read_receipt(text)) for text in texts if text]
    assert [verdict.as_json().get("action") for verdict in verdicts] == [
        "game.voided",
        "round.published",
    ]


@pytest.mark.parametrize("more", [0, 20])
def test_a_list_asks_once_for_all(player: User, more: int, django_assert_num_queries: Any) -> None:
    voided = player.notices.get(occasion=Occasion.VOIDED)
    Notice.objects.bulk_create(
        Notice(
            user=player,
            club=voided.club,
            position=position,
            subject=f"{position:010}",
            occasion=Occasion.VOIDED,
            event=voided.event,
            parameters=voided.parameters,
        )
        for position in range(1, more + 1)
    )
    rows = list(notices_of_account(player))
    with django_assert_num_queries(2):  # names of players, and receipts
        receipts = [read.text.receipt for read in notices_in_words(rows)]
    assert len(set(receipts) - {""}) > more / 2


def test_a_turn_has_none_though_its_number_is_that_of_an_entry(player: User) -> None:
    voided = player.notices.get(occasion=Occasion.VOIDED)
    turn = Notice(
        user=player,
        club=voided.club,
        position=voided.position,
        subject="2222222222",
        occasion=Occasion.TURN,
        parameters={"others": ["Ben"], "ends_at": timezone.now().isoformat(), "zone": "UTC"},
    )
    of_turn, own = notices_in_words([turn, voided])
    assert (of_turn.text.receipt, own.text.receipt) == ("", receipt_of(voided))
