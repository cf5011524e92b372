"""The receipt of an entry fits the club's export for ever, and no log that was rewritten."""

import json
from typing import Any

import psycopg
import pytest
from django.utils import translation
from psycopg.rows import TupleRow

from engine.record.canonical import canonical_json
from engine.record.club_log import first_digest, next_digest
from engine.record.receipt import check_receipt, read_receipt
from league.core.log.models import LogEntry, LogHead
from league.core.log.queries import entry_of, log_chunks, receipts_about, receipts_at
from league.core.log.receipt import receipt_text
from league.core.log.services import Actor
from league.core.log.verification import log_differences
from league.core.player.actions import PlayerAction
from league.core.player.services.player import player_rename
from league.models import Club, Player
from league.site.erasure.services.erasure import player_erase
from league.site.erasure.services.merge import person_merge
from tests.factories.league import ClubFactory, PlayerFactory

pytestmark = pytest.mark.django_db
ANNA = "Anna"


@pytest.fixture
def anna(club: Club) -> Player:
    player: Player = PlayerFactory.create(club=club, handle="anna", name=ANNA)
    player_rename(player=player, actor=Actor(None, "asked for it"), name="Anna Berg")
    return player


def receipts(club: Club) -> list[str]:
    """The receipts of all entries of a club's log, the first first."""
    entries = LogEntry.objects.filter(club=club).select_related("club").order_by("position")
    return [receipt_text(entry) for entry in entries]


def code(club: Club, receipt: str) -> str:
    """The code of what is false of the club's export; nothing if the receipt fits."""
    lines = b"".join(log_chunks(club.pk)).splitlines()
    error = check_receipt(lines, read_receipt(receipt)).error
    return error.code if error else ""


def test_it_says_which_club_which_day_and_what_was_done(club: Club, anna: Player) -> None:
    Club.objects.filter(pk=club.pk).update(name="Becherkeller", timezone="Pacific/Auckland")
    (receipt,) = receipts_about(club.pk, anna.public_id, [PlayerAction.RENAMED])
    assert receipt.startswith("Becherkeller, ")
    assert f", player renamed: {club.public_id} 3 " in receipt
    with translation.override("de"):
        (translated,) = receipts_about(club.pk, anna.public_id, [PlayerAction.RENAMED])
    assert translated != receipt
    assert read_receipt(translated) == read_receipt(receipt)


def test_the_receipt_of_every_entry_fits_the_export(club: Club, anna: Player) -> None:
    assert len(receipts(club)) == LogHead.objects.get(club=club).position
    assert {code(club, receipt) for receipt in receipts(club)} == {""}


def test_a_receipt_of_another_club_does_not_fit(club: Club, anna: Player) -> None:
    other = ClubFactory.create()
    assert code(club, receipts(other)[0]) == "other_log"


def test_receipts_fit_after_a_merge_and_an_erasure(club: Club, anna: Player) -> None:
    kept = receipts(club)
    twin = PlayerFactory.create(club=club, handle="anni", name="Anni")
    person_merge(kept_player=anna, merged=twin, actor=Actor())
    kept += receipts(club)
    player_erase(player=anna, actor=Actor())
    assert ANNA.encode() not in b"".join(log_chunks(club.pk))
    assert {code(club, receipt) for receipt in kept} == {""}


def test_receipts_are_read_together(
    club: Club, anna: Player, django_assert_num_queries: Any
) -> None:
    places = [(club.pk, 1), (club.pk, 2), (club.pk, 99)]
    with django_assert_num_queries(1):
        receipts_read = receipts_at(places)
    assert receipts_read == dict(zip(places[:2], receipts(club)[:2], strict=True))
    with django_assert_num_queries(0):
        assert receipts_at([]) == {}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "column", ["action = 'game.sealed'", "subject = '2222222222'", "at = at + interval '1 second'"]
)
def test_one_entry_changed_behind_the_services_back_is_found(
    club: Club, anna: Player, forger: psycopg.Connection[TupleRow], column: str
) -> None:
    *_, kept = receipts(club)
    forger.execute(f"UPDATE league_logentry SET {column} WHERE position = 2".encode())
    assert code(club, kept) == "digest_mismatch"


@pytest.mark.django_db(transaction=True)
def test_a_whole_log_rewritten_consistently_is_found_by_a_receipt_alone(
    club: Club, anna: Player, forger: psycopg.Connection[TupleRow]
) -> None:
    before, *_, kept = receipts(club)
    rewrite(club, forger, position=2)
    assert list(log_differences(club.pk, club.public_id)) == [], "the log itself looks whole"
    assert code(club, kept) == "receipt_mismatch"
    assert code(club, before) == "", "what was before is as it was"


def rewrite(club: Club, forger: psycopg.Connection[TupleRow], position: int) -> None:
    """Let an entry tell something else, and make all digests anew, up to the end."""
    digest = first_digest(club.public_id)
    for entry in LogEntry.objects.filter(club=club).order_by("position"):
        if entry.position == position:
            entry.payload = canonical_json({**json.loads(entry.payload), "rank": 1}).decode()
        digest = next_digest(digest, entry_of(entry, None))
        forger.execute(
            "UPDATE league_logentry SET payload = %s, digest = %s"
            " WHERE club_id = %s AND position = %s",
            [entry.payload, digest, club.pk, entry.position],
        )
    forger.execute("UPDATE league_loghead SET digest = %s WHERE club_id = %s", [digest, club.pk])
