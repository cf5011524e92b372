"""Corrections by agreement: a seat says what was played, and the last seat to agree corrects the
game."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import partial
from typing import Final

import pytest
from django.db import DatabaseError, IntegrityError, connections, transaction

from engine.illegal import Refused
from engine.record.write import write
from games.models import Game, Seat
from games.queries.game import sealed_record
from league.core.log.services import Actor
from league.core.viewer.queries.access import Viewer
from league.disputes.agreement import services as agreement
from league.disputes.agreement.queries import proposal_for, proposal_of, seats_to_agree
from league.disputes.agreement.services import correction_propose, proposal_agree
from league.disputes.correction.services import game_correct
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.models import Agreement, LogEntry, ObjectionEnd, Player, Proposal, Role, Standing, User
from league.site.erasure.services.erasure import player_erase
from league.stages.result.services.void import game_void_add
from league.standings.ranked_game.actions import ProposalAction
from league.standings.ranking.services.counting import ranking_count
from league.standings.ranking.services.rebuild import ranking_rebuild
from tests.factories.league import UserFactory
from tests.factories.proposals import turned

pytestmark = pytest.mark.django_db
WORD: Final = "Second and third are mixed up."


def proposed(game: Game, user: User) -> Proposal:
    """A proposal of somebody to turn the places of a game round, to which that one objects."""
    objection_raise(game=game, seat=0, word=WORD, actor=Actor(user.pk))
    return correction_propose(game=game, line=turned(game), actor=Actor(user.pk))


def agree(proposal: Proposal, seat: int, user: User) -> Game | None:
    return proposal_agree(proposal=proposal, seat=seat, actor=Actor(user.pk))


def refusal(do: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        do()
    return refused.value.illegal.code


def newest(game: Game) -> Game:
    return Game.objects.filter(external_id=game.external_id).latest("revision")


def test_the_game_is_corrected_when_the_last_seat_agrees_and_not_before(
    played: Game, sitters: list[User]
) -> None:
    before = sealed_record(played)[0].outcome
    proposal = proposed(played, sitters[0])
    for seat in (1, 2):
        assert agree(proposal, seat, sitters[seat]) is None
        assert newest(played) == played
    corrected = agree(proposal, 3, sitters[3])
    assert corrected is not None
    assert before is not None
    after = sealed_record(corrected)[0].outcome
    assert after is not None
    assert after.rank == before.rank[::-1]
    assert (corrected.revision, corrected.entered_by) == (2, sitters[3])
    assert corrected.reason == "All players agreed on what was played."
    end = ObjectionEnd.objects.get()
    assert (end.way, end.role) == (ObjectionEnd.Way.CORRECTED, Role.PLAYER)
    assert proposal_of(played) is None


def test_what_counts_then_is_what_a_rebuild_gives(played: Game, sitters: list[User]) -> None:
    proposal = proposed(played, sitters[0])
    for seat in (1, 2, 3):
        agree(proposal, seat, sitters[seat])
    ranking_id = played.season_game.season.ranking_id
    ranking_count(ranking_id=ranking_id)
    rows = (
        Standing.objects.filter(ranking=ranking_id)
        .order_by("player")
        .values_list("player", "points", "games")
    )
    counted = list(rows)
    ranking_rebuild(ranking_id=ranking_id)
    assert list(rows.all()) == counted


def test_the_log_tells_the_proposal_by_its_digest_and_who_agreed_when(
    played: Game, sitters: list[User]
) -> None:
    proposal = proposed(played, sitters[0])
    agree(proposal, 2, sitters[2])
    made, first, second = LogEntry.objects.filter(action__in=ProposalAction.values).order_by(
        "position"
    )
    assert made.subject == played.public_id
    assert json.loads(made.payload)["proposal"] == proposal.public_id
    assert "rank" not in made.payload
    assert [json.loads(entry.payload)["seat"] for entry in (first, second)] == [0, 2]
    assert [entry.actor for entry in (first, second)] == [sitters[0], sitters[2]]


def test_only_who_sat_there_proposes_and_only_while_a_seat_objects(
    played: Game, sitters: list[User]
) -> None:
    line = turned(played)
    stranger = UserFactory.create()

    def propose(user: User) -> Proposal:
        return correction_propose(game=played, line=line, actor=Actor(user.pk))

    assert refusal(lambda: propose(sitters[1])) == "no_objection"
    objection = objection_raise(game=played, seat=0, word=WORD, actor=Actor(sitters[0].pk))
    assert refusal(lambda: propose(stranger)) == "not_at_the_table"
    proposal = propose(sitters[1])
    objection_withdraw(objection=objection, actor=Actor(sitters[0].pk))
    assert refusal(lambda: agree(proposal, 0, sitters[0])) == "no_objection"
    assert not Game.objects.filter(replaces=played).exists()


def test_who_sat_there_stays_and_what_breaks_a_rule_is_refused(
    played: Game, sitters: list[User]
) -> None:
    objection_raise(game=played, seat=0, word=WORD, actor=Actor(sitters[0].pk))

    def refused(line: bytes) -> str:
        return refusal(
            lambda: correction_propose(game=played, line=line, actor=Actor(sitters[0].pk))
        )

    record = json.loads(turned(played))
    others = record | {"seats": record["seats"][::-1]}
    assert refused(json.dumps(others).encode()) == "other_seats"
    assert refused(write(sealed_record(played)[0]).encode()) == "unchanged"
    assert refused(json.dumps(record | {"id": "other"}).encode()) == "wrong_id"
    assert not Proposal.objects.exists()


def test_the_newest_proposal_is_the_one_to_agree_with(played: Game, sitters: list[User]) -> None:
    first = proposed(played, sitters[0])
    record = json.loads(turned(played))
    record["outcome"]["rank"] = [2, 1, 3, 4]
    if json.loads(write(sealed_record(played)[0]))["outcome"]["rank"] == [2, 1, 3, 4]:
        record["outcome"]["rank"] = [1, 2, 4, 3]
    second = correction_propose(
        game=played, line=json.dumps(record).encode(), actor=Actor(sitters[1].pk)
    )
    assert refusal(lambda: agree(first, 2, sitters[2])) == "other_proposal"
    assert proposal_of(played) == second
    assert [row.seat for row in second.agreements.all()] == [1]


def test_a_game_has_so_many_proposals_and_no_more(
    played: Game, sitters: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agreement, "MOST_PROPOSALS", 2)
    proposed(played, sitters[0])
    propose = partial(
        correction_propose, game=played, line=turned(played), actor=Actor(sitters[1].pk)
    )
    propose()
    assert refusal(propose) == "too_many_proposals"
    assert Proposal.objects.count() == 2


def test_agreed_twice_is_once(played: Game, sitters: list[User]) -> None:
    proposal = proposed(played, sitters[0])
    agree(proposal, 1, sitters[1])
    assert refusal(lambda: agree(proposal, 1, sitters[1])) == "seat_agreed"
    assert Agreement.objects.count() == 2


def test_a_game_that_an_arbiter_corrected_or_voided_meanwhile_is_agreed_on_no_more(
    played: Game, sitters: list[User]
) -> None:
    proposal = proposed(played, sitters[0])
    with transaction.atomic():
        game_void_add(game=played, actor=Actor(reason="Practice."))
        assert refusal(lambda: agree(proposal, 1, sitters[1])) == "voided"
        transaction.set_rollback(True)
    game_correct(game=played, line=turned(played), reason="The photo shows it.")
    assert refusal(lambda: agree(proposal, 1, sitters[1])) == "conflict"


def test_who_rules_agrees_for_players_without_an_account_and_for_nobody_else(
    played: Game, sitters: list[User], ruler: User
) -> None:
    Player.objects.filter(user=sitters[2]).update(user=None)
    proposal = proposed(played, sitters[0])
    read = proposal_for_game(proposal, ruler)
    assert seats_to_agree(read, ruler) == [2]
    assert seats_to_agree(read, sitters[1]) == [1]
    assert seats_to_agree(read, sitters[0]) == []
    assert seats_to_agree(read, UserFactory.create()) == []
    agree(proposal, 2, ruler)
    assert Agreement.objects.get(seat=2).role == Role.ARBITER


def proposal_for_game(proposal: Proposal, user: User) -> Proposal:
    return proposal_for(Viewer(user), proposal.public_id)


def test_what_is_kept_of_a_proposal_names_nobody_so_erasing_a_player_leaves_it_valid(
    played: Game, sitters: list[User]
) -> None:
    objection_raise(game=played, seat=0, word=WORD, actor=Actor(sitters[0].pk))
    reason = {"salt": "00" * Seat.SALT, "text": "Karla hid a die."}
    line = json.dumps(json.loads(turned(played)) | {"reason": reason}).encode()
    proposal = correction_propose(game=played, line=line, actor=Actor(sitters[0].pk))
    handles = list(played.seats.values_list("handle", flat=True))
    assert not any(
        name in proposal.content for name in (*[f'"{handle}"' for handle in handles], "Karla")
    )
    player_erase(player=Player.objects.get(user=sitters[1]), actor=Actor())
    for seat in (2, 3):
        assert agree(proposal, seat, sitters[seat]) is None
    corrected = proposal_agree(proposal=proposal, seat=1, actor=Actor())
    assert corrected is not None
    assert list(corrected.seats.values_list("handle", flat=True)) == list(
        played.seats.values_list("handle", flat=True)
    )


def test_the_database_takes_no_agreement_of_nobody_and_no_second_one(
    played: Game, sitters: list[User]
) -> None:
    proposal = proposed(played, sitters[0])
    other = {"proposal": proposal, "role": "player", "agreed_at": proposal.made_at}
    with pytest.raises(DatabaseError, match="can't agree"), transaction.atomic():
        Agreement.objects.create(seat=4, **other)
    with pytest.raises(IntegrityError), transaction.atomic():
        Agreement.objects.create(seat=0, **other)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        Proposal.objects.update(content="{}")


@pytest.mark.django_db(transaction=True)
def test_all_who_agree_at_once_correct_it_once(played: Game, sitters: list[User]) -> None:
    proposal = proposed(played, sitters[0])
    results: list[Game | None] = []

    def work(seat: int) -> None:
        try:
            results.append(agree(proposal, seat, sitters[seat]))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=[seat]) for seat in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 3
    assert len([game for game in results if game is not None]) == 1
    assert Game.objects.filter(replaces=played).count() == 1
