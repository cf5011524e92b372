"""The words of a ruling, a hearing and an appeal go with the person whom they name; the digests
still hold."""

from __future__ import annotations

from uuid import uuid4

import pytest

from games.models import Game
from league.core.log.ledger import ledger_differences
from league.core.log.services import Actor
from league.disputes.appeal.services import appeal_draft, appeal_raise
from league.disputes.hearing.services import hearing_open
from league.disputes.ruling.domain import Finding, RulingDecision
from league.models import Appeal, AppealDraft, Hearing, LogEntry, Player, Ruling, User
from league.site.erasure.queries import player_mentions
from league.site.erasure.services.erasure import player_erase
from tests.factories.league import MembershipFactory
from tests.league.disputes.ruling.rulings import FINDING, ruled

pytestmark = pytest.mark.django_db


def differing(game: Game) -> list[object]:
    """The rows of disputes that aren't as the log states them; the fixtures made players without
    it."""
    differences = ledger_differences(game.season_game.season.club_id)
    return [differs for differs in differences if differs.table != "player"]


def test_what_names_an_erased_player_is_listed_and_removed(
    played: Game, sitters: list[User], ruler: User
) -> None:
    person = Player.objects.get(handle=played.seats.get(number=0).handle)
    hearing_open(game=played, word=f"Did {person.handle} call?", actor=Actor(ruler.pk))
    ruling = ruled(played, ruler, finding=Finding(f"{person.handle} called.", "A call stands."))
    appeal = appeal_raise(
        ruling=ruling, seat=1, word=f"{person.handle} lies.", actor=Actor(sitters[1].pk)
    )
    for finding in (Finding(f"{person.handle} didn't call.", "No call stands."), FINDING):
        arbiter = MembershipFactory.create(club=ruling.club, role="arbiter").user
        appeal_draft(
            appeal=appeal,
            decision=RulingDecision(Ruling.Verb.STANDS),
            finding=finding,
            author_id=arbiter.pk,
            key=uuid4(),
        )
    nouns = [mention.noun for mention in player_mentions(person)]
    assert {"hearing", "ruling", "appeal"} <= set(nouns)
    player_erase(player=person, actor=Actor())
    row = Ruling.objects.get()
    assert (row.findings, row.reason) == ("", "A call stands.")
    assert (Hearing.objects.get().word, Appeal.objects.get().word) == ("", "")
    assert [draft.body["finding"]["findings"] for draft in AppealDraft.objects.all()] == [
        FINDING.findings
    ]
    assert person.handle not in "".join(
        str(names) for names in LogEntry.objects.values_list("names", flat=True)
    )
    assert differing(played) == []


def test_the_own_words_of_an_erased_player_go(
    played: Game, sitters: list[User], ruler: User
) -> None:
    hearing_open(game=played, word="Who called?", actor=Actor(ruler.pk))
    appeal_raise(
        ruling=ruled(played, ruler), seat=1, word="I said seven.", actor=Actor(sitters[1].pk)
    )
    player_erase(player=Player.objects.get(handle=played.seats.get(number=1).handle), actor=Actor())
    assert Appeal.objects.get().word == ""
    assert "I said seven." not in "".join(
        str(names) for names in LogEntry.objects.values_list("names", flat=True)
    )
    assert differing(played) == []
