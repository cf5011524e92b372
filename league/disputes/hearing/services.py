"""Opening a hearing: an arbiter asks the table what happened, also after the time for
objections."""

from __future__ import annotations

from typing import Final

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.models import Game
from league.core.log.services import Actor, Journal, club_journal
from league.disputes.arbiter.queries import bar_to_ruling
from league.disputes.hearing.actions import HearingAction
from league.disputes.hearing.models import HEARING, Hearing
from league.disputes.hearing.queries import hearing_of
from league.disputes.objection.services import game_acting_role
from league.disputes.reminder.services import reminder_begin

MESSAGES: Final[dict[str, Message]] = {
    "conflict": say("this game was corrected: open the hearing on its newest revision"),
    "heard": say("an arbiter has already opened a hearing about this game"),
}


def hearing_open(*, game: Game, word: str, actor: Actor) -> Hearing:
    """Open a hearing about a game, loaded with its season. `word`: the text of the question to its
    players. The result is provisional until a ruling ends the hearing.

    Raise `Refused` with `reason_needed`, `reason_too_long`, `at_the_table`, `entered_it`,
    `conflict`, `heard`."""
    actor = actor.with_reason(word)
    with club_journal(game.season_game.season.club_id, actor, lock_at_once=True) as journal:
        bar = bar_to_ruling(game, actor.account_id)
        if bar is not None:
            raise Refused(bar)
        if Game.objects.filter(replaces=game).exists():
            raise _refusal("conflict")
        if hearing_of(game) is not None:
            raise _refusal("heard")
        hearing = Hearing.objects.create(
            game=game,
            number=Hearing.objects.filter(game=game).count() + 1,
            word=actor.reason,
            role=game_acting_role(game, actor.account_id),
            opened_at=journal.at,
            opened_by_id=actor.account_id,
        )
        reminder_begin(case=hearing, since=hearing.opened_at)
        details = {"hearing": hearing.public_id, "number": hearing.number, "role": hearing.role}
        journal.add(HearingAction.OPENED, game.public_id, details)
        journal.record(HEARING, [hearing])
    return hearing


def hearing_text_remove(journal: Journal, hearing: Hearing) -> None:
    """Remove the question of a hearing, loaded with its game."""
    Hearing.objects.filter(pk=hearing.pk).update(word="")
    journal.add(HearingAction.TEXT_REMOVED, hearing.game.public_id, {"hearing": hearing.public_id})
    journal.record(HEARING, [hearing], ["word"])


def _refusal(code: str) -> Refused:
    return Refused(Illegal(code, MESSAGES[code]))
