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
    "conflict": say("this game was corrected: object to its newest revision"),
    "voided": say("this game is void: there is nothing to object to"),
    "no_seat": say("this game has no such seat"),
    "no_objections": say("the event of this game isn't open to objections"),
    "too_late": say("the time for objections to this game is over"),
    "objected": say("this player has already objected"),
    "ended": say("this objection has already ended"),
    "ruled": say("an arbiter has ruled on this game: appeal against the ruling instead"),
}


def objection_raise(*, game: Game, seat: int, word: str, actor: Actor) -> Objection:
    """Object for a seat to the result of a game, loaded with its season. `word`: the text that says
    why.

    Raise `Refused` with `reason_needed`, `reason_too_long`, `conflict` (a correction replaces the
    game), `voided`, `no_seat`, `no_objections`, `too_late`, `objected` (the seat has an open one),
    or `ruled`."""
    actor = actor.with_reason(word)
    # The lock keeps others from correcting or voiding the game meanwhile, and other phones from
    # objecting for the seat.
    with club_journal(game.season_game.season.club_id, actor, lock_at_once=True) as journal:
        window = objection_window(game, actor.account_id)
        _refuse_closed(game, seat, window, journal.at)
        if seat == window.own_seat:
            role = Role.PLAYER.value
        else:
            role = game_acting_role(game, actor.account_id)
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
        journal.record(OBJECTION, [objection])
    return objection


def objection_withdraw(*, objection: Objection, actor: Actor) -> ObjectionEnd:
    """Withdraw an objection, as its seat or as the account that raised it. Raise `Refused` with
    `ended`."""
    game = objection.game
    role = seat_acting_role(game, objection.seat, actor.account_id)
    # a withdrawal has no reason, so the log stores none
    actor_without_reason = Actor(actor.account_id, "", actor.request_id)
    club_id = game.season_game.season.club_id
    with club_journal(club_id, actor_without_reason, lock_at_once=True) as journal:
        if ObjectionEnd.objects.filter(objection=objection).exists():
            raise _refusal("ended")
        return _end(journal, objection, ObjectionEnd.Way.WITHDRAWN, role)


def objections_close(*, journal: Journal, game: Game, way: ObjectionEnd.Way, role: str) -> None:
    """End the open objections to a game, in the transaction that corrects, voids or rules on it and
    holds the log's lock."""
    for objection in Objection.objects.filter(game=game, end=None):
        _end(journal, objection, way, role)


def objections_forget(journal: Journal, players: Collection[Player]) -> None:
    """Remove the words of the objections that erased players raised for their own seats, here and
    in the log."""
    handles = Handle.objects.filter(player__in=players).values(lower=Lower("handle"))
    seats = Seat.objects.alias(lower=Lower("handle")).filter(lower__in=handles)
    objections = Objection.objects.filter(
        Exists(seats.filter(game=OuterRef("game"), number=OuterRef("seat"))),
        game__season_game__season__club=journal.club_id,
        role=Role.PLAYER,
    )
    rows = list(objections.exclude(word="").select_related("game"))
    for objection in rows:
        objection_text_remove(journal, objection, "word")
    public_ids = [row.public_id for row in rows]
    entry_texts_forget(journal.club_id, ObjectionAction.RAISED, public_ids, "word")


def objection_text_remove(journal: Journal, objection: Objection, text: str) -> None:
    """Remove a text of an objection, loaded with its game: its `word`, or the `reason` for which
    the result stands."""
    if text == "word":
        Objection.objects.filter(pk=objection.pk).update(word="")
    else:
        ObjectionEnd.objects.filter(pk=objection.pk).update(**{text: ""})
    details = {"objection": objection.public_id, "text": text}
    journal.add(ObjectionAction.TEXT_REMOVED, objection.game.public_id, details)
    journal.record(OBJECTION, [objection], [text])


def game_acting_role(game: Game, account_id: int | None) -> str:
    """Return the role in which an account rules on a game, loaded with its season, as the log notes
    it."""
    event = Event.objects.filter(stages__stage_rounds__tables__table_games__game=game).first()
    if event is not None:
        return event_acting_role(event, account_id)
    return acting_role(game.season_game.season.club_id, account_id)


def seat_acting_role(game: Game, seat: int | None, account_id: int | None) -> str:
    """Return the role in which an account acts for a seat of a game, loaded with its season:
    `player` for its own seat; for another seat, or no seat (None), the role in which it rules on
    the game."""
    if seat is not None and seat == own_seat_of(game, account_id):
        return Role.PLAYER.value
    return game_acting_role(game, account_id)


def _refuse_closed(game: Game, seat: int, window: ObjectionWindow, at: datetime) -> None:
    if Game.objects.filter(replaces=game).exists():
        raise _refusal("conflict")
    if game_void(game) is not None:
        raise _refusal("voided")
    if not Seat.objects.filter(game=game, number=seat).exists():
        raise _refusal("no_seat")
    if window.until is None:
        raise _refusal("no_objections")
    if not window.is_open(at):
        raise _refusal("too_late")
    if Objection.objects.filter(game=game, seat=seat, end=None).exists():
        raise _refusal("objected")
    if rulings_of(game).exists():
        raise _refusal("ruled")


def _refusal(code: str) -> Refused:
    return Refused(Illegal(code, MESSAGES[code]))


def _end(journal: Journal, objection: Objection, way: ObjectionEnd.Way, role: str) -> ObjectionEnd:
    end = ObjectionEnd.objects.create(
        objection=objection,
        way=way,
        reason=journal.actor.reason if way == ObjectionEnd.Way.STANDS else "",
        role=role,
        ended_at=journal.at,
        ended_by_id=journal.actor.account_id,
    )
    reminder_end(case=objection)
    details = {"objection": objection.public_id, "way": way, "role": role}
    journal.add(ObjectionAction.ENDED, objection.game.public_id, details)
    journal.record(OBJECTION, [objection], OBJECTION.more)
    return end
