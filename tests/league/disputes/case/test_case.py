"""The case of a game: one page with all that is known of it, in the order in which it happened."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Game
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.core.viewer.queries.access import Viewer
from league.disputes.case.domain import timeline
from league.disputes.case.queries.case import case_of
from league.disputes.case.queries.facts import case_facts
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.disputes.ruling.actions import RulingAction
from league.models import Club, Player, Role, Season, User
from league.stages.result.services.void import game_restore, game_void_add
from league.standings.ranked_game.actions import GameAction, ObjectionAction
from tests.factories.league import MembershipFactory
from tests.factories.sheets import SeasonScorer
from tests.league.disputes.ruling.rulings import let_stand

pytestmark = pytest.mark.django_db
WORD = "The last die was a star."


def page_of(game: Game, user: User | None, query: str = "") -> str:
    client = Client()
    if user is not None:
        client.force_login(user)
    answer = client.get(reverse("game-case", args=[game.public_id]) + query)
    return answer.content.decode() if answer.status_code == 200 else str(answer.status_code)


def club_of(game: Game) -> Club:
    return game.season_game.season.club


def test_all_that_was_done_with_a_game_stands_in_order_with_its_place_in_the_log(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objection = objection_raise(game=played, seat=1, word=WORD, actor=Actor(sitters[1].pk))
    let_stand(objection, actor=Actor(ruler.pk, "The photo shows a three."))
    game_void_add(game=played, actor=Actor(ruler.pk, "Entered twice."))
    game_restore(game=played, actor=Actor(ruler.pk, "It was another table."))
    facts = case_facts(club_of(played).pk, [played])
    assert [fact.action for fact in facts] == [
        GameAction.SEALED,
        ObjectionAction.RAISED,
        RulingAction.MADE,
        ObjectionAction.ENDED,
        GameAction.VOIDED,
        GameAction.RESTORED,
    ]
    assert [fact.words for fact in facts[1:]] == [
        WORD,
        "the result stands: The photo shows a three.",
        "the result stands: The photo shows a three.",
        "Entered twice.",
        "It was another table.",
    ]
    for fact in facts:
        assert fact.position is not None
        entry = LogEntry.objects.get(club=club_of(played), position=fact.position)
        assert (entry.action, entry.at) == (fact.action, fact.at)


def test_an_arbiter_reads_who_claims_what_and_finds_the_ways_to_rule(
    played: Game, sitters: list[User], ruler: User
) -> None:
    assert "There are no open objections to this result" in page_of(played, ruler)
    objection_raise(game=played, seat=1, word=WORD, actor=Actor(sitters[1].pk))
    page = page_of(played, ruler)
    assert WORD in page
    assert "The result is provisional" in page
    assert "Nobody has said yet what was really played" in page
    for verb in ("stands", "voided", "warned"):
        assert reverse("game-rule", args=[played.public_id, verb]) in page
    assert reverse("game-correct", args=[played.public_id]) in page
    assert "Beyond the game’s record" in page, "nobody wrote it down at the table"


def test_somebody_who_sat_there_reads_it_and_is_offered_no_ruling(played: Game, club: Club) -> None:
    sitter = MembershipFactory.create(club=club, role=Role.ARBITER).user
    Player.objects.filter(club=club, handle=played.seats.get(number=0).handle).update(user=sitter)
    page = page_of(played, sitter)
    assert "You sat at this table: somebody else has to rule." in page
    assert reverse("game-void", args=[played.public_id]) not in page


@pytest.mark.parametrize("role", [Role.SCORER, Role.PLAYER, None])
def test_nobody_else_reads_it(played: Game, club: Club, role: Role | None) -> None:
    user = MembershipFactory.create(club=club, role=role).user if role else None
    assert page_of(played, user) in ("404", "302")


def test_a_void_game_says_so_and_can_be_heard(played: Game, ruler: User) -> None:
    game_void_add(game=played, actor=Actor(ruler.pk, "Entered twice."))
    page = page_of(played, ruler)
    assert "The game is void and doesn’t count" in page
    assert reverse("game-hear", args=[played.public_id]) in page


def test_words_are_shown_as_they_were_written(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objection_raise(
        game=played, seat=1, word="<script>alert(1)</script> 🎲", actor=Actor(sitters[1].pk)
    )
    assert "&lt;script&gt;alert(1)&lt;/script&gt; 🎲" in page_of(played, ruler)


def test_a_round_that_is_no_number_shows_all(played: Game, ruler: User) -> None:
    assert "What happened" in page_of(played, ruler, "?round=<b>")


def test_the_queries_are_the_same_however_often_a_game_was_disputed(
    played: Game, sitters: list[User], ruler: User
) -> None:
    viewer = Viewer(ruler)
    with CaptureQueriesContext(connection) as before:
        case_of(viewer, played)
    for _ in range(3):
        objection = objection_raise(game=played, seat=1, word=WORD, actor=Actor(sitters[1].pk))
        objection_withdraw(objection=objection, actor=Actor(sitters[1].pk))
    with CaptureQueriesContext(connection) as after:
        case_of(viewer, played)
    assert len(after) == len(before)


def page_queries(game: Game, user: User) -> int:
    client = Client()
    client.force_login(user)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(reverse("game-case", args=[game.public_id])).status_code == 200
    return len(captured)


def test_the_page_takes_a_query_for_each_kind_of_thing(
    played: Game, sitters: list[User], ruler: User
) -> None:
    page_queries(played, ruler)
    assert page_queries(played, ruler) <= 22

    counts = []
    for _ in range(3):
        game_void_add(game=played, actor=Actor(ruler.pk, "Entered twice."))
        game_restore(game=played, actor=Actor(ruler.pk, "It was another table."))
        counts.append(page_queries(played, ruler))
    assert len(set(counts)) == 1

    counts = []
    for seat, sitter in enumerate(sitters):
        objection_raise(game=played, seat=seat, word=WORD, actor=Actor(sitter.pk))
        counts.append(page_queries(played, ruler))
    assert len(set(counts)) == 1
    assert max(counts) <= 26


@pytest.fixture
def written(evening: Season) -> Game:
    """A game of three that was written down, with a bid that was undone."""
    handles = list(evening.club.players.order_by("pk").values_list("handle", flat=True)[:3])
    scorer = SeasonScorer(evening, *handles)
    scorer.bid("2x4")
    scorer.add("undo")
    scorer.bid("3x4")
    scorer.lose(1)
    scorer.finish()
    scorer.seal()
    games = Game.objects.select_related("season_game__season__club", "season_game__season__ranking")
    return games.latest("pk")


def test_the_sheet_and_what_was_done_later_stand_in_one_order(written: Game, ruler: User) -> None:
    game_void_add(game=written, actor=Actor(ruler.pk, "Entered twice."))
    case = case_of(Viewer(ruler), written)
    assert case.sheet is not None
    parts = timeline(case.sheet.entries, case.facts)
    assert [part.fact and part.fact.action for part in parts] == [
        None,
        GameAction.SEALED,
        GameAction.VOIDED,
    ]
    assert [entry.act for entry in parts[0].entries][:4] == ["note", "undo", "note", "close"]


def test_a_round_shows_its_own_entries_and_all_that_was_done_with_the_game(
    written: Game, ruler: User
) -> None:
    case = case_of(Viewer(ruler), written)
    assert case.sheet is not None
    parts = timeline(case.sheet.entries, case.facts, 2)
    assert {entry.round_number for part in parts for entry in part.entries} == {2}
    assert [part.fact.action for part in parts if part.fact] == [GameAction.SEALED]
    page = page_of(written, ruler, "?round=1")
    assert "undone by no. 2" in page
    assert 'id="entry-0"' in page
    assert 'id="entry-4"' not in page


def test_the_page_of_a_written_game_takes_few_queries_more(written: Game, ruler: User) -> None:
    page_queries(written, ruler)
    assert page_queries(written, ruler) <= 27


def test_each_round_of_the_game_leads_to_its_own_entries_on_the_sheet(
    client: Client, written: Game
) -> None:
    sheet = reverse("open-game", args=[written.sealed_sheet.sheet.open_game.public_id])
    page = client.get(reverse("game", args=[written.public_id]), {"round": 2}).content.decode()
    assert f'href="{sheet}?round=2"' in page
    entries = client.get(f"{sheet}?round=2").content.decode()
    assert 'id="entry-4"' in entries
    assert 'id="entry-0"' not in entries
    whole = client.get(f"{sheet}?round=99").content.decode()
    assert 'id="entry-0"' in whole
