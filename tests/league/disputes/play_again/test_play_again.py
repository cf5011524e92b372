"""A game is played again from a round: what stays, what goes, and what becomes of it."""

from __future__ import annotations

import pytest

from engine.illegal import Refused
from engine.record.write import write
from games.domain.difference import Difference
from games.models import Game, OpenSheet, SheetEntry
from games.queries.game import game_export, sealed_record
from games.queries.open_game import sheet_folded, sheet_header
from games.queries.void import game_void
from league.core.log.ledger import ledger_differences
from league.core.log.services import Actor
from league.disputes.play_again.services import game_play_again, round_void
from league.models import Club, Table, TableScore
from league.records.file.services import Outcome, record_import
from league.records.game.queries.verification import (
    logged_game_differences,
    verify_sealings,
    void_differences,
)
from league.sheets.sheet.queries.verification import verify_open_games
from league.stages.result.services.void import game_restore
from tests.factories.sheets import Scorer, Scribe
from tests.league.disputes.play_again.conftest import LOSERS
from tests.league.disputes.play_again.playing import game_of

pytestmark = pytest.mark.django_db


def test_the_sheet_holds_the_rounds_before_as_they_were_sealed(
    sealed: Game, arbiter: Actor
) -> None:
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    sheet = OpenSheet.objects.get(open_game=row.open_game)
    folded = sheet_folded(sheet, sheet_header(row.open_game))
    record, _ = sealed_record(sealed)
    assert folded.whole().canonical().rounds == record.rounds[:2]
    assert (folded.fixed, folded.game.owned) == (2, [5, 3, 5, 5])
    assert folded.state() == sheet.state
    assert bytes(row.open_game.digest) == bytes(sealed.digest), (
        "it goes on from the header that was sealed"
    )
    writers = SheetEntry.objects.filter(sheet=sheet).values_list("act", "automatic")
    assert list(writers) == [
        ("close", "sealed_game"),
        ("close", "sealed_game"),
        ("take_over", "sealed_game"),
    ]


def test_the_game_counts_for_nothing_until_it_is_played(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    game_play_again(game=sealed, round_number=3, actor=arbiter)
    void = game_void(sealed)
    assert void is not None
    assert (void.reason, void.role) == (arbiter.reason, "arbiter")
    assert not TableScore.objects.filter(table=table).exists()
    table.refresh_from_db()
    assert not table.finished


def test_sealed_anew_it_is_the_next_revision(sealed: Game, table: Table, arbiter: Actor) -> None:
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    scribe = Scribe(row)
    for loser in (3, 3, *LOSERS[2:]):
        if loser_has_dice(scribe, loser):
            scribe.lose(loser)
    scribe.seal()
    revision = game_of(table)
    assert (revision.revision, revision.replaces, revision.reason) == (2, sealed, arbiter.reason)
    assert sealed_record(revision)[0].rounds[:2] == sealed_record(sealed)[0].rounds[:2]
    assert len(sealed_record(sealed)[0].rounds) == len(LOSERS), "what was dropped stays readable"
    assert TableScore.objects.get(table=table).game == revision
    assert revision.sealed_sheet.sheet.open_game == row.open_game
    table.refresh_from_db()
    assert table.finished


def loser_has_dice(scribe: Scribe, seat: int) -> bool:
    owned = OpenSheet.objects.get(open_game=scribe.row.open_game).state["game"]["owned"]
    return bool(owned[seat])


def test_the_table_gives_its_scorer_that_sheet(sealed: Game, table: Table, arbiter: Actor) -> None:
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    assert Scorer(table).row == row


def test_restored_before_anything_is_written_the_result_is_back(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    before = TableScore.objects.values().get(table=table)
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    game_restore(game=sealed, actor=arbiter)
    assert TableScore.objects.values().get(table=table) == before
    with pytest.raises(Refused, match="isn't being played again"):
        Scribe(row).lose(1)
    with pytest.raises(Refused, match="has played all its games"):
        Scorer(table)


def test_once_something_is_written_it_is_not_restored(sealed: Game, arbiter: Actor) -> None:
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    Scribe(row).lose(1)
    with pytest.raises(Refused) as refused:
        game_restore(game=sealed, actor=arbiter)
    assert refused.value.illegal.code == "played_again"


def test_both_records_sent_again_are_known_and_not_void(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    season = sealed.season_game.season
    scribe = Scribe(game_play_again(game=sealed, round_number=3, actor=arbiter))
    line = game_export(sealed)
    assert record_import(season=season, line=line).outcome == Outcome.BAD, (
        "it is void while it is played again"
    )
    scribe.finish()
    scribe.seal()
    for game in (sealed, game_of(table)):
        record = write(sealed_record(game)[0]).encode()
        assert record_import(season=season, line=record).outcome == Outcome.UNCHANGED
    assert Game.objects.count() == 2


def test_a_void_round_stands_on_the_sheet(sealed: Game, arbiter: Actor) -> None:
    row = round_void(game=sealed, round_number=3, actor=arbiter)
    folded = sheet_folded(row.open_game.sheet, sheet_header(row.open_game))
    assert (folded.closed, folded.fixed, folded.game.owned) == (3, 3, [5, 3, 5, 5])
    assert folded.rounds[-1].void


def test_the_audit_finds_nothing_while_it_is_played_again_and_once_it_is_sealed(
    sealed: Game, table: Table, arbiter: Actor
) -> None:
    club = sealed.season_game.season.club
    row = game_play_again(game=sealed, round_number=3, actor=arbiter)
    assert found(club) == []
    scribe = Scribe(row)
    scribe.finish()
    scribe.seal()
    assert found(club) == []


def found(club: Club) -> list[Difference]:
    """All that the audit finds false of a club's sheets, games and log."""
    passage = verify_open_games(club, {})
    games = list(Game.objects.values_list("pk", flat=True))
    return [
        *passage.differences,
        *verify_sealings(club, {}).differences,
        *logged_game_differences(club, games),
        *void_differences(club),
        *ledger_differences(club.pk),
    ]
