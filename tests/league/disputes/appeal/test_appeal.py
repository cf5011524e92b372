"""Appeals: once, in time, and decided by two arbiters who didn't rule."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest

from engine.illegal import Refused
from games.models import Game
from games.queries.void import game_void
from league.core.log.services import Actor
from league.disputes.appeal.models import Appeal, AppealDraft
from league.disputes.appeal.queries import APPEAL_WINDOW, appeal_of
from league.disputes.appeal.services import (
    appeal_decide,
    appeal_draft,
    appeal_raise,
    appeal_withdraw,
)
from league.disputes.ruling.domain import RulingDecision
from league.models import Ruling, User
from tests.factories.league import MembershipFactory
from tests.league.disputes.ruling.rulings import FINDING, Verb, objected, ruled

pytestmark = pytest.mark.django_db
WORD = "The photo is of another table."


@pytest.fixture
def ruling(played: Game, sitters: list[User], ruler: User) -> Ruling:
    """A ruling by which a game is void."""
    objected(played, sitters[1])
    return ruled(played, ruler, Verb.VOIDED)


@pytest.fixture
def others(played: Game) -> tuple[User, User]:
    """Two more arbiters of the club."""
    club = played.season_game.season.club
    first, second = (MembershipFactory.create(club=club, role="arbiter").user for _ in range(2))
    return first, second


def raised(ruling: Ruling, sitter: User, seat: int = 0) -> Appeal:
    return appeal_raise(ruling=ruling, seat=seat, word=WORD, actor=Actor(sitter.pk))


def drafted(appeal: Appeal, author: User, verb: Ruling.Verb = Verb.RESTORED) -> AppealDraft:
    decision = RulingDecision(verb)
    return appeal_draft(
        appeal=appeal, decision=decision, finding=FINDING, author_id=author.pk, key=uuid4()
    )


def code_of(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.illegal.code


def test_two_arbiters_who_didnt_rule_decide_and_that_is_final(
    ruling: Ruling, sitters: list[User], others: tuple[User, User]
) -> None:
    appeal = raised(ruling, sitters[0])
    decision = appeal_decide(draft=drafted(appeal, others[0]), actor=Actor(others[1].pk))
    assert (decision.number, decision.verb, decision.ruled_by, decision.seconded_by) == (
        2,
        "restored",
        *others,
    )
    assert game_void(ruling.game) is None
    assert appeal_of(ruling.game) is None
    assert not AppealDraft.objects.exists()
    with pytest.raises(Refused) as refused:
        raised(Ruling.objects.get(pk=decision.pk), sitters[0])
    assert code_of(refused) == "final"
    with pytest.raises(Refused) as refused:
        raised(ruling, sitters[0])
    assert code_of(refused) == "not_the_newest"


def test_nobody_decides_alone_nor_who_ruled_before(
    ruling: Ruling, sitters: list[User], ruler: User, others: tuple[User, User]
) -> None:
    appeal = raised(ruling, sitters[0])
    draft = drafted(appeal, others[0])
    for actor, code in (
        (others[0], "second_needed"),
        (ruler, "ruled_before"),
        (sitters[2], "at_the_table"),
    ):
        with pytest.raises(Refused) as refused:
            appeal_decide(draft=draft, actor=Actor(actor.pk))
        assert code_of(refused) == code
    with pytest.raises(Refused) as refused:
        drafted(appeal, ruler)
    assert code_of(refused) == "ruled_before"
    with pytest.raises(Refused) as refused:
        ruled(ruling.game, others[0], Verb.RESTORED)
    assert code_of(refused) == "appealed"
    assert game_void(ruling.game) is not None


def test_a_seat_appeals_once_and_in_time(ruling: Ruling, sitters: list[User]) -> None:
    appeal = raised(ruling, sitters[0])
    with pytest.raises(Refused) as refused:
        raised(ruling, sitters[1], seat=1)
    assert code_of(refused) == "appealed"
    appeal_withdraw(appeal=appeal, actor=Actor(sitters[0].pk))
    assert appeal_of(ruling.game) is None
    with pytest.raises(Refused) as refused:
        appeal_withdraw(appeal=appeal, actor=Actor(sitters[0].pk))
    assert code_of(refused) == "ended"


def test_after_a_week_it_is_too_late(ruling: Ruling, sitters: list[User]) -> None:
    ruling.ruled_at -= APPEAL_WINDOW + timedelta(seconds=1)
    with pytest.raises(Refused) as refused:
        raised(ruling, sitters[0])
    assert code_of(refused) == "appeal_too_late"
    assert not Appeal.objects.exists()


def test_a_draft_decides_nothing_and_a_second_one_takes_its_place(
    ruling: Ruling, sitters: list[User], others: tuple[User, User]
) -> None:
    appeal = raised(ruling, sitters[0])
    drafted(appeal, others[0])
    second = drafted(appeal, others[0], Verb.STANDS)
    assert list(AppealDraft.objects.all()) == [second]
    assert Ruling.objects.count() == 1
    appeal_withdraw(appeal=appeal, actor=Actor(sitters[0].pk))
    assert not AppealDraft.objects.exists()
    with pytest.raises(Refused) as refused:
        appeal_decide(draft=second, actor=Actor(others[1].pk))
    assert code_of(refused) == "ended"
