"""An arbiter from outside: invited by a link, agreed on by every seat, and then allowed to rule on
this game alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final
from unittest.mock import patch

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, connections, transaction
from django.utils import timezone

from engine.illegal import Refused
from games.models import Game
from league.core.log.services import Actor
from league.core.viewer.queries.access import Viewer
from league.disputes.agreement.services import correction_propose, proposal_agree
from league.disputes.arbiter.actions import ArbiterAction
from league.disputes.arbiter.models import LASTS
from league.disputes.arbiter.queries import game_for_ruling, seats_to_answer
from league.disputes.arbiter.services import (
    arbiter_assent,
    arbiter_decline,
    arbiter_invite,
    arbiter_withdraw,
)
from league.disputes.objection.services import objection_raise, objection_withdraw
from league.models import (
    ArbiterAcceptance,
    ArbiterAssent,
    ArbiterInvitation,
    ArbiterInvitationEnd,
    LogEntry,
    Player,
    Role,
    Season,
    User,
    Visibility,
)
from league.site.own_data.services import account_delete
from league.standings.ranked_game.queries.provisional import result_is_provisional
from tests.factories.league import UserFactory
from tests.factories.proposals import turned
from tests.league.disputes.arbiter.conftest import Invited, accept

pytestmark = pytest.mark.django_db
LINK: Final = 24
"""Characters of a token at least."""


def refusal(do: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        do()
    return refused.value.illegal.code


def may_rule(user: User, game: Game) -> bool:
    try:
        game_for_ruling(Viewer(user), game.public_id)
    except ObjectDoesNotExist:
        return False
    return True


def assent(invitation: ArbiterInvitation, seat: int, user: User) -> bool:
    return arbiter_assent(invitation=invitation, seat=seat, actor=Actor(user.pk))


def end_of(invitation: ArbiterInvitation) -> str:
    return ArbiterInvitationEnd.objects.get(invitation=invitation).way


@contextmanager
def once_too_old() -> Iterator[None]:
    """Let it be as late as an invitation is too old."""
    late = timezone.now() + LASTS
    with patch.object(timezone, "now", lambda: late):
        yield


def test_somebody_rules_once_every_seat_has_agreed_and_not_before(
    accepted: ArbiterInvitation, disputed: Game, sitters: list[User], outsider: User
) -> None:
    assert not may_rule(outsider, disputed)
    *others, last = list(enumerate(sitters))
    for seat, user in others:
        assert not assent(accepted, seat, user)
        assert not may_rule(outsider, disputed), "silence never decides"
    assert assent(accepted, *last)
    assert may_rule(outsider, disputed)
    assert outsider.has_perm("league.rule_on_game", disputed)


def test_the_arbiter_gets_no_other_right_and_no_other_game(
    agreed: ArbiterInvitation, disputed: Game, evening: Season, outsider: User
) -> None:
    assert not outsider.has_perm("league.correct_game", disputed)
    assert not outsider.has_perm("league.bear_witness", disputed)
    assert not outsider.has_perm("league.correct_games", evening.club)
    for other in Game.objects.filter(season_game__season=evening).exclude(pk=disputed.pk):
        assert not may_rule(outsider, other)


def test_the_arbiter_finds_the_game_of_a_season_that_they_cant_see(
    agreed: ArbiterInvitation, disputed: Game, evening: Season, outsider: User
) -> None:
    Season.objects.filter(pk=evening.pk).update(visibility=Visibility.MEMBERS)
    assert may_rule(outsider, disputed)
    assert not may_rule(UserFactory.create(), disputed)


def test_the_right_ends_with_the_dispute(
    agreed: ArbiterInvitation, disputed: Game, sitters: list[User], outsider: User
) -> None:
    objection = disputed.objections.get()
    objection_withdraw(objection=objection, actor=Actor(sitters[1].pk))
    assert not result_is_provisional(disputed)
    assert not may_rule(outsider, disputed)


def test_the_right_ends_after_two_weeks(
    agreed: ArbiterInvitation, disputed: Game, outsider: User
) -> None:
    with once_too_old():
        assert not may_rule(outsider, disputed)


def test_the_right_holds_for_all_revisions_but_not_in_the_next_dispute(
    agreed: ArbiterInvitation, disputed: Game, sitters: list[User], outsider: User
) -> None:
    proposal = correction_propose(game=disputed, line=turned(disputed), actor=Actor(sitters[0].pk))
    for seat in (1, 2, 3):
        proposal_agree(proposal=proposal, seat=seat, actor=Actor(sitters[seat].pk))
    corrected = Game.objects.get(replaces=disputed)
    assert not may_rule(outsider, corrected)
    objection_raise(game=corrected, seat=0, word="No.", actor=Actor(sitters[0].pk))
    assert not may_rule(outsider, corrected), "the seats agreed on somebody for another dispute"


def test_nobody_is_invited_while_nobody_objects(played: Game, sitters: list[User]) -> None:
    assert (
        refusal(lambda: arbiter_invite(game=played, actor=Actor(sitters[0].pk))) == "not_disputed"
    )


def test_the_database_has_the_digest_of_the_link_alone(invited: Invited) -> None:
    assert len(invited.token) >= LINK
    row = ArbiterInvitation.objects.filter(pk=invited.invitation.pk).values().get()
    assert invited.token not in str(row)
    payloads = LogEntry.objects.values_list("payload", flat=True)
    assert not any(invited.token in payload for payload in payloads)


def test_a_new_link_takes_the_place_of_the_earlier_one_of_the_same_account(
    invited: Invited, disputed: Game, sitters: list[User]
) -> None:
    others, _ = arbiter_invite(game=disputed, actor=Actor(sitters[2].pk))
    arbiter_invite(game=disputed, actor=Actor(sitters[0].pk))
    assert end_of(invited.invitation) == "withdrawn"
    assert not ArbiterInvitationEnd.objects.filter(invitation=others).exists()


def test_an_invitation_that_somebody_accepted_is_taken_back_before_the_next_one(
    accepted: ArbiterInvitation, disputed: Game, sitters: list[User]
) -> None:
    again: Callable[[], object] = lambda: arbiter_invite(game=disputed, actor=Actor(sitters[0].pk))  # noqa: E731
    assert refusal(again) == "invitation_accepted"
    arbiter_withdraw(invitation=accepted, actor=Actor(sitters[0].pk))
    again()


def test_who_is_involved_cant_accept(invited: Invited, disputed: Game, sitters: list[User]) -> None:
    invitation = invited.invitation
    assert refusal(lambda: accept(invitation, sitters[0])) == "own_invitation"
    assert refusal(lambda: accept(invitation, sitters[1])) == "at_the_table"
    program = UserFactory.create(is_program=True)
    assert refusal(lambda: accept(invitation, program)) == "no_person"
    assert refusal(lambda: accept(invitation, UserFactory.create(), close_to=[9])) == "no_seat"


def test_the_one_who_made_a_link_for_the_seats_cant_accept_it(disputed: Game, ruler: User) -> None:
    invitation, _ = arbiter_invite(game=disputed, actor=Actor(ruler.pk))
    assert invitation.role == Role.ARBITER
    assert refusal(lambda: accept(invitation, ruler)) == "own_invitation"


def test_an_acceptance_twice_is_one_and_of_another_account_none(
    accepted: ArbiterInvitation, outsider: User
) -> None:
    accept(accepted, outsider)
    assert refusal(lambda: accept(accepted, UserFactory.create())) == "accepted_by_another"
    assert ArbiterAcceptance.objects.get().close_to == [2], "what was declared first stands"


def test_a_seat_that_says_no_ends_it(
    accepted: ArbiterInvitation, sitters: list[User], outsider: User
) -> None:
    assent(accepted, 0, sitters[0])
    arbiter_decline(invitation=accepted, seat=3, actor=Actor(sitters[3].pk))
    assert ArbiterInvitationEnd.objects.get().seat == 3
    assert refusal(lambda: assent(accepted, 1, sitters[1])) == "invitation_ended"
    assert refusal(lambda: accept(accepted, outsider)) == "invitation_ended"


def test_a_seat_answers_once(accepted: ArbiterInvitation, sitters: list[User]) -> None:
    assent(accepted, 1, sitters[1])
    assert refusal(lambda: assent(accepted, 1, sitters[1])) == "seat_assented"
    no = lambda: arbiter_decline(invitation=accepted, seat=1, actor=Actor(sitters[1].pk))  # noqa: E731
    assert refusal(no) == "seat_assented"


def test_a_seat_answers_for_itself_alone(
    accepted: ArbiterInvitation, sitters: list[User], ruler: User
) -> None:
    assert seats_to_answer(accepted, sitters[2]) == [2]
    assert seats_to_answer(accepted, ruler) == [], "everybody who sat there has an account"
    assert seats_to_answer(accepted, UserFactory.create()) == []


def test_who_corrects_games_answers_for_a_player_without_an_account(
    accepted: ArbiterInvitation, sitters: list[User], ruler: User
) -> None:
    Player.objects.filter(user=sitters[3]).update(user=None)
    assert seats_to_answer(accepted, ruler) == [3]
    assent(accepted, 3, ruler)
    assert ArbiterAssent.objects.get().role == Role.ARBITER
    invitation = ArbiterInvitation.objects.select_related("acceptance").get(pk=accepted.pk)
    assert seats_to_answer(invitation, ruler) == []


def test_seats_answer_nobody_before_somebody_accepts(invited: Invited, sitters: list[User]) -> None:
    assert seats_to_answer(invited.invitation, sitters[0]) == []
    assert refusal(lambda: assent(invited.invitation, 0, sitters[0])) == "not_accepted"


def test_too_old_is_too_late(accepted: ArbiterInvitation, sitters: list[User]) -> None:
    with once_too_old():
        assert refusal(lambda: assent(accepted, 0, sitters[0])) == "invitation_too_old"
        assert seats_to_answer(accepted, sitters[0]) == []


def test_other_invitations_end_once_all_agree_and_nobody_takes_the_arbiter_back(
    accepted: ArbiterInvitation, disputed: Game, sitters: list[User], outsider: User
) -> None:
    other, _ = arbiter_invite(game=disputed, actor=Actor(sitters[2].pk))
    for seat, user in enumerate(sitters):
        assent(accepted, seat, user)
    assert end_of(other) == "other"
    assert (
        refusal(lambda: arbiter_invite(game=disputed, actor=Actor(sitters[1].pk)))
        == "arbiter_agreed"
    )
    take_back = lambda: arbiter_withdraw(invitation=accepted, actor=Actor(sitters[0].pk))  # noqa: E731
    assert refusal(take_back) == "arbiter_agreed"
    arbiter_withdraw(invitation=accepted, actor=Actor(outsider.pk))
    assert end_of(accepted) == "given_up"
    assert not may_rule(outsider, disputed)


def test_an_arbiter_who_took_a_seat_meanwhile_gets_no_assent(
    accepted: ArbiterInvitation, sitters: list[User], outsider: User
) -> None:
    Player.objects.filter(user=sitters[3]).update(user=outsider)
    assert refusal(lambda: assent(accepted, 0, sitters[0])) == "arbiter_involved"


def test_a_deleted_account_gives_up_what_it_accepted(
    agreed: ArbiterInvitation, outsider: User
) -> None:
    account_delete(user=outsider)
    assert end_of(agreed) == "given_up"


def test_the_log_tells_each_step(agreed: ArbiterInvitation, disputed: Game) -> None:
    rows = LogEntry.objects.filter(subject=disputed.public_id, action__startswith="arbiter.")
    assert list(rows.order_by("position").values_list("action", flat=True)) == [
        ArbiterAction.INVITED,
        ArbiterAction.ACCEPTED,
        *[ArbiterAction.ASSENTED] * 4,
        ArbiterAction.AGREED,
    ]


def test_the_database_takes_no_assent_of_a_seat_that_the_game_lacks(
    accepted: ArbiterInvitation,
) -> None:
    with pytest.raises(DatabaseError, match="can't assent"), transaction.atomic():
        ArbiterAssent.objects.create(
            acceptance=accepted.acceptance, seat=7, role=Role.PLAYER, assented_at=timezone.now()
        )
    with pytest.raises(DatabaseError), transaction.atomic():
        ArbiterAcceptance.objects.update(close_to=[])


@pytest.mark.django_db(transaction=True)
def test_of_two_accounts_that_follow_a_link_at_once_one_accepts(invited: Invited) -> None:
    codes: list[str] = []

    def follow(user: User) -> None:
        try:
            accept(invited.invitation, user)
            codes.append("")
        except Refused as refused:
            codes.append(refused.illegal.code)
        finally:
            connections.close_all()

    followers = [threading.Thread(target=follow, args=[UserFactory.create()]) for _ in range(2)]
    for follower in followers:
        follower.start()
    for follower in followers:
        follower.join()
    assert sorted(codes) == ["", "accepted_by_another"]
    assert ArbiterAcceptance.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_seats_that_say_yes_at_once_lead_to_the_right_once(
    accepted: ArbiterInvitation, disputed: Game, sitters: list[User], outsider: User
) -> None:
    results: list[bool] = []

    def answer(seat: int, user: User) -> None:
        results.append(assent(accepted, seat, user))
        connections.close_all()

    answers = [threading.Thread(target=answer, args=pair) for pair in enumerate(sitters)]
    for thread in answers:
        thread.start()
    for thread in answers:
        thread.join()
    assert sorted(results) == [False, False, False, True]
    assert LogEntry.objects.filter(action=ArbiterAction.AGREED).count() == 1
    assert may_rule(outsider, disputed)
