"""Claiming players: by a code, an email's link or a tap, until somebody undoes it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from league.core.account.models import User
from league.core.account.services import phone_create
from league.core.claim.models import CLAIM, CODE_LENGTH, Claim, ClaimCode
from league.core.claim.queries import players_unclaimed, players_unproven, tapped_claims
from league.core.club.models import Club
from league.core.frame.letter_link import new_code
from league.core.log.services import Actor, Journal, club_journal
from league.core.player.actions import PlayerAction
from league.core.player.models import PLAYER, Player
from league.core.player.services.player import refuse_erased


def claim_codes_make(
    *, club: Club, players: Sequence[Player], actor: Actor, anew: bool = False
) -> list[ClaimCode]:
    """Give each of these players a claim code, and return the codes. Players keep the code that
    they have; those with an account, merged and erased players get none.

    With `anew`, new codes replace old ones, and players whose account only tapped their name,
    without a code or anybody's consent, get one, too. The log says that a code was made, but not
    the code itself.
    """
    with club_journal(club.pk, actor, lock_at_once=True) as journal:
        candidates = players_unproven(club) if anew else players_unclaimed(club)
        eligible = candidates.filter(pk__in=[player.pk for player in players])
        codes = ClaimCode.objects.filter(player__in=eligible)
        if anew:
            codes.delete()
        for player in eligible.exclude(pk__in=codes.values("player")).order_by("pk"):
            ClaimCode.objects.create(player=player, code=new_code(CODE_LENGTH))
            journal.add(PlayerAction.CODE_MADE, player.public_id)
        return list(codes.select_related("player").order_by("player__name_key", "player"))


@transaction.atomic
def player_claim(
    *,
    player: Player,
    way: Claim.Way,
    user: User | None,
    code: str = "",
    key: str = "",
    actor: Actor | None = None,
) -> Claim:
    """Link an account with a player, and return the claim. Without a `user`, the phone gets an
    account of its own, without an address or a password. `key`: the digest of the page's key;
    `actor`: whoever allows the claim, if not the account itself.

    The player's own code, which is used up, and an email's link end claims of the name that were
    tapped without proof. Raise `ValidationError` if the player has an account or is erased, if the
    code is used, or if the account is another player of the club.
    """
    account = user or phone_create()
    with club_journal(player.club_id, actor or Actor(account.pk), lock_at_once=True) as journal:
        kept_player = Player.objects.select_related("merged_into").get(pk=player.pk).current
        same_person = Player.objects.filter(Q(pk=kept_player.pk) | Q(merged_into=kept_player))
        refuse_erased(kept_player)
        if way not in Claim.TAPPED:
            _end_tapped_claims(journal, same_person, account)
        if same_person.filter(user__isnull=False).exists():
            raise ValidationError(
                gettext("This player already has an account. If it’s yours, ask the organisers.")
            )
        if way == Claim.Way.CODE:
            used, _ = ClaimCode.objects.filter(player=player, code=code).delete()
            if not used:
                raise ValidationError(
                    gettext("This code has just been used. Ask the organisers for another one.")
                )
        linked_player = Player.objects.filter(club=player.club_id, user=account).first()
        if linked_player is not None:
            raise ValidationError(
                gettext(
                    "You’re already %(name)s in this club. If both are you, ask the organisers to "
                    "merge them."
                )
                % {"name": linked_player.name}
            )
        if way not in Claim.TAPPED:
            ClaimCode.objects.filter(player__in=same_person).delete()
        Player.objects.filter(pk=kept_player.pk).update(user=account)
        claim = Claim.objects.create(
            player=kept_player, user=account, way=way, claimed_at=journal.at, key=key
        )
        payload = {"claim": claim.public_id, "account": account.public_id, "way": way}
        journal.add(PlayerAction.CLAIMED, kept_player.public_id, payload)
        journal.record(PLAYER, [kept_player], ["account"])
        journal.record(CLAIM, [claim])
    return claim


def _end_tapped_claims(journal: Journal, same_person: QuerySet[Player], account: User) -> None:
    """End claims that were tapped without proof: a proven one replaces them."""
    tapped = tapped_claims().filter(player__in=same_person)
    claims_end(journal, list(tapped.values_list("player", flat=True)), kept_account=account.pk)


def claim_end(*, claim: Claim, actor: Actor) -> bool:
    """Undo a claim, so that the player can be claimed again. Return False if it has already
    ended."""
    with club_journal(claim.player.club_id, actor, lock_at_once=True) as journal:
        return bool(claims_end(journal, [claim.player_id]))


def claims_end(
    journal: Journal, player_ids: Collection[int], *, kept_account: int | None = None
) -> int:
    """End the claims of players (row ids) as part of a larger action, and return how many were
    current. A phone's account is deactivated with its last player, except for `kept_account`."""
    claims = list(
        Claim.objects.filter(player__in=player_ids, ended_at=None).select_related("player", "user")
    )
    for claim in claims:
        Claim.objects.filter(pk=claim.pk).update(ended_at=journal.at)
        Player.objects.filter(pk=claim.player_id, user=claim.user_id).update(user=None)
        if claim.user is not None and claim.user_id != kept_account:
            _deactivate_phone_without_players(claim.user)
        journal.add(PlayerAction.CLAIM_ENDED, claim.player.public_id, {"claim": claim.public_id})
        journal.record(PLAYER, [claim.player], ["account"])
        journal.record(CLAIM, [claim], ["ended_at"])
    return len(claims)


def _deactivate_phone_without_players(user: User) -> None:
    if user.is_phone and not Player.objects.filter(user=user).exists():
        User.objects.filter(pk=user.pk).update(is_active=False)


def claims_forget(journal: Journal, players: Sequence[Player]) -> None:
    """End the claims of erased players, and forget whose accounts they were."""
    player_ids = [player.pk for player in players]
    claims_end(journal, player_ids)
    claims = Claim.objects.filter(player__in=player_ids)
    journal.record(CLAIM, claims.values_list("pk", flat=True), ["account"])
    claims.update(user=None, key="")
    ClaimCode.objects.filter(player__in=player_ids).delete()
