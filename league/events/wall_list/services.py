"""Claiming players at an event: the code of its wall list, and requests of phones."""

from __future__ import annotations

from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from league.core.account.models import User
from league.core.claim.models import Claim
from league.core.claim.services import player_claim
from league.core.frame.letter_link import digest_of, new_code
from league.core.log.services import Actor, club_journal
from league.core.player.models import Player
from league.events.entry.actions import EntryAction
from league.events.entry.models import Entry
from league.events.event.models import Event
from league.events.event.services import refuse_over
from league.events.wall_list.models import (
    REQUESTS_KEPT,
    SIGN_LENGTH,
    WALL_LENGTH,
    ClaimRequest,
    WallCode,
)
from league.events.wall_list.queries import requests_waiting

MOST_FOR_A_NAME: Final = 5
"""The most phones that may wait for the same name."""


def wall_code(event: Event) -> WallCode:
    """Return the code of an event's wall list. It is created when it is first needed."""
    defaults = {"code": new_code(WALL_LENGTH)}
    code, _ = WallCode.objects.get_or_create(event=event, defaults=defaults)
    return code


def wall_code_renew(*, event: Event, actor: Actor) -> WallCode:
    """Replace the code of an event; the old one no longer works. Raise `ValidationError` once the
    event is over.
    """
    with club_journal(event.club_id, actor, alone=True) as journal:
        refuse_over(Event.objects.get(pk=event.pk))
        defaults = {"code": new_code(WALL_LENGTH), "made_at": journal.at}
        code, _ = WallCode.objects.update_or_create(event=event, defaults=defaults)
        journal.add(EntryAction.WALL_RENEWED, event.public_id)
    return code


@transaction.atomic
def claim_request_make(
    *, entry: Entry, user: User | None, key: str, earlier_key: str = ""
) -> ClaimRequest:
    """Store the request of a phone, or of an account, to be the player of an entry. It waits for
    the organisers.

    The same key again is the same request. `earlier_key`: the key of the browser's former request,
    which is deleted. Raise `ValidationError` if too many phones wait for this name, and for an
    account that is another player of the club.
    """
    digest = digest_of(key)
    same_request = ClaimRequest.objects.filter(entry=entry, key=digest).first()
    if same_request is not None:
        return same_request
    ClaimRequest.objects.filter(entry__event=entry.event_id, key=digest_of(earlier_key)).delete()
    if user is not None:
        _refuse_second_player(entry, user)
    if requests_waiting(entry.event).filter(entry=entry).count() >= MOST_FOR_A_NAME:
        words = gettext(
            "Several phones are already waiting for this name. Ask the organisers to show you the "
            "wall code."
        )
        raise ValidationError(words)
    return ClaimRequest.objects.create(
        entry=entry, user=user, key=digest, sign=new_code(SIGN_LENGTH)
    )


def _refuse_second_player(entry: Entry, user: User) -> None:
    account_player = Player.objects.filter(club=entry.player.club_id, user=user).first()
    if account_player is not None:
        words = gettext(
            "You’re already %(name)s in this club. If both are you, ask the organisers to merge "
            "them."
        )
        raise ValidationError(words % {"name": account_player.name})


@transaction.atomic
def claim_request_approve(*, claim_request: ClaimRequest, actor: Actor) -> Claim:
    """Let a waiting phone be the player, and refuse the others that wait for the same name.

    Raise `ValidationError` as `player_claim` does.
    """
    claim = player_claim(
        player=claim_request.entry.player,
        way=Claim.Way.ASKED,
        user=claim_request.user,
        key=claim_request.key,
        actor=actor,
    )
    same_name = ClaimRequest.objects.filter(
        entry=claim_request.entry_id, status=ClaimRequest.Status.WAITING
    )
    same_name.exclude(pk=claim_request.pk).update(status=ClaimRequest.Status.REFUSED)
    ClaimRequest.objects.filter(pk=claim_request.pk).update(status=ClaimRequest.Status.APPROVED)
    return claim


def claim_request_refuse(*, claim_request: ClaimRequest, actor: Actor) -> bool:
    """Refuse a waiting phone. Return False if it was answered before."""
    with club_journal(claim_request.entry.player.club_id, actor, alone=True) as journal:
        waiting = ClaimRequest.objects.filter(
            pk=claim_request.pk, status=ClaimRequest.Status.WAITING
        )
        if not waiting.update(status=ClaimRequest.Status.REFUSED):
            return False
        journal.add(EntryAction.CLAIM_REFUSED, claim_request.entry.public_id)
    return True


def claim_request_drop(*, claim_request: ClaimRequest) -> None:
    """Delete a request on behalf of the phone that made it."""
    ClaimRequest.objects.filter(pk=claim_request.pk).delete()


def claim_requests_forget() -> None:
    """Delete the requests that are older than `REQUESTS_KEPT`."""
    ClaimRequest.objects.filter(asked_at__lt=timezone.now() - REQUESTS_KEPT).delete()
