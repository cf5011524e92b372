"""Objections to the result of a game: raised by a seat, withdrawn, and ended by a ruling.

The result counts all the while; it is marked as provisional.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef
from django.db.models.functions import Lower

from engine.illegal import Illegal, Refused
from engine.messages import Message, say
from games.models import Game, Seat
from games.queries.void import game_void
from league.core.log.erasure import entry_texts_forget
from league.core.log.services import Actor, Journal, club_journal
from league.core.member.models.member import Role
from league.core.player.models import Handle, Player
from league.core.viewer.queries.author import acting_role
from league.disputes.objection.models import OBJECTION, Objection, ObjectionEnd
from league.disputes.objection.queries.objection import (
    ObjectionWindow,
    objection_window,
    own_seat_of,
)
from league.disputes.reminder.services import reminder_begin, reminder_end
from league.disputes.ruling.queries import rulings_of
from league.events.event.models import Event
from league.events.helper.queries import event_acting_role
from league.standings.ranked_game.actions import ObjectionAction

MESSAGES: Final[dict[str, Message]] = {
    "conflict": say("this game was corrected: its newest revision is the one to object to"),
    "voided": say("this game is void: there is nothing to object to"),
    "no_seat": say("this game has no such seat"),
    "no_objections": say("the event of this game takes no objections"),
    "too_late": say("the time for objections to this game is over"),
    "objected": say("this seat has objected already"),
    "ended": say("this objection has ended already"),
    "ruled": say("an arbiter has ruled on this game: appeal against the ruling instead"),
}


def objection_raise(*, game: Game, seat: int, word: str, actor: Actor) -> Objection:
    """Object for a seat to the result of a game, which comes with its season, with a word why.

    Raises `Refused` with `reason_needed`, `reason_too_long`, `conflict` (a correction replaces the
    game), `voided`, `no_seat`, `no_objections`, `too_late`, `objected` (the seat has an open one),
    or `ruled`."""
    actor = actor.with_reason(word)
    # Nobody corrects or voids the game in between, and no other phone objects for the seat.
    with club_journal(game.season_game.season.club_id, actor, alone=True) as journal:
        window = objection_window(game, actor.account_id)
        _refuse_closed(game, seat, window, journal.at)
        role = (
            Role.PLAYER.value
            if seat == window.own_seat
            else game_acting_role(game, actor.account_id)
        )
        objection = Objection.objects.create(
            game=game,
            seat=seat,
            number=Objection.objects.filter(game=game, seat=seat).count() + 1,
            word=actor.reason,
            role=role,
            raised_at=journal.at,
            raised_by_id=actor.account_id,
        )
        reminder_begin(case=objection, since=objection.raised_at)
        details = {
            "objection": objection.public_id,
            "seat": seat,
            "number": objection.number,
            "role": role,
        }
        journal.add(ObjectionAction.RAISED, game.public_id, details)
        journal.state(OBJECTION, [objection])
    return objection


def objection_withdraw(*, objection: Objection, actor: Actor) -> ObjectionEnd:
    """Take an objection back, as who sits there or raised it. Raises `Refused` (`ended`)."""
    own_seat = own_seat_of(objection.game, actor.account_id)
    role = (
        Role.PLAYER.value
        if own_seat == objection.seat
        else game_acting_role(objection.game, actor.account_id)
    )
    silent_actor = Actor(actor.account_id, "", actor.request_id)
    with club_journal(
        objection.game.season_game.season.club_id, silent_actor, alone=True
    ) as journal:
        if ObjectionEnd.objects.filter(objection=objection).exists():
            raise _refusal("ended")
        return _end(journal, objection, ObjectionEnd.Way.WITHDRAWN, role)


def objections_close(*, journal: Journal, game: Game, way: ObjectionEnd.Way, role: str) -> None:
    """End the open objections to a game that is corrected or voided, in the transaction that does
    so and holds the log's end."""
    for objection in Objection.objects.filter(game=game, end=None):
        _end(journal, objection, way, role)


def objections_forget(journal: Journal, players: Collection[Player]) -> None:
    """Remove the words with which players who are erased objected for their own seats, here and
    beside the log."""
    seats = Seat.objects.alias(lower=Lower("handle")).filter(
        lower__in=Handle.objects.filter(player__in=players).values(lower=Lower("handle"))
    )
    objections = Objection.objects.filter(
        Exists(seats.filter(game=OuterRef("game"), number=OuterRef("seat"))),
        game__season_game__season__club=journal.club_id,
        role=Role.PLAYER,
    )
    rows = list(objections.exclude(word="").select_related("game"))
    for objection in rows:
        objection_text_remove(journal, objection, "word")
    entry_texts_forget(
        journal.club_id, ObjectionAction.RAISED, [row.public_id for row in rows], "word"
    )


def objection_text_remove(journal: Journal, objection: Objection, text: str) -> None:
    """Remove the `word` of an objection, which comes with its game, or the `reason` for which the
    result stands."""
    rows = (
        Objection.objects.filter(pk=objection.pk)
        if text == "word"
        else ObjectionEnd.objects.filter(pk=objection.pk)
    )
    rows.update(**{text: ""})
    journal.add(
        ObjectionAction.TEXT_REMOVED,
        objection.game.public_id,
        {"objection": objection.public_id, "text": text},
    )
    journal.state(OBJECTION, [objection], [text])


def game_acting_role(game: Game, account_id: int | None) -> str:
    """The role in which an account rules on a game, which comes with its season, as the log notes
    it."""
    event = Event.objects.filter(stages__stage_rounds__tables__table_games__game=game).first()
    return (
        event_acting_role(event, account_id)
        if event
        else acting_role(game.season_game.season.club_id, account_id)
    )


def _refuse_closed(game: Game, seat: int, window: ObjectionWindow, at: datetime) -> None:
    """Refuse what can't be objected to at that time, under the log's lock. Raises `Refused`."""
    faults = {
        "conflict": Game.objects.filter(replaces=game).exists(),
        "voided": game_void(game) is not None,
        "no_seat": not Seat.objects.filter(game=game, number=seat).exists(),
        "no_objections": window.until is None,
        "too_late": not window.is_open(at),
        "objected": Objection.objects.filter(game=game, seat=seat, end=None).exists(),
        "ruled": rulings_of(game).exists(),
    }
    for code, is_so in faults.items():
        if is_so:
            raise _refusal(code)


def _refusal(code: str) -> Refused:
    """The exception for something that can't be objected to, or an objection that can't be ended
    so."""
    return Refused(Illegal(code, MESSAGES[code]))


def _end(journal: Journal, objection: Objection, way: ObjectionEnd.Way, role: str) -> ObjectionEnd:
    """Add the fact, and note it."""
    end = ObjectionEnd.objects.create(
        objection=objection,
        way=way,
        reason=journal.actor.reason if way == ObjectionEnd.Way.STANDS else "",
        role=role,
        ended_at=journal.at,
        ended_by_id=journal.actor.account_id,
    )
    reminder_end(case=objection)
    journal.add(
        ObjectionAction.ENDED,
        objection.game.public_id,
        {"objection": objection.public_id, "way": way, "role": role},
    )
    journal.state(OBJECTION, [objection], OBJECTION.more)
    return end
