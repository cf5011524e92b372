"""Merging two players once every area agrees."""

from __future__ import annotations

from engine.illegal import Illegal, Refused
from engine.messages import say
from league.core.locks import Space, transaction_lock_patient
from league.core.log.services import Actor, club_journal
from league.core.player.models import Player
from league.events.entry.queries.entry import both_entered
from league.standings.player.services import player_merge

EVENTS_NAMED = 3
"""The most events that both players have entered and that a refusal names."""


def person_merge(*, kept_player: Player, merged: Player, actor: Actor) -> None:
    """Merge a player into another one of the club, if no event tells them apart (`player_merge`).

    Raise `Refused` if `player_merge` refuses, or with `both_entered` if both take part in an event.
    """
    with club_journal(kept_player.club_id, actor):
        transaction_lock_patient(Space.PLAYERS, kept_player.club_id)  # nobody enters meanwhile
        both_entered_check(kept_player, merged)
        player_merge(kept_player=kept_player, merged=merged, actor=actor)


def both_entered_check(kept_player: Player, merged: Player) -> None:
    """Raise `Refused` with `both_entered` if both players take part in an event, or have played
    there."""
    events = both_entered(kept_player, merged)
    if events and kept_player.pk != merged.pk:
        event_names = ", ".join(events[:EVENTS_NAMED])
        if len(events) > EVENTS_NAMED:
            event_names += " …"
        message = say("both take part in {events}: withdraw one entry first", events=event_names)
        raise Refused(Illegal("both_entered", message))
