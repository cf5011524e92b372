"""Everybody concerned is told at each step, and once."""

from __future__ import annotations

import pytest

from games.models import Game
from league.core.log.services import Actor
from league.disputes.appeal.services import appeal_raise
from league.disputes.hearing.services import hearing_open
from league.models import Membership, Notice, Ruling, User
from league.notices.notice.queries.notice import notices_in_words
from tests.factories import notices
from tests.factories.league import MembershipFactory
from tests.league.disputes.ruling.rulings import Verb, objected, ruled

pytestmark = pytest.mark.django_db
Occasion = Notice.Occasion


def people_told(game: Game, occasion: str) -> set[str]:
    """The accounts, by user name, that an occasion is told."""
    notices.read(game.season_game.season.club)
    return {
        notice.user.username for notice in Notice.objects.filter(occasion=occasion) if notice.user
    }


SITTERS = {"sat-0", "sat-1", "sat-2", "sat-3"}


def test_the_table_is_told_of_a_hearing_and_of_a_ruling(
    played: Game, sitters: list[User], ruler: User
) -> None:
    hearing_open(game=played, word="Who called?", actor=Actor(ruler.pk))
    assert people_told(played, Occasion.HEARD) == SITTERS
    ruled(played, ruler)
    assert people_told(played, Occasion.RULED) == SITTERS
    (read, *_) = notices_in_words(list(Notice.objects.filter(occasion=Occasion.RULED)))
    assert read.text.title.startswith("Ruling 1 on one of your games")
    assert read.text.path == f"/rulings/{Ruling.objects.get().public_id}/"
    assert read.text.receipt


@pytest.mark.parametrize(("verb", "occasion"), [(Verb.VOIDED, Occasion.VOIDED)])
def test_what_a_ruling_did_is_told_once(
    played: Game, sitters: list[User], ruler: User, verb: Ruling.Verb, occasion: str
) -> None:
    objected(played, sitters[1])
    ruled(played, ruler, verb)
    assert people_told(played, Occasion.RULED) == SITTERS
    assert people_told(played, occasion) == set()


def test_an_appeal_is_told_to_those_who_can_decide_and_to_the_others_who_sat_there(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    ruling = ruled(played, ruler)
    club = played.season_game.season.club
    other = MembershipFactory.create(club=club, role="arbiter").user
    MembershipFactory.create(club=club, role="arbiter", user=sitters[2])
    appeal_raise(ruling=ruling, seat=0, word="Nobody asked me.", actor=Actor(sitters[0].pk))
    organisers = Membership.objects.filter(club=club, role="organiser").values_list(
        "user__username", flat=True
    )
    assert people_told(played, Occasion.APPEALED) == {
        *organisers,
        other.username,
        "sat-1",
        "sat-2",
        "sat-3",
    }
    deciding = Notice.objects.filter(occasion=Occasion.APPEALED, parameters__decides=True)
    assert {notice.user for notice in deciding} >= {other}
    assert ruler not in {notice.user for notice in deciding}
