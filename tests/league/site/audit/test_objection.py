"""An objection that somebody made or undid behind the log's back is named; who is erased leaves no
word of one."""

from __future__ import annotations

from typing import Final

import pytest
from django.urls import reverse

from games.models import Game
from league.core.log.ledger import ledger_differences
from league.core.log.queries import log_chunks
from league.core.log.services import Actor
from league.disputes.objection.models import OBJECTION
from league.disputes.objection.services import objection_raise
from league.models import Club, LogEntry, Objection, ObjectionEnd, Player, Season
from league.site.erasure.queries import player_mentions
from league.site.erasure.services.erasure import player_erase
from league.standings.player.services import player_link
from league.standings.ranked_game.actions import ObjectionAction
from league.standings.ranking.services.counting import ranking_count
from tests.database import TRIGGERS_OFF, connect_as_owner
from tests.factories import events
from tests.factories.league import SeasonFactory, UserFactory
from tests.factories.logged import stated_rows
from tests.league.disputes.ruling.rulings import let_stand
from tests.league.site.audit.differences import club_differences
from tests.league.stages.result.test_result import published

WORD: Final = "The last die was a star."


@pytest.fixture
def played(club: Club) -> Game:
    """A game of an evening, of four players who have an account each."""
    season: Season = SeasonFactory.create(club=club, slug="evenings", scoring="placement")
    events.play(published(season).stage_rounds.get())
    ranking_count(ranking_id=season.ranking_id)
    game = Game.objects.select_related("season_game__season__club").earliest("pk")
    for seat in game.seats.all():
        account = UserFactory.create(username=f"sat-{seat.number}")
        player_link(player=Player.objects.get(handle=seat.handle), account=account, actor=Actor())
    return game


def sitter(game: Game, seat: int) -> Player:
    return Player.objects.get(handle=game.seats.get(number=seat).handle)


def contest(game: Game, seat: int, word: str = WORD) -> Objection:
    return objection_raise(game=game, seat=seat, word=word, actor=Actor(sitter(game, seat).user_id))


def named(game: Game) -> set[tuple[str, str]]:
    club_id = game.season_game.season.club_id
    return {(difference.table, difference.column) for difference in ledger_differences(club_id)}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("statement", "column"),
    [
        ("DELETE FROM league_objectionend", "way"),
        ("UPDATE league_objectionend SET way = 'withdrawn'", "way"),
        ("UPDATE league_objectionend SET reason = ''", "reason"),
        ("UPDATE league_objection SET word = ''", "word"),
        ("UPDATE league_objection SET word = 'Nothing.'", "word"),
        ("UPDATE league_objection SET seat = 3", "seat"),
        (
            "INSERT INTO league_objection (public_id, game_id, seat, number, word, role, raised_at)"
            " SELECT 'x', game_id, 2, 1, word, role, raised_at FROM league_objection",
            "row",
        ),
    ],
)
def test_what_was_done_behind_the_logs_back_is_named(
    played: Game, statement: str, column: str
) -> None:
    let_stand(contest(played, 0), actor=Actor(reason="Counted twice."))
    assert named(played) == set()
    with connect_as_owner(TRIGGERS_OFF) as owner:
        owner.execute(statement)
    assert ("objection", column) in named(played)


@pytest.mark.django_db
def test_the_own_word_goes_with_who_is_erased_and_that_of_others_stays(played: Game) -> None:
    contest(played, 0)
    contest(played, 1, "I had two dice left.")
    player_erase(player=sitter(played, 0), actor=Actor())
    assert list(Objection.objects.order_by("seat").values_list("word", flat=True)) == [
        "",
        "I had two dice left.",
    ]
    assert b"last die" not in b"".join(log_chunks(played.season_game.season.club_id))
    assert LogEntry.objects.filter(action=ObjectionAction.TEXT_REMOVED).count() == 1
    assert list(club_differences(played.season_game.season.club_id)) == []


@pytest.mark.django_db
def test_the_own_word_goes_from_the_row_that_the_log_states_too(played: Game) -> None:
    club_id = played.season_game.season.club_id
    contest(played, 0)
    assert LogEntry.objects.filter(club=club_id, names__icontains="last die").count() == 1
    player_erase(player=sitter(played, 0), actor=Actor())
    assert not LogEntry.objects.filter(club=club_id, names__icontains="last die").exists()
    assert named(played) == set()


@pytest.mark.django_db
def test_words_that_name_somebody_go_with_the_person_whom_they_name(played: Game) -> None:
    handle = sitter(played, 1).handle
    first = contest(played, 0, f"{handle} hid a die.")
    contest(played, 2)
    let_stand(first, actor=Actor(reason=f"{handle} showed it."))
    mentions = [
        mention for mention in player_mentions(sitter(played, 1)) if mention.noun == "objection"
    ]
    assert [mention.url for mention in mentions] == [reverse("game", args=[played.public_id])]
    player_erase(player=sitter(played, 1), actor=Actor())
    assert list(Objection.objects.order_by("seat").values_list("word", flat=True)) == ["", WORD]
    assert set(ObjectionEnd.objects.values_list("reason", flat=True)) == {""}
    beside = LogEntry.objects.filter(names__isnull=False).values_list("names", flat=True)
    words = [word for names in beside for _salt, word in (names or {}).values()]
    assert not [word for word in words if handle.casefold() in word.casefold()]
    assert list(club_differences(played.season_game.season.club_id)) == []


@pytest.mark.django_db
def test_why_the_result_stood_is_stated_still_once_the_word_is_gone(played: Game) -> None:
    objection = contest(played, 0)
    let_stand(objection, actor=Actor(reason="Counted twice."))
    player_erase(player=sitter(played, 0), actor=Actor())
    cells = stated_rows(played.season_game.season.club_id, OBJECTION)[objection.public_id]
    assert (cells["word"], cells["reason"]) == ("", "Counted twice.")
