"""Who is told of an arbiter from outside: the seats that are asked, and the account on which all
agreed."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Game
from league.core.log.services import Actor
from league.disputes.arbiter.services import arbiter_withdraw
from league.models import ArbiterInvitation, Notice, User
from league.notices.notice.queries.announcement import NOTICES
from league.notices.notice.queries.notice import notice_text
from tests.factories import notices

pytestmark = pytest.mark.django_db
ASKS, RULES = Notice.Occasion.ARBITER_ASKS, Notice.Occasion.ARBITER_RULES


def people_told(game: Game, occasion: Notice.Occasion) -> list[User | None]:
    made = notices.read(game.season_game.season.club)
    return [notice.user for notice in made if notice.occasion == occasion]


def test_every_seat_is_asked_once_somebody_has_accepted(
    accepted: ArbiterInvitation, disputed: Game, sitters: list[User]
) -> None:
    assert {*people_told(disputed, ASKS)} == {*sitters}
    text = notice_text(Notice.objects.filter(occasion=ASKS)[0])
    assert text.title.startswith("Should somebody from outside rule on your game?")
    assert text.path == reverse("game-arbiter", args=[disputed.public_id])


def test_the_arbiter_is_told_once_all_have_agreed(
    agreed: ArbiterInvitation, disputed: Game, outsider: User, sitters: list[User]
) -> None:
    assert people_told(disputed, RULES) == [outsider]
    text = notice_text(Notice.objects.get(occasion=RULES))
    assert text.path == reverse("game-case", args=[disputed.public_id])


def test_what_has_ended_is_no_news(
    accepted: ArbiterInvitation, disputed: Game, sitters: list[User]
) -> None:
    notices.read(disputed.season_game.season.club)
    asked = Notice.objects.filter(occasion=ASKS)[0]
    is_news = NOTICES[ASKS].is_news
    assert is_news is not None
    assert is_news(asked)
    arbiter_withdraw(invitation=accepted, actor=Actor(sitters[0].pk))
    assert not is_news(asked)
