"""Rulings as tests make them."""

from __future__ import annotations

from typing import Any, Final
from uuid import uuid4

from games.models import Game
from league.core.log.services import Actor
from league.disputes.appeal.services import appeal_decide, appeal_draft, appeal_raise
from league.disputes.hearing.services import hearing_open
from league.disputes.objection.services import objection_raise
from league.disputes.ruling.domain import Finding, RulingDecision
from league.disputes.ruling.services.ruling import ruling_make
from league.models import Objection, ObjectionEnd, Ruling, User
from tests.factories.league import MembershipFactory

Verb = Ruling.Verb
WORD: Final = "The last die was a star."
FINDING: Final = Finding("The photo shows a star.", "The star counts as every face.", rule="B4")


def objected(game: Game, sitter: User, seat: int = 1) -> Objection:
    return objection_raise(game=game, seat=seat, word=WORD, actor=Actor(sitter.pk))


def ruled(game: Game, ruler: User, verb: Ruling.Verb = Verb.STANDS, **details: Any) -> Ruling:
    """Rule on a game; `details` are those of a decision, or the `finding` or the `key`."""
    finding = details.pop("finding", FINDING)
    key = details.pop("key", None) or uuid4()
    return ruling_make(
        game=game,
        decision=RulingDecision(verb, **details),
        finding=finding,
        actor=Actor(ruler.pk),
        key=key,
    )


def let_stand(objection: Objection, actor: Actor) -> ObjectionEnd:
    """Let the result stand to which a seat objects, for the actor's reason; returns how the
    objection ended."""
    games = Game.objects.select_related("season_game__season__club", "season_game__season__ranking")
    ruling_make(
        game=games.get(pk=objection.game_id),
        decision=RulingDecision(Verb.STANDS),
        finding=Finding("It was as the record tells.", actor.reason),
        actor=actor,
        key=uuid4(),
    )
    return ObjectionEnd.objects.get(objection=objection)


def decided(game: Game, closed: bool = True) -> None:
    """Let a seat appeal against the last ruling on a game; with `closed`, two other arbiters let
    the result stand."""
    rulings = Ruling.objects.filter(game=game).select_related("outcome__season_game__season__club")
    ruling = rulings.latest("number")
    appeal = appeal_raise(ruling=ruling, seat=1, word="Nobody asked me.", actor=Actor())
    if not closed:
        return
    club = game.season_game.season.club
    first, second = (MembershipFactory.create(club=club, role="arbiter").user for _ in range(2))
    draft = appeal_draft(
        appeal=appeal,
        decision=RulingDecision(Verb.STANDS),
        finding=FINDING,
        author_id=first.pk,
        key=uuid4(),
    )
    appeal_decide(draft=draft, actor=Actor(second.pk))


def appealed_and_decided(game: Game) -> None:
    """Hear the table of a game, rule that it stands, decide an appeal against that, and hear the
    table once more."""
    arbiter = MembershipFactory.create(club=game.season_game.season.club, role="arbiter").user
    hearing_open(game=game, word="Who called?", actor=Actor(arbiter.pk))
    ruled(game, arbiter)
    decided(game)
    hearing_open(game=game, word="And who raised?", actor=Actor(arbiter.pk))


def ruling_form(**fields: Any) -> dict[str, Any]:
    """What the form of a ruling sends when it is confirmed."""
    sent = {
        "findings": FINDING.findings,
        "reason": FINDING.reason,
        "rule": "B4",
        "key": str(uuid4()),
        "confirm": "",
    }
    return sent | fields
