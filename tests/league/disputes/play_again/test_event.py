"""An event in which a game is played again: its table waits as one that isn't played, and everybody
can watch it."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from engine.illegal import Refused
from games.models import Game, Void
from games.services.open_game import Writer
from league.core.log.services import Actor
from league.core.viewer.queries.access import Viewer
from league.counting.event_rebuild.queries.verification import event_differences
from league.disputes.play_again.services import game_play_again
from league.events.event.services import event_change
from league.models import Club, Event, Season, Table, User
from league.sheets.confirmation.queries.double_entry import is_of_two
from league.sheets.sheet.models import TableOpenGame
from league.sheets.sheet.queries.access import open_game_for
from league.sheets.sheet.services.open_game import open_game_seal, table_game_open
from league.sheets.watching.queries.watch import newest_sheet_states, table_facts, watched_table
from league.site.erasure.services.erasure import player_erase
from league.stages.result.services.result import table_outcome_enter
from league.stages.result.services.void import game_restore
from tests.factories import events
from tests.factories.league import PlayerFactory
from tests.factories.sheets import Scorer, Scribe
from tests.league.disputes.play_again.playing import game_of
from tests.league.disputes.play_again.test_refused import stage_tables
from tests.league.site.audit.differences import club_differences
from tests.league.stages.result.test_result import in_seat_order

pytestmark = pytest.mark.django_db
SCRIBE = Writer(automatic="hare")
WHY = events.ACTOR.with_reason("A cup was lifted.")


def others_played(table: Table) -> None:
    """Enter the results of the other tables of the round."""
    for other in stage_tables(table):
        table_outcome_enter(table=other, ranks=in_seat_order(other), actor=events.ACTOR)


def test_no_next_round_is_drawn_before_it_is_over(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    others_played(table)
    stage = table.stage_round.stage
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    assert [each.pk for each in events.facts(stage).open_tables] == [table.pk]
    with pytest.raises(ValidationError, match="Enter the results of these tables first: 1"):
        events.drawn(stage)
    scribe = Scribe(row)
    scribe.finish()
    scribe.seal()
    assert events.drawn(stage).number == 2


def test_the_live_page_shows_the_game_that_is_played_now(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    first = sealed.sealed_sheet.sheet.open_game.public_id
    assert watched(table) == (first, sealed.public_id)
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    assert watched(table) == (row.open_game.public_id, None)
    game_restore(game=sealed, actor=arbiter)
    assert watched(table) == (first, sealed.public_id)
    row = game_play_again(game=sealed, round_number=5, actor=arbiter)
    scribe = Scribe(row)
    scribe.finish()
    assert (
        newest_sheet_states([table.public_id])[table.public_id].waiting == row.open_game.public_id
    )
    scribe.seal()
    assert watched(table) == (row.open_game.public_id, game_of(table).public_id)


def watched(table: Table) -> tuple[str, str | None]:
    """The open game that the live page of a table shows, and the game as which it was sealed."""
    facts = table_facts(watched_table(table.public_id))
    return facts["open_game"], facts["sealed"]


def test_where_two_write_unseen_it_has_one_sheet_and_an_arbiter_confirms_it(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    event_change(
        event=table.stage_round.stage.event, actor=events.ACTOR, confirmation=Event.Confirmer.DOUBLE
    )
    row = as_loaded(game_play_again(game=sealed, round_number=3, actor=arbiter), arbiter)
    assert not row.concealed
    assert not is_of_two(row)
    for writer in (Writer(automatic="a"), Writer(automatic="b")):
        assert table_game_open(table=row.table, opener=writer) == row
    scribe = Scribe(row)
    scribe.finish()
    with pytest.raises(Refused) as refused:
        scribe.seal()
    assert refused.value.illegal.code == "not_confirmed"
    user = account_of(arbiter)
    open_game_seal(row=row, length=scribe.length, writer=Writer(account=(user.pk, user.public_id)))
    assert game_of(table).revision == 2


def account_of(actor: Actor) -> User:
    """The account that acts."""
    assert actor.account_id is not None
    return User.objects.get(pk=actor.account_id)


def as_loaded(row: TableOpenGame, actor: Actor) -> TableOpenGame:
    """The row as pages and the API load it."""
    loaded = open_game_for(Viewer(account_of(actor)), row.open_game.public_id)
    assert isinstance(loaded, TableOpenGame)
    return loaded


def test_sealed_twice_it_is_sealed_once(sealed: Game, table: Table, arbiter: Actor) -> None:
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    scribe = Scribe(row)
    scribe.finish()
    games = {open_game_seal(row=row, length=scribe.length, writer=SCRIBE) for _ in range(2)}
    assert games == {game_of(table)}


def test_taken_back_its_end_is_not_sealed(sealed: Game, arbiter: Actor) -> None:
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    game_restore(game=sealed, actor=arbiter)
    with pytest.raises(Refused):
        open_game_seal(row=row, length=3, writer=SCRIBE)


def test_played_again_it_can_be_played_again_once_more(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    for number in (3, 2):
        scribe = Scribe(game_play_again(game=game_of(table), round_number=number, actor=arbiter))
        scribe.finish()
        scribe.seal()
    assert game_of(table).revision == 3
    assert list(
        table.open_games.values_list("number", "edition", "open_game__edition").order_by("edition")
    ) == [
        (1, 1, 1),
        (1, 2, 2),
        (1, 3, 3),
    ]


def test_the_first_of_two_games_of_a_table_is_played_again(season: Season, club: Club) -> None:
    night = events.event(season, "two-games", status=Event.Status.RUNNING)
    events.crowd(night, 4)
    stage = events.stage(night, games=2)
    events.drawn(stage)
    table = Table.objects.select_related(
        "group", "stage_round__stage__event__season__ranking"
    ).get()
    for _ in range(2):
        scorer = Scorer(table)
        scorer.finish()
        scorer.seal()
    first = Game.objects.select_related("season_game__season__club").get(table_game__number=1)
    scribe = Scribe(game_play_again(game=first, round_number=2, actor=WHY))
    assert Scorer(table).row == scribe.row
    scribe.finish()
    scribe.seal()
    table.refresh_from_db()
    assert table.finished
    assert [game.number for game in events.facts(stage).tables[0].games] == [1, 2]
    assert list(event_differences(night.pk)) == []


def test_a_reason_that_was_removed_meanwhile_is_said_to_be(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    scribe = Scribe(game_play_again(game=sealed, round_number=3, actor=arbiter))
    scribe.finish()
    named = PlayerFactory.create(club=sealed.season_game.season.club, handle="lifted")
    player_erase(player=named, actor=events.ACTOR.with_reason("They asked for it."))
    assert Void.objects.get().reason == ""
    scribe.seal()
    assert list(club_differences(sealed.season_game.season.club_id, styles=False)) == []
